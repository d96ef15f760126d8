"""A service as it runs: under gunicorn, with a real store, stopped by SIGTERM, started with wrong settings."""

from __future__ import annotations

import http.client
import json
import os
import secrets
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
import redis
import requests

from deploy.local.processes import family, free_ports
from shared.contracts.problems import PROBLEM_TYPE, ProblemSchema
from tests.polling import until
from tests.servers import embedded_server

ROOT = Path(__file__).parents[3]
APP = "tests.integration.stack.sample:app"
pytestmark = pytest.mark.timeout(60)


class Running:
    """A gunicorn process and where it answers."""

    def __init__(self, process: subprocess.Popen, port: int, log: Path) -> None:
        self.process = process
        self.port = port
        self.url = f"http://127.0.0.1:{port}"
        self.log = log

    def get(self, path: str, **options) -> requests.Response:
        return requests.get(self.url + path, timeout=20, **options)

    def status(self, path: str) -> int:
        try:
            return self.get(path).status_code
        except requests.ConnectionError:
            return 0

    def lines(self) -> list[dict]:
        return [json.loads(line) for line in self.log.read_text().splitlines()]


def environment(store_url: str, port: int, **changed: str) -> dict[str, str]:
    settings = {"STORE_URL": store_url, "SERVICE_SECRET": "s" * 40, "GAME_STATE_URL": "http://127.0.0.1:9",
                "BIND": f"127.0.0.1:{port}", "WORKERS": "1", "THREADS": "4", "GRACEFUL_SECONDS": "8",
                "LOG_LEVEL": "INFO"}
    inherited = {name: value for name, value in os.environ.items() if name != "PROMETHEUS_MULTIPROC_DIR"}
    return {**inherited, **settings, **changed}


def spawn(env: dict[str, str], log: Path) -> subprocess.Popen:
    command = [sys.executable, "-m", "gunicorn", "-c", "python:shared.web.gunicorn", APP]
    with log.open("w") as out:
        return subprocess.Popen(command, cwd=ROOT, env=env, stdout=out, stderr=subprocess.STDOUT,
                                start_new_session=True)


@contextmanager
def service(store_url: str, folder: Path, **changed: str) -> Iterator[Running]:
    port = free_ports(1)[0]
    log = folder / "service.log"
    process = spawn(environment(store_url, port, **changed), log)
    running = Running(process, port, log)
    try:
        until(lambda: running.status("/healthz") == 200 or process.poll() is not None, "the service to answer")
        assert process.poll() is None, log.read_text()
        yield running
    finally:
        for member in family(process.pid):
            member.kill()
        process.wait(10)


def in_background(call) -> tuple[threading.Thread, list]:
    answers: list = []
    thread = threading.Thread(target=lambda: answers.append(call()))
    thread.start()
    return thread, answers


def test_sigterm_lets_a_running_request_finish(store_url, tmp_path) -> None:
    mark = f"test:{secrets.token_hex(4)}"
    with service(store_url, tmp_path) as running, redis.Redis.from_url(store_url) as store:
        thread, answers = in_background(lambda: running.get(f"/slow?seconds=1.5&mark={mark}"))
        until(lambda: store.get(mark), "the slow request to begin")
        running.process.send_signal(signal.SIGTERM)
        assert running.process.wait(10) == 0
        thread.join(10)
        assert (answers[0].status_code, answers[0].json()) == (200, {"finished": True})
        assert running.status("/healthz") == 0


def test_sigterm_ends_streams_at_once(store_url, tmp_path) -> None:
    with service(store_url, tmp_path, GRACEFUL_SECONDS="30") as running:
        answer = running.get("/stream", stream=True)
        lines = answer.iter_lines()
        assert next(lines) == b"begun"
        running.process.send_signal(signal.SIGTERM)
        assert running.process.wait(10) == 0
        assert next(lines) == b"stopping"


def test_lost_store_is_a_503_and_comes_back_by_itself(tmp_path) -> None:
    port = free_ports(1)[0]
    url = f"redis://127.0.0.1:{port}/0"
    with service(url, tmp_path) as running:
        assert (running.status("/readyz"), running.status("/healthz")) == (503, 200)
        answer = running.get("/count")
        assert (answer.status_code, answer.json()["code"]) == (503, "store_unavailable")
        assert answer.headers["Retry-After"] == "1"
        with embedded_server(port):
            until(lambda: running.get("/readyz").json() == {"ready": True, "failing": []}, "the store to be noticed")
            assert running.get("/count").json() == {"calls": 1}
        until(lambda: running.status("/readyz") == 503, "the service to notice that the store is gone")
        with embedded_server(port):
            assert running.get("/count").json() == {"calls": 1}


def test_metrics_add_up_over_workers(store_url, tmp_path) -> None:
    with service(store_url, tmp_path, WORKERS="2", PROMETHEUS_MULTIPROC_DIR=str(tmp_path)) as running:
        for _ in range(30):
            assert running.status("/count") == 200
        line = next(line for line in running.get("/metrics").text.splitlines()
                    if line.startswith("whistlestop_request_seconds_count") and 'route="/count"' in line)
        assert line.endswith(" 30.0")


def test_every_line_is_json_and_names_the_request(store_url, tmp_path) -> None:
    with service(store_url, tmp_path) as running:
        running.get("/count", headers={"X-Request-Id": "find-me", "Authorization": "Bearer pk_hidden"})
        running.process.send_signal(signal.SIGTERM)
        running.process.wait(10)
        (line,) = [line for line in running.lines() if line.get("request_id") == "find-me"]
        assert (line["service"], line["route"], line["status"]) == ("scoring", "/count", 200)
        assert "pk_hidden" not in running.log.read_text()


