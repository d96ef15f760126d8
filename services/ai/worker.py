"""One answer of a bot: ask the public API what must be chosen, choose, answer."""

from __future__ import annotations

import hashlib
import logging
from typing import Any

from prometheus_client import Counter

from services.ai.bots import BOTS, FALLBACK, Bot
from shared.catalog import rules_for
from shared.client import Client, Conflict, RuleBroken
from shared.contracts.notes import MOST_BYTES
from shared.kernel import (
    Decision,
    FastChance,
    Move,
    Rules,
    View,
    is_legal,
    move_from_plain,
    move_to_plain,
    state_from_plain,
)

log = logging.getLogger(__name__)

ANSWERS = Counter("whistlestop_bot_answers_total", "What became of a bot's turn.", ["bot", "outcome"])

Json = dict[str, Any]


class Question:
    """An open decision as its seat sees it, with the luck a bot may use for it: the same whenever it is asked."""

    def __init__(self, asked: Json) -> None:
        plain = asked["view"]
        self.game: str = asked["game"]
        self.rules: Rules = rules_for(plain["ruleset"], seats=plain["seats"], options=plain["options"])
        view = state_from_plain(self.rules, plain)
        decision = view.decision(asked["decision"])
        assert isinstance(view, View) and decision is not None
        self.view: View = view
        self.decision: Decision = decision
        self.legal_moves: list[Move] = [move_from_plain(self.rules, move) for move in asked["legal_moves"]]
        self.notes: str = asked["notes"]

    def put_to(self, bot: Bot) -> tuple[Move, str]:
        """The bot's move and the notes it wants kept."""
        digest = hashlib.sha256(f"{self.game} {self.decision.id}".encode()).digest()
        chance = FastChance(int.from_bytes(digest[:8], "big"))
        return bot.choose(self.rules, self.view.copy(), self.decision, self.legal_moves[:], self.notes, chance)

    def fallback(self) -> Move:
        """A legal move without judgement."""
        return self.put_to(BOTS[FALLBACK])[0]


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
    question = Question(asked)
    move, notes = _choice(question, name)
    if move is not None:
        try:
            if notes != question.notes:
                client.keep_notes(game, question.decision.seat, notes)
            return _send(client, question, move, "answered")
        except RuleBroken as problem:
            broken = [violation["rule"] for violation in problem.violations]
            log.error("the move of a bot was refused", extra={"bot": name, "rules": broken})
    return _send(client, question, question.fallback(), "fallback")


def _choice(question: Question, name: str) -> tuple[Move | None, str]:
    """The bot's move and notes; no move where the bot fails, which is logged and none of the game's business."""
    try:
        move, notes = question.put_to(BOTS[name])
        if not is_legal(question.rules, question.view, question.decision, move):
            raise ValueError("a move against the rules")
        if len(notes.encode()) > MOST_BYTES:
            raise ValueError("notes too long to be kept")
        return move, notes
    except Exception:
        log.exception("a bot failed", extra={"bot": name, "decision": question.decision.id})
    return None, question.notes


def _send(client: Client, question: Question, move: Move, outcome: str) -> str:
    try:
        answered = client.answer(question.game, question.decision.id, move_to_plain(question.rules, move))
    except Conflict:
        return "late"
    return outcome if answered["first"] else "repeated"
