"""Scores of a game."""

from __future__ import annotations

from flask import Response

from services.gateway.callers import fails, only
from services.gateway.neighbours import relay
from services.gateway.parts import parts
from services.gateway.tokens import BOT, PLATFORM, SEAT, SPECTATOR
from shared.contracts.scores import ScoresSchema
from shared.web import Blueprint

scores = Blueprint("scores", __name__, description="Running score and final sheet.")


@scores.get("/games/<game:game>/scores")
@only(PLATFORM, SEAT, SPECTATOR, BOT)
@fails(404)
@scores.response(200, ScoresSchema, description="Openly scored points; the sheet once it is final.")
def show_scores(game: str) -> Response:
    """See the score"""
    return relay(parts().scoring.ask("GET", f"/scores/{game}"))
