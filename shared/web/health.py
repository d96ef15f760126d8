"""/healthz (is the process alive), /readyz (can it work: are its dependencies there) and /metrics."""

from __future__ import annotations

import logging
from collections.abc import Callable

from flask import Blueprint, Response, current_app, jsonify

from shared.web.metrics import CONTENT_TYPE, exposition
from shared.web.shutdown import stopping

log = logging.getLogger(__name__)
operations = Blueprint("operations", __name__)

Check = Callable[[], object]


@operations.get("/healthz")
def healthz() -> Response:
    """200 as long as the process answers at all."""
    return jsonify(healthy=True)


@operations.get("/readyz")
def readyz() -> Response:
    """200, or 503 naming the dependencies that fail; a check fails by raising or by returning False."""
    failing = [name for name, check in current_app.readiness.items() if not _works(name, check)]
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
