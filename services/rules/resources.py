"""The resources of the rules service."""

from __future__ import annotations

from typing import Any

from flask import Response, jsonify

from services.rules import handlers
from shared.contracts.rulings import DecideRequestSchema, LegalMovesRequestSchema, StartRequestSchema
from shared.contracts.validations import ValidationRequestSchema
from shared.web import Blueprint

rulings = Blueprint("rulings", __name__)
lookups = Blueprint("lookups", __name__)


@rulings.post("/decide")
@rulings.arguments(DecideRequestSchema)
def decide(asked: dict[str, Any]) -> Response:
    """Carries a move out on a position."""
    return jsonify(handlers.decide(asked))


@rulings.post("/start")
@rulings.arguments(StartRequestSchema)
def start(asked: dict[str, Any]) -> Response:
    """Sets a game up."""
    return jsonify(handlers.start(asked))


@rulings.post("/legal-moves")
@rulings.arguments(LegalMovesRequestSchema)
def legal_moves(asked: dict[str, Any]) -> Response:
    """Lists what a seat may do in a position."""
    return jsonify(handlers.legal_moves(asked))


@rulings.post("/validations")
@rulings.arguments(ValidationRequestSchema)
def validate(asked: dict[str, Any]) -> Response:
    """Judges a move in a position that the caller keeps."""
    return jsonify(handlers.validate(asked))


@lookups.get("/rulesets")
def rulesets() -> Response:
    """Lists the rule sets."""
    return jsonify(handlers.rulesets())


@lookups.get("/rulesets/<ruleset>")
def ruleset(ruleset: str) -> Response:
    """Shows a rule set."""
    return jsonify(handlers.ruleset(ruleset))


@lookups.get("/boards/<board>")
def board(board: str) -> Response:
    """Shows a board."""
    return jsonify(handlers.board(board))


@lookups.get("/rules/<rule>")
def rule(rule: str) -> Response:
    """Shows the text of a rule."""
    return jsonify(handlers.rule(rule))
