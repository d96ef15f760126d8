"""Reading streams and long polls in a test."""

from __future__ import annotations

import json
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, NamedTuple

import requests

from tests.polling import until

HEARTBEAT = "heartbeat"


class Sent(NamedTuple):
    """One event of a stream."""

    kind: str
    version: int = 0
    body: dict[str, Any] | None = None


def events(answer: requests.Response) -> Iterator[Sent]:
    """Gives the server-sent events of an answer as they come."""
    fields: dict[str, str] = {}
    for line in answer.iter_lines(chunk_size=None, decode_unicode=True):
        if line.startswith(":"):
            yield Sent(HEARTBEAT)
        elif line:
            name, _, value = line.partition(": ")
            fields[name] = value
        elif fields:
            yield Sent(fields["event"], int(fields.get("id", 0)), json.loads(fields["data"]))
            fields = {}


def lines(answer: requests.Response) -> Iterator[dict[str, Any] | None]:
    """Gives the lines of JSON of an answer as they come; None for an empty one."""
    for line in answer.iter_lines(chunk_size=None, decode_unicode=True):
        yield json.loads(line) if line else None


@contextmanager
def waiting(gateway: Any, game: str, *tokens: str) -> Iterator[list[Future[dict[str, Any]]]]:
    """Long polls for what follows version 1, once for each token; gives the pages to come when all have asked."""

    def wait(token: str) -> dict[str, Any]:
        return gateway.get(f"/games/{game}/commits?after=1&wait=20", token).json()

    asked = len(gateway.games.asked)
    with ThreadPoolExecutor() as pool:
        pages = [pool.submit(wait, token) for token in tokens]
        until(lambda: len(gateway.games.asked) >= asked + len(tokens), "everybody to wait")
        yield pages
