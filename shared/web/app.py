"""The app factory of every service."""

from __future__ import annotations

import logging
import re
import secrets
import threading
import time
from collections.abc import Callable, Collection, Mapping
from http import HTTPMethod

from flask import Flask, Response, g, request

from shared.contracts.logs import REQUEST_ID_HEADER, bind, configure_logs, unbind
from shared.contracts.settings import Settings
from shared.web.health import Check, Readiness, operations
from shared.web.metrics import REQUEST_SECONDS
from shared.web.problems import install_problems
from shared.web.service_auth import install_service_auth

BODY_LIMIT = 64 * 1024
METHODS = frozenset(method.value for method in HTTPMethod)
REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")

access = logging.getLogger("whistlestop.access")


class Service(Flask):
    """A Flask app that knows its settings and what it needs to be ready."""

    def __init__(self, name: str, settings: Settings) -> None:
        super().__init__(name, static_folder=None)
        self.settings = settings
        self.readiness = Readiness()
        self.background: list[Callable[[threading.Event], None]] = []
        self.extensions["settings"] = settings

    def add_readiness(self, name: str, check: Check) -> None:
        """Lets /readyz fail, naming `name`, while `check` raises or returns False."""
        self.readiness.add(name, check)

    def add_background(self, run: Callable[[threading.Event], None]) -> None:
        """Lets every process that serves the app have a thread that runs this until the event is set."""
        self.background.append(run)


def create_app(
    name: str,
    settings: Settings,
    *,
    allowed: Mapping[str, Collection[str]] | None = None,
    public: bool = False,
) -> Service:
    """Gives the app of service `name`: problem+json, request ids, access log, health, metrics, 64 KB body limit.

    `allowed` says per blueprint which services may call it (`@allow` on a view overrides); where nothing is said
    nobody may. A `public` app checks no service tokens: the gateway, which has its own.
    """
    configure_logs(name, settings.log_level)
    app = Service(name, settings)
    app.config.update(
        MAX_CONTENT_LENGTH=BODY_LIMIT,
        PROPAGATE_EXCEPTIONS=False,
        API_TITLE=f"Whistlestop {name}",
        API_VERSION="v1",
        OPENAPI_VERSION="3.1.0",
        ETAG_DISABLED=True,
    )
    app.json.sort_keys = False
    app.json.ensure_ascii = False
    app.json.compact = True
    install_problems(app)
    _observe(app, name)
    if not public:
        install_service_auth(app, settings.service_secret, name, allowed or {})
    app.register_blueprint(operations)
    return app


def _observe(app: Flask, service: str) -> None:
    """Gives every request an id and, when it is answered, a log line and a place in the histogram."""

    @app.before_request
    def begin() -> None:
        g.started = time.perf_counter()
        given = request.headers.get(REQUEST_ID_HEADER, "")
        g.request_id = given if REQUEST_ID.fullmatch(given) else secrets.token_hex(8)
        bind(request_id=g.request_id)
        if request.view_args and "game" in request.view_args:
            bind(game=request.view_args["game"])

    @app.after_request
    def answered(response: Response) -> Response:
        seconds = time.perf_counter() - g.started
        route = request.url_rule.rule if request.url_rule else "unmatched"
        response.headers[REQUEST_ID_HEADER] = g.request_id
        method = request.method if request.method in METHODS else "other"  # callers may make up any number of them
        REQUEST_SECONDS.labels(service, method, route, response.status_code).observe(seconds)
        level = logging.DEBUG if request.blueprint == "operations" else logging.INFO
        if access.isEnabledFor(level):
            access.log(level, "request", extra={"method": request.method, "route": route,
                                                "status": response.status_code, "ms": round(seconds * 1000, 2)})
        return response

    @app.teardown_request
    def end(_: BaseException | None) -> None:
        unbind()
