"""Arenas: many games between bots, and what they tell about the bots, the board and the rules."""

from __future__ import annotations

from marshmallow import fields

from shared.contracts.commits import RecordSchema
from shared.contracts.fields import (
    GAME,
    ID,
    MAX_SEATS,
    RULESET,
    AnyObject,
    Digits,
    Flag,
    Listing,
    Mapping,
    Part,
    Request,
    Response,
    Text,
    Whole,
    moment,
    options,
)
from shared.contracts.internal_games import KEY, OWNER
from shared.contracts.rulesets import BoardSchema, NewBoardSchema

STATUSES = ("running", "over", "cancelled")
MOST_ENTRANTS = 16
MOST_GAMES = 100_000
MOST_SEED = 999_999_999
MOST_NAMES = 1000
RECORDS_PAGE = 20


def _number(**kwargs: object) -> fields.Float:
    return fields.Float(required=True, **kwargs)


def _counts(about: str, **kwargs: object) -> Mapping:
    return Mapping(Whole(), largest=MOST_NAMES, required=True, metadata={"description": about}, **kwargs)


class EntrantSchema(Request):
    """A bot that takes part, as many times as it is named."""

    bot = Text(pattern=ID, required=True, metadata={"example": "greedy"})


class NewArenaSchema(Request):
    """An arena to create."""

    ruleset = Text(pattern=RULESET, required=True, metadata={"example": "usa"})
    options = options(load_default=dict)
    entrants = Listing(Part(EntrantSchema), shortest=2, longest=MOST_ENTRANTS, required=True, metadata={
        "example": [{"bot": "greedy"}, {"bot": "random"}],
    })
    seats = Whole(1, MAX_SEATS, metadata={
        "description": "Seats of each game. Missing: one for each entrant, as far as the rule set goes. When there are "
                       "more entrants than seats, every group of them that fits plays.",
    })
    games = Whole(1, MOST_GAMES, required=True, metadata={"example": 200})
    seed = Whole(0, MOST_SEED, metadata={
        "description": "All luck follows from it: the same arena plays the same games, as far as its bots do not think "
                       "against the clock. Missing: any.",
    })
    board = Part(NewBoardSchema, metadata={"description": "In place of the rule set's own, to see how it plays."})
    parameters = AnyObject(load_default=dict, metadata={
        "description": "Other parameters for the rule set: `{mechanic: {name: value}}` as it is shown at "
                       "`/rulesets/{id}`, and `{\"cards\": {kind: number}}`.",
        "example": {"claim": {"trains": 40}, "cards": {"locomotive": 12}},
    })
    records = Flag(load_default=False, metadata={"description": "Whether the record of every game is kept."})


class NewOwnedArenaSchema(NewArenaSchema):
    """An arena to create for a platform; the same idempotency key gives the same arena."""

    owner = Text(pattern=OWNER, required=True)
    idempotency_key = Text(pattern=KEY)


class ArenasQuerySchema(Request):
    """A page of the list of arenas."""

    cursor = Text(pattern=GAME.replace("64", "200"))
    limit = Digits(1, 100, load_default=20)


class OwnedArenasQuerySchema(ArenasQuerySchema):
    """A page of the arenas of one platform."""

    owner = Text(pattern=OWNER, required=True)


class RecordsQuerySchema(Request):
    """Which records."""

    after = Digits(metadata={"description": "Only games with higher numbers."})


class SummarySchema(Response):
    """Figures of one value in all games."""

    mean = _number()
    median = _number()
    stdev = _number(allow_none=True)
    least = fields.Integer(strict=True, required=True)
    most = fields.Integer(strict=True, required=True)


class VictoriesSchema(Response):
    """Games and victories; a shared one counts in part. The interval is that of Wilson, at 95 %."""

    games = Whole(required=True)
    wins = _number()
    win_rate = _number(allow_none=True)
    interval = fields.Tuple((fields.Float(), fields.Float()), required=True, allow_none=True)


class RatingSchema(Response):
    """A Plackett-Luce rating from all games in their order: strength and its uncertainty."""

    mu = _number()
    sigma = _number()


