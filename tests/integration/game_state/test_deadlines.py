"""Deadlines: shown to all, kept by the store, and when they pass the decision is answered by default."""

from __future__ import annotations

import pytest

from services.game_state import tasks
from services.game_state.agenda import Agenda, member
from services.game_state.backlog import Backlog
from services.game_state.clock import now_ms, parse_moment
from services.game_state.dispatcher import Dispatcher
from services.game_state.keys import shard_key, shard_of
from shared.contracts import queues
from tests.game_state import OWNER, SECRET, GameState, at_once, seat_of, served
from tests.polling import until

LIMIT = 600


def force(gs: GameState, game: str, decision: str):
    return gs.call("POST", f"/games/{game}/decisions/{decision}/default", service="maintenance")


def due(gs: GameState, game: str, purpose: str, decision: str) -> float | None:
    return gs.redis.zscore(shard_key(shard_of(game), "agenda"), member(purpose, game, decision))


def open_kinds(gs: GameState, game: str) -> set[str]:
    return {decision["kind"] for decision in gs.open_decisions(game)}


def test_a_deadline_is_the_time_of_the_opening_commit_plus_the_limit_and_public(gs: GameState):
    """P-21: everybody sees the clock."""
    game = gs.started(answer_limit=LIMIT)["game"]
    [start] = gs.call("GET", f"/games/{game}/commits", caller=OWNER).json["commits"]
    deadline = parse_moment(start["at"]) + LIMIT * 1000
    for caller in (OWNER, seat_of(game, 0)):
        shown = gs.show(game, caller)["decisions"]
        assert [parse_moment(decision["deadline"]) for decision in shown] == [deadline, deadline]
    assert parse_moment(gs.choice(game, gs.open_decisions(game)[0])["deadline"]) == deadline
    assert due(gs, game, "deadline", "1.0") == deadline


def test_without_a_limit_there_is_no_deadline(gs: GameState):
    game = gs.started()["game"]
    assert [decision["deadline"] for decision in gs.open_decisions(game)] == [None, None]
    assert due(gs, game, "deadline", "1.0") is None


def test_the_deadline_leaves_the_agenda_with_its_decision(gs: GameState):
    game = gs.started(answer_limit=LIMIT)["game"]
    gs.choose_tickets(game)
    assert due(gs, game, "deadline", "1.0") is None
    [turn] = gs.open_decisions(game)
    assert due(gs, game, "deadline", turn["decision"]) is not None


@pytest.mark.rule("BASE-44")
def test_a_default_answer_is_the_kernels_and_marked_as_forced(gs: GameState):
    game = gs.started()["game"]
    offered = gs.show(game, seat_of(game, 0))["position"]
    response = force(gs, game, "1.0")
    assert response.status_code == 201
    assert response.json["commit"]["forced"] is True
    kept = response.json["commit"]["move"]["tickets"]
    assert len(kept) == 2
    assert str(offered).count(kept[0]) >= 1, "the first dealt, to the minimum"


@pytest.mark.rule("BASE-44")
def test_every_kind_of_choice_can_be_forced_so_an_absent_seat_never_blocks(gs: GameState):
    """P-21, A-04: also inside sub-states: opening tickets, turns, second cards, drawn tickets."""
    game = gs.started()["game"]
    seen = set()
    while len(seen) < 4:
        [decision, *_] = gs.open_decisions(game)
        seen.add(decision["kind"])
        if decision["kind"] == "turn" and "second_card" in seen and "keep_tickets" not in seen:
            assert gs.answer(game, decision, {"move": "DrawTickets"}).status_code == 201
        else:
            assert force(gs, game, decision["decision"]).status_code == 201
    assert seen == {"opening_tickets", "turn", "second_card", "keep_tickets"}


def test_a_late_answer_counts_while_the_decision_is_open(gs: GameState):
    game = gs.started(answer_limit=1)["game"]
    decision = gs.open_decisions(game)[0]
    until(lambda: now_ms() > parse_moment(decision["deadline"]), "the deadline")
    response = gs.answer(game, decision, gs.choice(game, decision)["legal_moves"][0])
    assert response.status_code == 201
    assert response.json["commit"]["forced"] is False


def test_a_move_and_the_time_out_at_the_same_moment_have_exactly_one_winner(gs: GameState):
    """P-23."""
    for _ in range(20):
        game = gs.started(answer_limit=LIMIT)["game"]
        decision = gs.open_decisions(game)[0]
        move = gs.choice(game, decision)["legal_moves"][-1]
        mine, forced = at_once(
            lambda game=game, decision=decision, move=move: gs.answer(game, decision, move),
            lambda game=game, decision=decision: force(gs, game, decision["decision"]),
        )
        assert sorted((mine.status_code, forced.status_code)) == [201, 409]
        commits = gs.call("GET", f"/games/{game}/commits", caller=OWNER).json["commits"]
        assert [commit["forced"] for commit in commits[1:]] == [forced.status_code == 201]


def test_forcing_a_decision_that_is_answered_is_refused_and_clears_the_agenda(gs: GameState):
    """A duplicate task does no harm, and what it was sent for is not sent again."""
    game = gs.started(answer_limit=LIMIT)["game"]
    force(gs, game, "1.0")
    agenda = shard_key(shard_of(game), "agenda")
    gs.redis.zadd(agenda, {member("deadline", game, "1.0"): 5, member("bot", game, "1.0"): 5})
    again = force(gs, game, "1.0")
    assert (again.status_code, again.json["code"]) == (409, "decision_not_open")
    assert due(gs, game, "deadline", "1.0") is None
    assert due(gs, game, "bot", "1.0") is None


def test_an_absent_seats_game_goes_on_by_itself(gs: GameState, broker_url: str, monkeypatch: pytest.MonkeyPatch):
    """Agenda, dispatcher, task and service together: a second after the limit the decision is answered."""
    game = gs.started(answer_limit=1)["game"]
    with served(gs.app) as address:
        monkeypatch.setenv("BROKER_URL", broker_url)
        monkeypatch.setenv("SERVICE_SECRET", SECRET)
        monkeypatch.setenv("GAME_STATE_URL", address)
        tasks._client.cache_clear()
        runs = {queues.MAINTENANCE_FORCE_ANSWER: tasks.force_answer}
        dispatcher = Dispatcher(
            gs.redis, lambda task, details, _: runs.get(task, lambda **_: None)(**details), Backlog(gs.redis)
        )
        until(lambda: dispatcher.sweep([shard_of(game)]) and "turn" in open_kinds(gs, game), "forced answers")
    commits = gs.call("GET", f"/games/{game}/commits", caller=OWNER).json["commits"]
    assert [commit["forced"] for commit in commits] == [False, True, True]


def test_deadlines_are_in_the_store_and_known_to_a_new_process(gs: GameState):
    """P-24: nothing is armed in a process; whoever asks the store finds what is due."""
    game = gs.started(answer_limit=LIMIT)["game"]
    found = Agenda(gs.redis).claim(shard_of(game), now=now_ms() + (LIMIT + 1) * 1000, limit=10_000)
    assert {item.decision for item in found if (item.game, item.purpose) == (game, "deadline")} == {"1.0", "1.1"}
