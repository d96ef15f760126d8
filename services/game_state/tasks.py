"""Celery tasks of game-state: what the agenda asks for, passed on to the service, which may do it or find it done.

Each may run twice, and none has to succeed: the agenda sends it again until the game no longer needs it.
"""

from __future__ import annotations

import functools
import logging

from shared.contracts.queues import MAINTENANCE_AUDIT, MAINTENANCE_FORCE_ANSWER, MAINTENANCE_START_GAME
from shared.tasks.app import celery
from shared.web import Settings
from shared.web.client import ServiceClient

log = logging.getLogger(__name__)


@celery.task(name=MAINTENANCE_START_GAME)
def start_game(game: str) -> None:
    """Starts a game that could not start when its last seat was taken."""
    _post(f"/games/{game}/start")


@celery.task(name=MAINTENANCE_FORCE_ANSWER)
def force_answer(game: str, decision: str) -> None:
    """Answers a decision for its seat, whose time is up (BASE-44)."""
    _post(f"/games/{game}/decisions/{decision}/default")


@celery.task(name=MAINTENANCE_AUDIT)
def audit(game: str) -> None:
    """Compares a game with its log."""
    _post(f"/games/{game}/audit")


def _post(path: str) -> None:
    response = _client().request("POST", path)
    if response.status_code >= 500:
        log.warning("game-state could not do it", extra={"path": path, "status": response.status_code})


@functools.cache
def _client() -> ServiceClient:
    settings = Settings.load("maintenance")
    return ServiceClient(settings, caller="maintenance", callee="game_state", base_url=settings.game_state_url)
