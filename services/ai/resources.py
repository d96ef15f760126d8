"""The resources of the AI service."""

from __future__ import annotations

import json
from typing import Any

import redis
from flask import Response, current_app, jsonify, request

from services.ai.arenas import use_cases
from services.ai.arenas.store import ArenaStore
from services.ai.bots import BOTS
from services.ai.queue_health import QueueHealth
from shared.catalog import ruleset, rulesets
from shared.contracts.arenas import RECORDS_PAGE, NewOwnedArenaSchema, OwnedArenasQuerySchema, RecordsQuerySchema
from shared.contracts.callers import CALLER_HEADER
from shared.web import Blueprint, Problem
from shared.web.service_auth import open_to_all

bots = Blueprint("bots", __name__)
arenas = Blueprint("arenas", __name__)
queues = Blueprint("queues", __name__)

Json = dict[str, Any]


@bots.get("/bots")
def list_bots() -> Response:
    """Lists the bots. They work from the legal moves, so each of them plays every rule set."""
    playable = [f"{source['id']}@{source['revision']}" for source in map(ruleset, rulesets())]
    return jsonify(bots=[{"bot": bot.name, "rulesets": playable, "about": bot.about} for bot in BOTS.values()])


@arenas.post("/arenas")
@arenas.arguments(NewOwnedArenaSchema)
def create_arena(asked: Json) -> Response:
    """Creates an arena."""
    owner = asked["owner"]
    arena, is_new = use_cases.create(_store(), asked)
    response = jsonify(use_cases.show(_store(), owner, arena))
    response.status_code = 201 if is_new else 200
    return response


@arenas.get("/arenas")
@arenas.arguments(OwnedArenasQuerySchema, location="query")
def list_arenas(query: Json) -> Response:
    """Lists the arenas of a platform."""
    return jsonify(use_cases.listing(_store(), query["owner"], cursor=query.get("cursor"), limit=query["limit"]))


@arenas.get("/arenas/<arena>")
def show_arena(arena: str) -> Response:
    """Shows an arena to its owner."""
    return jsonify(use_cases.show(_store(), _owner(), arena))


@arenas.delete("/arenas/<arena>")
def cancel_arena(arena: str) -> Response:
    """Ends an arena."""
    return jsonify(use_cases.cancel(_store(), _owner(), arena))


@arenas.get("/arenas/<arena>/records")
@arenas.arguments(RecordsQuerySchema, location="query")
def list_records(query: Json, arena: str) -> Response:
    """Gives a page of records, a line each."""
    found = use_cases.records(_store(), _owner(), arena, after=query.get("after", -1), limit=RECORDS_PAGE)
    lines = "".join(json.dumps(record, separators=(",", ":")) + "\n" for record in found)
    return Response(lines, mimetype="application/x-ndjson")


@queues.get("/queues")
@open_to_all
def show_queues() -> Response:
    """Shows what waits for workers: the tasks in each queue, the games that arenas could play at once."""
    queue_health: QueueHealth = current_app.extensions["queue_health"]
    try:
        waiting = queue_health.read()
    except redis.RedisError:
        raise Problem(503, "broker_unavailable", "The broker is not reachable.", retry_after=1) from None
    games = [_store().claimable(arena) for _, arena in _store().open_arenas()]
    return jsonify(queues=[vars(queue) for queue in waiting], arenas={"running": len(games), "games": sum(games)})


def _store() -> ArenaStore:
    return current_app.extensions["arena_store"]


def _owner() -> str:
    """The platform for which the gateway asks; for anybody else there are no arenas."""
    kind, _, name = request.headers.get(CALLER_HEADER, "").partition(":")
    return name if kind == "owner" else ""
