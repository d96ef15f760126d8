"""Whether the parts of a stack can be used."""

from __future__ import annotations

from typing import Any

import redis
import requests
from supervisor.states import ProcessStates

from deploy.local.programs import HOST, Program


def answers_ping(url: str) -> bool:
    """Whether a data server answers at this address."""
    try:
        with redis.Redis.from_url(url, socket_connect_timeout=1, socket_timeout=1) as client:
            return client.ping()
    except redis.RedisError:
        return False


def is_ready(program: Program, info: dict[str, Any]) -> bool:
    """Whether a program runs, by what the supervisor says of it, and answers where it should."""
    if info["state"] != ProcessStates.RUNNING or not program.ready_path:
        return info["state"] == ProcessStates.RUNNING
    try:
        with requests.Session() as session:
            session.trust_env = False
            return session.get(f"http://{HOST}:{program.port}{program.ready_path}", timeout=2).ok
    except requests.RequestException:
        return False
