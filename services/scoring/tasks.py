"""Celery tasks of scoring. Each may run twice, late or at once with another; the agenda sends it until it is done."""

from __future__ import annotations

import functools

from services.scoring import handlers
from services.scoring.adapters import Adapters, adapters_of
from shared.contracts.queues import SCORING_PROJECT, SCORING_RECORD_RESULT
from shared.tasks.app import celery
from shared.web import Settings
from shared.web.store import connect


@celery.task(name=SCORING_PROJECT)
def project(game: str) -> None:
    """Reads the new commits of a game."""
    handlers.acknowledge(_adapters(), game)


@celery.task(name=SCORING_RECORD_RESULT)
def record_result(game: str) -> None:
    """Records the final sheet of a game that is over."""
    handlers.record_result(_adapters(), game)


@functools.cache
def _adapters() -> Adapters:
    settings = Settings.load("scoring")
    return adapters_of(settings, connect(settings.store_url, decode_responses=True))
