"""Looks after the arenas: has turns for them in the queue, counts results, closes those that have ended.

It keeps nothing: several may run side by side, and all that a lost broker, worker or keeper costs is time.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

import redis
from kombu.exceptions import OperationalError

from services.ai.arenas.counting import count
from services.ai.arenas.store import RUNNING, ArenaStore
from services.ai.queue_health import QueueHealth
from shared.contracts.queues import ARENA, ARENA_PLAY
from shared.tasks.app import celery

TURNS_WAITING = 4
"""So many turns wait in the queue while there is something to play, for workers that come free."""
MOST_TURNS_WAITING = 64
"""A turn is sent by the one before it, unless so many wait."""
PAUSE_SECONDS = 1.0

log = logging.getLogger(__name__)


class Keeper:
    """Tends the arenas of a store; `send` puts one turn into the queue."""

    def __init__(self, store: ArenaStore, queues: QueueHealth, send: Callable[[], object]) -> None:
        self._store = store
        self._queues = queues
        self._send = send

    def run(self, stop: threading.Event) -> None:
        """Tends the arenas every second until told to stop."""
        while not stop.wait(PAUSE_SECONDS):
            try:
                self.tend()
            except (redis.RedisError, OperationalError) as error:
                log.warning("arenas wait: store or broker is away", extra={"error": type(error).__name__})
            except Exception:
                log.exception("arenas could not be tended")

    def tend(self) -> None:
        """Counts and closes what there is to count and to close, and sees to it that enough turns wait in the queue.

        Raises redis.RedisError or OperationalError while store or broker are away.
        """
        claimable = 0
        for owner, arena in self._store.open_arenas():
            found = self._store.read(arena)
            found = found and count(self._store, found)
            if found and found.status != RUNNING and found.counted == found.done:
                self._store.close(owner, arena)
            claimable += self._store.claimable(arena)
        for _ in range(min(claimable, TURNS_WAITING - self._queues.depth(ARENA))):
            self._send()


def send_turn() -> None:
    """Puts a turn into the queue: some worker plays a slice of the arena that has waited longest. Raises
    OperationalError while the broker is away."""
    celery.send_task(ARENA_PLAY)
