"""Moves on the wire. A new rule set with a new move adds a schema here; everything else stays."""

from __future__ import annotations

from typing import Any

from marshmallow import ValidationError, fields

from shared.contracts.fields import ID, Listing, Mapping, Open, Request, Text, Whole

_MOST_CARDS = 20
_MOST_TICKETS = 50
_LONGEST_PATH = 150


def _kind(name: str) -> fields.Field:
    return Text(among=(name,), required=True)


def _cards(example: dict[str, int]) -> fields.Field:
    return Mapping(
        Whole(1, _MOST_CARDS, required=True), smallest=1, largest=_MOST_CARDS, required=True,
        metadata={"example": example},
    )


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
    payment = _cards({"blue": 4, "locomotive": 1})


class DrawTicketsSchema(Request):
    """Draw tickets (BASE-31)."""

    move = _kind("DrawTickets")


class KeepTicketsSchema(Request):
    """Keep some of the tickets offered (BASE-5, BASE-31)."""

    move = _kind("KeepTickets")
    tickets = Listing(
        Text(pattern=ID), longest=_MOST_CARDS, required=True, metadata={"example": ["atlanta-montreal"]},
    )


class DeclineSchema(Request):
    """Leave out an optional extra, such as a marker or a passenger (OW-8, MK-10)."""

    move = _kind("Decline")


class _CityMove(Request):
    city = Text(pattern=ID, required=True, metadata={"example": "denver"})


class ChooseStartingCitySchema(_CityMove):
    """Put the first marker on a city (OW-5)."""

    move = _kind("ChooseStartingCity")


class PlaceMarkerSchema(_CityMove):
    """Put a marker on an end of the track just claimed, for two more cards (OW-8)."""

    move = _kind("PlaceMarker")
    payment = _cards({"red": 2})


class MoveAlvinSchema(_CityMove):
    """Move Alvin, just captured, to a city with an own marker (OW-10)."""

    move = _kind("MoveAlvin")


class AnnounceSplitSchema(Request):
    """Draw so many tickets of each deck (MK-5, MK-6)."""

    move = _kind("AnnounceSplit")
    split = Mapping(
        Whole(0, _MOST_CARDS, required=True), smallest=1, largest=_MOST_CARDS, required=True,
        metadata={"example": {"short": 2, "long": 2}},
    )


class PlacePassengerSchema(_CityMove):
    """Put a passenger into a city of the track just claimed (MK-10)."""

    move = _kind("PlacePassenger")


class MovePassengerSchema(_CityMove):
    """Move the own passenger that stands in a city along a path of tracks (MK-11 to MK-16)."""

    move = _kind("MovePassenger")
    path = Listing(
        Text(pattern=ID), longest=_LONGEST_PATH, required=True, metadata={"example": ["berlin-dresden-red"]},
    )
    cards = Whole(0, _MOST_CARDS, required=True, metadata={"description": "Passenger cards played (MK-13)."})


class PlaceCardsSchema(Request):
    """Place cards in the own yard: one row, or three rows of one (CG-10)."""

    move = _kind("PlaceCards")
    cards = _cards({"red": 3, "locomotive": 1})


class CompleteTicketsSchema(Request):
    """Name the tickets to complete with the own stack, perhaps none (CG-22)."""

    move = _kind("CompleteTickets")
    tickets = Listing(
        Text(pattern=ID), longest=_MOST_TICKETS, required=True, metadata={"example": ["chicago-new_york"]},
    )


class PassSchema(Request):
    """Pass, where nothing else is legal (BASE-9)."""

    move = _kind("Pass")


MOVES: dict[str, Request] = {
    type(schema).__name__.removesuffix("Schema"): schema
    for schema in (
        DrawFromDeckSchema(), DrawFromDisplaySchema(), ClaimTrackSchema(), DrawTicketsSchema(), KeepTicketsSchema(),
        PassSchema(), DeclineSchema(), ChooseStartingCitySchema(), PlaceMarkerSchema(), MoveAlvinSchema(),
        AnnounceSplitSchema(), PlacePassengerSchema(), MovePassengerSchema(), PlaceCardsSchema(),
        CompleteTicketsSchema(),
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
