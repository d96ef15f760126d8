"""Moves: what a seat answers a decision with."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from shared.kernel import kinds
from shared.kernel.decisions import Decision
from shared.kernel.fields import Cost, Record
from shared.kernel.violations import MalformedMove, RuleViolation

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


def named_once(cards: Cost, pointer: str) -> Cost:
    """The cards in the order of their kinds; raises MalformedMove if a kind comes twice or not at all, as each entry
    alone may be in the hand."""
    if len(dict(cards)) < len(cards) or min([number for _, number in cards], default=1) < 1:
        raise MalformedMove(pointer, "each kind of card is named once, with a number from 1")
    return tuple(sorted(cards))


def tickets_once(tickets: tuple[int, ...] | None, pointer: str) -> tuple[int, ...] | None:
    """The tickets, where they are not hidden, in the board's order; raises MalformedMove if one comes twice."""
    if tickets is None:
        return None
    if len(set(tickets)) < len(tickets):
        raise MalformedMove(pointer, "a ticket is named twice")
    return tuple(sorted(tickets))


def refuse_kind(decision: Decision, move: Move) -> None:
    """Raises the RuleViolation for a move of a kind that cannot answer this kind of decision."""
    code, rule = DUE[decision.kind]
    raise RuleViolation(code, rule, {"decision": decision.name, "move": type(move).__name__})
