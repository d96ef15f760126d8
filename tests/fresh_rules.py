"""A pytest plugin for mutation tests: every test compiles its rule sets itself, and so meets their constructors."""

from __future__ import annotations

import pytest

from shared.catalog import loader


@pytest.fixture(autouse=True)
def fresh_rules() -> None:
    """Forgets the rule sets that other tests compiled."""
    loader._compiled.cache_clear()
