"""A part is away for a while: what works without it goes on, what does not says so, and all catches up after."""

from __future__ import annotations

import os
import secrets
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import requests

from deploy.local import Stack
from shared.client import Client
from shared.contracts.problems import PROBLEM_TYPE
from tests.e2e.following import LINES, Follower
from tests.e2e.playing import Person, at_the_table, seat_people
from tests.e2e.proofs import prove, wait_for_result
from tests.polling import until

pytestmark = [pytest.mark.xdist_group("in trouble"), pytest.mark.timeout(180)]

LONGEST_ANSWER_SECONDS = 10


@contextmanager
def down(stack: Stack, name: str) -> Iterator[None]:
    """Takes a part down for as long as the block lasts; afterwards it is starting."""
    stack.halt(name)
    try:
        yield
    finally:
        stack.resume(name)


@contextmanager
def away(stack: Stack, name: str) -> Iterator[None]:
    """Takes a part down for as long as the block lasts; afterwards all is ready again."""
    with down(stack, name):
        yield
    stack.wait_ready()


@contextmanager
def hanging(stack: Stack, name: str) -> Iterator[None]:
    """Lets a part accept connections and say nothing for as long as the block lasts."""
    group = stack.pids()[name]
    os.killpg(group, signal.SIGSTOP)
    try:
        yield
    finally:
        os.killpg(group, signal.SIGCONT)


@pytest.fixture
def ann(mortal, mortal_host) -> Person:
    """A person in a game that has just started; of her opponent nothing is heard."""
    game = mortal_host.create_game("usa", [{}, {"name": "Bob"}])["game"]
    return seat_people(mortal_host, game, [0], seed=secrets.randbelow(10**6))[0]


def ask(method: str, client: Client, path: str, **rest: Any) -> requests.Response:
    """Sends a request once."""
    headers = {"Authorization": f"Bearer {client.token}"}
    address = f"{client.base_url}/v1{path}"
    return requests.request(method, address, headers=headers, timeout=LONGEST_ANSWER_SECONDS, **rest)


def answer(person: Person, decision: str, move: dict[str, Any]) -> requests.Response:
    """Answers a decision once."""
    return ask("PUT", person.client, f"/games/{person.game}/decisions/{decision}/answer", json={"move": move})


def get(address: str) -> requests.Response:
    """Asks a service how it is."""
    return requests.get(address, timeout=LONGEST_ANSWER_SECONDS)


def is_put_off(response: requests.Response) -> bool:
    """Whether an answer says that nothing was accepted, and when to try again."""
    assert response.headers["Content-Type"] == PROBLEM_TYPE, response.text
    return response.status_code == response.json()["status"] == 503 and int(response.headers["Retry-After"]) > 0


def not_ready(operations: str) -> list[str]:
    """What a service says that it lacks; nothing where it is ready."""
    answer = requests.get(f"{operations}/readyz", timeout=LONGEST_ANSWER_SECONDS)
    failing = answer.json()["failing"]
    assert answer.status_code == (503 if failing else 200)
    return failing


def test_without_rules_an_answer_is_put_off_and_reading_goes_on(mortal, ann):
    stream = Follower(f"{mortal.address}/v1/games/{ann.game}/stream", ann.client.token, LINES)
    move = ann.choose("1.0")

    with away(mortal, "rules"):
        assert is_put_off(answer(ann, "1.0", move))
        assert ann.client.view(ann.game)["version"] == 1
        assert ann.client.decision(ann.game, "1.0")["legal_moves"]
        assert ann.client.scores(ann.game)["status"] == "running"
        opened = Follower(stream.address, ann.client.token, LINES)
        until(lambda: opened.has(1), "the view on a new stream")

    assert answer(ann, "1.0", move).status_code == 201
    until(lambda: stream.has(2) and opened.has(2), "the commit on the streams that stayed open")


@pytest.mark.parametrize("name", ["rules", "game_state", "store"])
def test_a_part_that_hangs_puts_an_answer_off_as_one_that_is_away(mortal, ann, name):
    move = ann.choose("1.0")

    with hanging(mortal, name):
        assert is_put_off(answer(ann, "1.0", move))

    until(lambda: answer(ann, "1.0", move).status_code in (200, 201), "the answer to be accepted")
    assert ann.client.view(ann.game)["version"] == 2


def test_without_broker_people_play_on_and_bots_catch_up(mortal, mortal_host):
    with away(mortal, "broker"):
        created = mortal_host.create_game("usa", [{}, {"bot": "greedy"}, {}, {"bot": "random"}])
        people = seat_people(mortal_host, created["game"], [0, 2], seed=3)
        for seat, person in people.items():
            assert answer(person, f"1.{seat}", person.choose(f"1.{seat}")).status_code == 201
        assert {decision["seat"] for decision in mortal_host.view(created["game"])["decisions"]} == {1, 3}

    with at_the_table(people.values()):
        wait_for_result(mortal_host, created["game"])
    prove(mortal, mortal_host, created)


def test_without_store_nothing_is_accepted_and_nothing_is_ready(mortal, mortal_host, ann):
    move = ann.choose("1.0")
    seats = {"ruleset": "usa", "seats": [{"bot": "greedy"}, {"bot": "random"}]}

    with away(mortal, "store"):
        assert is_put_off(answer(ann, "1.0", move))
        assert is_put_off(ask("GET", ann.client, f"/games/{ann.game}"))
        assert is_put_off(ask("GET", ann.client, f"/games/{ann.game}/stream"))
        assert is_put_off(ask("GET", mortal_host, f"/games/{ann.game}"))
        assert is_put_off(ask("POST", mortal_host, "/games", json=seats))
        for name in ("gateway", "game_state", "scoring"):
            operations = f"http://127.0.0.1:{mortal.site.ports[name]}"
            until(lambda at=operations: "store" in get(f"{at}/readyz").json()["failing"], f"{name} to be unready")
            assert (get(f"{operations}/readyz").status_code, get(f"{operations}/healthz").status_code) == (503, 200)

    assert ann.client.view(ann.game)["version"] == 1
    assert answer(ann, "1.0", move).status_code == 201


def test_without_scoring_play_goes_on_and_the_sheet_is_made_up_for(mortal, mortal_host):
    with away(mortal, "tasks"):
        with down(mortal, "scoring"):
            created = mortal_host.create_game("usa", [{"bot": "greedy"}, {"bot": "random"}])
            until(lambda: mortal_host.view(created["game"])["status"] == "over", "the end of play", seconds=60)
            assert is_put_off(ask("GET", mortal_host, f"/games/{created['game']}/scores"))
            assert mortal_host.view(created["game"])["result"] is None
        pending = mortal_host.scores(created["game"])
        assert (pending["status"], pending["sheet"]) == ("pending", None)
        assert all(line["reason"] == "track" for seat in pending["seats"] for line in seat["lines"])

    wait_for_result(mortal_host, created["game"])
    prove(mortal, mortal_host, created)
