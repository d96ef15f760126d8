"""Connections to the store, with every time-out explicit: the library's own defaults change between versions."""

from __future__ import annotations

from typing import Any

import redis
from flask import Response
from redis.backoff import NoBackoff
from redis.maint_notifications import MaintNotificationsConfig
from redis.retry import Retry

from shared.web.app import Service
from shared.web.problems import Problem

CONNECT_SECONDS = 0.5
READ_SECONDS = 2.0


def connect(url: str, **options: Any) -> redis.Redis:
    """Gives a client that fails within seconds when the store is away; it connects on first use."""
    chosen = {
        "socket_connect_timeout": CONNECT_SECONDS,
        "socket_timeout": READ_SECONDS,
        "socket_keepalive": True,
        "retry": Retry(NoBackoff(), 0),
        "maint_notifications_config": MaintNotificationsConfig(enabled=False),
    }
    return redis.Redis.from_url(url, **{**chosen, **options})


def connect_blocking(url: str, longest: float = 30.0, **options: Any) -> redis.Redis:
    """Gives a client for blocking reads (XREAD BLOCK, pub/sub) that last up to `longest` seconds."""
    return connect(url, socket_timeout=longest + READ_SECONDS, **options)


def attach_store(app: Service, **options: Any) -> redis.Redis:
    """Gives the app's client of STORE_URL, lets /readyz ask it, and answers 503 while it is away or full."""
    store = connect(app.settings.store_url, **options)
    app.add_readiness("store", store.ping)
    for away in (redis.ConnectionError, redis.TimeoutError, redis.OutOfMemoryError, redis.ReadOnlyError):
        app.register_error_handler(away, _store_away)
    return store


def _store_away(_: Exception) -> Response:
    return Problem(503, "store_unavailable", "The store is not reachable; nothing was accepted.",
                   retry_after=1).response()
