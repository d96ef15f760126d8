"""Calls between services over a real connection: retries where safe, problems passed on, silence turned into a 503."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from werkzeug.serving import WSGIRequestHandler, make_server

from shared.contracts.logs import bind, unbind
from shared.web import Problem, Settings
from shared.web.client import ServiceClient, raise_for_problem
from tests.unit.web.sample import SECRET, VIOLATION, sample_service

ORDERS = "/games/g1/orders"


class _Quiet(WSGIRequestHandler):
    protocol_version = "HTTP/1.1"

    def log(self, *_: object) -> None:
        """Leaves logging to the app."""


@contextmanager
def served(app) -> Iterator[str]:
    server = make_server("127.0.0.1", 0, app, threaded=True, request_handler=_Quiet)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join(5)


@contextmanager
def hanging_up(times: int) -> Iterator[tuple[str, list[bytes]]]:
    """A server that closes the first `times` connections without an answer; gives its address and what it was sent."""
    seen: list[bytes] = []
    listener = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            with connection:
                seen.append(connection.recv(65_536).split(b" ")[0])
                if len(seen) > times:
                    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}")

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}", seen
    finally:
        listener.shutdown(socket.SHUT_RDWR)
        listener.close()
        thread.join(5)


def client_of(url: str, caller: str = "gateway", secret: str = SECRET) -> ServiceClient:
    settings = Settings(service=caller, service_secret=secret)
    return ServiceClient(settings, caller=caller, callee="rules", base_url=url)


@pytest.fixture(scope="module")
def rules() -> Iterator[str]:
    with served(sample_service()) as url:
        yield url


def test_call_carries_token_and_request_id(rules) -> None:
    bind(request_id="r-1")
    answer = client_of(rules).request("POST", ORDERS, json={"name": "Zoë"})
    unbind()
    assert (answer.status_code, answer.json()["name"]) == (200, "Zoë")
    assert answer.headers["X-Request-Id"] == "r-1"


def test_bytes_are_passed_on_as_they_are(rules) -> None:
    assert client_of(rules).request("POST", ORDERS, data=b'{ "name": "Ann" }').json() == {"game": "g1", "name": "Ann"}


def test_parameters_and_headers_are_sent(rules) -> None:
    answer = client_of(rules, "scoring").request("GET", ORDERS, params={"limit": 3}, headers={"X-Request-Id": "own"})
    assert (answer.json(), answer.headers["X-Request-Id"]) == ({"limit": 3}, "own")


def test_problem_of_the_callee_is_raised_as_it_is(rules) -> None:
    with pytest.raises(Problem) as raised:
        raise_for_problem(client_of(rules).request("DELETE", ORDERS), "rules")
    problem = raised.value
    assert (problem.status, problem.code, problem.violations) == (422, "rule_violation", [VIOLATION])
    assert problem.headers["Retry-After"] == "3"


@pytest.mark.parametrize(("caller", "secret"), [("gateway", SECRET + "!"), ("ai", SECRET)])
def test_refusal_of_our_own_token_is_not_the_clients_fault(rules, caller: str, secret: str) -> None:
    with pytest.raises(Problem) as raised:
        raise_for_problem(client_of(rules, caller, secret).request("POST", ORDERS, json={"name": "Ann"}), "rules")
    assert (raised.value.status, raised.value.code) == (503, "rules_unavailable")


def test_answer_that_is_no_problem_is_a_502() -> None:
    def nonsense(_, start):
        start("500 Oops", [("Content-Type", "text/html"), ("Content-Length", "0")])
        return []

    with served(nonsense) as url, pytest.raises(Problem) as raised:
        raise_for_problem(client_of(url).request("GET", "/"), "rules")
    assert (raised.value.status, raised.value.code) == (502, "rules_failed")


@pytest.mark.parametrize("method", ["GET", "PUT"])
def test_repeatable_calls_are_tried_once_more(method: str) -> None:
    with hanging_up(1) as (url, seen):
        assert client_of(url).request(method, "/", json={}).ok
        assert seen == [method.encode()] * 2


def test_other_calls_are_tried_once_unless_said_to_be_safe() -> None:
    with hanging_up(1) as (url, seen):
        with pytest.raises(Problem) as raised:
            client_of(url).request("POST", "/", json={})
        assert (raised.value.status, raised.value.code) == (503, "rules_unavailable")
        assert raised.value.headers["Retry-After"] == "1"
        assert seen == [b"POST"]
        assert client_of(url).request("POST", "/", json={}, safe=True).ok


def test_repeatable_calls_are_not_tried_for_ever() -> None:
    with hanging_up(5) as (url, seen):
        with pytest.raises(Problem):
            client_of(url).request("GET", "/")
        assert len(seen) == 2


def test_callee_may_take_longer_to_answer_than_to_connect() -> None:
    def slow(_, start):
        threading.Event().wait(0.3)
        start("200 OK", [("Content-Length", "2")])
        return [b"{}"]

    with served(slow) as url:
        assert client_of(url).request("GET", "/", timeout=(0.1, 5.0)).ok


def test_callee_that_is_silent_is_unavailable() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener, pytest.raises(Problem) as raised:
        url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        client_of(url).request("GET", "/", timeout=(0.5, 0.1))
    assert raised.value.status == 503


def test_callee_that_is_down_is_unavailable_also_for_readiness() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        url = f"http://127.0.0.1:{listener.getsockname()[1]}"
    with pytest.raises(Problem, match="rules_unavailable"):
        client_of(url).ping()


def test_callee_that_is_up_is_ready(rules) -> None:
    client_of(rules).ping()


def test_proxies_of_the_environment_are_not_used(rules, monkeypatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    assert client_of(rules).request("POST", ORDERS, json={"name": "Ann"}).ok


def test_threads_share_a_client(rules) -> None:
    client, answers = client_of(rules), []

    def call() -> None:
        answers.extend(client.request("POST", ORDERS, json={"name": "Ann"}).status_code for _ in range(5))

    threads = [threading.Thread(target=call) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert answers == [200] * 40
