"""Clients that send requests one after the other, as fast as they are answered, and what they measured."""

from __future__ import annotations

import http.client
import json
import statistics
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

CREATED = 201
TIMEOUT_SECONDS = 10
TO_MS = 1000.0


@dataclass(frozen=True)
class Request:
    """A PUT that should be answered with 201."""

    path: str
    body: dict[str, Any]
    headers: dict[str, str]


@dataclass
class Measured:
    """What came of a load: how long the accepted requests took, how many were not accepted, in how many seconds."""

    took: list[float] = field(default_factory=list)
    refused: int = 0
    seconds: float = 0.0

    def __add__(self, other: Measured) -> Measured:
        return Measured(self.took + other.took, self.refused + other.refused, self.seconds + other.seconds)

    @property
    def rate(self) -> float:
        """Accepted requests a second."""
        return len(self.took) / self.seconds

    def percentile(self, percent: int) -> float:
        """Milliseconds within which so many per cent of the accepted requests were answered."""
        return statistics.quantiles(self.took, n=100)[percent - 1] * TO_MS


def run(address: str, sources: list[Iterator[Request]], seconds: float) -> Measured:
    """Lets one client for each source send for so many seconds, all at once."""
    parts = [Measured() for _ in sources]
    ready = threading.Barrier(len(sources) + 1)
    threads = [
        threading.Thread(target=_client, args=(address, source, part, ready, seconds), daemon=True)
        for source, part in zip(sources, parts, strict=True)
    ]
    for thread in threads:
        thread.start()
    ready.wait()
    started = time.perf_counter()
    for thread in threads:
        thread.join()
    whole = sum(parts, start=Measured())
    whole.seconds = time.perf_counter() - started
    return whole


def _client(address: str, source: Iterator[Request], part: Measured, ready: threading.Barrier, seconds: float) -> None:
    connection = http.client.HTTPConnection(urlsplit(address).netloc, timeout=TIMEOUT_SECONDS)
    connection.connect()
    ready.wait()
    end = time.perf_counter() + seconds
    while (started := time.perf_counter()) < end and (request := next(source, None)):
        body = json.dumps(request.body).encode()
        connection.request("PUT", request.path, body, {"Content-Type": "application/json", **request.headers})
        response = connection.getresponse()
        response.read()
        if response.status == CREATED:
            part.took.append(time.perf_counter() - started)
        else:
            part.refused += 1
    connection.close()
