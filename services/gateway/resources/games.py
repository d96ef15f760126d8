"""Games: create, list, see."""

from __future__ import annotations

from typing import Any

from flask import Response, g, jsonify, request, url_for

from services.gateway.callers import fails, only
from services.gateway.neighbours import relay
from services.gateway.parts import parts
from services.gateway.tokens import BOT, PLATFORM, SEAT, SPECTATOR
from shared.catalog import DEFAULT_RULESET
from shared.contracts.games import (
    CreatedGameSchema,
    GamePageSchema,
    GameSchema,
    GamesQuerySchema,
    IdempotencySchema,
    NewGameSchema,
    SpectatorsSchema,
    ViewQuerySchema,
)
from shared.web import Blueprint

FIRST_EPOCH = 1
ETAG = {"ETag": {"description": "`<version>.<viewer>`", "schema": {"type": "string"}, "example": '"12.1"'}}
IF_NONE_MATCH = {
    "in": "header", "name": "If-None-Match", "schema": {"type": "string"},
    "description": "The ETag of the view at hand: 304 while it is still right.",
}  # fmt: skip
EXAMPLES = {
    "people": {
        "summary": "Two people, one seat free",
        "value": {"ruleset": DEFAULT_RULESET, "seats": [{"name": "Ann"}, {}]},
    },
    "bots": {
        "summary": "A person against bots, a day for each answer",
        "value": {
            "ruleset": DEFAULT_RULESET,
            "seats": [{}, {"bot": "greedy"}, {"bot": "greedy"}],
            "answer_limit": 86400,
        },
    },
}

games = Blueprint("games", __name__, description="Create, list and see games.")


@games.post("/games")
@only(PLATFORM)
@fails(400, 409, 413, 415)
@games.arguments(IdempotencySchema, location="headers")
@games.arguments(NewGameSchema, examples=EXAMPLES)
@games.response(201, CreatedGameSchema, description="Created.")
@games.alt_response(200, schema=CreatedGameSchema, success=True,
                    description="Created before with the same Idempotency-Key.")
def create_game(key: dict[str, Any], new_game: dict[str, Any]) -> Response:
    """Create a game

    It starts when its last seat is taken. With an `Idempotency-Key` the request can be repeated: the same key and body
    give the same game.
    """
    parts().roster.check(g.caller.id, new_game["ruleset"], new_game["seats"])
    asked = {**new_game, **key, "owner": g.caller.id}
    answer = parts().game_state.ask("POST", "/games", json=asked, safe="idempotency_key" in key)
    game = answer.json()
    game["spectator_token"] = parts().tokens.for_spectators(game["game"], FIRST_EPOCH)
    response = jsonify(game)
    response.status_code = answer.status_code
    response.headers["Location"] = url_for("games.show_game", game=game["game"])
    return response


@games.get("/games")
@only(PLATFORM)
@games.arguments(GamesQuerySchema, location="query")
@games.response(200, GamePageSchema, description="A page of the platform's own games, the newest first.")
def list_games(query: dict[str, Any]) -> Response:
    """List your games"""
    return relay(parts().game_state.ask("GET", "/games", params={**query, "owner": g.caller.id}))


@games.get("/games/<game:game>")
@only(PLATFORM, SEAT, SPECTATOR, BOT)
@fails(404)
@games.doc(parameters=[IF_NONE_MATCH])
@games.arguments(ViewQuerySchema, location="query")
@games.response(200, GameSchema, headers=ETAG, description="The game as the caller may see it.")
@games.alt_response(304, success=True, description="The view at hand is still right.")
def show_game(query: dict[str, Any], game: str) -> Response:
    """See a game

    A seat's token gives the view of that seat, every other token the view of a spectator.
    """
    known = {"If-None-Match": request.headers["If-None-Match"]} if "If-None-Match" in request.headers else {}
    response = relay(parts().game_state.ask("GET", f"/games/{game}", params=query, headers=known))
    response.headers["Cache-Control"] = "private, no-cache"
    return response


@games.put("/games/<game:game>/spectators")
@only(PLATFORM)
@fails(404)
@games.response(200, SpectatorsSchema, description="The new token; earlier ones are void.")
def renew_spectators(game: str) -> Response:
    """Renew the spectators' token"""
    raised = parts().game_state.ask("PUT", f"/games/{game}/spectators").json()
    return jsonify({**raised, "spectator_token": parts().tokens.for_spectators(game, raised["epoch"])})
