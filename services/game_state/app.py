"""The factory of game-state."""

from __future__ import annotations

import logging

import redis
from flask import request

from services.game_state.adapters import Adapters
from services.game_state.agenda import Agenda
from services.game_state.event_store import EventStore
from services.game_state.metrics import AGENDA_LAG, LIVE_GAMES, WAITING_DECISIONS
from services.game_state.resources import blueprint
from services.game_state.rules_service import RulesService
from services.game_state.waiting import Waiting
from services.game_state.work_store import WorkStore
from shared.web import Service, Settings, create_app
from shared.web.client import ServiceClient
from shared.web.store import attach_store

log = logging.getLogger(__name__)


def create_game_state(settings: Settings) -> Service:
    """Gives the app of game-state; it connects to the store and to the rules service on first use."""
    app = create_app("game_state", settings, allowed={"games": {"gateway"}})
    store = attach_store(app, decode_responses=True)
    rules = ServiceClient(settings, caller="game_state", callee="rules", base_url=settings.rules_url)
    adapters = Adapters(EventStore(store), Agenda(store), Waiting(store), WorkStore(store), RulesService(rules))
    app.extensions["adapters"] = adapters
    app.register_blueprint(blueprint)
    _measure_games(app, adapters)
    return app


def _measure_games(app: Service, adapters: Adapters) -> None:
    """Reads the gauges from the store whenever somebody asks for metrics."""

    @app.before_request
    def measure() -> None:
        if request.endpoint != "operations.metrics":
            return
        try:
            AGENDA_LAG.set(adapters.agenda.oldest_due())
            LIVE_GAMES.set(adapters.store.live_games())
            for holder, counts in adapters.waiting.counts().items():
                for age, number in counts.items():
                    WAITING_DECISIONS.labels(holder, age).set(number)
        except redis.RedisError as error:
            log.warning("no figures from the store: %s", type(error).__name__)
