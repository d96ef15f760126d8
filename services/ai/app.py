"""The factory of the AI service: which bots there are, and arenas. Bots play in Celery workers (tasks.py,
arena_tasks.py)."""

from __future__ import annotations

import logging

import redis
from flask import request

from services.ai.arenas.keeper import Keeper, send_turn
from services.ai.arenas.store import ArenaStore
from services.ai.queue_health import QueueHealth
from services.ai.resources import arenas, bots, queues
from shared.web import Service, Settings, create_app
from shared.web.store import attach_store, connect

log = logging.getLogger(__name__)


def create_ai(settings: Settings) -> Service:
    """Gives the app of the AI service; it connects to store and broker on first use."""
    app = create_app("ai", settings, allowed={"bots": {"gateway"}, "arenas": {"gateway"}})
    store = ArenaStore(attach_store(app, decode_responses=True))
    app.extensions["arena_store"] = store
    queue_health = QueueHealth(connect(settings.broker_url))
    app.extensions["queue_health"] = queue_health
    app.add_background(Keeper(store, queue_health, send_turn).run)
    for blueprint in (bots, arenas, queues):
        app.register_blueprint(blueprint)
    _measure_queues(app, queue_health)
    return app


def _measure_queues(app: Service, queue_health: QueueHealth) -> None:
    """Reads the gauges from the broker whenever somebody asks for metrics."""

    @app.before_request
    def measure() -> None:
        if request.endpoint != "operations.metrics":
            return
        try:
            queue_health.measure()
        except redis.RedisError as error:
            log.warning("no figures from the broker: %s", type(error).__name__)
