"""Reading the log, and waiting for it to grow."""

from __future__ import annotations

import pytest

from tests.service.gateway.fakes import TURN
from tests.service.gateway.reading import waiting


def test_commits_are_read_in_pages(gateway):
    gateway.games.add("paged")
    for _ in range(6):
        gateway.games.commit("paged")
    ann = gateway.seat("paged", 0)
    page = gateway.get("/games/paged/commits?after=2&limit=3", ann).json()
    assert ([commit["version"] for commit in page["commits"]], page["version"]) == ([3, 4, 5], 7)
    assert len(gateway.get("/games/paged/commits", ann).json()["commits"]) == 7


@pytest.mark.rule("VIEW-7")
def test_where_old_commits_are_closed_the_position_comes_with_those_still_open(gateway):
    game = gateway.games.add("closing")
    for _ in range(8):
        gateway.games.commit("closing")
    game.oldest = 6
    ann = gateway.seat("closing", 0)
    for path in ("/games/closing/commits?after=2", "/games/closing/commits?after=2&wait=5"):
        page = gateway.get(path, ann).json()
        assert [commit["version"] for commit in page["commits"]] == [6, 7, 8, 9]
        assert page["position"] == game.position(0)
    assert "position" not in gateway.get("/games/closing/commits?after=5", ann).json()


def test_a_wait_is_over_when_there_is_something_already(gateway):
    gateway.games.add("ready")
    page = gateway.get("/games/ready/commits?wait=25", gateway.seat("ready", 0))
    assert [commit["version"] for commit in page.json()["commits"]] == [1]
    assert page.elapsed.total_seconds() < 5


def test_a_wait_ends_empty_when_the_time_is_up(gateway):
    gateway.games.add("quiet")
    page = gateway.get("/games/quiet/commits?after=1&wait=1", gateway.seat("quiet", 0))
    assert (page.status_code, page.json()["commits"]) == (200, [])
    assert page.elapsed.total_seconds() >= 1


def test_everybody_who_waits_is_woken_and_sees_what_they_may(gateway, platform):
    gateway.games.add("woken")
    tokens = {"ann": gateway.seat("woken", 0), "bo": gateway.seat("woken", 1), "host": platform}
    with waiting(gateway, "woken", *tokens.values()) as pages:
        gateway.games.commit("woken", decision="1.0", move=TURN)
        cards = [page.result(10)["commits"][0]["events"][0]["card"] for page in pages]
    assert dict(zip(tokens, cards, strict=True)) == {"ann": "red", "bo": None, "host": None}


def test_a_commit_of_another_game_wakes_nobody(gateway):
    gateway.games.add("calm")
    gateway.games.add("lively")
    with waiting(gateway, "calm", gateway.seat("calm", 0)) as [page]:
        gateway.games.commit("lively")
        gateway.games.commit("calm")
        assert [commit["version"] for commit in page.result(10)["commits"]] == [2]


def test_the_record_opens_when_the_game_is_over(gateway, platform):
    gateway.games.add("recorded")
    closed = gateway.get("/games/recorded/record", platform)
    assert (closed.status_code, closed.json()["code"]) == (409, "game_not_over")
    gateway.games.finish("recorded")
    record = gateway.get("/games/recorded/record", platform).json()
    assert [commit["chance"] for commit in record["commits"]] == [[[110, 5]]] * 2
