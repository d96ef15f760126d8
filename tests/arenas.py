"""The AI service with a real store, as the gateway calls it, and a worker of arenas that is a plain call."""

from __future__ import annotations

import json
import secrets
from typing import Any

import pytest
from werkzeug.test import TestResponse

from services.ai.app import create_ai
from services.ai.arenas.keeper import Keeper
from services.ai.arenas.slices import play_slice
from services.ai.arenas.store import OPEN, ArenaStore
from services.ai.queue_health import QueueHealth
from shared.contracts.callers import CALLER_HEADER
from shared.web import Settings
from shared.web.service_auth import ServiceToken
from shared.web.store import connect

SECRET = "a secret for tests that is long enough"
DUEL = {"ruleset": "usa", "entrants": [{"bot": "random"}, {"bot": "random"}], "games": 4, "seed": 1}

Json = dict[str, Any]


class Arenas:
    """One instance of the service; every test has an owner of its own."""

    def __init__(self, store_url: str, broker_url: str) -> None:
        settings = Settings("ai", store_url=store_url, broker_url=broker_url, service_secret=SECRET)
        self.app = create_ai(settings)
        self.redis = connect(store_url, decode_responses=True)
        self.store: ArenaStore = self.app.extensions["arena_store"]
        self.owner = f"o{secrets.token_hex(4)}"
        self.sent = 0
        self.keeper = Keeper(self.store, QueueHealth(connect(broker_url)), self._send)

    def _send(self) -> None:
        self.sent += 1

    def call(self, method: str, path: str, *, owner: str | None = None, service: str = "gateway",
             **rest: Any) -> TestResponse:
        """Gives the answer to a request that `service` makes for an owner, this one unless another is named."""
        headers = {"Authorization": ServiceToken(SECRET, service, "ai").header(),
                   CALLER_HEADER: f"owner:{self.owner if owner is None else owner}"}
        return self.app.test_client().open(path, method=method, headers=headers, **rest)

    def ask(self, **asked: Any) -> TestResponse:
        """Asks for an arena: a duel of random bots but for what is named."""
        return self.call("POST", "/arenas", json={"owner": self.owner} | DUEL | asked)

    def create(self, **asked: Any) -> str:
        """Gives the id of a new arena."""
        response = self.ask(**asked)
        assert response.status_code == 201, response.json
        return response.json["arena"]

    def show(self, arena: str) -> Json:
        """Gives an arena as its owner sees it."""
        return self.call("GET", f"/arenas/{arena}").json

    def records(self, arena: str, **query: int) -> list[Json]:
        """Gives a page of records."""
        response = self.call("GET", f"/arenas/{arena}/records", query_string=query)
        assert response.status_code == 200, response.json
        return [json.loads(line) for line in response.data.splitlines()]

    def play(self, arena: str) -> Json:
        """Plays what is open until this arena has ended; gives it as it is then."""
        while (shown := self.show(arena))["status"] == "running":
            assert play_slice(self.store) or shown["done"] == shown["games"]
            self.keeper.tend()
        return shown


@pytest.fixture
def arenas(store_url: str, broker_url: str) -> Arenas:
    """The service, with no arena open but those of the test."""
    made = Arenas(store_url, broker_url)
    made.redis.delete(OPEN)
    return made
