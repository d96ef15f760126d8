"""Decisions wait for bots and for people: how many, how long, and how it is put right when it is wrong."""

from __future__ import annotations

import pytest
from prometheus_client import REGISTRY

from services.game_state.clock import now_ms
from services.game_state.keys import shard_of
from services.game_state.waiting import AGES, BOTS, HOLDERS, PEOPLE, Waiting, waiting_key
from tests.game_state import GameState

MIXED = ({"name": "Ann"}, {"bot": "greedy"}, {"name": "Bob"})


@pytest.fixture(autouse=True)
def nobody_waits(gs: GameState) -> None:
    """What games of other tests left open is not looked at."""
    for key in gs.redis.scan_iter("gs:*waiting:*"):
        gs.redis.delete(key)


def standing(gs: GameState, game: str) -> dict[str, set[str]]:
    """Gives the decisions of a game that wait for each holder."""
    keys = {holder: waiting_key(shard_of(game), holder) for holder in HOLDERS}
    return {holder: {one.partition("|")[2] for one in gs.redis.zrange(key, 0, -1) if one.startswith(f"{game}|")}
            for holder, key in keys.items()}


def force(gs: GameState, game: str, decision: str) -> None:
    response = gs.call("POST", f"/games/{game}/decisions/{decision}/default", service="maintenance")
    assert response.status_code == 201, response.json


def test_open_decisions_stand_with_whoever_they_wait_for(gs: GameState) -> None:
    game = gs.create(*MIXED)["game"]
    assert standing(gs, game) == {BOTS: {"1.1"}, PEOPLE: {"1.0", "1.2"}}
    force(gs, game, "1.1")
    assert standing(gs, game) == {BOTS: set(), PEOPLE: {"1.0", "1.2"}}
    force(gs, game, "1.0")
    force(gs, game, "1.2")
    [turn] = gs.open_decisions(game)
    assert standing(gs, game) == {BOTS: {turn["decision"]} if turn["seat"] == 1 else set(),
                                  PEOPLE: {turn["decision"]} if turn["seat"] != 1 else set()}


def test_a_game_that_is_over_waits_for_nobody(gs: GameState) -> None:
    game = gs.started()["game"]
    gs.play_to_the_end(game)
    assert standing(gs, game) == {BOTS: set(), PEOPLE: set()}


def test_an_answer_that_is_refused_or_repeated_changes_nothing(gs: GameState) -> None:
    game = gs.started()["game"]
    first, second = gs.open_decisions(game)
    move = gs.choice(game, first)["legal_moves"][0]
    assert gs.answer(game, first, {"move": "Pass"}).status_code == 422
    assert gs.answer(game, first, move).status_code == 201
    assert gs.answer(game, first, move).status_code == 200
    assert standing(gs, game)[PEOPLE] == {second["decision"]}


def test_each_is_counted_in_the_least_age_that_holds_it(gs: GameState) -> None:
    now = now_ms()
    waiting = Waiting(gs.redis)
    for shard, seconds in enumerate((0, 0.5, 1, 1.5, 59, 3600, 10**6)):
        gs.redis.zadd(waiting_key(shard, BOTS), {f"g|{seconds}": now - seconds * 1000})
    gs.redis.zadd(waiting_key(3, PEOPLE), {"g|ahead": now + 50})
    expected = dict.fromkeys(AGES, 0)
    assert waiting.counts(now=now) == {
        BOTS: expected | {"1s": 2, "10s": 2, "1m": 1, "1d": 1, "older": 1},
        PEOPLE: expected | {"1s": 1},
    }


def test_metrics_tell_who_waits_and_how_long_answers_took(gs: GameState) -> None:
    def answered(by: str) -> float:
        return REGISTRY.get_sample_value("whistlestop_answer_seconds_count", {"by": by}) or 0

    before = {by: answered(by) for by in (BOTS, PEOPLE, "default")}
    game = gs.create(*MIXED)["game"]
    first = gs.open_decisions(game)[0]
    assert gs.answer(game, first, gs.choice(game, first)["legal_moves"][0]).status_code == 201
    force(gs, game, "1.1")
    told = gs.app.test_client().get("/metrics").text
    assert 'whistlestop_waiting_decisions{age="older",holder="bots"} 0.0' in told
    counts = Waiting(gs.redis).counts()
    assert (sum(counts[BOTS].values()), sum(counts[PEOPLE].values())) == (0, 1)
    assert {by: answered(by) - before[by] for by in before} == {BOTS: 0, PEOPLE: 1, "default": 1}


def test_the_audit_puts_right_what_waits(gs: GameState) -> None:
    game = gs.create(*MIXED)["game"]
    force(gs, game, "1.1")
    before = standing(gs, game)
    at = gs.redis.zscore(waiting_key(shard_of(game), PEOPLE), f"{game}|1.0")
    gs.redis.zrem(waiting_key(shard_of(game), PEOPLE), f"{game}|1.0")
    gs.redis.zadd(waiting_key(shard_of(game), BOTS), {f"{game}|1.1": 5})
    audit = gs.call("POST", f"/games/{game}/audit", service="maintenance")
    assert audit.json["repaired"] == ["waiting"]
    assert standing(gs, game) == before
    assert gs.redis.zscore(waiting_key(shard_of(game), PEOPLE), f"{game}|1.0") == at
    assert gs.call("POST", f"/games/{game}/audit", service="maintenance").json["repaired"] == []


def test_what_an_audit_saw_is_not_put_into_a_game_that_has_moved_on(gs: GameState) -> None:
    game = gs.create(*MIXED)["game"]
    force(gs, game, "1.1")
    assert not gs.adapters.waiting.restore(game, 1, [], {BOTS: {"1.1": 5}, PEOPLE: {}})
    assert standing(gs, game)[BOTS] == set()
