"""Settings of every process, from the environment, all checked before anything is served.

Each may come from a file instead: NAME_FILE=/path holds the value of NAME.
"""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

import marshmallow
from environs import FileAwareEnv

from shared.contracts import queues

SHORTEST_SECRET = 32
LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR")
STAGES = ("development", "production")
HIGHEST_PORT = 65535
FAULTY = 2
"""Exit status of a process whose settings are not right."""

Check = Callable[[str], None]


@dataclass(frozen=True)
class Setting:
    """A value that `check` lets pass, or it raises marshmallow.ValidationError; and what it is where none is given."""

    check: Check
    default: str = ""
    is_secret: bool = False


def number(least: int, most: int = sys.maxsize) -> Check:
    """Gives a check for whole numbers in a range."""

    def check(value: str) -> None:
        if not (value.isascii() and value.isdecimal() and least <= int(value) <= most):
            span = f"{least} to {most}" if most < sys.maxsize else f"at least {least}"
            raise marshmallow.ValidationError(f"a whole number, {span}")

    return check


def _address(*schemes: str) -> Check:
    def check(value: str) -> None:
        try:
            parts = urlsplit(value)
            is_address = parts.scheme in schemes and (parts.hostname or parts.path.strip("/")) and parts.port != 0
        except ValueError:
            is_address = False
        if not is_address:
            others = "".join(f" or {scheme}://..." for scheme in schemes[1:])
            raise marshmallow.ValidationError(f"an address such as {schemes[0]}://host:port{others}")

    return check


def _secret(value: str) -> None:
    if len(value) < SHORTEST_SECRET:
        raise marshmallow.ValidationError(f"at least {SHORTEST_SECRET} characters that nobody can guess")


def _level(value: str) -> None:
    if value.upper() not in LEVELS:
        raise marshmallow.ValidationError(f"one of {', '.join(LEVELS)}")


def _stage(value: str) -> None:
    if value not in STAGES:
        raise marshmallow.ValidationError(f"one of {', '.join(STAGES)}")


def _bot_token(value: str) -> None:
    if not value.startswith("bt_"):
        raise marshmallow.ValidationError("the token of a bot account; it starts with bt_")


def _place(value: str) -> None:
    host, _, port = value.rpartition(":")
    if not (host and (host == "unix" or port.isdecimal() and int(port) <= HIGHEST_PORT)):
        raise marshmallow.ValidationError("a host and a port such as 127.0.0.1:8000, or unix:/path")


def _port_if_any(value: str) -> None:
    if value:
        number(1, HIGHEST_PORT)(value)


def _folder_if_any(value: str) -> None:
    if value and not os.path.isdir(value):
        raise marshmallow.ValidationError("a folder that exists")


def _anything(value: str) -> None:
    """Nothing is wrong with any value."""


