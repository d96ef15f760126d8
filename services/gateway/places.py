"""How many requests may hold a thread at once, so that long ones never use up the threads of the others."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from prometheus_client import Gauge

HELD = Gauge("whistlestop_held_requests", "Streams and long polls that hold a thread.", ["kind"],
             multiprocess_mode="livesum")


class Places:
    """A number of places for one kind of request."""

    def __init__(self, kind: str, number: int) -> None:
        self._free = threading.Semaphore(number)
        self._held = HELD.labels(kind)

    @contextmanager
    def take(self) -> Iterator[bool]:
        """Holds a place for as long as the block lasts; gives False at once where none is free."""
        taken = self._free.acquire(blocking=False)
        if taken:
            self._held.inc()
        try:
            yield taken
        finally:
            if taken:
                self._held.dec()
                self._free.release()
