"""The AI service, and a gateway that asks bots one question over HTTP."""

from __future__ import annotations

import resource
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from flask import Flask, Response, jsonify, request

from shared.client import Client
from shared.kernel import Rules, State, legal_moves, move_to_plain, state_to_plain, view_for
from shared.web import Problem, Settings, create_app
from tests.game_state import served

TOKEN = "bt_of_a_test"
Json = dict[str, Any]


@dataclass
class FakeGateway:
    """Serves the first open decision of a position; keeps what it was told."""

    question: Json = field(default_factory=dict)
    answer: Json | None = None
    given: list[Json] = field(default_factory=list)
    refuse: list[Json] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    notes: str = ""

    def ask(self, rules: Rules, state: State) -> str:
        """Lets bots be asked about the first open decision of `state`; gives its id."""
        decision = state.decisions[0]
        view = view_for(rules, state, decision.seat)
        self.question = {
            "decision": decision.id, "game": "g", "seat": decision.seat, "kind": decision.name, "status": "open",
            "opened": decision.opened, "deadline": None, "commit": None, "view": state_to_plain(rules, view),
            "legal_moves": [move_to_plain(rules, move) for move in legal_moves(rules, view, decision)],
        }  # fmt: skip
        self.answer, self.given, self.refuse, self.asked, self.notes = None, [], [], [], ""
        return decision.id

    def app(self) -> Flask:
        """Gives the app that serves it."""
        app = create_app("gateway", Settings("gateway", log_level="WARNING"), public=True)
        app.before_request(self._note)
        app.get("/v1/games/g/decisions/<decision>")(self.show)
        app.put("/v1/games/g/decisions/<decision>/answer")(self.take)
        app.put("/v1/games/g/seats/<int:seat>/notes")(self.keep)
        return app

    def show(self, decision: str) -> Response:
        if self.answer is not None:
            return jsonify({**self.question, "status": "answered", "commit": 9})
        return jsonify({**self.question, "notes": self.notes})

    def take(self, decision: str) -> tuple[Response, int]:
        move = request.get_json()["move"]
        self.given.append(move)
        if move in self.refuse:
            broken = {"code": "no_train_cards", "rule": "BASE-18", "text": "...", "data": {}}
            raise Problem(422, "rule_violation", violations=[broken])
        if self.answer not in (None, move):
            raise Problem(409, "decision_answered")
        status = 201 if self.answer is None else 200
        self.answer = move
        return jsonify(decision=decision, version=9, commit={"version": 9, "move": move}), status

    def keep(self, seat: int) -> Response:
        assert self.answer is None, "notes must be kept before the answer"
        self.notes = request.get_json()["notes"]
        return jsonify(notes=self.notes)

    def _note(self) -> None:
        assert request.headers["Authorization"] == f"Bearer {TOKEN}"
        self.asked.append(f"{request.method} {request.path}")


@pytest.fixture(scope="session")
def running() -> Iterator[tuple[FakeGateway, str]]:
    fake = FakeGateway()
    with served(fake.app()) as url:
        yield fake, url


@pytest.fixture
def gateway(running: tuple[FakeGateway, str]) -> FakeGateway:
    """The gateway that asks."""
    return running[0]


@pytest.fixture
def client(running: tuple[FakeGateway, str]) -> Client:
    """A bot account's client of that gateway."""
    return Client(running[1], TOKEN, patience=2)


@pytest.fixture
def scarce_memory() -> Iterator[None]:
    """Half a gibibyte more than this process has, as in a worker."""
    before = resource.getrlimit(resource.RLIMIT_AS)
    with open("/proc/self/statm") as file:
        size = int(file.read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (size + (1 << 29), before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_AS, before)