HTTP = Setting(_address("http", "https"))
SECRET = Setting(_secret, is_secret=True)
SETTINGS = {
    "STORE_URL": Setting(_address("redis", "rediss", "unix"), is_secret=True),
    "BROKER_URL": Setting(_address("redis", "rediss"), is_secret=True),
    "GATEWAY_URL": HTTP, "GAME_STATE_URL": HTTP, "RULES_URL": HTTP, "SCORING_URL": HTTP, "AI_URL": HTTP,
    "SERVICE_SECRET": SECRET, "TOKEN_SECRET": SECRET, "BOT_TOKEN": Setting(_bot_token, is_secret=True),
    "LOG_LEVEL": Setting(_level, "INFO"), "STAGE": Setting(_stage, "development"),
    "BIND": Setting(_place, "127.0.0.1:8000"), "WORKERS": Setting(number(1), "1"), "THREADS": Setting(number(1), "8"),
    "GRACEFUL_SECONDS": Setting(number(0), "10"),
    "METRICS_PORT": Setting(_port_if_any), "METRICS_HOST": Setting(_anything, "127.0.0.1"),
    "PROMETHEUS_MULTIPROC_DIR": Setting(_folder_if_any),
}  # fmt: skip
NEEDED = {
    "gateway": ("STORE_URL", "BROKER_URL", "SERVICE_SECRET", "TOKEN_SECRET", "GAME_STATE_URL", "RULES_URL",
                "SCORING_URL", "AI_URL"),
    "game_state": ("STORE_URL", "SERVICE_SECRET", "RULES_URL"),
    "rules": ("SERVICE_SECRET",),
    "scoring": ("STORE_URL", "SERVICE_SECRET", "GAME_STATE_URL"),
    "ai": ("STORE_URL", "BROKER_URL", "SERVICE_SECRET"),
    "agenda": ("STORE_URL", "BROKER_URL"),
    "worker": ("BROKER_URL",),
    "bots": ("GATEWAY_URL", "BOT_TOKEN"),
    "arenas": ("STORE_URL", "BROKER_URL"),
    "maintenance": ("SERVICE_SECRET", "GAME_STATE_URL"),
}
"""What each kind of process cannot do without: the services, the `agenda` dispatcher of game-state, Celery workers.

A `worker` needs besides what its tasks do: `bots` and `arenas` those of the AI service, `scoring` and `maintenance`
those of scoring and game-state.
"""
WORK = {
    queues.AI_INTERACTIVE: "bots", queues.AI_FALLBACK: "bots", queues.AI_BATCH: "bots", queues.ARENA: "arenas",
    queues.SCORING_COMMITS: "scoring", queues.MAINTENANCE: "maintenance",
}  # fmt: skip
"""The kind of work that comes from each queue."""


class SettingsError(Exception):
    """Some settings are missing or wrong; `faults` has a line for each: which, what was found, what is needed."""

    def __init__(self, faults: list[str]) -> None:
        super().__init__("\n".join(faults))
        self.faults = faults


def read(names: Iterable[str], known: Mapping[str, Setting] = SETTINGS) -> dict[str, str]:
    """Gives the values of settings by name. Raises SettingsError naming every wrong one."""
    env = FileAwareEnv(strip_whitespace=True)
    values = {}
    faults = []
    for name in names:
        try:
            value = values[name] = env.str(name, known[name].default)
            known[name].check(value)
        except ValueError as error:
            faults.append(f"{name}: {error}")
        except marshmallow.ValidationError as error:
            faults.append(fault(name, value, error.messages[0], is_secret=known[name].is_secret))
    if faults:
        raise SettingsError(faults)
    return values


def port_faults(name: str, host: str, port: str) -> list[str]:
    """The line that says that something else listens on a port already; none if it is free or not given."""
    if not port:
        return []
    try:
        with socket.create_server((host, int(port)), family=socket.AF_INET6 if ":" in host else socket.AF_INET):
            return []
    except OSError as error:
        return [fault(name, f"{host}:{port}", f"a port that is free ({os.strerror(error.errno or 0)})")]


def fault(name: str, value: str, needed: str, *, is_secret: bool = False) -> str:
    """Gives the line that says what is wrong with a setting; of a secret it tells the length alone."""
    shown = f"{len(value)} characters" if is_secret else repr(value)
    return f"{name}: found {shown if value else 'nothing'}, needed {needed}"


def load(
    process: str, names: Iterable[str], known: Mapping[str, Setting] = SETTINGS, faults: Iterable[str] = ()
) -> dict[str, str]:
    """Gives the values of settings by name.

    When some are wrong, or other `faults` were found before, says all of it on standard error and exits with 2.
    """
    found = list(faults)
    values = {}
    try:
        values = read(names, known)
    except SettingsError as error:
        found = [*error.faults, *found]
    if found:
        lines = "".join(f"\n  {line}" for line in found)
        sys.stderr.write(f"whistlestop {process}: cannot start, these settings are not right:{lines}\n")
        sys.exit(FAULTY)
    return values


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of one process; those its kind does not need are empty."""

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
        values = load(service, (*NEEDED[service], "LOG_LEVEL"))
        return cls(service, **{name.lower(): value for name, value in values.items()})
