"""Moves: what a seat answers a decision with."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from shared.kernel import kinds
from shared.kernel.decisions import Decision
from shared.kernel.fields import Record
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
    kind = kinds.PASS


class Decline(Move):
    """Leaves an optional extra out; the mechanic that offers the extra owns it."""

    __slots__ = ()
    kind = kinds.DECLINE


PASS_MOVE: Final = Pass()
DECLINE_MOVE: Final = Decline()

#: what is due, by which rule, while a decision of this kind is open
DUE: Final[dict[int, tuple[str, str]]] = {
    kinds.TURN: ("not_an_action", "BASE-7"),
    kinds.SECOND_CARD: ("second_card_due", "BASE-16"),
    kinds.OPENING_TICKETS: ("tickets_due", "BASE-5"),
    kinds.KEEP_TICKETS: ("tickets_due", "BASE-31"),
    kinds.STARTING_CITY: ("starting_city_due", "OW-5"),
    kinds.ALVIN_CITY: ("alvin_due", "OW-10"),
    kinds.MARKER: ("marker_due", "OW-8"),
    kinds.ANNOUNCE_SPLIT: ("split_due", "MK-5"),
    kinds.PLACE_PASSENGER: ("passenger_due", "MK-10"),
    kinds.COMPLETE_TICKETS: ("claim_due", "CG-22"),
}


def refuse_kind(decision: Decision, move: Move) -> None:
    """Raises the RuleViolation for a move of a kind that cannot answer this kind of decision."""
    code, rule = DUE[decision.kind]
    raise RuleViolation(code, rule, {"decision": decision.name, "move": type(move).__name__})
