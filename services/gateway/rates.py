"""Rate limits, counted in the broker for each token, or each address where there is none.

While the broker is away every process counts by itself.
"""

from __future__ import annotations

import time

from flask import Flask, Response, g, request
from flask_limiter import Limiter, RateLimitExceeded
from redis.backoff import NoBackoff
from redis.maint_notifications import MaintNotificationsConfig
from redis.retry import Retry

from services.gateway.callers import is_for_the_api
from services.gateway.settings import ANONYMOUS
from shared.web import Problem

PATIENCE = 0.1
STORAGE = {
    "socket_connect_timeout": PATIENCE,
    "socket_timeout": PATIENCE,
    "retry": Retry(NoBackoff(), 0),
    "maint_notifications_config": MaintNotificationsConfig(enabled=False),
    "key_prefix": "gw:rates",
}


def install_rates(app: Flask, broker_url: str, rates: dict[str, str]) -> None:
    """Answers 429 with Retry-After to callers that ask faster than their kind may; `g.caller` must be known by then."""
    limiter = Limiter(
        _counted_as,
        application_limits=[lambda: rates[g.caller.rate if g.caller else ANONYMOUS]],
        storage_uri=broker_url,
        storage_options=STORAGE,
        in_memory_fallback_enabled=True,
        swallow_errors=True,  # of requests that meet the broker's end together, the library falls back for the first
        headers_enabled=False,
    )

    @limiter.request_filter
    def unlimited() -> bool:
        return not is_for_the_api()

    @app.errorhandler(RateLimitExceeded)
    def too_fast(_: RateLimitExceeded) -> Response:
        reset = limiter.current_limit.reset_at if limiter.current_limit else 0
        return Problem(429, "too_many_requests", retry_after=max(1, int(reset - time.time()))).response()

    limiter.init_app(app)


def _counted_as() -> str:
    return g.caller.account if g.caller else f"address:{request.remote_addr}"
