"""The scoring service on a real store, with a fake game-state over HTTP."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
import redis
from werkzeug.test import TestResponse

from services.scoring.adapters import Adapters
from services.scoring.app import create_scoring
from shared.catalog import rules_for
from shared.contracts.callers import CALLER_HEADER
from shared.web import Service, Settings
from shared.web.service_auth import ServiceToken
from tests.game_state import served
from tests.kernel_games import Game, play
from tests.service.scoring.fakes import SECRET, FakeGameState, Served

SEED = 11


@dataclass
class Scoring:
    """The service and its neighbour."""

    app: Service
    neighbour: FakeGameState
    store: redis.Redis
    url: str

    @property
    def adapters(self) -> Adapters:
        return self.app.extensions["adapters"]

    def call(self, path: str, caller: str | None = None, service: str | None = "gateway") -> TestResponse:
        """Gives the answer to a GET of another service, asked for `caller`."""
        headers = {"Authorization": ServiceToken(SECRET, service, "scoring").header()} if service else {}
        if caller:
            headers[CALLER_HEADER] = caller
        return self.app.test_client().get(path, headers=headers)

    def scores(self, game: str) -> dict[str, Any]:
        """Gives the scores of a game."""
        answer = self.call(f"/scores/{game}")
        assert answer.status_code == 200, answer.json
        return answer.json

    def metric(self, outcome: str) -> float:
        """How many results had this outcome."""
        for line in self.app.test_client().get("/metrics").text.splitlines():
            if line.startswith(f'whistlestop_results_total{{outcome="{outcome}"}}'):
                return float(line.rpartition(" ")[2])
        return 0.0

    def version_kept(self, game: str) -> int:
        """The version of the projection in the store."""
        kept = self.adapters.projections.load(game)
        return kept.version if kept else 0


@pytest.fixture(scope="session")
def played() -> Game:
    """A whole game of three seats."""
    return play(rules_for("usa@1", 3), SEED)


@pytest.fixture(scope="session")
def neighbour() -> Iterator[tuple[FakeGameState, str]]:
    fake = FakeGameState()
    with served(fake.app()) as url:
        yield fake, url


@pytest.fixture
def scoring(store_url: str, neighbour: tuple[FakeGameState, str]) -> Iterator[Scoring]:
    """The service."""
    fake, url = neighbour
    app = create_scoring(Settings("scoring", store_url=store_url, service_secret=SECRET, game_state_url=url))
    store = redis.Redis.from_url(store_url, decode_responses=True)
    fake.asked.clear()
    fake.callers.clear()
    yield Scoring(app, fake, store, url)
    fake.failing = None


@pytest.fixture
def name() -> str:
    """The id of a game that no other test has."""
    return secrets.token_hex(8)


@pytest.fixture
def half(scoring: Scoring, played: Game, name: str) -> Served:
    """A game half way."""
    return scoring.neighbour.serve(name, played, SEED, len(played.commits) // 2)
