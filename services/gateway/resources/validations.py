"""Checking a move without a game here."""

from __future__ import annotations

from typing import Any

from flask import Response, request

from services.gateway.callers import fails, only
from services.gateway.neighbours import relay
from services.gateway.parts import parts
from services.gateway.tokens import BOT, PLATFORM
from shared.contracts.validations import ValidationRequestSchema, ValidationSchema
from shared.web import Blueprint

validations = Blueprint("validations", __name__, description="Checking moves for platforms that keep their own state.")


@validations.post("/validations")
@only(PLATFORM, BOT)
@fails(400, 413, 415)
@validations.arguments(ValidationRequestSchema)
@validations.response(200, ValidationSchema, description="Legal, or which rule it breaks.")
def validate_move(_: dict[str, Any]) -> Response:
    """Check a move on a position

    For platforms that keep their own state. A move against the rules is an answer here, not an error.
    """
    return relay(parts().rules.ask("POST", "/validations", data=request.get_data(), safe=True))
