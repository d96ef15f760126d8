"""What the rules service is asked by game-state: to start a game, to decide a move, to list the legal moves."""

from __future__ import annotations

from marshmallow import fields

from shared.contracts.commits import EventSchema
from shared.contracts.fields import (
    HEX_32,
    MAX_SEATS,
    RULESET,
    AnyObject,
    Listing,
    Part,
    Request,
    Response,
    Text,
    Whole,
    decision_id,
    options,
)
from shared.contracts.moves import ShownMoveSchema
from shared.contracts.validations import PositionInput


class StartRequestSchema(Request):
    """A game to set up; `key` decides every draw of its first commit."""

    ruleset = Text(pattern=RULESET, required=True, metadata={"example": "usa@1"})
    seats = Whole(1, MAX_SEATS, required=True)
    options = options(load_default=dict)
    key = Text(pattern=HEX_32, required=True)


class LegalMovesRequestSchema(Request):
    """A position, or the view of the decision's seat, to list the legal moves of."""

    ruleset = Text(pattern=RULESET, required=True, metadata={"example": "usa@1"})
    seats = Whole(1, MAX_SEATS, required=True)
    options = options(load_default=dict)
    position = PositionInput(required=True)
    decision = decision_id(required=True)


class DecideRequestSchema(LegalMovesRequestSchema):
    """A move to carry out on a full position; the kernel judges the shape of the move, once."""

    move = AnyObject(required=True)
    key = Text(pattern=HEX_32, required=True)


class DecidedSchema(Response):
    """What happens, and the outcome of each draw it took: how many were possible, which one it was."""

    events = Listing(Part(EventSchema), required=True)
    chance = fields.List(fields.Tuple((Whole(1), Whole(0))), required=True)


class LegalMovesSchema(Response):
    """The legal moves, payments canonical."""

    legal_moves = Listing(Part(ShownMoveSchema), required=True)
