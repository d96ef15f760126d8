"""The whole stack on this machine: it comes up, survives kills of each of its parts, keeps its data, leaves nothing."""

from __future__ import annotations

import fcntl
import os
import re
import signal
import socket
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest
import redis
import requests
from click.testing import CliRunner

from deploy.local import Stack, StackError
from deploy.local.__main__ import main
from deploy.local.page import LINES
from deploy.local.processes import MARK, READABLE, family, free_ports, of_stack
from deploy.local.programs import INHERITED, NAMES
from deploy.local.stack import STARTED
from shared.client import Client
from shared.contracts.settings import SETTINGS
from tests.polling import until

ROOT = Path(__file__).parents[3]
MEBIBYTE = 1024 * 1024
pytestmark = [pytest.mark.timeout(240), pytest.mark.xdist_group("stack")]


@pytest.fixture(scope="module")
def stack(tmp_path_factory) -> Iterator[Stack]:
    stack = Stack(tmp_path_factory.mktemp("stack") / "var")
    with pytest.MonkeyPatch.context() as patch:
        for name in (*SETTINGS, "AWS_SECRET_ACCESS_KEY"):
            patch.setenv(name, "of whoever starts the stack")
        stack.start()
    yield stack
    stack.stop()


def command(var: Path, name: str, **changed: str) -> subprocess.Popen:
    env = {**os.environ, "VAR": str(var), "PORT": str(free_ports(1)[0]), **changed}
    module = ["deploy.local.demo"] if name == "demo" else ["deploy.local", name]
    return subprocess.Popen([sys.executable, "-m", *module], cwd=ROOT, env=env, text=True,
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


def test_everything_runs_and_is_reachable(stack) -> None:
    assert set(stack.pids()) == set(NAMES)
    platform = {"Authorization": f"Bearer {stack.platform_key}"}
    assert requests.get(f"{stack.address}/v1/bots", headers=platform, timeout=10).status_code == 200


COUNTS = {"PROMETHEUS_MULTIPROC_DIR", "LOG_LEVEL"}
SERVES = COUNTS | {"BIND", "THREADS"}
WORKS = COUNTS | {"BROKER_URL", "PROGRAM", "METRICS_PORT"}
GIVEN = {
    "store": set(),
    "broker": set(),
    "gateway": SERVES | {"STORE_URL", "BROKER_URL", "SERVICE_SECRET_FILE", "TOKEN_SECRET_FILE", "GAME_STATE_URL",
                         "RULES_URL", "SCORING_URL", "AI_URL"},
    "game_state": SERVES | {"STORE_URL", "SERVICE_SECRET_FILE", "RULES_URL"},
    "rules": SERVES | {"SERVICE_SECRET_FILE"},
    "scoring": SERVES | {"STORE_URL", "SERVICE_SECRET_FILE", "GAME_STATE_URL"},
    "ai": SERVES | {"STORE_URL", "BROKER_URL", "SERVICE_SECRET_FILE"},
    "bots": WORKS | {"GATEWAY_URL", "BOT_TOKEN_FILE"},
    "arenas": WORKS | {"STORE_URL"},
    "tasks": WORKS | {"STORE_URL", "SERVICE_SECRET_FILE", "GAME_STATE_URL"},
    "agenda": {"LOG_LEVEL", "METRICS_PORT", "STORE_URL", "BROKER_URL"},
}


@pytest.mark.parametrize("name", NAMES)
def test_every_process_gets_the_settings_it_needs_and_no_other_secret(stack, name: str) -> None:
    """The dispatcher had the secret of the services, and all had what whoever started the stack had."""
    for process in family(stack.pids()[name]):
        given = {name for name in process.environ() if not name.startswith("SUPERVISOR_")}
        assert given - {MARK, *READABLE, *INHERITED} == GIVEN[name], process


def test_every_process_is_known_as_one_of_the_stack_whatever_it_calls_itself(stack) -> None:
    """Their titles had overwritten the mark: left behind, they would not have been found."""
    known = {process.pid for process in of_stack(stack.site.var)}
    for name, pid in stack.pids().items():
        assert known >= {process.pid for process in family(pid)}, name


def test_everything_listens_on_this_machine_only(stack) -> None:
    for process in of_stack(stack.site.var):
        for connection in process.net_connections("inet"):
            assert connection.laddr.ip == "127.0.0.1", process


def test_secrets_are_readable_by_their_owner_only(stack) -> None:
    files = [*(stack.site.var / "secrets").iterdir(), stack.site.var / "stack.json"]
    assert len(files) == 5
    assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o600}


