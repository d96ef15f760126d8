"""Whatever is sent to the real stack, by whomever and however many at once: an answer that fits, and soon."""

from __future__ import annotations

import json
import random
import secrets
import socket
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from threading import Barrier
from typing import Any

import pytest
import requests

from deploy.roles import ROLES
from services.gateway.tokens import PLATFORM, Accounts
from shared.contracts.problems import PROBLEM_TYPE
from shared.web.store import connect
from tests.e2e.playing import Person, seat_people

pytestmark = [pytest.mark.xdist_group("in peace"), pytest.mark.timeout(240)]

Json = dict[str, Any]
Sender = Callable[..., requests.Response]
SECONDS = 5
SLOW_SECONDS = 30
GATEWAY_THREADS = int(ROLES["gateway"].env["THREADS"])
JSON = {"Content-Type": "application/json"}
UNKNOWN = "y" * 16
DEEP = b"[" * 30_000 + b"]" * 30_000

BODIES = {
    "nothing": b"",
    "half of it": b'{"move": {"move": ',
    "not a number": b'{"move": NaN}',
    "infinity": b'{"seats": [Infinity]}',
    "infinite by size": b'{"answer_limit": 1e999}',
    "a number too long": b'{"answer_limit": ' + b"9" * 50_000 + b"}",
    "a list too deep": b'{"move": ' + DEEP + b"}",
    "an object too deep": b'{"a":' * 10_000 + b"1" + b"}" * 10_000,
    "no UTF-8": b'{"notes": "\xff\xfe", "name": "\xc3\x28"}',
    "UTF-16": '{"notes": "a"}'.encode("utf-16"),
    "half a character": b'{"notes": "\\ud800", "name": "\\udfff"}',
    "a zero byte": b'{"notes": "a\x00"}',
    "a list": b"[]",
    "a word": b'"move"',
    "null": b"null",
    "fields twice, then too many": b'{"move": 1, "move": 2, "name": 1, "notes": 1, "a": 1}',
    "more than 64 KB": b'{"notes": "' + b"x" * 70_000 + b'"}',
    "much more than 64 KB": b"[" + b"0," * 2_000_000 + b"0]",
}
ABSURD = [None, True, -1, 0.5, 10**9, -(10**30), 10**400, 1e308, "", "x", "\x00", "é" * 300, [], {}, [[]], {"x": [{}]}]


@pytest.fixture(scope="module")
def game(host) -> str:
    """A game between two people."""
    return host.create_game("usa", [{}, {}])["game"]


@pytest.fixture(scope="module")
def people(host, game) -> dict[int, Person]:
    """Those who play it."""
    return seat_people(host, game, [0, 1], seed=4)


@pytest.fixture
def send(stack) -> Sender:
    """Sends one request over a connection of its own, and sees to it that a refusal is a problem."""

    def sent(method: str, path: str, token: str | None = None, **rest: Any) -> requests.Response:
        headers = {**({"Authorization": f"Bearer {token}"} if token else {}), **rest.pop("headers", {})}
        answer = requests.request(method, f"{stack.address}/v1{path}", headers=headers, timeout=SECONDS, **rest)
        assert answer.status_code < 500, answer.text
        if answer.status_code >= 400:
            assert answer.headers["Content-Type"] == PROBLEM_TYPE
            assert answer.json()["status"] == answer.status_code
        return answer

    return sent


def at_once(*calls: Callable[[], Any]) -> list[Any]:
    """Makes calls at the same moment; gives what each gave."""
    gate = Barrier(len(calls))

    def wait_and(call: Callable[[], Any]) -> Any:
        gate.wait()
        return call()

    with ThreadPoolExecutor(len(calls)) as pool:
        return [called.result() for called in [pool.submit(wait_and, call) for call in calls]]


