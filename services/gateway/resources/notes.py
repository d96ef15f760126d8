"""Private notes of a seat."""

from __future__ import annotations

from typing import Any

from flask import Response, request

from services.gateway.callers import fails, only
from services.gateway.neighbours import relay
from services.gateway.parts import parts
from services.gateway.tokens import BOT, SEAT
from shared.contracts.notes import NotesRequestSchema, NotesSchema
from shared.web import Blueprint

notes = Blueprint("notes", __name__, description="Private notes of a seat.")


@notes.get("/games/<game:game>/seats/<seat:seat>/notes")
@only(SEAT, BOT)
@fails(404)
@notes.response(200, NotesSchema, description="The notes; empty at first.")
def read_notes(game: str, seat: int) -> Response:
    """Read your notes"""
    return relay(parts().game_state.ask("GET", f"/games/{game}/seats/{seat}/notes"))


@notes.put("/games/<game:game>/seats/<seat:seat>/notes")
@only(SEAT, BOT)
@fails(400, 404, 413, 415)
@notes.arguments(NotesRequestSchema)
@notes.response(200, NotesSchema, description="Kept.")
def keep_notes(_: dict[str, Any], game: str, seat: int) -> Response:
    """Keep notes with the game

    Up to 4096 bytes, shown only to this seat: the memory of a bot that keeps none.
    """
    return relay(parts().game_state.ask("PUT", f"/games/{game}/seats/{seat}/notes", data=request.get_data()))
