"""Work of external bots: free with the commit that opens it, held by one worker at a time, never lost, never twice."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import Any

import pytest
from prometheus_client import REGISTRY
from werkzeug.test import TestResponse

from services.game_state import agenda, work
from services.game_state.agenda import Agenda, member
from services.game_state.backlog import Backlog
from services.game_state.clock import now_ms, parse_moment
from services.game_state.dispatcher import Dispatcher
from services.game_state.keys import game_key, shard_key, shard_of
from services.game_state.work_store import MOST_SHOWN
from shared.contracts import queues
from shared.contracts.queues import feed_of
from shared.contracts.work import FreeWorkSchema, WorkSchema
from tests.game_state import OWNER, GameState, at_once
from tests.polling import until

pytestmark = pytest.mark.usefixtures("nothing_due")

Json = dict[str, Any]
MOST = 4


class Worker:
    """An external bot, as the gateway speaks for it."""

    def __init__(self, gs: GameState, name: str = "own") -> None:
        self.gs = gs
        self.name = f"acme{secrets.token_hex(4)}.{name}"

    def call(self, method: str, path: str, **rest: Any) -> TestResponse:
        return self.gs.call(method, path, caller=f"bot:{self.name}", **rest)

    def turns(self) -> list[Json]:
        return self.call("GET", "/work").json["turns"]

    def take(self, most: int = MOST) -> Json | None:
        taken = self.call("POST", "/work", json={"most": most})
        assert taken.status_code in (201, 204), taken.json
        return taken.json

    def answer(self, held: Json, move: Json | None = None) -> TestResponse:
        given = move or held["question"]["legal_moves"][0]
        return self.call("PUT", f"/work/{held['work']}/answer", json={"move": given})

    def abort(self, held: Json) -> TestResponse:
        return self.call("DELETE", f"/work/{held['work']}")

    def seated(self, *others: Json, **more: Any) -> str:
        """Gives a game that the bot begins in with the first seat."""
        return self.gs.create({"bot": self.name}, *(others or ({"name": "Ann"},)), **more)["game"]


@pytest.fixture
def bot(gs: GameState) -> Worker:
    return Worker(gs)


@pytest.fixture
def short_lease(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work, "LEASE", 20)


def due(gs: GameState, game: str, purpose: str = "work", decision: str = "1.0") -> float | None:
    return gs.redis.zscore(shard_key(shard_of(game), "agenda"), member(purpose, game, decision))


def is_open(gs: GameState, game: str, decision: str = "1.0") -> bool:
    return decision in [found["decision"] for found in gs.open_decisions(game)]


def refused(response: TestResponse) -> tuple[int, str]:
    return response.status_code, response.json["code"]


def expire(bot: Worker) -> None:
    """Waits until the bot holds nothing any more."""
    until(lambda: bot.gs.adapters.work.held(bot.name) == 0, "the lease to end")


def stand_in(gs: GameState, game: str, move: Json, decision: str = "1.0") -> TestResponse:
    """Answers as the fallback does."""
    return gs.call("PUT", f"/games/{game}/decisions/{decision}/answer", caller="bot:builtin", json={"move": move})


def test_the_decisions_of_a_bots_seats_are_its_work_until_they_are_answered(gs: GameState, bot: Worker):
    game = bot.seated({"bot": "greedy"}, {"bot": bot.name})
    turns = bot.turns()
    assert FreeWorkSchema().validate({"turns": turns}) == {}
    assert [(turn["game"], turn["decision"], turn["seat"]) for turn in turns] == [(game, "1.0", 0), (game, "1.2", 2)]
    move = bot.call("GET", f"/games/{game}/decisions/1.2").json["legal_moves"][0]
    assert bot.call("PUT", f"/games/{game}/decisions/1.2/answer", json={"move": move}).status_code == 201
    assert [turn["decision"] for turn in bot.turns()] == ["1.0"]


def test_others_have_no_part_in_it(gs: GameState, bot: Worker):
    bot.seated()
    for name in (f"{bot.name}s", bot.name[:-1], "other.own"):
        assert gs.call("GET", "/work", caller=f"bot:{name}").json == {"turns": []}
        assert gs.call("POST", "/work", caller=f"bot:{name}", json={"most": 1}).status_code == 204
    for caller in ("bot:builtin", OWNER, "seat:g:0:1", "spectator:g:1"):
        assert refused(gs.call("POST", "/work", caller=caller, json={"most": 1})) == (403, "bots_only")


def test_an_external_bot_is_asked_by_no_task_but_has_time_until_the_fallback_is(gs: GameState, bot: Worker):
    game = bot.seated({"bot": "greedy"})
    opened = parse_moment(gs.call("GET", f"/games/{game}/commits", caller=OWNER).json["commits"][0]["at"])
    assert due(gs, game, "bot") is None and due(gs, game, "bot", "1.1") == opened
    assert due(gs, game) == opened + agenda.TAKEN_WITHIN
    assert parse_moment(bot.turns()[0]["deadline"]) == opened + agenda.TAKEN_WITHIN


def test_taken_work_is_the_whole_question_and_free_for_nobody_else(gs: GameState, bot: Worker):
    game = bot.seated()
    held = bot.take()
    assert WorkSchema().validate(held) == {}
    assert held["question"] == bot.call("GET", f"/games/{game}/decisions/1.0").json
    assert held["question"]["legal_moves"] and work.LEASE // 1000 - held["lease"] in (0, 1)
    assert bot.turns() == [] and bot.take() is None
    assert now_ms() < due(gs, game) <= now_ms() + work.LEASE


def test_work_is_answered_once(gs: GameState, bot: Worker):
    game = bot.seated()
    held = bot.take()
    first, again = bot.answer(held), bot.answer(held)
    assert (first.status_code, again.status_code) == (201, 200)
    assert first.json == again.json and first.json["decision"] == "1.0"
    assert first.headers["Location"] == f"/games/{game}/commits?after=1&limit=1"
    assert refused(bot.answer(held, held["question"]["legal_moves"][1])) == (409, "decision_answered")
    assert refused(bot.abort(held)) == (409, "decision_answered")
    assert bot.answer(held).status_code == 200
    assert due(gs, game) is None and gs.adapters.work.held(bot.name) == 0


def test_a_move_against_the_rules_leaves_the_work_held(gs: GameState, bot: Worker):
    bot.seated()
    held = bot.take()
    assert refused(bot.answer(held, {"move": "Pass"})) == (422, "rule_violation")
    assert gs.adapters.work.held(bot.name) == 1
    assert bot.answer(held).status_code == 201


def test_many_workers_get_each_piece_of_work_once(gs: GameState, bot: Worker):
    games = {bot.seated() for _ in range(6)}
    taken = [held for held in at_once(*[lambda: bot.take(64)] * 12) if held]
    assert {held["question"]["game"] for held in taken} <= games
    assert len({held["work"] for held in taken}) == len({held["question"]["game"] for held in taken}) == len(taken)
    while held := bot.take(64):
        taken.append(held)
    assert {held["question"]["game"] for held in taken} == games and len(taken) == 6


def test_a_bot_never_holds_more_than_it_may(gs: GameState, bot: Worker):
    for _ in range(8):
        bot.seated()
    answers = at_once(*[lambda: bot.call("POST", "/work", json={"most": 3})] * 12)
    held = [answer.json for answer in answers if answer.status_code == 201]
    full = [answer for answer in answers if answer.status_code == 429]
    assert len(held) == 3 and len(full) == 9
    assert {refused(answer) for answer in full} == {(429, "too_much_work")}
    late = bot.call("POST", "/work", json={"most": 3})
    assert late.json["detail"].startswith("You hold 3 decisions of at most 3") and late.headers["Retry-After"] == "1"
    assert bot.answer(held[0]).status_code == 201
    assert bot.abort(held[1]).status_code == 204
    assert [bot.take(3) is None for _ in range(2)] == [False, False]
    assert bot.call("POST", "/work", json={"most": 3}).status_code == 429


def test_what_waits_longest_is_taken_first(bot: Worker):
    games = []
    for _ in range(MOST_SHOWN // 4):
        games.append(bot.seated())
        until(lambda: now_ms() > parse_moment(bot.turns()[-1]["deadline"]) - agenda.TAKEN_WITHIN, "the next moment")
    assert [turn["game"] for turn in bot.turns()] == games
    assert [bot.take(64)["question"]["game"] for _ in games] == games


def test_expired_work_can_neither_be_answered_nor_taken_again(gs: GameState, bot: Worker, short_lease: None):
    game = bot.seated()
    held = bot.take()
    expire(bot)
    assert refused(bot.answer(held)) == refused(bot.abort(held)) == (409, "work_expired")
    assert is_open(gs, game) and bot.turns() == [] and bot.take() is None
    assert due(gs, game) <= now_ms(), "the fallback is due"


def test_expired_work_is_refused_even_where_the_fallback_chose_the_same(gs: GameState, bot: Worker, short_lease: None):
    game = bot.seated()
    held = bot.take()
    expire(bot)
    move = held["question"]["legal_moves"][0]
    assert stand_in(gs, game, move).status_code == 201
    assert refused(bot.answer(held, move)) == (409, "work_expired")
    again = bot.call("PUT", f"/games/{game}/decisions/1.0/answer", json={"move": move})
    assert again.status_code == 200, "the decision itself tells what its answer is"


def test_an_answer_that_came_in_time_can_be_repeated_when_the_lease_is_over(bot: Worker, monkeypatch):
    monkeypatch.setattr(work, "LEASE", 1500)
    bot.seated()
    held = bot.take()
    first = bot.answer(held)
    deadline = now_ms() + 1500
    until(lambda: now_ms() > deadline, "the lease to end")
    again = bot.answer(held)
    assert (first.status_code, again.status_code) == (201, 200) and first.json == again.json


def test_aborted_work_is_free_again_at_once_and_goes_to_the_fallback_the_second_time(gs: GameState, bot: Worker):
    game = bot.seated()
    first = bot.take()
    entries = gs.redis.xlen(feed_of(shard_of(game)))
    assert bot.abort(first).status_code == 204
    [woken] = gs.redis.xrevrange(feed_of(shard_of(game)), count=1)
    assert gs.redis.xlen(feed_of(shard_of(game))) == entries + 1 and woken[1] == {"game": game, "bots": bot.name}
    assert bot.abort(first).status_code == 204, "giving it back again changes nothing"
    assert refused(bot.answer(first)) == (409, "work_aborted")
    assert [turn["game"] for turn in bot.turns()] == [game] and due(gs, game) > now_ms()

    second = bot.take()
    assert second["question"] == first["question"] and second["work"] != first["work"]
    assert refused(bot.answer(first)) == refused(bot.abort(first)) == (409, "work_not_held")
    assert bot.abort(second).status_code == 204
    assert bot.turns() == [] and bot.take() is None and due(gs, game) <= now_ms()
    assert refused(bot.answer(second)) == (409, "work_aborted")
    assert is_open(gs, game)


def test_two_workers_that_give_the_same_work_back_count_once(bot: Worker):
    bot.seated()
    held = bot.take()
    assert {answer.status_code for answer in at_once(*[lambda: bot.abort(held)] * 6)} == {204}
    assert bot.take() is not None


def test_an_answer_and_giving_back_at_the_same_moment_leave_one_answer(gs: GameState, bot: Worker):
    for _ in range(10):
        game = bot.seated()
        held = bot.take()
        answered, aborted = at_once(lambda held=held: bot.answer(held), lambda held=held: bot.abort(held))
        assert (answered.status_code, aborted.status_code) in {(201, 204), (201, 409), (409, 204)}
        assert is_open(gs, game) == (answered.status_code == 409)
        assert [turn["game"] for turn in bot.turns()] == ([game] if is_open(gs, game) else [])
        if is_open(gs, game):
            assert bot.answer(bot.take()).status_code == 201


def test_a_deadline_of_the_game_comes_before_the_end_of_a_lease(gs: GameState, bot: Worker):
    game = bot.seated(answer_limit=5)
    deadline = due(gs, game, "deadline")
    assert parse_moment(bot.turns()[0]["deadline"]) == deadline
    held = bot.take()
    assert held["lease"] < 5 and due(gs, game) == deadline
    bot.abort(held)
    assert parse_moment(bot.turns()[0]["deadline"]) == deadline


@pytest.mark.parametrize("twist", [
    lambda work: work.replace(".1.0.", ".1.1."), lambda work: work.replace(".1.0.", ".9.0."), lambda work: f"x{work}",
    lambda work: work.partition(".")[0], lambda work: "x", lambda work: f"{work.partition('.')[0]}.1.x.0",
    lambda work: f"{work.partition('.')[0]}.1.99.0",
])  # fmt: skip
def test_work_that_never_was_is_not_found(gs: GameState, bot: Worker, twist: Callable[[str], str]):
    game = bot.seated()
    held = bot.take()
    unknown = {**held, "work": twist(held["work"])}
    assert refused(bot.answer(unknown)) == refused(bot.abort(unknown)) == (404, "work_not_found")
    assert is_open(gs, game) and gs.adapters.work.held(bot.name) == 1


def test_work_is_its_bots_alone(gs: GameState, bot: Worker):
    mate = Worker(gs, "mate")
    game = bot.seated({"bot": mate.name})
    held = bot.take()
    for thief in (mate, Worker(gs)):
        assert refused(thief.answer(held)) == refused(thief.abort(held)) == (404, "work_not_found")
    guessed = {**held, "work": held["work"][:-1] + ("0" if held["work"][-1] != "0" else "1")}
    assert refused(bot.answer(guessed)) == (409, "work_not_held")
    assert is_open(gs, game) and bot.answer(held).status_code == 201


def test_work_in_a_game_that_is_out_of_service_keeps_nobody_from_other_work(gs: GameState, bot: Worker):
    broken, sound = bot.seated(), bot.seated()
    gs.redis.hset(game_key(broken, "meta"), "quarantined", "of a test")
    assert bot.take()["question"]["game"] == sound
    assert gs.adapters.work.held(bot.name) == 1


def test_work_answered_by_another_meanwhile_is_passed_over(gs: GameState, bot: Worker):
    game = bot.seated()
    move = bot.call("GET", f"/games/{game}/decisions/1.0").json["legal_moves"][0]
    assert stand_in(gs, game, move).status_code == 201
    assert bot.turns() == [] and bot.take() is None


class Sent(list):
    """What a dispatcher has sent."""

    def __call__(self, task: str, details: Json, seconds: float) -> None:
        self.append((task, details))


def replaced(bot: Worker) -> dict[str, float]:
    """How often another was asked for a bot, by reason."""
    return {reason: count for reason in ("untaken", "expired", "aborted") if (count := REGISTRY.get_sample_value(
        "whistlestop_replaced_bots_total", {"bot": bot.name, "reason": reason}))}  # fmt: skip


@pytest.mark.parametrize("reason", ["untaken", "expired", "aborted"])
def test_the_fallback_stands_in_then_the_default_and_the_reason_is_counted(
    gs: GameState, bot: Worker, short_lease: None, reason: str
):
    game = bot.seated()
    sent = Sent()
    dispatcher = Dispatcher(gs.redis, sent, Backlog(gs.redis))
    dispatcher.sweep([shard_of(game)])
    if reason == "expired":
        bot.take()
        expire(bot)
    for _ in range(2 if reason == "aborted" else 0):
        bot.abort(bot.take())
    for _ in range(3):
        if reason == "untaken" or sent:
            gs.redis.zadd(shard_key(shard_of(game), "agenda"), {member("work", game, "1.0"): 0})
        until(lambda: dispatcher.sweep([shard_of(game)]), "what is due")
    asked = [(task, details) for task, details in sent if details.get("decision") == "1.0"]
    choice = {"game": game, "decision": "1.0"}
    assert asked == [(queues.AI_ANSWER_FALLBACK, choice), *[(queues.MAINTENANCE_FORCE_ANSWER, choice)] * 2]
    assert replaced(bot) == {reason: 1}


def test_work_that_the_fallback_was_asked_for_is_not_taken(gs: GameState, bot: Worker):
    game = bot.seated()
    gs.redis.zadd(shard_key(shard_of(game), "agenda"), {member("work", game, "1.0"): 0})
    assert [item.purpose for item in Agenda(gs.redis).claim(shard_of(game)) if item.game == game] == ["work"]
    assert bot.take() is None


def test_a_bot_that_comes_back_goes_on_with_the_next_decision(gs: GameState, bot: Worker, monkeypatch):
    game = bot.seated({"bot": bot.name})
    with monkeypatch.context() as short:
        short.setattr(work, "LEASE", 20)
        lost = bot.take()["question"]
    expire(bot)
    assert stand_in(gs, game, lost["legal_moves"][0], lost["decision"]).status_code == 201
    assert bot.answer(bot.take()).status_code == 201
    assert [turn["game"] for turn in bot.turns()] == [game]
    assert bot.take()["question"]["kind"] == "turn"
