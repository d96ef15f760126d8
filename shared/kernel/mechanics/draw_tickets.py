"""Drawing tickets from one deck, at the opening and as a turn's action (BASE-31, BASE-33, BASE-34)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from shared.kernel import kinds
from shared.kernel.decisions import Decision
from shared.kernel.mechanic import Mechanic
from shared.kernel.mechanics.tickets import offer_tickets
from shared.kernel.moves import Move
from shared.kernel.state import State
from shared.kernel.ticket_deck import Tickets
from shared.kernel.violations import RuleViolation

if TYPE_CHECKING:
    from shared.kernel.engine import Play
    from shared.kernel.ruleset import Rules


class DrawTickets(Move):
    """Draws tickets; which to keep is the next decision."""

    __slots__ = ()
    kind = kinds.DRAW_TICKETS


DRAW_TICKETS: Final = DrawTickets()


class TicketDraw(Mechanic):
    """Deals the opening tickets, and lets a seat draw more."""

    lists = (kinds.TURN,)
    owns = (DrawTickets,)

    def __init__(self, rules: Rules, config: dict[str, Any]) -> None:
        super().__init__(rules, config)
        self.opening: int = config["opening"]
        self.number: int = config["number"]

    def setup(self, play: Play) -> None:
        for seat in range(play.rules.seats):
            offer_tickets(play, seat, [self.opening])
        for seat in range(play.rules.seats):
            play.open_decision(seat, kinds.OPENING_TICKETS)

    def moves(self, rules: Rules, state: State, decision: Decision, out: list[Move]) -> None:
        tickets: Tickets = state.parts[kinds.TICKETS]
        if tickets.deck_sizes[0]:
            out.append(DRAW_TICKETS)

    def check(self, rules: Rules, state: State, decision: Decision, move: Move) -> None:
        if state.parts[kinds.TICKETS].deck_sizes[0] == 0:
            raise RuleViolation("no_tickets_left", "BASE-34", {"left": 0})

    def play(self, play: Play, decision: Decision, move: Move) -> None:
        offer_tickets(play, decision.seat, [self.number])
        play.open_decision(decision.seat, kinds.KEEP_TICKETS)

    def default(self, rules: Rules, state: State, decision: Decision) -> Move | None:
        return DRAW_TICKETS if state.parts[kinds.TICKETS].deck_sizes[0] else None
