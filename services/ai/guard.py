"""Keeps a bot from thinking for ever and from taking all the memory."""

from __future__ import annotations

import resource
import signal
import time
from types import FrameType
from typing import Any, Self

CPU_SECONDS = 2.0
"""What a bot may compute for one decision; not a matter of how busy the machine is."""
CLOCK_SECONDS = 4.0
"""What a bot may wait for one decision; shorter than the time limit of a task."""
TICK_SECONDS = 0.1
MOST_MEMORY = 1 << 30
"""Bytes of address space of a process in which bots play; one that wants more gets a MemoryError."""


def limit_memory() -> None:
    """Lets the bots of this process run out of memory before the machine does."""
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, resource.getrlimit(resource.RLIMIT_AS)[1]))


class TooSlow(BaseException):
    """A bot has used up its time; not an Exception, so that bots do not take it for one of their own."""


class Guard:
    """Raises TooSlow inside a decision that takes too long, as long as the block lasts. Main thread only."""

    def __init__(self, cpu_seconds: float = CPU_SECONDS, clock_seconds: float = CLOCK_SECONDS) -> None:
        self._cpu_seconds = cpu_seconds
        self._clock_seconds = clock_seconds
        self._cpu_since = 0.0
        self._clock_since: float | None = None
        self._before: Any = None

    def __enter__(self) -> Self:
        self._before = signal.signal(signal.SIGALRM, self._look)
        signal.setitimer(signal.ITIMER_REAL, TICK_SECONDS, TICK_SECONDS)
        return self

    def __exit__(self, *_: object) -> None:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, self._before)

    def begin(self) -> None:
        """A decision begins."""
        self._cpu_since, self._clock_since = time.process_time(), time.monotonic()

    def end(self) -> float:
        """The decision has ended; gives the seconds of CPU time that it took."""
        self._clock_since = None
        return time.process_time() - self._cpu_since

    def _look(self, number: int, frame: FrameType | None) -> None:
        if self._clock_since is None:
            return
        if (time.process_time() - self._cpu_since > self._cpu_seconds
                or time.monotonic() - self._clock_since > self._clock_seconds):
            raise TooSlow