@contextmanager
def connected(running: Running, number: int, sent: bytes = b"") -> Iterator[None]:
    """Holds connections that sent this and do nothing more."""
    with ExitStack() as held:
        for _ in range(number):
            connection = held.enter_context(socket.create_connection(("127.0.0.1", running.port), 10))
            connection.sendall(sent)
        yield


def test_who_connects_and_says_nothing_holds_no_thread(store_url, tmp_path) -> None:
    with service(store_url, tmp_path) as running, connected(running, 40):
        assert requests.get(f"{running.url}/healthz", timeout=4).ok


def test_connections_that_say_nothing_make_room_for_others(store_url, tmp_path) -> None:
    with service(store_url, tmp_path, GUNICORN_CMD_ARGS="--worker-connections=12") as running, connected(running, 40):
        assert requests.get(f"{running.url}/healthz", timeout=4).ok


def test_who_does_not_take_an_answer_is_cut_off(store_url, tmp_path) -> None:
    asked = b"GET /large HTTP/1.1\r\nHost: whistlestop\r\n\r\n"
    with service(store_url, tmp_path) as running, connected(running, 4, asked):
        assert requests.get(f"{running.url}/healthz", timeout=20).ok
        assert "Traceback" not in running.log.read_text()


@pytest.mark.parametrize("size", ["9000", "70000", "10000000"])
def test_large_bodies_get_an_answer(store_url, tmp_path, size: str) -> None:
    with service(store_url, tmp_path) as running:
        answer = requests.post(running.url + "/count", data=b"x" * int(size), timeout=20)
        assert answer.status_code in (405, 413)
        assert running.status("/count") == 200


@pytest.mark.parametrize(
    ("head", "status", "code"),
    [
        (b"nonsense\r\n\r\n", 400, "malformed_request"),
        (b"GET /count HTTP/9.9\r\n\r\n", 400, "malformed_request"),
        (b"GET /count HTTP/1.1\r\nHost: a\r\nno colon pk_hidden\r\n\r\n", 400, "malformed_request"),
        (b"POST /count HTTP/1.1\r\nHost: a\r\nContent-Length: many\r\n\r\n", 400, "malformed_request"),
        (b"GET /" + b"x" * 9000 + b" HTTP/1.1\r\nHost: a\r\n\r\n", 414, "uri_too_long"),
        (b"GET /count HTTP/1.1\r\nHost: a\r\nX-Long: " + b"x" * 9000 + b"\r\n\r\n", 431, "headers_too_large"),
        (b"GET /count HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: odd\r\n\r\n", 501, "not_implemented"),
    ],
    ids=["nonsense", "version", "header", "length", "address", "headers", "coding"],
)  # fmt: skip
def test_what_is_no_request_is_refused_as_a_problem(store_url, tmp_path, head: bytes, status: int, code: str) -> None:
    with service(store_url, tmp_path) as running:
        answer, body = exchanged(running, head)
        assert (answer.status, answer.headers["Content-Type"]) == (status, PROBLEM_TYPE)
        assert answer.headers["Connection"] == "close"
        found = json.loads(body)
        assert ProblemSchema().validate(found) == {}
        assert (found["status"], found["code"]) == (status, code)
        assert found["request_id"] == answer.headers["X-Request-Id"] != ""
        assert b"pk_hidden" not in body and "pk_hidden" not in running.log.read_text()
        [line] = [line for line in running.lines() if line.get("request_id") == found["request_id"]]
        assert line["level"] == "warning"


@pytest.mark.parametrize("head", [b"Content-Length: 70000", b"Transfer-Encoding: chunked"], ids=["told", "not told"])
def test_after_a_body_that_is_too_large_the_connection_ends_as_the_answer_says(store_url, tmp_path, head) -> None:
    data = b"x" * 70_000 if b"Length" in head else b"11170\r\n" + b"x" * 70_000 + b"\r\n0\r\n\r\n"
    with service(store_url, tmp_path) as running:
        asked = b"POST /count HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n" + head + b"\r\n\r\n"
        answer, _ = exchanged(running, asked + data)
        assert answer.headers["Connection"] == "close"
        answer, _ = exchanged(running, b"GET /count HTTP/1.1\r\nHost: a\r\n\r\n", to_the_end=False)
        assert (answer.status, answer.headers["Connection"]) == (200, "keep-alive")


def exchanged(running: Running, sent: bytes, *, to_the_end: bool = True) -> tuple[http.client.HTTPResponse, bytes]:
    """What comes back for these bytes; checks that the connection is ended after it."""
    with socket.create_connection(("127.0.0.1", running.port), 10) as connection:
        connection.sendall(sent)
        answer = http.client.HTTPResponse(connection)
        answer.begin()
        body = answer.read()
        assert not to_the_end or connection.recv(1) == b""
        return answer, body


def test_several_workers_need_a_folder_to_count_in(store_url, tmp_path) -> None:
    log = tmp_path / "log"
    process = spawn(environment(store_url, free_ports(1)[0], WORKERS="2"), log)
    assert process.wait(20) == 2
    assert "PROMETHEUS_MULTIPROC_DIR: found nothing, needed a folder" in log.read_text()


def test_wrong_settings_end_the_process_before_it_serves(store_url, tmp_path) -> None:
    log = tmp_path / "log"
    process = spawn(environment(store_url, free_ports(1)[0], SERVICE_SECRET="short", GAME_STATE_URL=""), log)
    assert process.wait(20) == 2
    assert "SERVICE_SECRET: found 5 characters, needed at least 32" in log.read_text()
    assert "GAME_STATE_URL: found nothing, needed an address" in log.read_text()
    assert "short" not in log.read_text()
