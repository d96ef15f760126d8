"""Decisions: see what must be chosen, and answer."""

from __future__ import annotations

from typing import Any

from flask import Response, request

from services.gateway.callers import fails, only
from services.gateway.neighbours import relay
from services.gateway.parts import parts
from services.gateway.tokens import BOT, PLATFORM, SEAT, SPECTATOR
from shared.contracts.decisions import AnsweredSchema, AnswerSchema, DecisionSchema
from shared.web import Blueprint
from shared.web.client import Answer

LOCATION = {"Location": {"description": "Where the commit is.", "schema": {"type": "string"}}}
CLAIM = {"move": "ClaimTrack", "track": "atlanta-miami-blue", "payment": {"blue": 4, "locomotive": 1}}
EXAMPLES = {
    "draw": {"summary": "Draw a card from the deck", "value": {"move": {"move": "DrawFromDeck"}}},
    "claim": {"summary": "Claim a track", "value": {"move": CLAIM}},
    "keep": {"summary": "Keep a ticket", "value": {"move": {"move": "KeepTickets", "tickets": ["atlanta-montreal"]}}},
}

decisions = Blueprint("decisions", __name__, description="What must be chosen, and answers.")


@decisions.get("/games/<game:game>/decisions/<decision:decision>")
@only(PLATFORM, SEAT, SPECTATOR, BOT)
@fails(404)
@decisions.response(200, DecisionSchema, description="The decision; for its seat with view, legal moves and notes.")
def show_decision(game: str, decision: str) -> Response:
    """See a decision

    While it is open its own seat gets in one call all it needs to choose.
    """
    return relay(parts().game_state.ask("GET", f"/games/{game}/decisions/{decision}"))


@decisions.put("/games/<game:game>/decisions/<decision:decision>/answer")
@only(SEAT, BOT)
@fails(400, 404, 409, 413, 415)
@decisions.arguments(AnswerSchema, examples=EXAMPLES)
@decisions.response(201, AnsweredSchema, headers=LOCATION, description="Accepted.")
@decisions.alt_response(200, schema=AnsweredSchema, headers=LOCATION, success=True,
                        description="Accepted before: the same answer again.")
def answer_decision(_: dict[str, Any], game: str, decision: str) -> Response:
    """Answer a decision

    Exactly one answer counts; repeating it is harmless. 409: another answer was first (`decision_answered`), the
    decision is not open (`decision_not_open`), or its answer lies in history that is closed (`answer_closed`, VIEW-7).
    422 `rule_violation`: the move is against the rules, `violations` say which, and nothing has changed.
    """
    path = f"/games/{game}/decisions/{decision}/answer"
    return relay_answered(parts().game_state.ask("PUT", path, data=request.get_data()))


def relay_answered(answer: Answer) -> Response:
    """Gives game-state's answer to a move as ours, with the address that the commit has here."""
    response = relay(answer)
    if "Location" in response.headers:
        response.headers["Location"] = f"/v1{response.headers['Location']}"
    return response