def test_what_does_not_exist_and_what_is_not_yours_look_the_same(stack, host, send, game, people):
    with connect(stack.site.data_url("store"), decode_responses=True) as connection:
        stranger = Accounts(connection).create(PLATFORM, f"stranger-{secrets.token_hex(4)}")
    other_game = host.create_game("usa", [{}, {}])
    elsewhere = host.claim_seat(other_game["game"], 0, "Eve")["token"]
    for token in (stranger, elsewhere, other_game["spectator_token"]):
        for rest in ("", "/commits", "/stream", "/scores", "/record", "/decisions/1.0"):
            request_id = {"X-Request-Id": secrets.token_hex(8)}
            unknown = send("GET", f"/games/{UNKNOWN}{rest}", token, headers=request_id)
            forbidden = send("GET", f"/games/{game}{rest}", token, headers=request_id)
            assert (unknown.status_code, unknown.text) == (forbidden.status_code, forbidden.text)
            assert unknown.status_code == 404
    ann = people[0].client.token
    for path in (f"/games/{game}/decisions/7.0", f"/games/{game}/decisions/1.9", f"/games/{game}/decisions/x"):
        assert send("GET", path, ann).status_code == 404
    for path in ("/boards/atlantis", "/rulesets/atlantis", "/rules/BASE-999", "/nothing", f"/games/{UNKNOWN}"):
        assert send("GET", path, host.token).status_code == 404


def test_tokens_that_are_missing_wrong_or_anothers(send, host, game, people):
    address = f"/games/{game}/decisions/1.0"
    ann, bob = people[0].client.token, people[1].client.token
    value, _, signature = ann.rpartition(".")
    forged = [
        f"{value}.{signature[::-1]}", ann.replace(f"{game}.0.", f"{game}.1."), value, "st_", "st_a.b.c",
        "pk_" + "x" * 43, "x" * 5000, "é",
    ]  # fmt: skip
    assert send("GET", address).status_code == 401
    for token in forged:
        assert send("GET", address, token).status_code == 401, token
    for move in ({"move": "Pass"}, people[0].choose("1.0")):
        assert send("PUT", f"{address}/answer", bob, json={"move": move}).status_code == 403
        assert send("PUT", f"{address}/answer", host.token, json={"move": move}).status_code == 403
    assert send("GET", f"/games/{game}/seats/0/notes", bob).status_code == 403
    assert host.view(game)["version"] == 1


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_bodies_that_make_no_sense_are_refused_everywhere(send, host, game, people, body):
    ann = people[0].client.token
    for method, path, token in (
        ("PUT", f"/games/{game}/decisions/1.0/answer", ann),
        ("PUT", f"/games/{game}/seats/0/notes", ann),
        ("PUT", f"/games/{game}/seats/0", host.token),
        ("POST", "/games", host.token),
        ("POST", "/validations", host.token),
    ):
        answer = send(method, path, token, data=body, headers=JSON)
        assert answer.status_code in (400, 413, 422), path
        assert answer.json()["errors"] or answer.status_code == 413
        text = send(method, path, token, data=body, headers={"Content-Type": "text/plain"})
        assert text.status_code in (400, 413, 415), path
    assert host.view(game)["version"] == 1


def test_absurd_values_anywhere_in_a_request_are_pointed_at_or_judged(send, host, people):
    luck = random.Random(7)
    asked = people[0].client.decision(people[0].game, "1.0")
    view = asked["view"]
    whole = {
        "ruleset": view["ruleset"], "seats": view["seats"], "options": view["options"], "position": view,
        "decision": "1.0", "move": asked["legal_moves"][0],
    }  # fmt: skip
    assert send("POST", "/validations", host.token, json=whole).json() == {"legal": True}
    for place in list(_places(whole)):
        for value in luck.sample(ABSURD, 3):
            body = json.loads(json.dumps(whole))
            _put(body, place, value)
            answer = send("POST", "/validations", host.token, json=body)
            assert answer.status_code in (200, 400, 422), (place, value, answer.text)


def test_a_move_against_the_rules_names_the_rule_and_changes_nothing(send, host, game, people):
    before = people[0].client.view(game)
    answer = send("PUT", f"/games/{game}/decisions/1.0/answer", people[0].client.token,
                  json={"move": {"move": "KeepTickets", "tickets": before["position"]["tickets"]["offers"][0][:1]}})
    assert answer.status_code == 422
    [violation] = answer.json()["violations"]
    assert (violation["code"], violation["data"]) == ("too_few_tickets_kept", {"needed": 2, "came": 1})
    assert violation["text"] == host.rule(violation["rule"])["text"]
    assert people[0].client.view(game) == before


