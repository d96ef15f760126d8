"""Streams as a plain HTTP client reads them, byte by byte: nothing here knows the SDK."""

from __future__ import annotations

import json
import threading
from dataclasses import dataclass, field
from typing import Any

import requests

Json = dict[str, Any]

EVENTS, LINES = "text/event-stream", "application/x-ndjson"
CONNECT_SECONDS, SILENCE_SECONDS = 3, 40


@dataclass
class Follower:
    """Reads one stream in the background, from when it is made until the server ends it."""

    address: str
    token: str
    media_type: str
    after: int | None = None
    headers: dict[str, str] = field(default_factory=dict)
    status: int = 0
    answered: dict[str, str] = field(default_factory=dict)
    raw: bytes = b""
    items: list[Json] = field(default_factory=list)
    """What has come so far: `kind` (view or commit), `version` and `body` of each."""

    def __post_init__(self) -> None:
        self._opened = threading.Event()
        self._is_closed = False
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()
        assert self._opened.wait(CONNECT_SECONDS * 2), f"{self.address} gives no stream"

    def has(self, version: int) -> bool:
        """Whether everything up to a version has come."""
        return bool(self.items) and self.items[-1]["version"] >= version

    def wait_for_end(self, seconds: float = 20) -> None:
        """Waits until the server has ended the stream."""
        self._thread.join(seconds)
        assert not self._thread.is_alive(), f"the stream did not end; the last that came was {self.raw[-300:]!r}"

    def close(self) -> None:
        """Hangs up; the server gives the place free when it next has something to write."""
        self._is_closed = True
        self._hang_up()
        self._thread.join()

    def _read(self) -> None:
        try:
            self._follow()
        except requests.exceptions.ChunkedEncodingError:
            if not self._is_closed:
                raise

    def _follow(self) -> None:
        resume = {"Last-Event-ID": str(self.after)} if self.after is not None else {}
        asked = {"Authorization": f"Bearer {self.token}", "Accept": self.media_type, **resume, **self.headers}
        with requests.Session() as session:
            session.trust_env = False
            timeout = (CONNECT_SECONDS, SILENCE_SECONDS)
            with session.get(self.address, headers=asked, stream=True, timeout=timeout) as response:
                self.status, self.answered = response.status_code, dict(response.headers)
                self._hang_up = response.raw.shutdown
                self._opened.set()
                rest = b""
                for chunk in response.iter_content(chunk_size=None):
                    self.raw += chunk
                    *whole, rest = (rest + chunk).split(b"\n\n" if self.media_type == EVENTS else b"\n")
                    self.items += filter(None, map(self._item, whole))

    def _item(self, text: bytes) -> Json | None:
        if not text or text.startswith(b":"):
            return None
        if self.media_type == LINES:
            body = json.loads(text)
            return {"kind": "commit" if "events" in body else "view", "version": body["version"], "body": body}
        fields = dict(line.split(": ", 1) for line in text.decode().split("\n"))
        assert set(fields) == {"event", "id", "data"}
        return {"kind": fields["event"], "version": int(fields["id"]), "body": json.loads(fields["data"])}
