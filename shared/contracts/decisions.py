"""Decisions and their answers: each decision is answered exactly once."""

from __future__ import annotations

from shared.contracts.commits import CommitSchema, PositionSchema
from shared.contracts.fields import (
    ID,
    Listing,
    Part,
    Request,
    Response,
    Text,
    Whole,
    decision_id,
    game_id,
    moment,
    seat_number,
)
from shared.contracts.moves import Move, ShownMoveSchema


class AnswerSchema(Request):
    """The move that answers a decision."""

    move = Move(required=True)


class DecisionSchema(Response):
    """A decision, open or answered. Its own seat also gets, while it is open, all it needs to choose."""

    decision = decision_id(required=True)
    game = game_id(required=True)
    seat = seat_number(required=True)
    kind = Text(pattern=ID, required=True, metadata={"example": "turn"})
    status = Text(among=("open", "answered"), required=True)
    opened = Whole(1, required=True, metadata={"description": "The version that opened it."})
    deadline = moment(required=True, allow_none=True)
    commit = Whole(1, required=True, allow_none=True, metadata={"description": "The version that answered it."})
    view = Part(PositionSchema)
    legal_moves = Listing(Part(ShownMoveSchema))
    notes = Text(shortest=0, longest=4096)


class AnsweredSchema(Response):
    """The commit that answered the decision, as its seat may see it now."""

    decision = decision_id(required=True)
    version = Whole(1, required=True)
    commit = Part(CommitSchema, required=True)
