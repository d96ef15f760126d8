"""One answer of a bot: through the API, from its seat's view, at most one counts, and always some legal move."""

from __future__ import annotations

import logging
import random
from collections.abc import Callable

import pytest

from services.ai import failures, worker
from services.ai.bots import BOTS, FALLBACK
from shared.catalog import rules_for
from shared.client import Bot, Client, Question
from shared.kernel import DrawFromDeck, KeepTickets, Move, View
from tests.kernel_games import Game, play
from tests.service.ai import odd_bots
from tests.service.ai.conftest import FakeGateway

RULES = rules_for("usa@1", 4)


@pytest.fixture(scope="module")
def game() -> Game:
    """A whole game of four seats."""
    return play(RULES, 3)


@pytest.mark.parametrize("name", sorted(BOTS))
def test_every_bot_answers_every_kind_of_question_with_a_listed_move(
    gateway: FakeGateway, client: Client, game: Game, name: str
) -> None:
    for state in random.Random(5).sample(game.states[:-1], 60) + game.states[:5]:
        decision = gateway.ask(RULES, state)
        assert worker.answer(client, "g", decision, name) == "answered"
        assert gateway.answer in gateway.question["legal_moves"]
        path = f"/v1/games/g/decisions/{decision}"
        assert gateway.asked == [f"GET {path}", f"PUT {path}/answer"]


@pytest.mark.parametrize("name", sorted(set(BOTS) - {"search"}))  # which thinks for as long as it may
def test_a_duplicate_of_the_task_gives_the_same_answer(
    gateway: FakeGateway, client: Client, game: Game, name: str
) -> None:
    for state in game.states[1:60:7]:
        decision = gateway.ask(RULES, state)
        worker.answer(client, "g", decision, name)
        first, gateway.answer = gateway.answer, None
        worker.answer(client, "g", decision, name)
        assert gateway.answer == first


def test_two_tasks_at_the_same_decision_are_one_answer(gateway: FakeGateway, client: Client, game: Game) -> None:
    decision = gateway.ask(RULES, game.states[30])
    shown = dict(gateway.question)
    assert worker.answer(client, "g", decision, "greedy") == "answered"
    assert worker.answer(client, "g", decision, "greedy") == "late"
    assert worker._send(client, shown, gateway.answer, "answered") == "repeated"
    other = next(one for one in shown["legal_moves"] if one != gateway.answer)
    assert worker._send(client, shown, other, "answered") == "late"
    assert gateway.given[0] == gateway.given[1] == gateway.answer


class Odd(Bot):
    """A bot that does what the test wants."""

    name = "odd"
    about = "Only in tests."

    def __init__(self, does: object) -> None:
        self.does = does
        self.seen: list[View] = []

    def choose(self, question: Question) -> Move:
        self.seen.append(question.view)
        if isinstance(self.does, Exception):
            raise self.does
        if isinstance(self.does, str):
            question.notes += self.does
        return self.does if isinstance(self.does, Move) else question.legal_moves[0]


@pytest.fixture
def seat_odd(monkeypatch: pytest.MonkeyPatch) -> Callable[[object], Odd]:
    """Lets a bot that does this play as `odd`."""

    def seat(does: object) -> Odd:
        bot = Odd(does)
        monkeypatch.setitem(BOTS, "odd", bot)
        return bot

    return seat


@pytest.mark.parametrize(
    ("does", "words"),
    [
        (ValueError("lost its way"), "ValueError: lost its way"),
        (KeyError("boston-miami"), "KeyError: '#'"),
        (KeepTickets((0,)), "Illegal: #: not_an_action {'decision': 'turn', 'move': 'KeepTickets'}"),
        ("x" * 5000, "ValueError: notes of # bytes: at most # are kept"),
    ],
    ids=["throws", "throws what it holds", "moves against the rules", "keeps too much"],
)
def test_a_bot_that_fails_is_replaced_by_a_legal_move_and_reported(
    gateway: FakeGateway,
    client: Client,
    game: Game,
    seat_odd: Callable[[object], Odd],
    caplog: pytest.LogCaptureFixture,
    does: object,
    words: str,
) -> None:
    seat_odd(does)
    decision = gateway.ask(RULES, game.states[40])
    with caplog.at_level(logging.ERROR):
        assert worker.answer(client, "g", decision, "odd") == "fallback"
    assert gateway.answer in gateway.question["legal_moves"]
    [logged] = [record for record in caplog.records if record.levelname == "ERROR"]
    assert (logged.bot, logged.error) == ("odd", words)


