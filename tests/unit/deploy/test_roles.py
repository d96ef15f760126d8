"""One entry point starts every role; that they work is what the tests of the stack and of the containers show."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from deploy.roles import ROLES, Role
from shared.contracts.queues import AI_BATCH, QUEUE_OF
from shared.contracts.settings import FAULTY, SETTINGS

ROOT = Path(__file__).parents[3]
BARE = {name: value for name, value in os.environ.items() if name.removesuffix("_FILE") not in SETTINGS}


def start(*arguments: str, **env: str) -> subprocess.CompletedProcess:
    return subprocess.run([sys.executable, "-m", "deploy.roles", *arguments], cwd=ROOT, env={**BARE, **env},
                          capture_output=True, text=True, timeout=60)  # fmt: skip


@pytest.mark.parametrize("arguments", [(), ("gatewya",)])
def test_who_names_no_role_is_told_them_all(arguments: tuple[str, ...]) -> None:
    done = start(*arguments)
    assert done.returncode == 2
    assert [name for name in ROLES if name not in done.stderr] == []


def test_help_teaches_the_roles_and_has_an_example() -> None:
    told = start("--help").stdout
    assert "python -m deploy.roles rules" in told
    assert [name for name in ROLES if name not in told] == []


@pytest.mark.parametrize("role", ROLES.values(), ids=ROLES)
def test_the_entry_point_becomes_the_role_which_names_the_settings_it_lacks(role: Role, tmp_path: Path) -> None:
    nowhere = {"BROKER_URL": "redis://127.0.0.1:1/0"}  # without it Celery's workers look no further
    done = start(role.name, TMPDIR=str(tmp_path), **nowhere)
    assert done.returncode == FAULTY, done.stderr
    lacking = {line.split(":")[0].strip() for line in done.stderr.splitlines() if ": found nothing" in line}
    assert lacking == set(role.needed) - set(nowhere)
    assert len(list(tmp_path.glob("metrics-*"))) == role.has_children


def test_every_queue_belongs_to_exactly_one_role() -> None:
    taken = [queue for role in ROLES.values() for queue in role.queues]
    assert sorted(taken) == sorted({*QUEUE_OF.values(), AI_BATCH})
