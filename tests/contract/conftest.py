"""All five services in one process, over loopback HTTP, with every answer watched; and a game at each stage."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

import pytest
import redis
import requests
from flask import Flask

from services.ai.app import create_ai
from services.ai.arenas.slices import play_slice
from services.game_state.app import create_game_state
from services.gateway.app import create_gateway
from services.gateway.settings import RATES, Tuning
from services.gateway.tokens import BOT, PLATFORM, Accounts
from services.rules.app import create_rules
from services.scoring import handlers as scoring
from services.scoring.app import create_scoring
from shared.catalog import DEFAULT_RULESET, rulesets
from shared.web import Settings
from tests.contract.pact import Pact
from tests.game_state import SECRET, served

TOKEN_SECRET = "a secret that signs the tokens of a test"
FAST = Tuning(waits=0, rates=dict.fromkeys(RATES, "100000/second"))
LONG = 40
Json = dict[str, Any]


@dataclass
class Stack:
    """The services, and a platform's way to them."""

    url: str
    apps: dict[str, Flask]
    key: str
    bot: str
    pact: Pact
    store: redis.Redis

    def send(self, method: str, path: str, token: str | None = None, **rest: Any) -> requests.Response:
        """Sends a request to the public API; without a token as the platform."""
        headers = {"Authorization": f"Bearer {token or self.key}"} | rest.pop("headers", {})
        return requests.request(method, f"{self.url}/v1{path}", headers=headers, timeout=10, **rest)

    def bring_bot(self) -> OwnBot:
        """Gives a new bot of the platform, which has a decision to make."""
        made = self.send("POST", "/bots", json={"bot": secrets.token_hex(8), "about": "Of a test."}).json()
        self.send("POST", "/games", json={"ruleset": DEFAULT_RULESET, "seats": [{"bot": made["bot"]}] * 2})
        return OwnBot(made["bot"], made["token"])

    def host(self, ruleset: str = DEFAULT_RULESET) -> Hosted:
        """Gives a new game with two seats, one of them taken."""
        made = self.send("POST", "/games", json={"ruleset": ruleset, "seats": [{}, {}]}).json()
        game = Hosted(self, made["game"], made["spectator_token"], {})
        game.claim(0, "Ann")
        return game


@dataclass
class OwnBot:
    """A bot of the platform, with its token."""

    id: str
    token: str


@dataclass
class Hosted:
    """A game on the stack with the tokens of its seats."""

    stack: Stack
    id: str
    spectator: str
    seats: dict[int, str]

    def claim(self, seat: int, name: str) -> None:
        """Takes a seat."""
        claimed = self.stack.send("PUT", f"/games/{self.id}/seats/{seat}", json={"name": name})
        self.seats[seat] = claimed.json()["token"]

    def show(self) -> Json:
        """Gives the game as its host sees it."""
        return self.stack.send("GET", f"/games/{self.id}").json()

    def answer_open(self) -> bool:
        """Answers what is open with the legal move that lays most trains; tells whether anything was."""
        opened = self.show()["decisions"]
        for decision in opened:
            path, token = f"/games/{self.id}/decisions/{decision['decision']}", self.seats[decision["seat"]]
            moves = self.stack.send("GET", path, token).json()["legal_moves"]
            move = max(moves, key=lambda found: sum(found.get("payment", {}).values()))
            assert self.stack.send("PUT", f"{path}/answer", token, json={"move": move}).status_code == 201
        return bool(opened)

    def finish(self) -> None:
        """Plays to the end and has the result recorded, as a worker would."""
        while self.answer_open():
            pass
        scoring.record_result(self.stack.apps["scoring"].extensions["adapters"], self.id)


@pytest.fixture(scope="session")
def stack(store_url: str, broker_url: str) -> Iterator[Stack]:
    urls: dict[str, str] = {}
    apps: dict[str, Flask] = {}
    pact = Pact()

    def settings(name: str) -> Settings:
        return Settings(name, store_url=store_url, broker_url=broker_url, service_secret=SECRET,
                        token_secret=TOKEN_SECRET, **{f"{other}_url": url for other, url in urls.items()})

    stop = threading.Event()
    makers = {"rules": create_rules, "ai": create_ai, "game_state": create_game_state, "scoring": create_scoring,
              "gateway": lambda chosen: create_gateway(chosen, FAST, stop=stop)}  # fmt: skip
    with ExitStack() as held:
        for name, make in makers.items():
            apps[name] = make(settings(name))
            pact.watch(apps[name], name)
            urls[name] = held.enter_context(served(apps[name]))
        held.callback(stop.set)
        accounts = Accounts(redis.Redis.from_url(store_url, decode_responses=True))
        keys = accounts.create(PLATFORM, "contract"), accounts.create(BOT, "builtin")
        yield Stack(urls["gateway"], apps, *keys, pact, redis.Redis.from_url(store_url))


@pytest.fixture(scope="module")
def arena(stack: Stack) -> str:
    """An arena that is over and has kept its records."""
    for found in stack.send("GET", "/arenas").json()["arenas"]:
        stack.send("DELETE", f"/arenas/{found['arena']}")
    asked = {"ruleset": DEFAULT_RULESET, "entrants": [{"bot": "random"}] * 2, "games": 2, "records": True}
    made = stack.send("POST", "/arenas", json=asked).json()["arena"]
    store = stack.apps["ai"].extensions["arena_store"]
    while stack.send("GET", f"/arenas/{made}").json()["status"] == "running":
        play_slice(store)
    return made


@pytest.fixture(scope="module")
def waiting(stack: Stack) -> Hosted:
    """A game with a free seat."""
    return stack.host()


@pytest.fixture(scope="module")
def playing(stack: Stack) -> Hosted:
    """A game that has begun: the opening tickets are chosen."""
    game = stack.host()
    game.claim(1, "Bo")
    game.answer_open()
    return game


@pytest.fixture(scope="module")
def over(stack: Stack) -> Hosted:
    """A game whose result is recorded."""
    game = stack.host()
    game.claim(1, "Bo")
    game.finish()
    return game


@pytest.fixture(scope="module")
def others(stack: Stack) -> list[Hosted]:
    """A game of every other rule set, long enough for the history of hidden stacks to be closed."""
    games = [stack.host(name) for name in rulesets() if name != DEFAULT_RULESET]
    for game in games:
        game.claim(1, "Bo")
        while game.show()["version"] < LONG:
            assert game.answer_open()
    return games
