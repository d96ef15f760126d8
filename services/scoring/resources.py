"""The resource of scoring."""

from __future__ import annotations

from flask import Response, current_app, jsonify, request

from services.scoring import handlers
from shared.contracts.callers import CALLER_HEADER
from shared.web import Blueprint

blueprint = Blueprint("scores", __name__)


@blueprint.get("/scores/<game>")
def show_scores(game: str) -> Response:
    """Shows the scores of a game that the caller may see."""
    return jsonify(handlers.scores(current_app.extensions["adapters"], game, request.headers.get(CALLER_HEADER)))
