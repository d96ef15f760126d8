"""The rules service, called as game-state calls it, and positions to ask it about."""

from __future__ import annotations

from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from services.rules.app import create_rules
from shared.catalog import rules_for
from shared.kernel import Decision, Rules, State, parse_position, state_to_plain, view_for
from shared.web import Settings
from shared.web.service_auth import ServiceToken
from tests.kernel_games import Game, play

SECRET = "a secret for tests that is long enough"
KEY = "ab" * 32
OPENING = "usa@1:2 v=9 turn=0 hands=R3L1/B2 display=RRBWL ask=turn"
Json = dict[str, Any]


class RulesService:
    """The service, and how to ask it."""

    def __init__(self) -> None:
        self.app = create_rules(Settings("rules", service_secret=SECRET))

    def call(self, method: str, path: str, service: str | None = "game_state", **rest: Any) -> TestResponse:
        """Gives the answer to a request of another service; None asks without saying who."""
        headers = {"Authorization": ServiceToken(SECRET, service, "rules").header()} if service else {}
        client: FlaskClient = self.app.test_client()
        return client.open(path, method=method, headers=headers, **rest)

    def post(self, path: str, body: Any, service: str | None = "game_state") -> TestResponse:
        """Gives the answer to a POST."""
        return self.call("POST", path, service, json=body)

    def decides(self) -> dict[str, float]:
        """The counter of decides by outcome."""
        lines = self.call("GET", "/metrics").text.splitlines()
        found = [line.split(" ") for line in lines if line.startswith("whistlestop_decides_total{")]
        return {name.split('"')[1]: float(value) for name, value in found}


@pytest.fixture(scope="session")
def service() -> RulesService:
    return RulesService()


@pytest.fixture(scope="session")
def rules() -> Rules:
    """The rules of USA with two seats."""
    return rules_for("usa@1", 2)


@pytest.fixture(scope="session")
def game(rules: Rules) -> Game:
    """A whole game."""
    return play(rules, 7)


def question(rules: Rules, position: State | str, decision: str = "9.0", **more: Any) -> Json:
    """A request about a position, given as a state or in notation."""
    plain = position if isinstance(position, str) else state_to_plain(rules, position)
    return {"ruleset": rules.id, "seats": rules.seats, "options": rules.options, "position": plain,
            "decision": decision, **more}


def to_decide(rules: Rules, position: State | str, move: Json, decision: str = "9.0") -> Json:
    """A request to decide a move."""
    return question(rules, position, decision, move=move, key=KEY)


def opening(rules: Rules) -> tuple[State, Decision]:
    """A position with a turn to play, and its decision."""
    state = parse_position(rules, OPENING)
    return state, state.decisions[0]


def view_of(rules: Rules, state: State, seat: int | None) -> Json:
    """A view in its plain form."""
    return state_to_plain(rules, view_for(rules, state, seat))
