"""The form of the kernel that these tests run on."""

from __future__ import annotations

import importlib
import pkgutil
from importlib.machinery import EXTENSION_SUFFIXES, SOURCE_SUFFIXES

from shared import kernel
from shared.compiled import is_wanted


def test_every_module_has_the_form_asked_for() -> None:
    suffix = EXTENSION_SUFFIXES[0] if is_wanted() else SOURCE_SUFFIXES[0]
    names = [module.name for module in pkgutil.walk_packages(kernel.__path__, "shared.kernel.")]
    assert {"shared.kernel.engine", "shared.kernel.mechanics.claim"} <= set(names)
    assert [name for name in names if not importlib.import_module(name).__file__.endswith(suffix)] == []
    assert kernel.__file__.endswith(suffix)
