"""The Celery task of arenas, for workers with STORE_URL and BROKER_URL and nothing else.

A task is a turn and names no arena: whose games are played is decided when it runs, so it may be lost, late or doubled.
"""

from __future__ import annotations

import functools
import logging
from typing import Any

import redis
from celery import signals
from kombu.exceptions import OperationalError

from services.ai.arenas.keeper import MOST_TURNS_WAITING, send_turn
from services.ai.arenas.slices import play_slice
from services.ai.arenas.store import ArenaStore
from services.ai.guard import limit_memory
from services.ai.queue_health import QueueHealth
from shared.contracts.queues import ARENA, ARENA_PLAY
from shared.tasks.app import celery
from shared.web import Settings
from shared.web.store import connect

MOST_KEPT_KIBIBYTES = 400 * 1024
"""A pool process that holds more after a slice, because of a bot that kept something, makes room for a new one."""

log = logging.getLogger(__name__)
celery.conf.worker_max_memory_per_child = MOST_KEPT_KIBIBYTES


@celery.task(name=ARENA_PLAY)
def play() -> None:
    """Plays a slice, and sends the next turn while there is something to play."""
    store, queues = _parts()
    if not play_slice(store):
        return
    try:
        if queues.depth(ARENA) < MOST_TURNS_WAITING:
            send_turn()
    except (redis.RedisError, OperationalError) as error:
        log.warning("the next turn is left to the keeper", extra={"error": type(error).__name__})


@signals.worker_process_init.connect
def begin(**_: Any) -> None:
    """Limits what bots can take of each pool process."""
    limit_memory()


@functools.cache
def _parts() -> tuple[ArenaStore, QueueHealth]:
    settings = Settings.load("arenas")
    return ArenaStore(connect(settings.store_url, decode_responses=True)), QueueHealth(connect(settings.broker_url))
