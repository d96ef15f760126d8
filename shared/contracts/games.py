"""Games: how they are created, listed and seen."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, ValidationError, fields, validates_schema

from shared.contracts.commits import PositionSchema
from shared.contracts.fields import (
    BOT,
    GAME,
    HEX_32,
    ID,
    MAX_ANSWER_LIMIT,
    MAX_SEATS,
    NAME,
    RULESET,
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
    options,
    seat_number,
)
from shared.contracts.scores import SheetSchema
from shared.contracts.seats import SeatSchema

STATUSES = ("waiting", "playing", "over")


class NewSeatSchema(Request):
    """A seat of a new game: open to claim, taken by a name, or held by a bot."""

    name = Text(pattern=NAME, metadata={"example": "Ann"})
    bot = Text(pattern=BOT, metadata={"example": "greedy"})

    @validates_schema
    def _one_holder(self, data: dict[str, Any], **kwargs: Any) -> None:
        if "name" in data and "bot" in data:
            raise ValidationError("conflict: A seat has a name or a bot, not both.")


class NewGameSchema(Request):
    """A game to create."""

    ruleset = Text(pattern=RULESET, required=True, metadata={
        "description": 'A rule set, with or without its revision: "usa" takes the newest.', "example": "usa",
    })
    seats = Listing(Part(NewSeatSchema), shortest=1, longest=MAX_SEATS, required=True, metadata={
        "example": [{"name": "Ann"}, {"bot": "greedy"}],
    })
    options = options(load_default=dict)
    seed = Text(pattern=HEX_32, metadata={
        "description": "Makes the game reproducible; such a game is not called fair (OPT-4).", "example": "00" * 32,
    })
    answer_limit = Whole(1, MAX_ANSWER_LIMIT, metadata={
        "description": "Seconds for each answer; then it is answered for the seat (BASE-44). Missing: no limit.",
    })


class IdempotencySchema(Schema):
    """The header that lets a creation be repeated."""

    idempotency_key = Text(pattern=r"^[A-Za-z0-9_.:-]{1,128}$", data_key="Idempotency-Key", metadata={
        "description": "The same key and body create one thing, once; the same key with another body is refused.",
    })


class GamesQuerySchema(Request):
    """A page of the list of games."""

    cursor = Text(pattern=GAME.replace("64", "200"))
    limit = Digits(1, 100, load_default=20)


class ViewQuerySchema(Request):
    """From which seat a bot looks at a game or a decision."""

    seat = Digits(0, MAX_SEATS - 1, metadata={"description": "Bots only: the seat to look from."})


class OpenDecisionSchema(Response):
    """A decision that waits for its answer."""

    decision = decision_id(required=True)
    seat = seat_number(required=True)
    kind = Text(pattern=ID, required=True, metadata={"example": "turn"})
    deadline = moment(required=True, allow_none=True)


class GameSummarySchema(Response):
    """A game in the platform's list."""

    game = game_id(required=True)
    status = Text(among=STATUSES, required=True)
    ruleset = Text(pattern=RULESET, required=True)
    created = moment(required=True)
    version = Whole(required=True)
    seats = Listing(Part(SeatSchema), required=True)


class GamePageSchema(Response):
    """Games of the platform, the newest first; `next` is the cursor of the next page."""

    games = Listing(Part(GameSummarySchema), required=True)
    next = Text(longest=200, required=True, allow_none=True)


class GameSchema(GameSummarySchema):
    """A game as its caller may see it."""

    options = options(required=True)
    answer_limit = Whole(1, MAX_ANSWER_LIMIT, required=True, allow_none=True)
    commitment = Text(pattern=HEX_32, required=True, metadata={
        "description": "SHA-256 over nonce and seed, published before the first draw (OPT-4).",
    })
    seed_by = Text(among=("server", "host"), required=True)
    nonce = Text(required=True, allow_none=True)
    seed = Text(pattern=HEX_32, required=True, allow_none=True, metadata={"description": "Null until it is over."})
    viewer = fields.Raw(required=True, metadata={"anyOf": [{"type": "integer"}, {"const": "spectator"}]})
    decisions = Listing(Part(OpenDecisionSchema), required=True)
    position = Part(PositionSchema, required=True, allow_none=True)
    result = Part(SheetSchema, required=True, allow_none=True)


class CreatedGameSchema(GameSchema):
    """A new game, with the token for spectators."""

    spectator_token = Text(longest=400, required=True, metadata={"example": "sp_…"})


class SpectatorsSchema(Response):
    """A new token for spectators; all earlier ones are void."""

    epoch = Whole(required=True)
    spectator_token = Text(longest=400, required=True, metadata={"example": "sp_…"})
