"""Moves on the wire. A new rule set with a new move adds a schema here; everything else stays."""

from __future__ import annotations

from typing import Any

from marshmallow import ValidationError, fields

from shared.contracts.fields import ID, Listing, Mapping, Open, Request, Text, Whole

_MOST_CARDS = 20


def _kind(name: str) -> fields.Field:
    return Text(among=(name,), required=True)


class DrawFromDeckSchema(Request):
    """Take the top card of the deck (BASE-11)."""

    move = _kind("DrawFromDeck")


class DrawFromDisplaySchema(Request):
    """Take a card of the display, named by its kind (BASE-11)."""

    move = _kind("DrawFromDisplay")
    card = Text(pattern=ID, required=True, metadata={"example": "red"})


class ClaimTrackSchema(Request):
    """Claim a track with cards of the hand (BASE-23, BASE-24)."""

    move = _kind("ClaimTrack")
    track = Text(pattern=ID, required=True, metadata={"example": "atlanta-miami-blue"})
    payment = Mapping(
        Whole(1, _MOST_CARDS, required=True), smallest=1, largest=_MOST_CARDS, required=True,
        metadata={"example": {"blue": 4, "locomotive": 1}},
    )


class DrawTicketsSchema(Request):
    """Draw tickets (BASE-31)."""

    move = _kind("DrawTickets")


class KeepTicketsSchema(Request):
    """Keep some of the tickets offered (BASE-5, BASE-31)."""

    move = _kind("KeepTickets")
    tickets = Listing(
        Text(pattern=ID), longest=_MOST_CARDS, required=True, metadata={"example": ["atlanta-montreal"]},
    )


class PassSchema(Request):
    """Pass, where nothing else is legal (BASE-9)."""

    move = _kind("Pass")


MOVES: dict[str, Request] = {
    type(schema).__name__.removesuffix("Schema"): schema
    for schema in (
        DrawFromDeckSchema(), DrawFromDisplaySchema(), ClaimTrackSchema(), DrawTicketsSchema(), KeepTicketsSchema(),
        PassSchema(),
    )
}


class Move(fields.Field):
    """A move that a caller sends: one of `MOVES`, told apart by "move"."""

    default_error_messages = {
        "required": "required: This field is needed.",
        "null": "wrong_type: This must not be null.",
        "invalid": "wrong_type: This must be an object.",
    }

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> dict[str, Any]:
        if not isinstance(value, dict):
            raise self.make_error("invalid")
        name = value.get("move")
        if not isinstance(name, str) or name not in MOVES:
            raise ValidationError({"move": [f"unknown_move: This must be one of: {', '.join(MOVES)}."]})
        return MOVES[name].load(value)


class ShownMoveSchema(Open):
    """A move as a caller may see it: what is hidden from the caller is null."""

    move = Text(longest=40, required=True, metadata={"example": "DrawFromDeck"})
