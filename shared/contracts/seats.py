"""Seats: claiming one gives the token that plays it."""

from __future__ import annotations

from shared.contracts.fields import BOT, NAME, Flag, Request, Response, Text, Whole, seat_number


class SeatClaimSchema(Request):
    """Who takes the seat."""

    name = Text(pattern=NAME, required=True, metadata={"example": "Ann"})


class SeatSchema(Response):
    """A seat of a game."""

    seat = seat_number(required=True)
    name = Text(longest=40, required=True, allow_none=True)
    bot = Text(pattern=BOT, required=True, allow_none=True)
    taken = Flag(required=True)


class ClaimedSeatSchema(Response):
    """A claimed seat; the token plays it, and every earlier token of the seat is void."""

    seat = seat_number(required=True)
    name = Text(longest=40, required=True)
    epoch = Whole(required=True)
    token = Text(longest=400, required=True, metadata={"example": "st_…"})