class TicketMeansSchema(Response):
    """Tickets a game."""

    completed = _number()
    failed = _number()


class MillisecondsSchema(Response):
    """CPU time of a decision."""

    mean = _number()
    median = _number()


class EntrantStatisticsSchema(VictoriesSchema):
    """How one entrant did; means are by game."""

    bot = Text(pattern=ID, required=True)
    rating = Part(RatingSchema, required=True)
    points = Part(SummarySchema, required=True, allow_none=True)
    by_reason = Mapping(fields.Float(), required=True, metadata={"description": "Mean points by reason."})
    tickets = Part(TicketMeansSchema, required=True, allow_none=True)
    decisions = Whole(required=True)
    milliseconds = Part(MillisecondsSchema, required=True, allow_none=True)
    failures = _counts("Decisions lost to the fallback, by reason: threw, illegal, too_slow, out_of_memory.")


class TicketStatisticsSchema(Response):
    """How often a ticket was held at the end of a game, and completed."""

    kept = Whole(required=True)
    completed = Whole(required=True)


class LengthSchema(Response):
    """How long games are."""

    decisions = Part(SummarySchema, required=True, allow_none=True)
    turns = Part(SummarySchema, required=True, allow_none=True)


class StatisticsSchema(Response):
    """What the games that are done and counted tell; while an arena runs a few may be done and not counted."""

    games = Whole(required=True)
    abandoned = _counts("Games given up, by reason: endless, broken, lost.")
    entrants = Listing(Part(EntrantStatisticsSchema), required=True)
    seats = Listing(Part(VictoriesSchema), required=True)
    tickets = Mapping(Part(TicketStatisticsSchema), largest=MOST_NAMES, required=True)
    tracks = _counts("How often each track was claimed.")
    never_used = Listing(Text(pattern=ID), required=True)
    length = Part(LengthSchema, required=True)


class ArenaSummarySchema(Response):
    """An arena in the platform's list."""

    arena = Text(pattern=ID, required=True, metadata={"example": "k3mvp0f2nq7xabcd"})
    status = Text(among=STATUSES, required=True)
    ruleset = Text(pattern=RULESET, required=True)
    created = moment(required=True)
    entrants = Listing(Part(EntrantSchema), required=True)
    seats = Whole(1, MAX_SEATS, required=True)
    games = Whole(1, required=True)
    done = Whole(required=True, metadata={"description": "Games played or given up so far."})


class ArenaPageSchema(Response):
    """Arenas of the platform, the newest first; `next` is the cursor of the next page."""

    arenas = Listing(Part(ArenaSummarySchema), required=True)
    next = Text(longest=200, required=True, allow_none=True)


class ArenaSchema(ArenaSummarySchema):
    """An arena with what its games tell so far."""

    options = options(required=True)
    seed = Whole(0, MOST_SEED, required=True)
    records = Flag(required=True)
    board = Part(BoardSchema, required=True, allow_none=True, metadata={"description": "Null: the rule set's own."})
    parameters = AnyObject(required=True)
    round = Whole(1, required=True, metadata={
        "description": "After every so many games all groups of entrants have played as often, and on every seat.",
    })
    statistics = Part(StatisticsSchema, required=True)


class WaitingSchema(Response):
    """The tasks of a queue that no worker has taken yet."""

    queue = Text(required=True)
    depth = Whole(required=True)
    oldest_seconds = _number()


class OpenArenasSchema(Response):
    """Arenas that are not closed, and how many of their games could be played at once."""

    running = Whole(required=True)
    games = Whole(required=True)


class QueuesSchema(Response):
    """What waits for workers."""

    queues = Listing(Part(WaitingSchema), required=True)
    arenas = Part(OpenArenasSchema, required=True)


class ArenaRecordSchema(RecordSchema):
    """The record of one game of an arena, played on its board and with its parameters."""

    class Meta(RecordSchema.Meta):
        exclude = ("game",)

    number = Whole(required=True)
    entrants = Listing(Whole(), required=True, metadata={"description": "The entrant on each seat, counted from 0."})
