"""Waiting in tests: for a condition, with a deadline."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")
PAUSE_SECONDS = 0.02


def until(check: Callable[[], T], what: str, seconds: float = 15.0) -> T:
    """Gives the first true answer of `check`; fails, saying what was awaited, when none comes within `seconds`."""
    deadline = time.monotonic() + seconds
    pause = threading.Event()
    while not (answer := check()):
        if time.monotonic() > deadline:
            raise AssertionError(f"waited {seconds:g} s in vain for {what}")
        pause.wait(PAUSE_SECONDS)
    return answer
