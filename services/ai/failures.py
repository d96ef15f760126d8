"""How a bot can fail at a decision, which the fallback then takes for it."""

from __future__ import annotations

from prometheus_client import Counter

from services.ai.guard import TooSlow
from shared.kernel import Decision, Move, Rules, State, check

THREW, ILLEGAL, TOO_SLOW, OUT_OF_MEMORY = "threw", "illegal", "too_slow", "out_of_memory"

FAILURES = Counter("whistlestop_bot_failures_total", "Decisions that a bot lost to the fallback.", ["bot", "reason"])


class Illegal(Exception):
    """A bot has chosen what is no legal answer."""


def check_answer(rules: Rules, state: State, decision: Decision, move: Move) -> None:
    """Raises Illegal unless the move is a legal answer; what is no move at all is none."""
    try:
        check(rules, state, decision, move)
    except Exception as error:
        raise Illegal(str(error)) from error


def reason_of(error: BaseException) -> str:
    """The reason why a bot failed, by what it raised."""
    if isinstance(error, TooSlow):
        return TOO_SLOW
    if isinstance(error, MemoryError):
        return OUT_OF_MEMORY
    return ILLEGAL if isinstance(error, Illegal) else THREW
