"""The resource of the AI service."""

from __future__ import annotations

from flask import Response, jsonify

from services.ai.bots import BOTS
from shared.catalog import ruleset, rulesets
from shared.web import Blueprint

blueprint = Blueprint("bots", __name__)


@blueprint.get("/bots")
def list_bots() -> Response:
    """Lists the bots. They work from the legal moves, so each of them plays every rule set."""
    playable = [f"{source['id']}@{source['revision']}" for source in map(ruleset, rulesets())]
    return jsonify(bots=[{"bot": bot.name, "rulesets": playable, "about": bot.about} for bot in BOTS.values()])
