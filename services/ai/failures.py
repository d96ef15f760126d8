"""How a bot can fail at a decision, which the fallback then takes for it."""

from __future__ import annotations

from prometheus_client import Counter

from services.ai.guard import TooSlow
from shared.kernel import Decision, Move, Rules, State, check, move_from_plain, move_to_plain

THREW, ILLEGAL, TOO_SLOW, OUT_OF_MEMORY = "threw", "illegal", "too_slow", "out_of_memory"

FAILURES = Counter("whistlestop_bot_failures_total", "Decisions that a bot lost to the fallback.", ["bot", "reason"])


class Illegal(Exception):
    """A bot has chosen what is no legal answer."""


def legal_answer(rules: Rules, state: State, decision: Decision, move: Move) -> Move:
    """The move as it would come through the API, where a city has a name and no number counts from behind.

    Raises Illegal unless that is a legal answer; what is no move at all is none.
    """
    try:
        sent = move_from_plain(rules, move_to_plain(rules, move))
        check(rules, state, decision, sent)
    except Exception as error:
        raise Illegal(str(error)) from error
    return sent


def reason_of(error: BaseException) -> str:
    """The reason why a bot failed, by what it raised."""
    if isinstance(error, TooSlow):
        return TOO_SLOW
    if isinstance(error, MemoryError):
        return OUT_OF_MEMORY
    return ILLEGAL if isinstance(error, Illegal) else THREW
