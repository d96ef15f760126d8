"""What production needs beyond settings of the right form: data servers that keep what they are given, and secrets that
nobody guesses. Asked once, before a process serves anything."""

from __future__ import annotations

import time
from collections.abc import Mapping
from itertools import combinations

import redis

from shared.contracts.settings import SETTINGS, fault

PRODUCTION = "production"
WAIT_SECONDS = 10.0
"""How long a data server may take to answer, such as when it starts at the same time or loads what it has kept."""
POLL_SECONDS = 0.25
LEAST_CHARACTERS = 10
NOEVICTION = "noeviction"


def production_faults(given: Mapping[str, str]) -> list[str]:
    """The lines that say what is wrong with the settings of a process for production; none anywhere else."""
    if given["STAGE"] != PRODUCTION:
        return []
    faults = list(_guessable(given))
    for name in ("STORE_URL", "BROKER_URL"):
        if given.get(name):
            faults += _unfit(name, given[name])
    return faults


def _guessable(given: Mapping[str, str]) -> list[str]:
    secrets = {name: given[name] for name in ("SERVICE_SECRET", "TOKEN_SECRET") if given.get(name)}
    faults = [
        f"{name}: found one of {len(set(value))} different characters, needed a random one ({LEAST_CHARACTERS} or more)"
        for name, value in secrets.items()
        if len(set(value)) < LEAST_CHARACTERS
    ]
    for one, other in combinations(secrets, 2):
        if secrets[one] == secrets[other]:
            faults.append(f"{other}: found that of {one}, needed one of its own")
    return faults


def _unfit(name: str, url: str) -> list[str]:
    """What is wrong with a data server. It may lose data only where that is harmless, and never by itself."""
    try:
        info = _asked(url)
    except redis.RedisError as error:
        needed = f"a server that answers within {WAIT_SECONDS:.0f} s"
        return [fault(name, url, f"{needed} ({type(error).__name__})", is_secret=SETTINGS[name].is_secret)]
    faults = []
    if info["maxmemory_policy"] != NOEVICTION:
        found = f"found a server with maxmemory-policy {info['maxmemory_policy']}"
        faults.append(f"{name}: {found}, needed {NOEVICTION}, as others drop what is still wanted")
    if name == "STORE_URL" and not info["aof_enabled"]:
        faults.append(f"{name}: found a server without append-only file, needed appendonly yes, to lose no game")
    return faults


def _asked(url: str) -> dict[str, object]:
    """What the server says of itself. Raises redis.RedisError when there is none for too long, or it refuses."""
    deadline = time.monotonic() + WAIT_SECONDS
    with redis.Redis.from_url(url, socket_connect_timeout=1, socket_timeout=2) as server:
        while True:
            try:
                return {**server.info("memory"), **server.info("persistence")}
            except (redis.ConnectionError, redis.TimeoutError) as error:
                if isinstance(error, redis.AuthenticationError) or time.monotonic() > deadline:
                    raise
                time.sleep(POLL_SECONDS)
