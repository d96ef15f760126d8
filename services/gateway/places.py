"""How many requests may hold a thread at once, so that long ones never use up the threads of the others."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from prometheus_client import Gauge

HELD = Gauge("whistlestop_held_requests", "Streams and long polls that hold a thread.", ["kind"],
             multiprocess_mode="livesum")
SHARES = 4
LEAST_SHARE = 2


class Places:
    """A number of places for one kind of request; one account may hold a quarter of them, and always two."""

    def __init__(self, kind: str, number: int) -> None:
        self._number = number
        self._share = max(LEAST_SHARE, number // SHARES)
        self._holders: Counter[str] = Counter()
        self._lock = threading.Lock()
        self._gauge = HELD.labels(kind)

    @contextmanager
    def take(self, account: str) -> Iterator[str | None]:
        """Holds a place for as long as the block lasts and gives None; at once says why where there is none."""
        refusal = self._enter(account)
        try:
            yield refusal
        finally:
            if refusal is None:
                self._leave(account)

    def _enter(self, account: str) -> str | None:
        with self._lock:
            if self._holders.total() >= self._number:
                return "all are taken"
            if self._holders[account] >= self._share:
                return f"this caller has {self._share} already, its share"
            self._holders[account] += 1
        self._gauge.inc()
        return None

    def _leave(self, account: str) -> None:
        with self._lock:
            self._holders[account] -= 1
            if not self._holders[account]:
                del self._holders[account]
        self._gauge.dec()
