"""What only services ask of game-state: creating for an owner, the result, how far scoring has read, upkeep."""

from __future__ import annotations

from shared.contracts.commits import CommitsQuerySchema
from shared.contracts.fields import AnyObject, Flag, Listing, Request, Response, Text, Whole
from shared.contracts.games import GamesQuerySchema, NewGameSchema

OWNER = r"^[A-Za-z0-9_-]{1,64}$"
KEY = r"^[A-Za-z0-9_.:-]{1,128}$"


class NewOwnedGameSchema(NewGameSchema):
    """A game to create for a platform; the same idempotency key gives the same game."""

    owner = Text(pattern=OWNER, required=True)
    idempotency_key = Text(pattern=KEY)


class OwnedGamesQuerySchema(GamesQuerySchema):
    """A page of the games of one platform."""

    owner = Text(pattern=OWNER, required=True)


class PastCommitsQuerySchema(CommitsQuerySchema):
    """Commits that are there now."""

    class Meta(CommitsQuerySchema.Meta):
        exclude = ("wait",)


class EpochSchema(Response):
    """The epoch that new spectator tokens must carry."""

    epoch = Whole(1, required=True)


class ClaimSchema(EpochSchema):
    """A claimed seat and the epoch that its token must carry."""

    seat = Whole(required=True)
    name = Text(longest=40, required=True)


class ResultRequestSchema(Request):
    """The final score sheet of a game."""

    sheet = AnyObject(required=True)


class ResultSchema(Response):
    """The version that holds the result."""

    version = Whole(1, required=True)


class ProjectedRequestSchema(Request):
    """The version up to which scoring has read a game."""

    version = Whole(required=True)


class ProjectedSchema(Response):
    """Whether that is all there is."""

    complete = Flag(required=True)


class StartedSchema(Response):
    """The version of a game that was asked to start: 0 while seats are free."""

    version = Whole(required=True)


class AuditSchema(Response):
    """What an audit had to repair."""

    repaired = Listing(Text(among=("head", "answers", "agenda", "quarantine")), required=True)
