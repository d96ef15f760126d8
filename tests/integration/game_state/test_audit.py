"""The audit: what is kept beside the log is compared with it and repaired; a corrupt log stops its own game only."""

from __future__ import annotations

import json

import pytest

from services.game_state.agenda import member
from services.game_state.clock import parse_moment
from services.game_state.keys import game_key, shard_key, shard_of
from tests.game_state import OWNER, GameState, seat_of

BOTS = ({"bot": "greedy"}, {"bot": "random"})


@pytest.fixture
def game(gs: GameState) -> str:
    """A game in its first turn."""
    game = gs.started(answer_limit=600)["game"]
    gs.choose_tickets(game)
    return game


def audit(gs: GameState, game: str) -> list[str]:
    response = gs.call("POST", f"/games/{game}/audit", service="maintenance")
    assert response.status_code == 200
    return response.json["repaired"]


def shown(gs: GameState, game: str) -> list[dict]:
    return [gs.show(game, caller) for caller in (OWNER, seat_of(game, 0), seat_of(game, 1))]


def damage_state(gs: GameState, game: str) -> None:
    """Two seats' points are swapped for others, as a bug might do it: readable, but wrong."""
    state = json.loads(gs.redis.hget(game_key(game, "head"), "state"))
    state["points"] = [7, 7]
    gs.redis.hset(game_key(game, "head"), "state", json.dumps(state))


def replace_entry(gs: GameState, game: str, version: int, text: str | None) -> None:
    """Writes a log again with another text for one version, or without it."""
    key = game_key(game, "log")
    entries = gs.redis.xrange(key)
    gs.redis.delete(key)
    for entry, fields in entries:
        if entry != f"{version}-0":
            gs.redis.xadd(key, fields, id=entry)
        elif text is not None:
            gs.redis.xadd(key, {"commit": text}, id=entry)


def test_a_good_game_needs_no_repair(gs: GameState, game: str):
    """P-20: head == fold(log), versions contiguous, each decision answered once."""
    assert audit(gs, game) == []


def test_a_wrong_head_is_replaced_by_the_fold_of_the_log_with_an_alarm(
    gs: GameState, game: str, caplog: pytest.LogCaptureFixture
):
    before = shown(gs, game)
    damage_state(gs, game)
    assert shown(gs, game) != before
    assert audit(gs, game) == ["head"]
    assert shown(gs, game) == before
    assert any(record.levelname == "ERROR" and "head" in record.message for record in caplog.records)
    assert 'whistlestop_repaired_games_total' in gs.app.test_client().get("/metrics").text


@pytest.mark.parametrize(
    "head",
    [
        None,
        {"version": "2"},
        {"version": "99"},
        {"version": "x"},
        {"state": "{"},
        {"state": "{}"},
        {"state": "[1]"},
        {"state": "null"},
    ],
    ids=str,
)
def test_a_head_that_cannot_be_used_is_rebuilt_when_it_is_needed(gs: GameState, game: str, head: dict | None):
    before = shown(gs, game)
    if head is None:
        gs.redis.delete(game_key(game, "head"))
    else:
        gs.redis.hset(game_key(game, "head"), mapping=head)
    assert shown(gs, game) == before
    assert audit(gs, game) == []
    [turn] = gs.open_decisions(game)
    assert gs.answer(game, turn, gs.choice(game, turn)["legal_moves"][0]).status_code == 201


def test_lost_answers_are_recorded_again(gs: GameState, game: str):
    before = gs.adapters.store.answers(game)
    gs.redis.hdel(game_key(game, "answers"), "1.0")
    gs.redis.hset(game_key(game, "answers"), "1.1", "2:turn:0")
    assert audit(gs, game) == ["answers"]
    assert gs.adapters.store.answers(game) == before


def test_what_is_missing_on_the_agenda_is_put_there_again(gs: GameState):
    game = gs.create(*BOTS, answer_limit=600)["game"]
    agenda = shard_key(shard_of(game), "agenda")
    names = [member(purpose, game, decision) for purpose in ("bot", "deadline") for decision in ("1.0", "1.1")]
    before = gs.redis.zmscore(agenda, names)
    gs.redis.zrem(agenda, *names)
    assert audit(gs, game) == ["agenda"]
    assert gs.redis.zmscore(agenda, names) == before


@pytest.mark.parametrize(
    "text",
    [
        None,
        "",
        "{}",
        "not json",
        json.dumps({"version": 2, "at": "", "seat": 0, "decision": "9.9", "move": None, "forced": False, "events": []}),
    ],
    ids=["missing", "empty", "another object", "no json", "answers no open decision"],
)
def test_a_corrupt_log_takes_its_own_game_out_of_service_until_it_is_repaired(
    gs: GameState, game: str, text: str | None
):
    other, before = gs.started()["game"], shown(gs, game)
    good = gs.adapters.store.commit(game, 2)
    replace_entry(gs, game, 2, text)
    assert audit(gs, game) == ["quarantine"]
    for path in ("", "/commits", "/decisions/1.0", "/record"):
        response = gs.call("GET", f"/games/{game}{path}", caller=seat_of(game, 0))
        assert (response.status_code, response.json["code"]) == (503, "game_quarantined")
        assert response.headers["Retry-After"]
    refused = gs.answer(game, {"decision": "3.0", "seat": 0}, {"move": "DrawFromDeck"})
    assert (refused.status_code, refused.json["code"]) == (503, "game_quarantined")
    gs.choose_tickets(other)
    listed = gs.call("GET", "/games", query_string={"owner": "platform", "limit": 100})
    assert listed.status_code == 200, "the list still shows it and the others"

    entries = gs.redis.xrange(game_key(game, "log"))
    gs.redis.delete(game_key(game, "log"))
    kept = dict(entries) | {"2-0": {"commit": good}}
    for entry in sorted(kept, key=lambda entry: int(entry.split("-")[0])):
        gs.redis.xadd(game_key(game, "log"), kept[entry], id=entry)
    audit(gs, game)
    assert shown(gs, game) == before


def test_a_log_whose_end_was_removed_is_corrupt(gs: GameState, game: str):
    gs.redis.xdel(game_key(game, "log"), "3-0")
    assert audit(gs, game) == ["quarantine"]


def test_a_useless_head_over_a_corrupt_log_stops_the_game_at_once(gs: GameState, game: str):
    replace_entry(gs, game, 2, "not json")
    gs.redis.delete(game_key(game, "head"))
    response = gs.call("GET", f"/games/{game}", caller=OWNER)
    assert (response.status_code, response.json["code"]) == (503, "game_quarantined")
    assert gs.redis.hget(game_key(game, "meta"), "quarantined")


def test_a_game_that_waits_for_seats_has_nothing_to_audit(gs: GameState):
    assert audit(gs, gs.create({}, {})["game"]) == []


def test_live_games_are_audited_every_hour(gs: GameState, game: str):
    start = json.loads(gs.adapters.store.commit(game, 1))["at"]
    due = gs.redis.zscore(shard_key(shard_of(game), "agenda"), member("audit", game))
    assert due == parse_moment(start) + 3_600_000
