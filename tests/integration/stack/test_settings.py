"""Every kind of process says what is wrong with its settings, and only with those it needs, before it does anything."""

from __future__ import annotations

import os
import re
import secrets
import socket
import subprocess
import sys
from pathlib import Path

import pytest
import redis

from shared.contracts import production, queues
from shared.contracts.production import production_faults
from shared.contracts.settings import SETTINGS
from tests.servers import embedded_server

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
    faults = faults_of(command, {name: value for name, (value, _) in WRONG.items()} | right)
    assert set(faults) == set(reported.split())
    for name, said in faults.items():
        assert said.startswith(WRONG[name][1])


def faults_of(command: list[str], settings: dict[str, str]) -> dict[str, str]:
    """What a process that ends because of its settings says of each."""
    names = {*SETTINGS, *(f"{name}_FILE" for name in SETTINGS)}
    inherited = {name: value for name, value in os.environ.items() if name not in names}
    ended = subprocess.run([sys.executable, "-m", *command], cwd=ROOT, env={**inherited, **settings}, text=True,
                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60, check=False)
    assert ended.returncode == 2, ended.stdout
    assert "Traceback" not in ended.stdout
    assert HIDDEN not in ended.stdout
    return dict(re.findall(r"^  (\S+): (.*)$", ended.stdout, re.MULTILINE))


RIGHT = {"STORE_URL": BROKER, "BROKER_URL": BROKER, "GAME_STATE_URL": "http://game-state", "GATEWAY_URL": "http://gateway",
         "BOT_TOKEN": "bt_1", "SERVICE_SECRET": secrets.token_hex(), "METRICS_HOST": "127.0.0.1"}


@pytest.mark.parametrize(("command", "setting"), [
    pytest.param(service("scoring"), "BIND", id="service"),
    pytest.param(DISPATCHER, "METRICS_PORT", id="dispatcher"),
    pytest.param(BOTS, "METRICS_PORT", id="worker"),
])
def test_two_processes_on_one_port_are_told_apart(command: list[str], setting: str, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = str(other.getsockname()[1])
        place = f"127.0.0.1:{port}"
        given = {setting: place if setting == "BIND" else port, "PROMETHEUS_MULTIPROC_DIR": str(tmp_path)}
        faults = faults_of(command, {**RIGHT, **given})
    assert faults == {setting: f"found '{place}', needed a port that is free (Address already in use)"}


@pytest.mark.parametrize("command", [service("scoring"), DISPATCHER, ARENAS], ids=["service", "dispatcher", "worker"])
def test_in_production_no_process_serves_with_a_store_that_may_forget(command: list[str]) -> None:
    with embedded_server(0, "--maxmemory-policy", "allkeys-lru") as url:
        faults = faults_of(command, {**RIGHT, "STAGE": "production", "STORE_URL": url, "BROKER_URL": url,
                                     "BIND": "127.0.0.1:0"})
    assert set(faults) <= {"STORE_URL", "BROKER_URL"}
    assert faults["STORE_URL"] == "found a server without append-only file, needed appendonly yes, to lose no game"


def stage(**given: str) -> list[str]:
    return production_faults({"STAGE": "production", **given})


def test_in_production_a_data_server_that_is_not_there_is_waited_for_and_then_named(monkeypatch) -> None:
    monkeypatch.setattr(production, "WAIT_SECONDS", 1)
    (fault,) = stage(BROKER_URL=f"redis://:{HIDDEN}@127.0.0.1:9")
    assert fault == "BROKER_URL: found 28 characters, needed a server that answers within 1 s (ConnectionError)"


def test_in_production_a_password_that_is_not_the_servers_is_told_at_once() -> None:
    with embedded_server() as url, redis.Redis.from_url(url) as server:
        server.config_set("requirepass", HIDDEN)
        (fault,) = stage(BROKER_URL=url.replace("redis://", "redis://:another@"))
    assert "AuthenticationError" in fault and "another" not in fault


def test_in_production_both_data_servers_keep_what_they_are_given() -> None:
    with embedded_server(0, "--maxmemory-policy", "allkeys-lru") as url:
        faults = stage(BROKER_URL=url)
    assert [fault.split(", needed")[0] for fault in faults] == [
        "BROKER_URL: found a server with maxmemory-policy allkeys-lru"]
    with embedded_server(0, "--appendonly", "yes", "--maxmemory-policy", "noeviction") as url:
        assert stage(STORE_URL=url, BROKER_URL=url) == []


def test_in_production_secrets_are_random_and_differ() -> None:
    good = secrets.token_hex()
    assert stage(SERVICE_SECRET=good, TOKEN_SECRET=secrets.token_hex()) == []
    assert stage(SERVICE_SECRET=good, TOKEN_SECRET=good) == [
        "TOKEN_SECRET: found that of SERVICE_SECRET, needed one of its own"]
    (fault,) = stage(SERVICE_SECRET="changeme" * 4)
    assert fault.startswith("SERVICE_SECRET: found one of 7 different characters, needed a random one")


def test_elsewhere_anything_goes() -> None:
    assert production_faults({"STAGE": "development", "SERVICE_SECRET": "s" * 32, "STORE_URL": BROKER}) == []
