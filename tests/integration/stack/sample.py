"""A service for the tests of how services run under gunicorn."""

from __future__ import annotations

import threading
from collections.abc import Iterator

from flask import Response, request

from shared.web import Settings, create_app
from shared.web.shutdown import stopping
from shared.web.store import attach_store

app = create_app("scoring", Settings.load("scoring"), public=True)
store = attach_store(app)


@app.get("/slow")
def slow() -> dict[str, bool]:
    """Answers after `seconds`, having left a mark in the store under `mark` when it began."""
    store.set(request.args["mark"], "begun", ex=60)
    threading.Event().wait(float(request.args["seconds"]))
    return {"finished": True}


@app.get("/stream")
def stream() -> Response:
    """Writes a line now, and a last one when the process is asked to stop."""

    def lines() -> Iterator[str]:
        yield "begun\n"
        stopping.wait(60)
        yield "stopping\n"

    return Response(lines(), mimetype="text/plain")


@app.get("/count")
def count() -> dict[str, int]:
    """Counts calls in the store."""
    return {"calls": store.incr("sample:calls")}


@app.get("/large")
def large() -> Response:
    """Answers with more than the system keeps for a reader who does not read."""
    return Response(bytes(16_000_000), mimetype="application/octet-stream")
