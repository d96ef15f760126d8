"""Every kind of process is killed while games go on: they end all the same, and nothing acknowledged is lost."""

from __future__ import annotations

import random
import secrets

import psutil
import pytest

from deploy.local import Stack
from deploy.local.programs import NAMES
from tests.e2e.conftest import keep_every_write
from tests.e2e.playing import at_the_table, seat_people
from tests.e2e.proofs import answers_of, prove, wait_for_result, wait_for_version
from tests.polling import until
from tests.servers import answers

pytestmark = [pytest.mark.xdist_group("in trouble"), pytest.mark.timeout(300)]

BOTS = [{"bot": "greedy"}, {"bot": "random"}, {"bot": "greedy"}, {"bot": "random"}]
SHORTEST_GAME, LAST = 120, 10
KILLED = [name for name in NAMES if name not in ("ai", "arenas")]
"""Of the AI service it is the workers, here `bots`, that play; the others have no part in hosted games."""


@pytest.mark.parametrize("name", KILLED)
def test_a_game_ends_though_a_process_is_killed(mortal, mortal_host, name):
    version = random.SystemRandom().randrange(2, SHORTEST_GAME)
    created = mortal_host.create_game("usa", BOTS)
    reached = wait_for_version(mortal_host, created["game"], version)

    mortal.kill(name)

    wait_for_result(mortal_host, created["game"])
    record = prove(mortal, mortal_host, created)
    assert len(record["commits"]) > reached, "it was killed after the end"
    assert not any(answer["forced"] for answer in answers_of(record)[-LAST:]), "the bots have not come back"


def test_a_game_ends_though_pool_processes_of_the_bots_are_killed(mortal, mortal_host):
    created = mortal_host.create_game("usa", BOTS)
    for version in (10, 40, 70):
        wait_for_version(mortal_host, created["game"], version)
        for child in psutil.Process(mortal.pids()["bots"]).children():
            child.kill()

    wait_for_result(mortal_host, created["game"])
    prove(mortal, mortal_host, created)


def test_what_a_person_was_told_is_in_the_log_though_everything_is_killed(mortal, mortal_host):
    seed = secrets.randbelow(10**6)
    luck = random.Random(seed)
    created = mortal_host.create_game("usa", [{}, {"bot": "greedy"}, {}])
    people = seat_people(mortal_host, created["game"], [0, 2], seed)
    with at_the_table(people.values()) as playing:
        version = 1
        for name in luck.sample(KILLED, len(KILLED)):
            version = wait_for_version(mortal_host, created["game"], version + luck.randrange(1, 8))
            _kill(mortal, name)
        wait_for_result(mortal_host, created["game"], seconds=150)

    told = [answer for person in playing for answer in person.result()]
    record = prove(mortal, mortal_host, created)
    by_people = {answer["decision"]: answer for answer in answers_of(record) if answer["seat"] != 1}
    assert {answer["decision"] for answer in told} == by_people.keys(), f"seed {seed}"
    for answer in told:
        logged = by_people[answer["decision"]]
        assert (answer["version"], answer["move"]) == (logged["version"], logged["move"]), f"seed {seed}"


def _kill(stack: Stack, name: str) -> None:
    stack.kill(name)
    if name == "store":
        until(lambda: answers(stack.site.data_url("store")), "the store to come back")
        keep_every_write(stack)
