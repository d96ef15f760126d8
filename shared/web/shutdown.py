"""Tells long requests, such as streams, that their process has been asked to stop."""

from __future__ import annotations

import signal
import threading
from types import FrameType

stopping = threading.Event()
"""Set once SIGTERM or SIGINT came: end streams at the next commit or heartbeat, answer /readyz with 503."""


def watch_signals() -> None:
    """Sets `stopping` on SIGTERM and SIGINT, then does what the process did on them before. Main thread only."""
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, _announced(signal.getsignal(number)))


def _announced(before: object) -> object:
    def handle(number: int, frame: FrameType | None) -> None:
        stopping.set()
        if callable(before):
            before(number, frame)

    return handle
