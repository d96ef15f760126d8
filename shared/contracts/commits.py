"""Commits of a game: the log as a caller may see it, and the record of a finished game."""

from __future__ import annotations

from marshmallow import Schema, fields

from shared.contracts.fields import (
    HEX_32,
    ID,
    MAX_SEATS,
    RULESET,
    AnyObject,
    Digits,
    Flag,
    Listing,
    Open,
    Part,
    Request,
    Response,
    Text,
    Whole,
    decision_id,
    game_id,
    moment,
    options,
    seat_number,
)
from shared.contracts.moves import ShownMoveSchema

MOST_COMMITS = 500
LONGEST_WAIT = 25


class CommitsQuerySchema(Request):
    """Which commits, and how long to wait for the first one."""

    after = Digits(load_default=0, metadata={"description": "Only commits of later versions."})
    limit = Digits(1, MOST_COMMITS, load_default=100)
    wait = Digits(0, LONGEST_WAIT, load_default=0, metadata={
        "description": "Seconds to wait while there is nothing new; 0 answers at once.",
    })
    seat = Digits(0, MAX_SEATS - 1, metadata={"description": "Bots only: the seat to look from."})


class StreamQuerySchema(Request):
    """Where a stream starts."""

    after = Digits(metadata={"description": "Resume after this version; the header Last-Event-ID goes first."})
    seat = Digits(0, MAX_SEATS - 1, metadata={"description": "Bots only: the seat to look from."})


class LastEventSchema(Schema):
    """The header with which a stream is taken up again."""

    after = Digits(data_key="Last-Event-ID", metadata={"description": "The version seen last."})


class EventSchema(Open):
    """What happened, in the past tense; the fields depend on the kind of event, hidden ones are null."""

    event = Text(pattern=r"^[A-Z][A-Za-z]{1,60}$", required=True, metadata={"example": "TrackClaimed"})


class CommitSchema(Response):
    """One entry of a game's log. Start and result commits answer no decision."""

    version = Whole(1, required=True)
    at = moment(required=True)
    seat = seat_number(required=True, allow_none=True)
    decision = decision_id(required=True, allow_none=True)
    move = Part(ShownMoveSchema, required=True, allow_none=True)
    forced = Flag(required=True, metadata={"description": "Answered for the seat because its time was up (BASE-44)."})
    events = Listing(Part(EventSchema), required=True)
    chance = fields.List(fields.Tuple((Whole(1), Whole(0))), metadata={
        "description": "Only once the game is over: of each draw, how many outcomes there were and which it was.",
    })


class OpenCommitSchema(CommitSchema):
    """A commit of a finished game, with nothing left out."""

    chance = fields.List(fields.Tuple((Whole(1), Whole(0))), required=True)


class RecordSchema(Response):
    """The whole record of a finished game, with all that is needed to audit every draw."""

    game = game_id(required=True)
    ruleset = Text(pattern=RULESET, required=True)
    options = options(required=True)
    seats = Whole(1, MAX_SEATS, required=True)
    commitment = Text(pattern=HEX_32, required=True)
    nonce = Text(required=True)
    seed = Text(pattern=HEX_32, required=True)
    commits = Listing(Part(OpenCommitSchema), required=True)


class PositionDecisionSchema(Open):
    """An open decision inside a position."""

    decision = decision_id(required=True)
    seat = seat_number(required=True)
    kind = Text(pattern=ID, required=True, metadata={"example": "turn"})


class PositionSchema(Open):
    """A position, or the view of one seat: what is hidden is missing or null. Each mechanic adds its own part."""

    ruleset = Text(pattern=RULESET, required=True)
    seats = Whole(1, MAX_SEATS, required=True)
    options = options(required=True)
    version = Whole(required=True)
    viewer = fields.Raw(metadata={
        "description": "Whose view this is; missing in a full position.",
        "anyOf": [{"type": "integer"}, {"const": "spectator"}],
    })
    turn = fields.Raw(required=True, allow_none=True)
    over = Flag(required=True)
    points = Listing(fields.Integer(strict=True), required=True)
    decisions = Listing(Part(PositionDecisionSchema), required=True)
    cards = AnyObject()
    tracks = AnyObject()
    tickets = AnyObject()


class CommitPageSchema(Response):
    """Commits in order, and the version that the game has now."""

    game = game_id(required=True)
    version = Whole(required=True)
    commits = Listing(Part(CommitSchema), required=True)
    position = Part(PositionSchema, metadata={
        "description": "Only where commits that were asked for are closed (VIEW-7): the position of `version` as the "
                       "caller may see it, to go on from.",
    })
