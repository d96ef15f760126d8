"""A gateway that answers as a test has written down, and keeps what it was asked."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from flask import Flask, Response, jsonify, request

from shared.client import Client
from shared.web import Problem, Settings, create_app
from tests.game_state import served

Json = dict[str, Any]
Reply = Response | Problem | tuple[Any, int] | Json


@dataclass
class Script:
    """Replies in order; the last one is repeated. Requests as they came."""

    replies: list[Callable[[], Reply] | Reply] = field(default_factory=list)
    requests: list[tuple[str, str, Json | None, dict[str, str]]] = field(default_factory=list)

    def app(self) -> Flask:
        """Gives the app that plays the script."""
        app = create_app("gateway", Settings("gateway", log_level="WARNING"), public=True)
        app.add_url_rule("/v1/<path:path>", "play", self.play, methods=["GET", "PUT", "POST", "DELETE"])
        return app

    def play(self, path: str) -> Any:
        body = request.get_json(silent=True)
        self.requests.append((request.method, request.full_path.rstrip("?"), body, dict(request.headers)))
        reply = self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]
        reply = reply() if callable(reply) and not isinstance(reply, Response) else reply
        if isinstance(reply, Problem):
            raise reply
        if isinstance(reply, Response):
            return reply
        return (jsonify(reply[0]), reply[1]) if isinstance(reply, tuple) else jsonify(reply)

    @property
    def paths(self) -> list[str]:
        """What was asked, in short."""
        return [f"{method} {path.removeprefix('/v1')}" for method, path, _, _ in self.requests]


@pytest.fixture(scope="session")
def playing() -> Iterator[tuple[Script, str]]:
    script = Script()
    with served(script.app()) as url:
        yield script, url


@pytest.fixture
def script(playing: tuple[Script, str]) -> Script:
    """What the gateway is going to say."""
    playing[0].replies, playing[0].requests = [], []
    return playing[0]


@pytest.fixture
def url(playing: tuple[Script, str], script: Script) -> str:
    """The address of the gateway."""
    return playing[1]


@pytest.fixture
def client(url: str) -> Client:
    """A seat's client of that gateway."""
    return Client(url + "/", "st_ann", patience=3)
