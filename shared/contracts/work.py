"""Work of external bots: the open decisions of their seats, and holding one for a while."""

from __future__ import annotations

from shared.contracts.bots import MOST_AT_ONCE
from shared.contracts.commits import LONGEST_WAIT
from shared.contracts.decisions import DecisionSchema
from shared.contracts.fields import (
    Digits,
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

WORK = r"^[A-Za-z0-9_-]{1,64}\.[1-9][0-9]{0,8}\.[0-9]\.[0-9a-f]{16}$"


class TurnSchema(Response):
    """A decision that a bot has to make. Until the deadline nobody else answers for it."""

    game = game_id(required=True)
    decision = decision_id(required=True)
    seat = seat_number(required=True)
    deadline = moment(required=True)


class FreeWorkSchema(Response):
    """The decisions of a bot that none of its workers holds, those first that wait longest."""

    turns = Listing(Part(TurnSchema), required=True)


class TakeWorkQuerySchema(Request):
    """How long to wait for work."""

    wait = Digits(0, LONGEST_WAIT, load_default=0, metadata={
        "description": "Seconds to wait while there is nothing to do; 0 answers at once.",
    })


class TakeWorkSchema(Request):
    """How much a bot may hold at once."""

    most = Whole(1, MOST_AT_ONCE, required=True)


class WorkSchema(Response):
    """A decision that one worker of a bot holds, and all it needs to choose."""

    work = Text(pattern=WORK, required=True, metadata={"example": "k3mvp0f2nq7x.12.1.0f1e2d3c4b5a6978"})
    lease = Whole(required=True, metadata={"description": "For how many seconds; then another answers for the bot."})
    question = Part(DecisionSchema, required=True)