@pytest.mark.usefixtures("scarce_memory")
@pytest.mark.parametrize(
    ("does", "reason"),
    [
        (odd_bots.throw, failures.THREW),
        (odd_bots.throw_what_has_no_words, failures.THREW),
        (odd_bots.end_the_process, failures.THREW),
        (odd_bots.give_no_move, failures.ILLEGAL),
        (odd_bots.compute_for_ever, failures.TOO_SLOW),
        (odd_bots.eat_memory, failures.OUT_OF_MEMORY),
    ],
    ids=lambda value: getattr(value, "__name__", value),
)
def test_the_reason_why_a_bot_failed_is_counted(
    gateway: FakeGateway,
    client: Client,
    game: Game,
    monkeypatch: pytest.MonkeyPatch,
    does: Callable[[Question], Move],
    reason: str,
) -> None:
    monkeypatch.setitem(BOTS, "odd", odd_bots.Odd(does, every=1))
    counter = failures.FAILURES.labels("odd", reason)._value
    before, thought = counter.get(), worker.THINKING.labels("odd")._sum.get()
    assert worker.answer(client, "g", gateway.ask(RULES, game.states[40]), "odd") == "fallback"
    assert counter.get() == before + 1 and worker.THINKING.labels("odd")._sum.get() > thought


def test_a_move_that_the_api_refuses_is_replaced_by_a_legal_one(
    gateway: FakeGateway, client: Client, game: Game, seat_odd: Callable[[object], Odd]
) -> None:
    seat_odd(DrawFromDeck())
    for state in (state for state in game.states if state.decisions[0].name == "turn"):
        decision = gateway.ask(RULES, state)
        question = Question.from_plain({**gateway.question, "notes": ""})
        if not isinstance(BOTS[FALLBACK].choose(question), DrawFromDeck):
            break
    gateway.refuse = [{"move": "DrawFromDeck"}]
    assert worker.answer(client, "g", decision, "odd") == "fallback"
    assert gateway.given[0] == {"move": "DrawFromDeck"} and gateway.answer == gateway.given[1]


def test_a_bot_nobody_knows_any_more_is_replaced(gateway: FakeGateway, client: Client, game: Game) -> None:
    assert worker.answer(client, "g", gateway.ask(RULES, game.states[40]), "retired") == "fallback"


def test_notes_are_kept_before_the_answer_and_given_back(
    gateway: FakeGateway, client: Client, game: Game, seat_odd: Callable[[object], Odd]
) -> None:
    seat_odd("remember!")
    assert worker.answer(client, "g", gateway.ask(RULES, game.states[40]), "odd") == "answered"
    assert gateway.notes == "remember!"


@pytest.mark.rule("VIEW-9")
def test_a_bot_sees_its_seats_view_and_nothing_else(
    gateway: FakeGateway, client: Client, game: Game, seat_odd: Callable[[object], Odd]
) -> None:
    bot = seat_odd(None)
    state = game.states[50]
    seat = state.decisions[0].seat
    worker.answer(client, "g", gateway.ask(RULES, state), "odd")
    [view] = bot.seen
    assert isinstance(view, View) and view.viewer == seat


def test_answers_are_counted_by_bot_and_outcome(gateway: FakeGateway, client: Client, game: Game) -> None:
    counter = worker.ANSWERS.labels("greedy", "answered")._value
    before = counter.get()
    worker.answer(client, "g", gateway.ask(RULES, game.states[10]), "greedy")
    assert counter.get() == before + 1
