"""A game-state that serves games played beforehand, as far as the test lets them be."""

from __future__ import annotations

import copy
import json
from dataclasses import dataclass, field
from typing import Any

from flask import Flask, Response, jsonify, request

from shared.contracts.callers import CALLER_HEADER
from shared.kernel import commit_from_plain, commit_to_plain, redact, state_to_plain, view_for
from shared.web import Problem, Settings, allow, create_app
from tests.kernel_games import Game
from tests.records import record_of

SECRET = "a secret for tests that is long enough"
MOMENT = "2026-11-29T21:40:00.000Z"
PAGE = 40
Json = dict[str, Any]


@dataclass
class Served:
    """A game, how many of its commits have happened, and what scoring has said about it."""

    game: Game
    record: Json
    head: int
    sheet: Json | None = None
    projected: list[int] = field(default_factory=list)
    results: list[Json] = field(default_factory=list)

    @property
    def is_over(self) -> bool:
        return self.head >= len(self.game.commits)


class FakeGameState:
    """The resources of game-state that scoring asks, over games in memory."""

    def __init__(self) -> None:
        self.games: dict[str, Served] = {}
        self.callers: list[str | None] = []
        self.asked: list[str] = []
        self.failing: Problem | None = None

    def serve(self, name: str, game: Game, seed: int, head: int) -> Served:
        """Puts a game in, of which `head` commits have happened."""
        served = self.games[name] = Served(game, record_of(game, seed), head)
        return served

    def app(self) -> Flask:
        """Gives the service's app."""
        app = create_app("game_state", Settings("game_state", service_secret=SECRET, log_level="WARNING"))
        app.before_request(self._note)
        for method, rule, do in (
            ("GET", "/games/<name>", self.show),
            ("GET", "/games/<name>/commits", self.commits),
            ("GET", "/games/<name>/record", self.show_record),
            ("PUT", "/games/<name>/result", self.record_result),
            ("POST", "/games/<name>/projected", self.note_projected),
        ):
            app.add_url_rule(rule, f"{method} {rule}", allow("scoring")(_wrapped(do)), methods=[method])
        return app

    def show(self, name: str) -> Response:
        served = self._served(name)
        rules, head = served.game.rules, served.head
        state = served.game.states[min(head, len(served.game.states)) - 1] if head else None
        return jsonify({
            "game": name, "status": "waiting" if not head else "over" if served.is_over else "playing",
            "ruleset": rules.id, "options": rules.options, "created": MOMENT, "version": head,
            "seats": [{"seat": n, "name": f"Seat {n}", "bot": None, "taken": True} for n in range(rules.seats)],
            "position": state_to_plain(rules, view_for(rules, state, None)) if state else None, "result": served.sheet,
        })  # fmt: skip

    def commits(self, name: str) -> Response:
        served = self._served(name)
        after, limit = int(request.args["after"]), min(PAGE, int(request.args["limit"]))
        rules, head = served.game.rules, served.game.states[min(served.head, len(served.game.states)) - 1]
        page = served.record["commits"][after:min(served.head, after + limit)]
        shown = [commit_to_plain(rules, redact(rules, commit_from_plain(rules, plain), None, head)) for plain in page]
        return jsonify(game=name, version=served.head, commits=shown)

    def show_record(self, name: str) -> Response:
        served = self._served(name)
        if not served.is_over:
            raise Problem(409, "game_not_over", "This is only to be had when the game is over.")
        return jsonify(served.record | {"commits": served.record["commits"][:served.head]})

    def record_result(self, name: str) -> tuple[Response, int]:
        served = self._served(name)
        sheet = request.get_json()["sheet"]
        served.results.append(sheet)
        first = served.sheet is None
        served.sheet = sheet
        served.head = len(served.record["commits"])
        return jsonify(version=served.head), 201 if first else 200

    def note_projected(self, name: str) -> Response:
        served = self._served(name)
        served.projected.append(request.get_json()["version"])
        return jsonify(complete=served.projected[-1] >= served.head)

    def _served(self, name: str) -> Served:
        if name not in self.games:
            raise Problem(404, "game_not_found", "There is no such game, or it is not yours to see.")
        return self.games[name]

    def _note(self) -> None:
        self.callers.append(request.headers.get(CALLER_HEADER))
        self.asked.append(request.path)
        if self.failing is not None:
            raise self.failing


def tampered(record: Json) -> Json:
    """A copy of a record in which one claim scored a point too many."""
    changed = copy.deepcopy(record)
    claims = [event for commit in changed["commits"] for event in commit["events"] if event["event"] == "TrackClaimed"]
    claims[0]["points"] += 1
    return json.loads(json.dumps(changed))


def _wrapped(do: Any) -> Any:
    """A function of its own for each view, because `allow` marks it."""
    return lambda name: do(name)
