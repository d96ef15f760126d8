"""A gateway over HTTP, in front of fake neighbours and a real store and broker."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any

import pytest
import redis
import requests

from services.gateway.app import create_gateway
from services.gateway.external_bots import ExternalBots
from services.gateway.settings import Tuning
from services.gateway.tokens import BOT, PLATFORM, Accounts, SignedTokens
from shared.web import Service, Settings
from tests.game_state import served
from tests.service.gateway.fakes import SERVICE_SECRET, FakeGameState, ai_app, rules_app

TOKEN_SECRET = "a secret that signs the tokens of a test"


@dataclass
class Gateway:
    """A running gateway, and what a test needs to talk to it and about it."""

    url: str
    app: Service
    games: FakeGameState
    accounts: Accounts
    bots: ExternalBots
    tokens: SignedTokens
    settings: Settings
    stop: threading.Event

    def send(self, method: str, path: str, token: str | None = None, **rest: Any) -> requests.Response:
        """Sends a request to /v1 on a connection of its own."""
        headers = {**({"Authorization": f"Bearer {token}"} if token else {}), **rest.pop("headers", {})}
        return requests.request(method, f"{self.url}/v1{path}", headers=headers, timeout=20, **rest)

    def get(self, path: str, token: str | None = None, **rest: Any) -> requests.Response:
        """Sends a GET to /v1."""
        return self.send("GET", path, token, **rest)

    def put(self, path: str, token: str | None = None, **rest: Any) -> requests.Response:
        """Sends a PUT to /v1."""
        return self.send("PUT", path, token, **rest)

    def external_bot(self, owner: str, name: str, **about: Any) -> str:
        """The token of a bot that a platform has brought along."""
        kept = {"bot": name, "about": "Of a test.", "concurrency": 2, **about}
        return self.bots.create(owner, kept) or self.bots.renew_token(f"{owner}.{name}")

    def seat(self, game: str, seat: int, epoch: int = 1) -> str:
        """The token of a seat."""
        return self.tokens.for_seat(game, seat, epoch)


@pytest.fixture(scope="session")
def neighbours(store_url: str) -> Iterator[tuple[FakeGameState, dict[str, str]]]:
    games = FakeGameState(redis.Redis.from_url(store_url))
    with ExitStack() as held:
        urls = {name: held.enter_context(served(app)) for name, app in
                (("game_state", games.app()), ("scoring", games.app("scoring")), ("rules", rules_app()),
                 ("ai", ai_app()))}
        yield games, {f"{name}_url": url for name, url in urls.items()}


@pytest.fixture(scope="session")
def make_gateway(neighbours, store_url: str, broker_url: str) -> Callable[..., Any]:
    games, urls = neighbours

    @contextmanager
    def make(tuning: Tuning | None = None, **changed: Any) -> Iterator[Gateway]:
        about = {"store_url": store_url, "broker_url": broker_url, "service_secret": SERVICE_SECRET,
                 "token_secret": TOKEN_SECRET, **urls, **changed}
        settings, stop = Settings("gateway", **about), threading.Event()
        app = create_gateway(settings, tuning or Tuning(), stop=stop)
        store = redis.Redis.from_url(store_url, decode_responses=True)
        accounts = Accounts(store)
        with served(app) as url:
            bots, tokens = ExternalBots(store, accounts), SignedTokens(TOKEN_SECRET)
            yield Gateway(url, app, games, accounts, bots, tokens, settings, stop)
            stop.set()

    return make


@pytest.fixture(scope="session")
def gateway(make_gateway) -> Iterator[Gateway]:
    with make_gateway() as made:
        yield made


@pytest.fixture(scope="session")
def gateway_app(gateway: Gateway) -> Service:
    return gateway.app


@pytest.fixture(scope="session")
def platform(gateway: Gateway) -> str:
    return gateway.accounts.create(PLATFORM, "acme")


@pytest.fixture(scope="session")
def stranger(gateway: Gateway) -> str:
    return gateway.accounts.create(PLATFORM, "other")


@pytest.fixture(scope="session")
def bot(gateway: Gateway) -> str:
    return gateway.accounts.create(BOT, "builtin")

