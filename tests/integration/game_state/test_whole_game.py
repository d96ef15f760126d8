"""A game from the first choice to its recorded result, and what can be proved about it afterwards."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest

from services.game_state.agenda import member
from services.game_state.keys import game_key, shard_key, shard_of
from shared.catalog import rules_for
from shared.kernel import (
    commit_from_plain,
    empty_state,
    fold,
    score,
    state_from_plain,
    state_to_plain,
    verify_draws,
)
from tests.game_state import OWNER, GameState, at_once, seat_of


def record_result(gs: GameState, game: str, sheet: Any):
    return gs.call("PUT", f"/games/{game}/result", service="scoring", json={"sheet": sheet})


@pytest.fixture(scope="module")
def played(store_url: str, rules_url: str) -> Iterator[tuple[GameState, str]]:
    """A game played to the end by two seats; its result is not recorded."""
    gs = GameState(store_url, rules_url)
    game = gs.started()["game"]
    gs.play_to_the_end(game)
    yield gs, game


def commits_for(gs: GameState, game: str, caller: str, **query: int) -> dict[str, Any]:
    return gs.call("GET", f"/games/{game}/commits", caller=caller, query_string={"limit": 500} | query).json


def sheet_of(gs: GameState, game: str) -> dict[str, Any]:
    rules = rules_for("usa@1", seats=2, options={"first_player": "random"})
    return score(rules, state_from_plain(rules, gs.show(game)["position"])).plain()


def test_the_log_is_contiguous_and_answers_each_decision_once(played):
    gs, game = played
    log = commits_for(gs, game, OWNER)
    assert [commit["version"] for commit in log["commits"]] == list(range(1, log["version"] + 1))
    answers = Counter(commit["decision"] for commit in log["commits"][1:])
    assert set(answers.values()) == {1}
    assert gs.adapters.store.answers(game).keys() == answers.keys()


def test_the_head_is_the_fold_of_the_log(played):
    """P-19, P-20."""
    gs, game = played
    rules = rules_for("usa@1", seats=2, options={"first_player": "random"})
    state = empty_state(rules)
    for _, text in gs.adapters.store.commits(game):
        fold(rules, state, commit_from_plain(rules, json.loads(text)))
    kept = json.loads(gs.redis.hget(game_key(game, "head"), "state"))
    assert json.loads(json.dumps(state_to_plain(rules, state))) == kept
    assert state.over


@pytest.mark.rule("OPT-4")
def test_the_record_lets_anybody_audit_every_draw(played):
    gs, game = played
    record = gs.call("GET", f"/games/{game}/record", caller=seat_of(game, 0)).json
    nonce, seed = bytes.fromhex(record["nonce"]), bytes.fromhex(record["seed"])
    assert record["commitment"] == gs.show(game)["commitment"]
    rules = rules_for(record["ruleset"], seats=record["seats"], options=record["options"])
    commits = [commit_from_plain(rules, commit) for commit in record["commits"]]
    assert verify_draws(nonce, seed, record["commitment"], commits) == []
    assert sum(len(commit.chance) for commit in commits) > 50


@pytest.mark.rule("VIEW-10")
def test_when_it_is_over_everything_is_public(played):
    gs, game = played
    shown = [gs.show(game, caller) for caller in (OWNER, seat_of(game, 0), seat_of(game, 1))]
    for view in shown:
        assert (view["status"], view["decisions"]) == ("over", [])
        assert view["seed"] and view["nonce"]
        view["position"].pop("viewer")
        view["position"].pop("completed", None)
        view.pop("viewer")
    assert shown[0] == shown[1] == shown[2]


def test_commits_come_in_pages(played):
    gs, game = played
    page = commits_for(gs, game, OWNER, after=10, limit=3)
    assert [commit["version"] for commit in page["commits"]] == [11, 12, 13]
    assert commits_for(gs, game, OWNER, after=page["version"])["commits"] == []
    assert commits_for(gs, game, OWNER, after=999_999_999)["commits"] == []


def test_its_end_asks_for_the_result_and_nothing_else_waits(played):
    gs, game = played
    waiting = {name.split("|")[0] for name in gs.redis.zrange(shard_key(shard_of(game), "agenda"), 0, -1)
               if name.split("|")[1] == game}  # fmt: skip
    assert waiting == {"result", "project", "audit"}


def test_a_sheet_that_is_not_the_kernels_own_is_refused_with_an_alarm(played, caplog: pytest.LogCaptureFixture):
    gs, game = played
    sheet = sheet_of(gs, game)
    sheet["seats"][0]["total"] += 1
    response = record_result(gs, game, sheet)
    assert (response.status_code, response.json["code"]) == (409, "result_mismatch")
    assert any(record.levelname == "ERROR" for record in caplog.records)
    assert gs.show(game)["result"] is None


def test_the_result_is_a_commit_without_decision_recorded_once(gs: GameState):
    game = gs.started(seed="ef" * 32)["game"]
    gs.play_to_the_end(game)
    before, sheet = gs.show(game), sheet_of(gs, game)
    first, again = record_result(gs, game, sheet), record_result(gs, game, sheet)
    assert (first.status_code, again.status_code) == (201, 200)
    assert first.json == again.json == {"version": before["version"] + 1}
    after = gs.show(game)
    assert after["result"] == json.loads(json.dumps(sheet))
    assert after["version"] == before["version"] + 1
    [commit] = commits_for(gs, game, OWNER, after=before["version"])["commits"]
    assert (commit["decision"], commit["seat"], commit["move"]) == (None, None, None)
    assert gs.redis.zscore(shard_key(shard_of(game), "agenda"), member("result", game)) is None
    assert gs.redis.zscore(shard_key(shard_of(game), "agenda"), member("audit", game)) is not None
    assert gs.call("POST", f"/games/{game}/audit", service="maintenance").json == {"repaired": []}
    assert gs.redis.zscore(shard_key(shard_of(game), "agenda"), member("audit", game)) is None, "the last audit is done"


@pytest.mark.parametrize("path", ["/record", "/result"])
def test_record_and_result_wait_for_the_end(gs: GameState, path: str):
    game = gs.started()["game"]
    response = (
        record_result(gs, game, {}) if path == "/result" else gs.call("GET", f"/games/{game}/record", caller=OWNER)
    )
    assert (response.status_code, response.json["code"]) == (409, "game_not_over")


@pytest.mark.rule("VIEW-9")
def test_the_commits_a_seat_receives_fold_to_the_views_it_receives(gs: GameState):
    """P-12, P-19: each viewer can follow the game from its redacted commits alone, and they agree with its view."""
    rules = rules_for("usa@1", seats=2, options={"first_player": "random"})
    game = gs.started()["game"]
    callers = [OWNER, seat_of(game, 0), seat_of(game, 1)]
    views = [state_from_plain(rules, gs.show(game, caller)["position"]) for caller in callers]
    for _ in range(60):
        [decision, *_] = gs.open_decisions(game)
        moves = gs.choice(game, decision)["legal_moves"]
        gs.answer(game, decision, moves[len(moves) // 2])
        for caller, view in zip(callers, views, strict=True):
            for commit in commits_for(gs, game, caller, after=view.version)["commits"]:
                assert "chance" not in commit
                fold(rules, view, commit_from_plain(rules, commit))
            served = gs.show(game, caller)["position"]
            assert json.loads(json.dumps(state_to_plain(rules, view))) == served


@pytest.mark.rule("VIEW-4")
def test_who_has_chosen_is_all_that_others_learn_of_a_simultaneous_choice(gs: GameState):
    games = []
    for choice in (0, -1):
        game = gs.started(seed="77" * 32)["game"]
        decision = gs.open_decisions(game)[0]
        gs.answer(game, decision, gs.choice(game, decision)["legal_moves"][choice])
        [_, other] = [seat_of(game, 0), seat_of(game, 1)]
        seen = [commits_for(gs, game, other), gs.show(game, other), gs.show(game)]
        text = json.dumps(seen).replace(game, "game")
        games.append(_without_times_and_nonces(json.loads(text)))
    assert games[0] == games[1]


@pytest.mark.rule("VIEW-9")
def test_log_lines_hold_neither_moves_nor_cards_nor_tickets(gs: GameState, caplog: pytest.LogCaptureFixture):
    """P-09: not even at debug level."""
    caplog.set_level("DEBUG")
    game = gs.started()["game"]
    tickets = set()
    for _ in range(30):
        [decision, *_] = gs.open_decisions(game)
        moves = gs.choice(game, decision)["legal_moves"]
        tickets |= {ticket for move in moves for ticket in move.get("tickets", ())}
        assert gs.answer(game, decision, moves[-1]).status_code == 201
    lines = "\n".join(str(vars(record)) for record in caplog.records)
    assert len(caplog.records) > 100
    secret = gs.redis.hgetall(game_key(game, "secret")).values()
    names = {*tickets, *secret, "KeepTickets", "DrawFromDeck", "ClaimTrack", "locomotive", "payment"}
    assert len(names) > 10
    assert {name for name in names if name in lines} == set()


def test_a_game_under_fire_stays_right(gs: GameState):
    """P-01, P-20, P-23: two processes answer each decision with different moves while its time runs out."""
    game = gs.started(seats=3)["game"]
    known = gs.redis.connection_pool.connection_kwargs
    other = GameState(f"redis://{known['host']}:{known['port']}/{known['db']}", gs.rules_url)
    for _ in range(40):
        calls = []
        for decision in gs.open_decisions(game):
            moves = gs.choice(game, decision)["legal_moves"]
            path = f"/games/{game}/decisions/{decision['decision']}/default"
            calls += [
                partial(gs.answer, game, decision, moves[0]),
                partial(other.answer, game, decision, moves[-1]),
                partial(other.call, "POST", path, service="maintenance"),
            ]
        statuses = [response.status_code for response in at_once(*calls)]
        assert set(statuses) <= {200, 201, 409}
        assert statuses.count(201) == len(calls) // 3
    log = commits_for(gs, game, OWNER)["commits"]
    assert [commit["version"] for commit in log] == list(range(1, len(log) + 1))
    assert len({commit["decision"] for commit in log}) == len(log)
    assert gs.call("POST", f"/games/{game}/audit", service="maintenance").json == {"repaired": []}


def _without_times_and_nonces(found: Any) -> Any:
    if isinstance(found, dict):
        return {key: _without_times_and_nonces(value) for key, value in found.items()
                if key not in ("at", "created", "commitment")}  # fmt: skip
    if isinstance(found, list):
        return [_without_times_and_nonces(value) for value in found]
    return found
