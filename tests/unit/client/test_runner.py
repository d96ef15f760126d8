"""A bot at work: whatever the gateway and the bot do, it goes on, says what happened, and ends when it is to."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from flask import Response, request

from shared.catalog import rules_for
from shared.client import ApiProblem, Bot, Client, Question, runner
from shared.client.runner import Runner, run
from shared.kernel import legal_moves, move_to_plain, state_to_plain, view_for
from shared.web import Problem
from tests.kernel_games import play
from tests.polling import until
from tests.unit.client.conftest import Script

Json = dict[str, Any]
RULES = rules_for("usa@1", 2)
STATE = next(state for state in play(RULES, 23).states[30:] if state.decisions[0].name == "turn")
DECISION = STATE.decisions[0]
VIEW = view_for(RULES, STATE, DECISION.seat)
MOVES = [move_to_plain(RULES, move) for move in legal_moves(RULES, VIEW, DECISION)]
BOT = {"bot": "acme.first", "about": "Of a test.", "rulesets": ["usa"], "concurrency": 1}
ANSWERED = {"decision": DECISION.id, "version": 40, "commit": {"version": 40}}
NONE = Response(status=204)
GOING_ON = {"result": None, "seats": []}


def work(game: str = "g", **more: Any) -> tuple[Json, int]:
    """What the gateway gives as work."""
    asked = {
        "game": game, "decision": DECISION.id, "seat": DECISION.seat, "kind": "turn", "status": "open",
        "opened": DECISION.opened, "deadline": None, "commit": None, "view": state_to_plain(RULES, VIEW),
        "legal_moves": MOVES, "notes": "", **more,
    }  # fmt: skip
    return {"work": f"{game}.{DECISION.id}.{'0' * 16}", "lease": 15, "question": asked}, 201


class First(Bot):
    """Gives the first legal move, or does what a test wants."""

    name = "first"
    about = "Of a test."

    def __init__(self, does: Callable[[Question], Any] = lambda question: question.legal_moves[0]) -> None:
        self.does = does

    def choose(self, question: Question) -> Any:
        return self.does(question)


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "PAUSE_SECONDS", 0.01)
    monkeypatch.setattr(runner, "PATIENCE_SECONDS", 0.3)


@contextmanager
def working(url: str, bot: Bot) -> Iterator[list[str]]:
    """Lets a bot work in the background for as long as the block lasts; gives what is said."""
    said: list[str] = []
    at_work = Runner(bot, Client(url, "bt_x"), said.append)
    thread = threading.Thread(target=at_work.run)
    thread.start()
    try:
        yield said
    finally:
        at_work.end()
        thread.join(10)
        assert not thread.is_alive()


def asked(script: Script, path: str) -> list[Json | None]:
    """The bodies of the requests for a path."""
    return [body for method, full, body, _ in script.requests if f"{method} {full}" == path]


def gateway(works: list[Any], views: list[Json], concurrency: int = 1) -> Callable[[], Any]:
    """Replies by what is asked: with works and views in turn, with the last view again and again."""

    def reply() -> Any:
        if request.path == "/v1/bots/me":
            return {**BOT, "concurrency": concurrency}
        if request.path == "/v1/bots/me/work":
            return works.pop(0) if works else NONE
        if request.path == "/v1/games/g":
            return views.pop(0) if len(views) > 1 else views[0]
        return ANSWERED, 201

    return reply


ANSWER = f"PUT /v1/bots/me/work/g.{DECISION.id}.{'0' * 16}/answer"
ABORT = f"DELETE /v1/bots/me/work/g.{DECISION.id}.{'0' * 16}"
TAKE = "POST /v1/bots/me/work?wait=5"


def test_it_takes_work_and_answers(script: Script, url: str) -> None:
    script.replies = [BOT, work(), (ANSWERED, 201), NONE]
    with working(url, First()) as said:
        until(lambda: len(asked(script, TAKE)) > 1, "the next turn")
    assert asked(script, ANSWER) == [{"move": MOVES[0]}]
    assert script.requests[0][:2] == ("GET", "/v1/bots/me")
    assert {headers["Authorization"] for *_, headers in script.requests} == {"Bearer bt_x"}
    assert said[0].startswith(f"acme.first plays at {url}, up to 1 decisions at once")
    assert said[1:] == ["g goes on: usa@1, 2 seats", "ending"]


def test_a_line_tells_that_a_game_begins_and_one_how_it_ended(
    script: Script, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runner, "QUIET_SECONDS", 0.01)
    sheet = [{"seat": 0, "total": 97, "rank": 2}, {"seat": 1, "total": 112, "rank": 1}]
    over = {"result": {"seats": sheet}, "seats": [{"seat": 0, "bot": "greedy"}, {"seat": 1, "bot": "acme.first"}]}
    script.replies = [gateway([work(opened=1)], [GOING_ON, GOING_ON, over])]
    with working(url, First()) as said:
        until(lambda: len(said) > 2, "the end of the game")
    assert said[1:3] == ["g begins: usa@1, 2 seats", "g is over: seat 1 has 112 points, rank 1 of 2"]


def test_notes_are_kept_before_the_answer(script: Script, url: str) -> None:
    def remember(question: Question) -> Any:
        question.notes = f"{question.notes}, red"
        return question.legal_moves[0]

    script.replies = [BOT, work(notes="blue"), {"notes": "blue, red"}, (ANSWERED, 201), NONE]
    with working(url, First(remember)):
        until(lambda: asked(script, ANSWER), "the answer")
    notes = f"PUT /v1/games/g/seats/{DECISION.seat}/notes"
    assert asked(script, notes) == [{"notes": "blue, red"}]
    assert [path for path in script.paths if path.startswith("PUT")][0] == notes.replace("/v1", "")


def throw(question: Question) -> Any:
    raise LookupError("lost its way")


@pytest.mark.parametrize(("does", "told"), [
    (throw, "LookupError: lost its way"),
    (lambda question: sys.exit("enough"), "SystemExit: enough"),
    (lambda question: None, "choose gave None, not a move"),
    (lambda question: "red", "choose gave 'red', not a move"),
])  # fmt: skip
def test_work_that_the_bot_fails_at_is_given_back(script: Script, url: str, does: Any, told: str) -> None:
    script.replies = [BOT, work(), NONE, NONE]
    with working(url, First(does)) as said:
        until(lambda: len(asked(script, TAKE)) > 1, "the next turn")
    assert asked(script, ABORT) and not asked(script, ANSWER)
    assert f"g {DECISION.id}: the bot failed" in said[2] and told in said[2]


def test_a_refused_move_is_told_with_its_rule_and_the_work_given_back(script: Script, url: str) -> None:
    broken = {"code": "no_train_cards", "rule": "BASE-18", "text": "The text of the rule.", "data": {"held": 1}}
    script.replies = [BOT, work(), Problem(422, "rule_violation", violations=[broken]), NONE, NONE]
    with working(url, First()) as said:
        until(lambda: len(asked(script, TAKE)) > 1, "the next turn")
    assert "BASE-18: The text of the rule." in said[2]
    assert len(asked(script, ABORT)) == 1


@pytest.mark.parametrize("code", ["work_expired", "work_aborted", "work_not_held", "decision_answered"])
def test_an_answer_that_comes_too_late_is_told_and_not_given_back(script: Script, url: str, code: str) -> None:
    script.replies = [BOT, work(), Problem(409, code, "Too late."), NONE]
    with working(url, First()) as said:
        until(lambda: len(asked(script, TAKE)) > 1, "the next turn")
    assert said[2] == f"g {DECISION.id}: 409 {code}: Too late."
    assert not asked(script, ABORT)


def test_a_gateway_that_is_away_is_waited_for_and_that_is_said_once(script: Script, url: str) -> None:
    away = Problem(503, "store_unavailable", "Away.", retry_after=1)
    script.replies = [away, away, BOT, work(), (ANSWERED, 201), away, away, away, NONE]
    with working(url, First()) as said:
        until(lambda: said.count("going on") == 2, "the gateway to be back twice")
        until(lambda: len(asked(script, TAKE)) > 4, "the next turn")
    assert [line for line in said if "trying again" in line] == ["503 store_unavailable: Away.; trying again"] * 2
    assert asked(script, ANSWER) == [{"move": MOVES[0]}]


@pytest.mark.parametrize("refusal", [Problem(401, "token_invalid"), Problem(403, "token_not_allowed"),
                                     Problem(404, "bot_not_found")])  # fmt: skip
@pytest.mark.parametrize("before", [[], [BOT], [BOT, work(), (ANSWERED, 201)]])
def test_it_ends_when_the_gateway_lets_it_in_no_more(
    script: Script, url: str, before: list[Any], refusal: Problem
) -> None:
    script.replies = [*before, refusal]
    with pytest.raises(ApiProblem) as told:
        Runner(First(), Client(url, "bt_x"), lambda _: None).run()
    assert told.value.code == refusal.code
    assert len(script.requests) == len(before) + 1


def test_as_many_decisions_as_it_may_hold_are_thought_about_at_once(script: Script, url: str) -> None:
    together = threading.Barrier(3, timeout=10)

    def think(question: Question) -> Any:
        together.wait()
        return question.legal_moves[0]

    script.replies = [gateway([work(), work(), work()], [GOING_ON], concurrency=3)]
    with working(url, First(think)) as said:
        until(lambda: len(asked(script, ANSWER)) == 3, "three answers")
    assert not [line for line in said if "failed" in line]


def test_answers_that_make_no_sense_end_it(script: Script, url: str) -> None:
    script.replies = [BOT, ({"of": "another version"}, 201)]
    with pytest.raises(KeyError):
        Runner(First(), Client(url, "bt_x"), lambda _: None).run()


def test_without_a_token_it_is_said_where_to_get_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("WHISTLESTOP_TOKEN", raising=False)
    with pytest.raises(SystemExit) as told:
        run(First())
    assert "bot create" in str(told.value)


def test_a_token_that_is_void_ends_it_with_words(
    script: Script, url: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(os.environ, "WHISTLESTOP_URL", url)
    monkeypatch.setitem(os.environ, "WHISTLESTOP_TOKEN", "bt_void")
    script.replies = [Problem(401, "token_invalid", "A valid token is needed.")]
    with pytest.raises(SystemExit) as told:
        run(First())
    assert "401 token_invalid" in str(told.value) and "WHISTLESTOP_TOKEN" in str(told.value)


def test_a_signal_ends_it_and_whoever_runs_it_has_its_own_handlers_back(script: Script, url: str) -> None:
    numbers = (signal.SIGTERM, signal.SIGINT)
    before = [signal.getsignal(number) for number in numbers]
    script.replies = [BOT, lambda: os.kill(os.getpid(), signal.SIGTERM) or NONE]
    run(First(), Client(url, "bt_x"))
    assert [signal.getsignal(number) for number in numbers] == before