def test_an_answer_counts_once_whatever_comes_at_once(send, host):
    game = host.create_game("usa", [{}, {}])["game"]
    people = seat_people(host, game, [0, 1], seed=5)

    def answers(seat: int, move: Json, decision: str) -> Callable[[], requests.Response]:
        address, token = f"/games/{game}/decisions/{decision}/answer", people[seat].client.token
        return lambda: requests.put(f"{host.base_url}/v1{address}", json={"move": move}, timeout=SECONDS,
                                    headers={"Authorization": f"Bearer {token}"})

    first, second = (people[seat].client.decision(game, f"1.{seat}")["legal_moves"] for seat in (0, 1))
    both = at_once(answers(0, first[0], "1.0"), answers(1, second[0], "1.1"))
    assert [answer.status_code for answer in both] == [201, 201]
    assert {answer.json()["version"] for answer in both} == {2, 3}

    again = answers(0, first[0], "1.0")()
    assert (again.status_code, again.json()["version"]) == (200, both[0].json()["version"])
    assert answers(0, first[1], "1.0")().status_code == 409

    shown = host.view(game)
    [turn] = shown["decisions"]
    seat, idle = turn["seat"], 1 - turn["seat"]
    draws = [{"move": "DrawFromDeck"}, {"move": "DrawTickets"}]
    rivals = at_once(*(answers(seat, move, turn["decision"]) for move in draws * 4))
    winners = [answer.json() for answer in rivals if answer.status_code == 201]
    assert len(winners) == 1
    moves = [draws[number % 2] for number in range(len(rivals))]
    for move, answer in zip(moves, rivals, strict=True):
        assert answer.status_code == (200 if move == winners[0]["commit"]["move"] else 409) or answer.status_code == 201
    assert host.view(game)["version"] == shown["version"] + 1

    assert answers(idle, {"move": "Pass"}, f"{shown['version']}.{idle}")().status_code == 409
    assert answers(idle, {"move": "Pass"}, f"1.{idle}")().status_code == 409


def test_of_two_who_take_the_last_seat_one_gets_it_and_the_game_starts_once(host):
    game = host.create_game("usa", [{"bot": "greedy"}, {}])["game"]

    def claims(name: str) -> Callable[[], int]:
        return lambda: requests.put(f"{host.base_url}/v1/games/{game}/seats/1", json={"name": name}, timeout=SECONDS,
                                    headers={"Authorization": f"Bearer {host.token}"}).status_code

    names = [f"Person {number}" for number in range(6)]
    statuses = at_once(*map(claims, names))
    assert sorted(statuses) == [201, 409, 409, 409, 409, 409]
    commits = host.commits(game)["commits"]
    assert [commit["version"] for commit in commits if commit["decision"] is None] == [1]
    assert host.view(game)["seats"][1]["name"] == names[statuses.index(201)]


@pytest.mark.parametrize("sent", [b"", b"Content-Length: 1000\r\n\r\n{"], ids=["the head", "the body"])
def test_many_who_send_slowly_are_turned_away_and_hold_up_nobody_for_long(stack, host, game, people, sent):
    head = (
        f"PUT /v1/games/{game}/seats/0/notes HTTP/1.1\r\nHost: whistlestop\r\nContent-Type: application/json\r\n"
        f"Authorization: Bearer {people[0].client.token}\r\n"
    )
    with ExitStack() as held:
        slow = [
            held.enter_context(socket.create_connection(("127.0.0.1", stack.site.ports["gateway"]), SLOW_SECONDS))
            for _ in range(GATEWAY_THREADS + 8)
        ]
        for connection in slow:
            connection.sendall(head.encode() + sent)
        assert requests.get(f"{stack.address}/healthz", timeout=SLOW_SECONDS).ok
        answers = [connection.recv(1000) for connection in slow]
    assert all(answer.startswith(b"HTTP/1.1 408 ") for answer in answers) if sent else not any(answers)


def test_many_who_do_not_hang_up_hold_up_nobody(stack):
    request = b"GET /healthz HTTP/1.1\r\nHost: whistlestop\r\nConnection: close\r\n\r\n"
    with ExitStack() as held:
        for _ in range(GATEWAY_THREADS):
            address = ("127.0.0.1", stack.site.ports["gateway"])
            connection = held.enter_context(socket.create_connection(address, SLOW_SECONDS))
            connection.sendall(request)
        assert requests.get(f"{stack.address}/healthz", timeout=SECONDS).ok


def _places(value: Any, path: tuple = ()) -> Iterator[tuple]:
    if path:
        yield path
    if isinstance(value, dict | list):
        for key, part in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _places(part, (*path, key))


def _put(body: Any, place: tuple, value: Any) -> None:
    for key in place[:-1]:
        body = body[key]
    body[place[-1]] = value
