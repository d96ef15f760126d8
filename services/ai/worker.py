"""One answer of a bot: ask the public API what must be chosen, choose, answer."""

from __future__ import annotations

import logging
import traceback
from typing import Any

from billiard.common import terminate_handler_fired
from prometheus_client import Counter, Histogram

from services.ai.bots import BOTS, FALLBACK
from services.ai.failures import FAILURES, ILLEGAL, legal_answer, reason_of
from services.ai.guard import Guard
from services.ai.safe_words import safe_words
from shared.client import Client, Conflict, Question, RuleBroken
from shared.kernel import Move, move_to_plain

log = logging.getLogger(__name__)

ANSWERS = Counter("whistlestop_bot_answers_total", "What became of a bot's turn.", ["bot", "outcome"])
THINKING = Histogram(
    "whistlestop_bot_decision_seconds",
    "CPU time that a bot took to choose.",
    ["bot"],
    buckets=(0.001, 0.01, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0),
)

Json = dict[str, Any]


def answer(client: Client, game: str, decision: str, name: str) -> str:
    """Answers a decision with what the bot `name` chooses; gives what became of it, which is also counted.

    answered: by the bot's own move; fallback: by any legal one, because the bot failed; repeated: this very answer was
    there before; late: the decision is no longer open. Raises ApiProblem or Unreachable where the API fails.
    """
    outcome = _answer(client, game, decision, name)
    ANSWERS.labels(name, outcome).inc()
    return outcome


def _answer(client: Client, game: str, decision: str, name: str) -> str:
    asked = client.decision(game, decision)
    if asked["status"] != "open":
        return "late"
    move, notes = _choice(asked, name)
    if move is not None:
        try:
            if notes != asked["notes"]:
                client.keep_notes(game, asked["seat"], notes)
            return _send(client, asked, move, "answered")
        except RuleBroken as problem:
            broken = ", ".join(violation["rule"] for violation in problem.violations)
            FAILURES.labels(name, ILLEGAL).inc()
            log.error("the move of a bot was refused", extra={"bot": name, "error": f"against {broken}"})
    question = Question.from_plain(asked)
    return _send(client, asked, _plain(question, BOTS[FALLBACK].choose(question)), "fallback")


def _choice(asked: Json, name: str) -> tuple[Json | None, str]:
    """The bot's move and notes; no move where the bot fails, which is counted, logged and none of the game's business.
    """
    question = None
    try:
        question = Question.from_plain(asked)
        with Guard() as guard:
            guard.begin()
            try:
                chosen = BOTS[name].choose(question)
            finally:
                THINKING.labels(name).observe(guard.end())
        asked_again = Question.from_plain(asked)  # untouched by the bot
        move = legal_answer(asked_again.rules, asked_again.view, asked_again.decision, chosen)
        return _plain(question, move), question.notes
    except BaseException as error:  # whatever a bot raises, even to end the process
        if terminate_handler_fired():
            raise
        traceback.clear_frames(error.__traceback__)  # which hold what a bot has filled the memory with
        FAILURES.labels(name, reason_of(error)).inc()
        words = safe_words(error, question and question.rules)
        log.exception("a bot failed", extra={"bot": name, "decision": asked["decision"], "error": words})
    return None, asked["notes"]


def _plain(question: Question, move: Move) -> Json:
    return move_to_plain(question.rules, move)


def _send(client: Client, asked: Json, move: Json, outcome: str) -> str:
    try:
        answered = client.answer(asked["game"], asked["decision"], move)
    except Conflict:
        return "late"
    return outcome if answered["first"] else "repeated"
