"""Scores: the public running score, and the final sheet with its evidence."""

from __future__ import annotations

from marshmallow import fields

from shared.contracts.fields import RULE, Flag, Listing, Open, Part, Response, Text, Whole, game_id, seat_number


class ScoreLineSchema(Open):
    """Points with their reason, the rule that gives them, and the evidence (path, track, ticket)."""

    points = fields.Integer(strict=True, required=True)
    reason = Text(required=True, metadata={"example": "track"})
    rule = Text(pattern=RULE, required=True, metadata={"example": "BASE-30"})


class SeatScoreSchema(Open):
    """The score of one seat."""

    seat = seat_number(required=True)
    lines = Listing(Part(ScoreLineSchema))


class SheetSchema(Open):
    """The score sheet of a finished game; rule sets add to it."""

    seats = Listing(Part(SeatScoreSchema))
    final = Flag()


class ScoresSchema(Response):
    """Scores of a game: openly scored points while it runs (VIEW-2), the sheet once it is final."""

    game = game_id(required=True)
    status = Text(among=("running", "pending", "final"), required=True)
    version = Whole(required=True)
    seats = Listing(Part(SeatScoreSchema), required=True)
    sheet = Part(SheetSchema, required=True, allow_none=True)
