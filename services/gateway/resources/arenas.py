"""Arenas: many games between bots."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

from flask import Response, g, stream_with_context, url_for

from services.gateway.callers import fails, only
from services.gateway.neighbours import relay
from services.gateway.parts import parts
from services.gateway.resources.streams import LINES, take_place
from services.gateway.tokens import PLATFORM
from shared.catalog import DEFAULT_RULESET
from shared.contracts.arenas import (
    ArenaPageSchema,
    ArenaRecordSchema,
    ArenaSchema,
    ArenasQuerySchema,
    NewArenaSchema,
    RecordsQuerySchema,
)
from shared.contracts.games import IdempotencySchema
from shared.web import Blueprint

EXAMPLES = {
    "duel": {
        "summary": "Two bots, a hundred games from either seat",
        "value": {"ruleset": DEFAULT_RULESET, "entrants": [{"bot": "greedy"}, {"bot": "random"}], "games": 200,
                  "seed": 1},
    },
    "design": {
        "summary": "A shorter game with fewer locomotives",
        "value": {"ruleset": DEFAULT_RULESET, "entrants": [{"bot": "greedy"}] * 4, "games": 100,
                  "parameters": {"claim": {"trains": 35}, "cards": {"locomotive": 10}}},
    },
}  # fmt: skip

arenas = Blueprint("arenas", __name__, description="Bot games as experiments: who wins, what a board is like.")


@arenas.post("/arenas")
@only(PLATFORM)
@fails(400, 409, 413, 415)
@arenas.arguments(IdempotencySchema, location="headers")
@arenas.arguments(NewArenaSchema, examples=EXAMPLES)
@arenas.response(201, ArenaSchema, description="Created; its games begin as soon as workers are free.")
@arenas.alt_response(200, schema=ArenaSchema, success=True,
                     description="Created before with the same Idempotency-Key.")
def create_arena(key: dict[str, Any], new_arena: dict[str, Any]) -> Response:
    """Create an arena

    Workers play its games while nobody waits for a bot. Each game's luck and seats follow from the arena's seed and the
    game's number, so it is the same game wherever it is played, and counts once. A bot that throws, makes an illegal
    move, takes too long or too much memory is replaced for that decision by a legal move, and that is counted.
    With `board` and `parameters` it tries a map or rules of your own: everything wrong with them is told by a 422 at
    its place. 429: as many of your arenas run as may.
    """
    asked = {**new_arena, **key, "owner": g.caller.id}
    answer = parts().ai.ask("POST", "/arenas", json=asked, safe="idempotency_key" in key)
    response = relay(answer)
    response.headers["Location"] = url_for("arenas.show_arena", arena=answer.json()["arena"])
    return response


@arenas.get("/arenas")
@only(PLATFORM)
@arenas.arguments(ArenasQuerySchema, location="query")
@arenas.response(200, ArenaPageSchema, description="A page of the platform's own arenas, the newest first.")
def list_arenas(query: dict[str, Any]) -> Response:
    """List your arenas

    An arena can be read for 30 days after its end.
    """
    return relay(parts().ai.ask("GET", "/arenas", params={**query, "owner": g.caller.id}))


@arenas.get("/arenas/<name:arena>")
@only(PLATFORM)
@fails(404)
@arenas.response(200, ArenaSchema, description="How far it is, and what its games tell so far.")
def show_arena(arena: str) -> Response:
    """See an arena: progress and statistics"""
    return relay(parts().ai.ask("GET", f"/arenas/{arena}"))


@arenas.delete("/arenas/<name:arena>")
@only(PLATFORM)
@fails(404)
@arenas.response(200, ArenaSchema, description="The arena as it ended.")
def cancel_arena(arena: str) -> Response:
    """Cancel an arena

    Its statistics and records so far stay. One that has ended stays as it is.
    """
    return relay(parts().ai.ask("DELETE", f"/arenas/{arena}", safe=True))


@arenas.get("/arenas/<name:arena>/records")
@only(PLATFORM)
@fails(404, 409)
@arenas.arguments(RecordsQuerySchema, location="query")
@arenas.response(200, ArenaRecordSchema, content_type=LINES, description="A line each.")
def list_records(query: dict[str, Any], arena: str) -> Response:
    """Read the records of an arena's games

    Of the games that are over, in the order of their numbers, in the form of a hosted game's record: log, seed and the
    outcome of every draw. 409: they were not asked for. 503: too many streams.
    """
    with ExitStack() as held:
        take_place(held)
        first = _page(arena, query.get("after"))
        response = Response(stream_with_context(_pages(arena, first)), mimetype=LINES)
        response.call_on_close(held.pop_all().close)
        return response


def _page(arena: str, after: int | None) -> bytes:
    return parts().ai.ask("GET", f"/arenas/{arena}/records", params={"after": after}).content


def _pages(arena: str, page: bytes) -> Iterator[bytes]:
    """Gives this page and all that follow; an empty one is the last."""
    while page:
        yield page
        page = _page(arena, json.loads(page.splitlines()[-1])["number"])
