"""Settings of every process, from the environment, all checked before anything is served.

Each may come from a file instead: NAME_FILE=/path holds the value of NAME.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

import marshmallow
from environs import EnvError, FileAwareEnv

SHORTEST_SECRET = 32
LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR")


def _address(*schemes: str) -> Callable[[str], None]:
    def check(value: str) -> None:
        parts = urlsplit(value)
        if parts.scheme not in schemes or not (parts.hostname or parts.path.strip("/")):
            raise marshmallow.ValidationError(f"an address that starts with {' or '.join(s + '://' for s in schemes)}")

    return check


def _secret(value: str) -> None:
    if len(value) < SHORTEST_SECRET:
        raise marshmallow.ValidationError(f"at least {SHORTEST_SECRET} characters that nobody can guess")


def _level(value: str) -> None:
    if value.upper() not in LEVELS:
        raise marshmallow.ValidationError(f"one of {', '.join(LEVELS)}")


def _bot_token(value: str) -> None:
    if not value.startswith("bt_"):
        raise marshmallow.ValidationError("the token of a bot account; it starts with bt_")


REDIS = _address("redis", "rediss", "unix")
HTTP = _address("http", "https")
CHECKS: dict[str, Callable[[str], None]] = {
    "STORE_URL": REDIS, "BROKER_URL": REDIS,
    "GATEWAY_URL": HTTP, "GAME_STATE_URL": HTTP, "RULES_URL": HTTP, "SCORING_URL": HTTP, "AI_URL": HTTP,
    "SERVICE_SECRET": _secret, "TOKEN_SECRET": _secret, "BOT_TOKEN": _bot_token, "LOG_LEVEL": _level,
}
SECRET_NAMES = ("SERVICE_SECRET", "TOKEN_SECRET", "BOT_TOKEN", "STORE_URL", "BROKER_URL")
NEEDED = {
    "gateway": ("STORE_URL", "BROKER_URL", "SERVICE_SECRET", "TOKEN_SECRET", "GAME_STATE_URL", "RULES_URL",
                "SCORING_URL", "AI_URL"),
    "game_state": ("STORE_URL", "BROKER_URL", "SERVICE_SECRET", "RULES_URL"),
    "rules": ("SERVICE_SECRET",),
    "scoring": ("STORE_URL", "SERVICE_SECRET", "GAME_STATE_URL"),
    "ai": ("SERVICE_SECRET",),
    "bots": ("BROKER_URL", "GATEWAY_URL", "BOT_TOKEN"),
    "agenda": ("STORE_URL", "BROKER_URL"),
    "maintenance": ("SERVICE_SECRET", "GAME_STATE_URL"),
}
"""What each kind of process cannot do without; `bots` are the Celery workers of the AI service, `agenda` and
`maintenance` the dispatcher and the Celery workers of game-state."""


class SettingsError(Exception):
    """Some settings are missing or wrong; `faults` has a line for each: which, what was found, what is needed."""

    def __init__(self, faults: list[str]) -> None:
        super().__init__("\n".join(faults))
        self.faults = faults


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of one process; those its service does not need are empty."""

    service: str
    store_url: str = field(default="", repr=False)
    broker_url: str = field(default="", repr=False)
    service_secret: str = field(default="", repr=False)
    token_secret: str = field(default="", repr=False)
    bot_token: str = field(default="", repr=False)
    gateway_url: str = ""
    game_state_url: str = ""
    rules_url: str = ""
    scoring_url: str = ""
    ai_url: str = ""
    log_level: str = "INFO"

    @classmethod
    def load(cls, service: str) -> Settings:
        """Reads the settings of `service`; when some are wrong, says which on standard error and exits with 2."""
        try:
            return cls.read(service)
        except SettingsError as error:
            lines = "".join(f"\n  {fault}" for fault in error.faults)
            sys.stderr.write(f"whistlestop {service}: cannot start, these settings are not right:{lines}\n")
            sys.exit(2)

    @classmethod
    def read(cls, service: str) -> Settings:
        """Reads the settings of `service` from the environment. Raises SettingsError naming every wrong one."""
        env = FileAwareEnv(strip_whitespace=True)
        values: dict[str, Any] = {"service": service}
        faults = []
        for name in (*NEEDED[service], "LOG_LEVEL"):
            try:
                value = env.str(name, "INFO" if name == "LOG_LEVEL" else "")
            except (EnvError, ValueError) as error:
                faults.append(f"{name}: {error}")
                continue
            if fault := _fault(name, value):
                faults.append(fault)
            values[name.lower()] = value
        if faults:
            raise SettingsError(faults)
        return cls(**values)


def _fault(name: str, value: str) -> str:
    try:
        CHECKS[name](value)
    except marshmallow.ValidationError as error:
        return f"{name}: found {_found(name, value)}, needed {error.messages[0]}"
    return ""


def _found(name: str, value: str) -> str:
    if not value:
        return "nothing"
    return f"{len(value)} characters" if name in SECRET_NAMES else repr(value)
