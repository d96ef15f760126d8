"""Which form of the kernel is imported: its sources, or what `make compile` has built of them.

The compiled form is taken where there is one of these very sources for this Python. WHISTLESTOP_KERNEL=plain keeps to
the sources; with WHISTLESTOP_KERNEL=compiled nothing of `shared` can be imported unless that form is there.
"""

from __future__ import annotations

import hashlib
import os
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

SHARED = Path(__file__).parent
BUILD = SHARED.parent / "build/kernel"
STAMP = BUILD / "stamp"  # the digest of what was compiled


def digest() -> str:
    """A hash of the kernel's sources and of the kind of Python that code compiled here runs on."""
    found = hashlib.sha256(EXTENSION_SUFFIXES[0].encode())
    for path in sorted((SHARED / "kernel").rglob("*.py")):
        source = path.read_bytes()
        found.update(b"%s %d\n" % (path.relative_to(SHARED).as_posix().encode(), len(source)))
        found.update(source)
    return found.hexdigest()


def is_current() -> bool:
    """Whether the kernel as it is now has been compiled."""
    return STAMP.is_file() and STAMP.read_text() == digest()


def is_wanted() -> bool:
    """Whether the compiled form is to be imported; raises ImportError if it has to be and is not there."""
    wanted = os.environ.get("WHISTLESTOP_KERNEL", "")
    if wanted not in ("", "plain", "compiled"):
        raise ImportError(f"WHISTLESTOP_KERNEL is plain, compiled or nothing, not {wanted!r}")
    if wanted == "plain":
        return False
    if wanted == "compiled" and not is_current():
        raise ImportError(
            f"WHISTLESTOP_KERNEL is compiled, and {BUILD} holds no kernel compiled from these sources for this Python: "
            "make compile builds it, WHISTLESTOP_KERNEL=plain works without"
        )
    return is_current()
