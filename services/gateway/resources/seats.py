"""Seats: claim, free or revoke."""

from __future__ import annotations

from typing import Any

from flask import Response, jsonify, request

from services.gateway.callers import fails, only
from services.gateway.parts import parts
from services.gateway.tokens import PLATFORM, SEAT
from shared.contracts.seats import ClaimedSeatSchema, SeatClaimSchema
from shared.web import Blueprint

seats = Blueprint("seats", __name__, description="Claim and free seats; their tokens.")


@seats.put("/games/<game:game>/seats/<seat:seat>")
@only(PLATFORM)
@fails(400, 404, 409, 413, 415)
@seats.arguments(SeatClaimSchema)
@seats.response(201, ClaimedSeatSchema, description="Claimed, with the token that plays the seat.")
@seats.alt_response(200, schema=ClaimedSeatSchema, success=True,
                    description="Claimed before by the same name: a new token, the earlier one is void.")
def claim_seat(_: dict[str, Any], game: str, seat: int) -> Response:
    """Claim a seat

    The game starts when its last seat is taken.
    """
    answer = parts().game_state.ask("PUT", f"/games/{game}/seats/{seat}", data=request.get_data())
    claimed = answer.json()
    response = jsonify({**claimed, "token": parts().tokens.for_seat(game, seat, claimed["epoch"])})
    response.status_code = answer.status_code
    return response


@seats.delete("/games/<game:game>/seats/<seat:seat>")
@only(PLATFORM, SEAT)
@fails(404, 409)
@seats.response(204, description="Free again, or after the start: its token is void, the seat keeps its name.")
def leave_seat(game: str, seat: int) -> Response:
    """Free a seat, or end its token"""
    parts().game_state.ask("DELETE", f"/games/{game}/seats/{seat}")
    return Response(status=204)
