"""Tasks for the tests of how workers behave; they tell the store what they do."""

from __future__ import annotations

import os
import threading

import redis

from shared.tasks.app import celery

store = redis.Redis.from_url(os.environ["STORE_URL"])


@celery.task(name="sample.note")
def note(game: str, seconds: float = 0.0, word: str = "") -> None:
    """Writes down a word and the process it runs in, then takes its time."""
    store.rpush(f"sample:{game}:words", word)
    store.rpush(f"sample:{game}", os.getpid())
    threading.Event().wait(seconds)
    store.rpush(f"sample:{game}:done", os.getpid())


@celery.task(name="sample.fail")
def fail(game: str) -> None:
    """Fails with words that must not be logged."""
    raise ValueError(f"the red card of {game}")
