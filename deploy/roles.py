"""What the process of each role runs, wherever it is hosted: `python -m deploy.roles gateway` becomes that process.

Its settings come from the environment (shared/contracts/settings.py); what a role has in `env` holds unless that
says otherwise.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NoReturn

import click

from shared.contracts import queues
from shared.contracts.settings import NEEDED, WORK


@dataclass(frozen=True)
class Role:
    """What a process runs: its command, its environment unless told otherwise, the queues that it takes tasks from.

    `needed` names the settings that it cannot do without. A service answers requests; the others /metrics alone.
    """

    name: str
    command: tuple[str, ...]
    needed: tuple[str, ...]
    env: Mapping[str, str]
    queues: tuple[str, ...] = ()
    is_service: bool = False
    has_children: bool = True

    @property
    def ready_path(self) -> str:
        """What it answers as soon as it can be used."""
        return "/readyz" if self.is_service else "/metrics"


def _service(name: str, *, threads: int) -> Role:
    command = (sys.executable, "-m", "gunicorn", "-c", "python:shared.web.gunicorn", f"services.{name}.wsgi:app")
    return Role(name, command, NEEDED[name], {"THREADS": str(threads)}, is_service=True)


def _worker(name: str, *, modules: tuple[str, ...], takes: tuple[str, ...], processes: int,
            before: tuple[str, ...] = ()) -> Role:  # fmt: skip
    command = (*before, sys.executable, "-m", "celery", "--quiet", "-A", "shared.tasks.app", "worker",
               "-n", f"{name}@%h", "-I", ",".join(modules), "-Q", ",".join(takes), "-c", str(processes),
               "--without-gossip", "--without-mingle", "--without-heartbeat")  # fmt: skip
    needed = [setting for kind in ("worker", *(WORK[queue] for queue in takes)) for setting in NEEDED[kind]]
    return Role(name, command, tuple(dict.fromkeys(needed)), {"PROGRAM": name}, takes)


ROLES = {
    role.name: role
    for role in (
        _service("gateway", threads=64),
        _service("game_state", threads=24),
        _service("rules", threads=12),
        _service("scoring", threads=8),
        _service("ai", threads=4),
        _worker(
            "bots",
            modules=("services.ai.tasks",),
            takes=(queues.AI_INTERACTIVE, queues.AI_FALLBACK, queues.AI_BATCH),
            processes=2,
        ),
        _worker(
            "arenas",
            modules=("services.ai.arenas.tasks",),
            takes=(queues.ARENA,),
            processes=1,
            before=("nice", "-n", "10"),  # it must not take the processor from others
        ),
        _worker(
            "tasks",
            modules=("services.scoring.tasks", "services.game_state.tasks"),
            takes=(queues.SCORING_COMMITS, queues.MAINTENANCE),
            processes=1,
        ),
        Role("agenda", (sys.executable, "-m", "services.game_state.dispatcher"), NEEDED["agenda"], {},
             has_children=False),
    )
}  # fmt: skip


def become(role: Role) -> NoReturn:
    """Runs a role in place of this process."""
    env = {**role.env, **os.environ}
    if role.has_children and "PROMETHEUS_MULTIPROC_DIR" not in env:  # they count together, and start at zero
        env["PROMETHEUS_MULTIPROC_DIR"] = tempfile.mkdtemp(prefix="metrics-")
    os.execvpe(role.command[0], role.command, env)


@click.command(epilog=f"Roles: {', '.join(ROLES)}.")
@click.argument("role", metavar="ROLE", type=click.Choice(list(ROLES)))
def main(role: str) -> None:
    """Become the process of a role, with the settings that the environment gives.

    \b
    Example:
      BIND=127.0.0.1:8001 SERVICE_SECRET_FILE=var/secrets/service_secret python -m deploy.roles rules
    """
    become(ROLES[role])


if __name__ == "__main__":
    main(prog_name="python -m deploy.roles")
