"""Game-state with a real store and a real rules service over the loopback, as its tests drive it."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, TypeVar

import pytest
import redis
from flask.testing import FlaskClient
from werkzeug.serving import WSGIRequestHandler, make_server
from werkzeug.test import TestResponse

from services.game_state.adapters import Adapters
from services.game_state.app import create_game_state
from services.rules.app import create_rules
from shared.contracts.callers import CALLER_HEADER
from shared.web import Settings
from shared.web.service_auth import ServiceToken
from shared.web.store import connect

SECRET = "a secret for tests that is long enough"
OWNER = "owner:platform"
NOWHERE = "http://127.0.0.1:9"
Json = dict[str, Any]
T = TypeVar("T")


class KeepAliveHandler(WSGIRequestHandler):
    """Serves several requests over one connection, quietly."""

    protocol_version = "HTTP/1.1"

    def log(self, type: str, message: str, *args: Any) -> None:
        """Says nothing: the app logs its requests itself."""


@contextmanager
def served(app: Any) -> Iterator[str]:
    """Serves an app on a free port; gives its address."""
    server = make_server("127.0.0.1", 0, app, threaded=True, request_handler=KeepAliveHandler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@contextmanager
def rules_served() -> Iterator[str]:
    """Serves the rules service; gives its address."""
    with served(create_rules(Settings("rules", service_secret=SECRET))) as address:
        yield address


class GameState:
    """One instance of the service, called as the services around it call it."""

    def __init__(self, store_url: str, rules_url: str) -> None:
        settings = Settings("game_state", store_url=store_url, service_secret=SECRET, rules_url=rules_url)
        self.rules_url = rules_url
        self.app = create_game_state(settings)
        self.adapters: Adapters = self.app.extensions["adapters"]
        self.redis: redis.Redis = connect(store_url, decode_responses=True)

    def call(
        self, method: str, path: str, *, caller: str | None = None, service: str = "gateway", **rest: Any
    ) -> TestResponse:
        """Gives the answer to a request that `service` makes for `caller`."""
        headers = {"Authorization": ServiceToken(SECRET, service, "game_state").header()} | rest.pop("headers", {})
        if caller is not None:
            headers[CALLER_HEADER] = caller
        client: FlaskClient = self.app.test_client()
        return client.open(path, method=method, headers=headers, **rest)

    def create(self, *seats: Json, **more: Any) -> Json:
        """Gives a new game of the platform; without seats two open ones."""
        asked = {"owner": "platform", "ruleset": "usa", "seats": list(seats or ({}, {}))} | more
        response = self.call("POST", "/games", json=asked)
        assert response.status_code == 201, response.json
        return response.json

    def started(self, seats: int = 2, **more: Any) -> Json:
        """Gives a game that named seats have filled, at version 1."""
        return self.create(*({"name": f"Seat {number}"} for number in range(seats)), **more)

    def show(self, game: str, caller: str = OWNER) -> Json:
        """Gives the game as a caller sees it."""
        response = self.call("GET", f"/games/{game}", caller=caller)
        assert response.status_code == 200, response.json
        return response.json

    def open_decisions(self, game: str) -> list[Json]:
        """Gives the open decisions."""
        return self.show(game)["decisions"]

    def choice(self, game: str, decision: Json) -> Json:
        """Gives what the seat of a decision may choose."""
        return self.call(
            "GET", f"/games/{game}/decisions/{decision['decision']}", caller=seat_of(game, decision["seat"])
        ).json

    def answer(self, game: str, decision: Json, move: Json) -> TestResponse:
        """Gives the answer to a seat's move."""
        return self.call(
            "PUT",
            f"/games/{game}/decisions/{decision['decision']}/answer",
            caller=seat_of(game, decision["seat"]),
            json={"move": move},
        )

    def choose_tickets(self, game: str) -> None:
        """Answers the opening decisions of all seats with the first legal move."""
        for decision in self.open_decisions(game):
            response = self.answer(game, decision, self.choice(game, decision)["legal_moves"][0])
            assert response.status_code == 201, response.json

    def play_to_the_end(self, game: str) -> None:
        """Answers every decision until the game is over, always claiming the longest track there is."""
        while decisions := self.open_decisions(game):
            for decision in decisions:
                moves = self.choice(game, decision)["legal_moves"]
                response = self.answer(game, decision, max(moves, key=_length))
                assert response.status_code == 201, response.json


def at_once(*calls: Callable[[], T]) -> list[T]:
    """Gives the answers of calls that all begin at the same moment."""
    barrier = threading.Barrier(len(calls))

    def begin(call: Callable[[], T]) -> T:
        barrier.wait()
        return call()

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(begin, calls))


def fresh_game() -> str:
    """Gives an id that no game has."""
    return secrets.token_hex(8)


def seat_of(game: str, seat: int, epoch: int = 1) -> str:
    """Gives the caller header of a seat."""
    return f"seat:{game}:{seat}:{epoch}"


def _length(move: Json) -> int:
    return sum(move.get("payment", {}).values())


@pytest.fixture(scope="session")
def rules_url() -> Iterator[str]:
    """The address of a rules service."""
    with rules_served() as address:
        yield address


@pytest.fixture
def gs(store_url: str, rules_url: str) -> GameState:
    """Game-state on the test store."""
    return GameState(store_url, rules_url)
