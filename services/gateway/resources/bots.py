"""Bots that can hold a seat."""

from __future__ import annotations

from flask import Response

from services.gateway.callers import anybody
from services.gateway.neighbours import relay
from services.gateway.parts import parts
from shared.contracts.bots import BotListSchema
from shared.web import Blueprint

bots = Blueprint("bots", __name__, description="Who can hold a seat.")


@bots.get("/bots")
@anybody
@bots.response(200, BotListSchema, description="All bots.")
def list_bots() -> Response:
    """List the bots"""
    return relay(parts().ai.ask("GET", "/bots"))
