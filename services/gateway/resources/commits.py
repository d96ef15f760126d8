"""Commits: the log as the caller may see it, and the record of a finished game."""

from __future__ import annotations

from typing import Any

from flask import Response, g

from services.gateway.callers import fails, only
from services.gateway.following import wait_for
from services.gateway.neighbours import relay
from services.gateway.parts import parts
from services.gateway.tokens import BOT, PLATFORM, SEAT, SPECTATOR
from shared.contracts.commits import CommitPageSchema, CommitsQuerySchema, RecordSchema
from shared.web import Blueprint
from shared.web.client import Answer

commits = Blueprint("commits", __name__, description="The log of a game, and its record.")


@commits.get("/games/<game:game>/commits")
@only(PLATFORM, SEAT, SPECTATOR, BOT)
@fails(404)
@commits.arguments(CommitsQuerySchema, location="query")
@commits.response(200, CommitPageSchema, description="Commits in order, hidden facts left out.")
def list_commits(query: dict[str, Any], game: str) -> Response:
    """Read the log, or wait for it to grow

    With `wait` the answer comes as soon as there is a commit after `after`, or empty when the time is up. When too many
    are waiting already it comes at once. Where history would tell what is hidden (the Card Game's stacks, VIEW-7), only
    the commits of the last round are open until the game is over: who asks for older ones gets `position`, the view of
    now, and the commits still open.
    """
    wait = query.pop("wait")
    found = parts()

    def ask() -> Answer:
        return found.game_state.ask("GET", f"/games/{game}/commits", params=query)

    if not wait:
        return relay(ask())
    with found.waits.take(g.caller.account) as refusal:
        return relay(wait_for(ask, lambda page: page.json()["commits"], found.hub, game, 0 if refusal else wait))


@commits.get("/games/<game:game>/record")
@only(PLATFORM, SEAT, SPECTATOR, BOT)
@fails(404, 409)
@commits.response(200, RecordSchema, description="Everything, with seed and nonce.")
def show_record(game: str) -> Response:
    """Read the record of a finished game

    Log, seed, nonce and the outcome of every draw, so that anyone can audit it.
    """
    return relay(parts().game_state.ask("GET", f"/games/{game}/record"))
