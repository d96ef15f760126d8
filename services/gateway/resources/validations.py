"""Checking a move without a game here."""

from __future__ import annotations

from typing import Any

from flask import Response, request

from services.gateway.callers import fails, only
from services.gateway.neighbours import relay
from services.gateway.parts import parts
from services.gateway.resources.decisions import CLAIM
from services.gateway.tokens import BOT, PLATFORM
from shared.catalog import DEFAULT_RULESET
from shared.contracts.validations import ValidationRequestSchema, ValidationSchema
from shared.web import Blueprint

POSITION = f"{DEFAULT_RULESET}@1:2 v=9 turn=0 hands=B4L1/R2 display=RRBWK ask=turn"
ASKED = {"ruleset": f"{DEFAULT_RULESET}@1", "seats": 2, "position": POSITION, "decision": "9.0"}
EXAMPLES = {
    "legal": {"summary": "A move that is legal", "value": {**ASKED, "move": CLAIM}},
    "too_cheap": {
        "summary": "A move against a rule: the payment is a card short",
        "value": {**ASKED, "move": {**CLAIM, "payment": {"blue": 4}}},
    },
}

validations = Blueprint("validations", __name__, description="Checking moves for platforms that keep their own state.")


@validations.post("/validations")
@only(PLATFORM, BOT)
@fails(400, 413, 415)
@validations.arguments(ValidationRequestSchema, examples=EXAMPLES)
@validations.response(200, ValidationSchema, description="Legal, or which rule it breaks.")
def validate_move(_: dict[str, Any]) -> Response:
    """Check a move on a position

    For platforms that keep their own state: `position` is what a game shows, or one line of notation. A move against
    the rules is an answer here, not an error.
    """
    return relay(parts().rules.ask("POST", "/validations", data=request.get_data(), safe=True))
