"""Wakes the streams and long polls of this process when their game has a new commit, or their bot new work.

One thread with one connection of its own reads the feeds of all shards. It only says that something is new; the
commits themselves are fetched for each caller, so a wake-up too many is harmless and one lost costs a heartbeat.
"""

from __future__ import annotations

import logging
import threading
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import redis

from shared.contracts.queues import SHARDS, feed_of

log = logging.getLogger(__name__)

FEEDS = tuple(map(feed_of, range(SHARDS)))
BLOCK_SECONDS = 0.5
BATCH = 500
RECONNECT_SECONDS = 0.5


class Watch:
    """One waiting thread's interest in a game or a bot."""

    def __init__(self) -> None:
        self._news = threading.Event()

    def wait(self, seconds: float) -> bool:
        """Waits for news, at most so long; tells whether there was any since the last call."""
        woken = self._news.wait(max(0.0, seconds))
        self._news.clear()
        return woken

    def wake(self) -> None:
        """Ends the wait."""
        self._news.set()


class Hub:
    """All watches of this process, and the thread that wakes them."""

    def __init__(self, connect: Callable[[], redis.Redis], stopping: threading.Event) -> None:
        self._connect = connect
        self._stopping = stopping
        self._watches: dict[str, set[Watch]] = defaultdict(set)
        self._lock = threading.Lock()
        self._reader: threading.Thread | None = None
        self._is_cut_off = False

    @property
    def is_stopping(self) -> bool:
        """Whether everything that waits should end now."""
        return self._stopping.is_set()

    @contextmanager
    def watch(self, topic: str) -> Iterator[Watch]:
        """Gives a watch on a game or an external bot for as long as the block lasts; the reader starts with the first.

        No id of a game has the dot that is in the name of every external bot.
        """
        watch = Watch()
        with self._lock:
            self._watches[topic].add(watch)
            if self._reader is None and not self.is_stopping:
                self._reader = threading.Thread(target=self._read, name="feed-reader", daemon=True)
                self._reader.start()
        try:
            yield watch
        finally:
            with self._lock:
                self._watches[topic].discard(watch)
                if not self._watches[topic]:
                    del self._watches[topic]

    def _read(self) -> None:
        while not self.is_stopping:
            try:
                self._follow(self._connect())
            except redis.RedisError as error:
                if not self._is_cut_off:
                    log.warning("the feeds cannot be read for now", extra={"error": type(error).__name__})
                self._is_cut_off = True
                self._stopping.wait(RECONNECT_SECONDS)
        self._wake(list(self._watches))

    def _follow(self, store: redis.Redis) -> None:
        """Reads from the newest entries on; whatever came before is made up for by waking everybody once."""
        with store:
            positions = {feed: _newest(store, feed) for feed in FEEDS}
            self._is_cut_off = False
            self._wake(list(self._watches))
            while not self.is_stopping:
                for feed, entries in store.xread(positions, count=BATCH, block=int(BLOCK_SECONDS * 1000)) or ():
                    positions[feed] = entries[-1][0]
                    self._wake({topic for _, fields in entries for topic in _topics(fields)})

    def _wake(self, topics: list[str] | set[str]) -> None:
        for topic in topics:
            for watch in tuple(self._watches.get(topic, ())):
                watch.wake()


def _topics(fields: dict[str, str]) -> list[str]:
    return [fields["game"], *fields.get("bots", "").split()]


def _newest(store: redis.Redis, feed: str) -> str:
    entries = store.xrevrange(feed, count=1)
    return entries[0][0] if entries else "0-0"
