"""Moves: what a seat answers a decision with."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from shared.kernel.decisions import Decision
from shared.kernel.fields import Record
from shared.kernel.kinds import KEEP_TICKETS, OPENING_TICKETS, PASS, SECOND_CARD
from shared.kernel.violations import RuleViolation

if TYPE_CHECKING:
    from shared.kernel.ruleset import Rules
    from shared.kernel.state import State


class Move(Record):
    """Base of all moves; each mechanic defines its own."""

    __slots__ = ()
    kind: ClassVar[int] = -1

    def seen_by(self, rules: Rules, head: State, mover: int, seat: int) -> Move:
        """What `seat` may see of it. Most moves are public; the others say what they hide."""
        return self


class Pass(Move):
    """No action; only where none is legal (BASE-9)."""

    __slots__ = ()
    kind = PASS


PASS_MOVE = Pass()


def refuse_kind(decision: Decision, move: Move) -> None:
    """Raises the RuleViolation for a move of a kind that cannot answer this kind of decision."""
    data = {"decision": decision.name, "move": type(move).__name__}
    if decision.kind == SECOND_CARD:
        raise RuleViolation("second_card_due", "BASE-16", data)
    if decision.kind == OPENING_TICKETS:
        raise RuleViolation("tickets_due", "BASE-5", data)
    if decision.kind == KEEP_TICKETS:
        raise RuleViolation("tickets_due", "BASE-31", data)
    raise RuleViolation("not_an_action", "BASE-7", data)
