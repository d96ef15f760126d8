"""/healthz (is the process alive), /readyz (can it work: are its dependencies there) and /metrics."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable

from flask import Blueprint, Response, current_app, jsonify

from shared.web.metrics import CONTENT_TYPE, exposition
from shared.web.shutdown import stopping

log = logging.getLogger(__name__)
operations = Blueprint("operations", __name__)

FRESH_SECONDS = 1.0

Check = Callable[[], object]


class Readiness:
    """The checks of what a service needs, and what they said within the last second."""

    def __init__(self) -> None:
        self._checks: dict[str, Check] = {}
        self._failing: list[str] = []
        self._fresh_until = 0.0
        self._lock = threading.Lock()

    def add(self, name: str, check: Check) -> None:
        """Adds what a service needs."""
        self._checks[name] = check

    def failing(self) -> list[str]:
        """Gives a list of what fails; whoever asks during a check waits for it."""
        with self._lock:
            if time.monotonic() >= self._fresh_until:
                self._failing = [name for name, check in self._checks.items() if not _works(name, check)]
                self._fresh_until = time.monotonic() + FRESH_SECONDS
            return self._failing[:]


@operations.get("/healthz")
def healthz() -> Response:
    """200 as long as the process answers at all."""
    return jsonify(healthy=True)


@operations.get("/readyz")
def readyz() -> Response:
    """200, or 503 naming the dependencies that fail; a check fails by raising or by returning False.

    Anybody may ask as often as they like, so the dependencies are asked once a second at most.
    """
    failing = current_app.readiness.failing()
    if stopping.is_set():
        failing.append("stopping")
    answer = jsonify(ready=not failing, failing=failing)
    answer.status_code = 503 if failing else 200
    return answer


@operations.get("/metrics")
def metrics() -> Response:
    """Everything measured, for Prometheus."""
    return Response(exposition(), content_type=CONTENT_TYPE)


def _works(name: str, check: Check) -> bool:
    try:
        return check() is not False
    except Exception as error:
        log.warning("not ready", extra={"dependency": name, "error": type(error).__name__})
        return False
