"""A page to read and try the API at /docs, and the OpenAPI document it shows; everything is served from here."""

from __future__ import annotations

from pathlib import Path

import flask_swagger_ui
from flask import Blueprint, Response, redirect, send_file, send_from_directory

HERE = Path(__file__).parent
FILE = HERE.parent / "openapi.json"
ASSETS = Path(flask_swagger_ui.__file__).parent / "dist"
OWN = ("index.html", "start.js")
POLICY = (
    "default-src 'self'; img-src 'self' data:; style-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)

docs = Blueprint("docs", __name__)


@docs.get("/openapi.json")
def openapi() -> Response:
    """The OpenAPI document."""
    return send_file(FILE, mimetype="application/json", max_age=300)


@docs.get("/")
@docs.get("/docs")
def page() -> Response:
    """The way to the page."""
    return redirect("/docs/index.html", 307)


@docs.get("/docs/<path:name>")
def asset(name: str) -> Response:
    """The page and its assets."""
    return send_from_directory(HERE if name in OWN else ASSETS, name, max_age=300)


@docs.after_request
def allow_own_assets(response: Response) -> Response:
    """Lets the page load what lies beside it, and nothing from elsewhere."""
    response.headers["Content-Security-Policy"] = POLICY
    return response