def test_idle_stack_is_small(stack) -> None:
    used = stack.memory()
    assert set(used) == {*NAMES, "supervisor"}
    assert sum(used.values()) < 700 * MEBIBYTE, {name: size // MEBIBYTE for name, size in used.items()}


@pytest.mark.parametrize("name", NAMES)
def test_killed_program_is_back_soon(stack, name: str) -> None:
    old = stack.kill(name)
    until(lambda: stack.pids().get(name, old) != old, f"a new {name}")
    stack.wait_ready(60)


def test_store_keeps_what_it_was_given_more_than_a_second_ago(stack) -> None:
    with redis.Redis.from_url(stack.site.data_url("store")) as store:
        store.set("test:kept", "yes")
        until(lambda: store.info("persistence")["aof_pending_bio_fsync"] == 0, "the store to write to disk")
        store.execute_command("WAITAOF", 1, 0, 5000)
    stack.kill("store")
    stack.wait_ready(60)
    with redis.Redis.from_url(stack.site.data_url("store")) as store:
        assert store.get("test:kept") == b"yes"


def test_running_stack_is_found_by_its_folder(stack) -> None:
    found = Stack.running(stack.site.var)
    assert (found.address, found.pids()) == (stack.address, stack.pids())
    assert Stack.running(stack.site.var / "elsewhere") is None


def test_second_stack_in_the_same_folder_is_refused(stack) -> None:
    with pytest.raises(StackError, match="already runs"):
        Stack(stack.site.var).start()
    assert set(stack.pids()) == set(NAMES)


def test_status_shows_every_program_and_how_games_do(stack) -> None:
    host = Client(stack.address, stack.platform_key)
    host.create_game("usa", [{"name": "Ann"}, {"bot": "random"}])
    shown, _ = command(stack.site.var, "status").communicate(timeout=60)
    for word in (*NAMES, "supervisor", "total", stack.address, *(name for name, _, _ in LINES)):
        assert word in shown
    assert "unknown" not in shown and "not ready" not in shown
    assert re.search(r"for people: [1-9]", shown)


@pytest.mark.parametrize("name", main.commands)
def test_help_of_each_command_has_an_example(name: str) -> None:
    text = CliRunner().invoke(main, [name, "--help"]).output
    assert f"make {name}" in text


def test_taken_port_is_named_with_who_has_it_and_what_to_do(tmp_path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        up = command(tmp_path / "var", "up", PORT=str(port))
        told, _ = up.communicate(timeout=60)
    assert up.returncode == 1
    assert f"Port {port}" in told
    assert f"process {os.getpid()}" in told
    assert f"make up PORT={port + 1}" in told
    assert not list(of_stack(tmp_path / "var"))


def test_two_starts_at_once_do_not_end_each_other(tmp_path) -> None:
    with claimed(tmp_path / "var"), pytest.raises(StackError, match="Another stack is being started"):
        Stack(tmp_path / "var").start()


@contextmanager
def claimed(var: Path) -> Iterator[None]:
    """Holds a folder as a stack does from its start to its stop."""
    var.mkdir(exist_ok=True)
    with (var / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


@pytest.mark.parametrize("name", ["down", "status"])
def test_stack_that_is_being_started_is_waited_for_and_not_overlooked(tmp_path, name: str) -> None:
    var = tmp_path / "var"
    with claimed(var):
        waiting = command(var, name)
        _told_until(waiting, "being started or stopped")
        assert waiting.poll() is None
    assert "Nothing runs." in waiting.communicate(timeout=60)[0]


def test_demo_during_the_start_waits_for_that_stack_instead_of_starting_another(tmp_path) -> None:
    var = tmp_path / "var"
    up = command(var, "up")
    until((var / "lock").exists, "the start to begin")
    demo = command(var, "demo", BOTS="random", SEATS="2")
    told = demo.communicate(timeout=120)[0]
    assert demo.returncode == 0, told
    assert f"Using the stack at {Stack.running(var).address}" in told
    assert "private" not in told
    up.send_signal(signal.SIGINT)
    up.communicate(timeout=60)


@pytest.mark.parametrize(("changed", "told"), [
    ({"PORT": "1"}, "PORT did not change"),
    ({"LOG_LEVEL": "DEBUG", "STORE_URL": "redis://:hidden@store"}, "STORE_URL and LOG_LEVEL did not change"),
])
def test_second_up_says_what_it_does_not_change(stack, changed: dict[str, str], told: str) -> None:
    up = command(stack.site.var, "up", **{"PORT": str(stack.site.ports["gateway"]), **changed})
    said, _ = up.communicate(timeout=60)
    assert up.returncode == 1
    assert f"{told}, for the stack was running before: it is at {stack.address}" in said
    assert "hidden" not in said


def test_second_up_that_changes_nothing_shows_what_runs(stack) -> None:
    up = command(stack.site.var, "up", PORT=str(stack.site.ports["gateway"]))
    said, _ = up.communicate(timeout=60)
    assert (up.returncode, stack.address in said) == (0, True)


def test_program_that_does_not_start_is_shown_by_its_last_lines(tmp_path) -> None:
    up = command(tmp_path / "var", "up", MAX_STREAMS="60")
    told, _ = up.communicate(timeout=100)
    assert up.returncode == 1
    assert "THREADS: found '64', needed more than MAX_STREAMS and MAX_WAITS together, which is 76" in told
    assert "Traceback" not in told
    assert STARTED not in told
    assert not list(of_stack(tmp_path / "var"))


def test_wrong_settings_are_told_before_anything_is_started(tmp_path) -> None:
    up = command(tmp_path / "var", "up", LOG_LEVEL="LOUD", STORE_URL="http://:hidden@store", RATE_SEAT="fast")
    told, _ = up.communicate(timeout=60)
    assert up.returncode == 2
    for said in ("LOG_LEVEL: found 'LOUD'", "STORE_URL: found 20 characters", "RATE_SEAT: found 'fast'"):
        assert said in told
    assert "hidden" not in told and "Traceback" not in told
    assert not (tmp_path / "var").exists()


def test_down_stops_what_up_started_and_the_next_up_has_its_data(tmp_path) -> None:
    var = tmp_path / "var"
    keys = []
    for stop in ("down", "Ctrl-C"):
        up = command(var, "up")
        told = _told_until(up, "or make down")
        keys.append(next(line for line in told.splitlines() if "platform key" in line))
        running = Stack.running(var)
        with redis.Redis.from_url(running.site.data_url("store")) as store:
            assert store.incr("test:starts") == len(keys)
        for log in (var / "logs").iterdir():
            assert log.read_text().count(STARTED) == len(keys), f"{log} keeps what earlier runs logged"
        pids = [process.pid for process in of_stack(var)]
        if stop == "down":
            down = command(var, "down")
            assert (down.communicate(timeout=60)[0], down.returncode) == ("Stopped.\n", 0)
        else:
            up.send_signal(signal.SIGINT)
        assert "Stopped" in up.communicate(timeout=60)[0]
        assert up.returncode == 0
        assert not [pid for pid in pids if psutil.pid_exists(pid)]
    assert keys[0] == keys[1]


def test_stack_ends_when_whoever_started_it_is_killed(tmp_path) -> None:
    var = tmp_path / "var"
    up = command(var, "up")
    _told_until(up, "or make down")
    up.kill()
    up.communicate(timeout=10)
    until(lambda: not list(of_stack(var)), "the stack to end by itself", 60)


def test_down_and_status_without_a_stack(tmp_path) -> None:
    down, status = command(tmp_path, "down"), command(tmp_path, "status")
    assert (down.communicate(timeout=60)[0], down.returncode) == ("Nothing runs.\n", 0)
    assert ("make up" in status.communicate(timeout=60)[0], status.returncode) == (True, 1)


def _told_until(process: subprocess.Popen, word: str) -> str:
    told = ""
    for line in process.stdout:
        told += line
        if word in line:
            return told
    raise AssertionError(f"ended without saying {word!r}:\n{told}")
