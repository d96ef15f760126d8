"""Time as game-state uses it: milliseconds since the epoch inside, RFC 3339 in UTC on the wire."""

from __future__ import annotations

import time
from datetime import UTC, datetime


def now_ms() -> int:
    """Gives the current time in milliseconds."""
    return int(time.time() * 1000)


def moment(ms: int) -> str:
    """Gives a time for the wire, such as 2026-11-29T21:40:00.123Z."""
    return datetime.fromtimestamp(ms / 1000, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def parse_moment(text: str) -> int:
    """Gives the milliseconds of a time on the wire."""
    return round(datetime.fromisoformat(text).timestamp() * 1000)
