"""Every kind of process says what is wrong with its settings, and only with those it needs, before it does anything."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from shared.contracts import queues
from shared.contracts.settings import SETTINGS

ROOT = Path(__file__).parents[3]
HIDDEN = "hunter2"
BROKER = "redis://127.0.0.1:9"
WRONG = {
    "STORE_URL": (f"http://:{HIDDEN}@store", "found 21 characters, needed an address such as redis://"),
    "BROKER_URL": ("", "found nothing, needed an address such as redis://"),
    "SERVICE_SECRET": (HIDDEN, "found 7 characters, needed at least 32 characters"),
    "TOKEN_SECRET": ("", "found nothing, needed at least 32 characters"),
    "BOT_TOKEN": (HIDDEN, "found 7 characters, needed the token of a bot account"),
    "GATEWAY_URL": ("", "found nothing, needed an address such as http://"),
    "GAME_STATE_URL": ("game-state:80", "found 'game-state:80', needed an address such as http://"),
    "RULES_URL": ("redis://rules", "found 'redis://rules', needed an address such as http://"),
    "SCORING_URL": ("http://", "found 'http://', needed an address such as http://"),
    "AI_URL": ("http://ai:port", "found 'http://ai:port', needed an address such as http://"),
    "LOG_LEVEL": ("LOUD", "found 'LOUD', needed one of DEBUG, INFO, WARNING, ERROR"),
    "-Q": ("", "found 'gossip', needed some of ai.interactive, "),
}


def service(name: str) -> list[str]:
    return ["gunicorn", "-c", "python:shared.web.gunicorn", f"services.{name}.wsgi:app"]


def worker(module: str, *consumed: str) -> list[str]:
    return ["celery", "--quiet", "-A", "shared.tasks.app", "worker", "-I", module, "-Q", ",".join(consumed)]


DISPATCHER = ["services.game_state.dispatcher"]
BOTS = worker("services.ai.tasks", queues.AI_INTERACTIVE, queues.AI_FALLBACK)
ARENAS = worker("services.ai.arenas.tasks", queues.ARENA)
MAINTENANCE = worker("services.game_state.tasks", queues.MAINTENANCE)
SCORING = worker("services.scoring.tasks", queues.SCORING_COMMITS, queues.MAINTENANCE)
STRAYED = worker("services.scoring.tasks", queues.SCORING_COMMITS, "gossip")


@pytest.mark.parametrize(("command", "right", "reported"), [
    pytest.param(service("gateway"), {}, "STORE_URL BROKER_URL SERVICE_SECRET TOKEN_SECRET GAME_STATE_URL RULES_URL"
                 " SCORING_URL AI_URL LOG_LEVEL", id="gateway"),
    pytest.param(service("game_state"), {}, "STORE_URL SERVICE_SECRET RULES_URL LOG_LEVEL", id="game_state"),
    pytest.param(service("rules"), {}, "SERVICE_SECRET LOG_LEVEL", id="rules"),
    pytest.param(service("scoring"), {}, "STORE_URL SERVICE_SECRET GAME_STATE_URL LOG_LEVEL", id="scoring"),
    pytest.param(service("ai"), {}, "STORE_URL BROKER_URL SERVICE_SECRET LOG_LEVEL", id="ai"),
    pytest.param(DISPATCHER, {}, "STORE_URL BROKER_URL LOG_LEVEL", id="dispatcher"),
    pytest.param(BOTS, {}, "BROKER_URL", id="worker without a broker"),
    pytest.param(BOTS, {"BROKER_URL": BROKER}, "GATEWAY_URL BOT_TOKEN LOG_LEVEL", id="worker of bots"),
    pytest.param(ARENAS, {"BROKER_URL": BROKER}, "STORE_URL LOG_LEVEL", id="worker of arenas"),
    pytest.param(MAINTENANCE, {"BROKER_URL": BROKER}, "SERVICE_SECRET GAME_STATE_URL LOG_LEVEL",
                 id="worker of maintenance"),
    pytest.param(SCORING, {"BROKER_URL": BROKER}, "STORE_URL SERVICE_SECRET GAME_STATE_URL LOG_LEVEL",
                 id="worker of scoring and maintenance"),
    pytest.param(STRAYED, {"BROKER_URL": BROKER}, "STORE_URL SERVICE_SECRET GAME_STATE_URL LOG_LEVEL -Q",
                 id="worker with a queue that does not exist"),
])
def test_process_with_wrong_settings_says_which_and_ends(
    command: list[str], right: dict[str, str], reported: str
) -> None:
    names = {*SETTINGS, *(f"{name}_FILE" for name in SETTINGS)}
    inherited = {name: value for name, value in os.environ.items() if name not in names}
    wrong = {name: value for name, (value, _) in WRONG.items()}
    ended = subprocess.run([sys.executable, "-m", *command], cwd=ROOT, env={**inherited, **wrong, **right}, text=True,
                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60, check=False)
    assert ended.returncode == 2, ended.stdout
    faults = dict(re.findall(r"^  (\S+): (.*)$", ended.stdout, re.MULTILINE))
    assert set(faults) == set(reported.split())
    for name, said in faults.items():
        assert said.startswith(WRONG[name][1])
    assert "Traceback" not in ended.stdout
    assert HIDDEN not in ended.stdout
