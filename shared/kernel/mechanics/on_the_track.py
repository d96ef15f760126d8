"""Completing tickets with the on-the-track stack, last turns and halves (CG-19 to CG-30, CG-32)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from shared.kernel import kinds
from shared.kernel.cards import Cards
from shared.kernel.decisions import Decision
from shared.kernel.events import LAST_ROUND, Event, LastRoundStarted, TurnStarted
from shared.kernel.knapsack import best_set, is_payable, payments_for
from shared.kernel.mechanic import Mechanic
from shared.kernel.mechanics.display import Display
from shared.kernel.mechanics.train_cards import CardDrawn, top_card
from shared.kernel.moves import Move, tickets_once
from shared.kernel.piles import as_cost
from shared.kernel.state import State
from shared.kernel.ticket_deck import Tickets, bits
from shared.kernel.ticket_events import TicketList
from shared.kernel.violations import RuleViolation
from shared.kernel.yard_events import SecondHalfStarted, StacksOpened, TicketsClaimed, TicketsCompleted
from shared.kernel.yards import Yards

if TYPE_CHECKING:
    from shared.kernel.engine import Play
    from shared.kernel.ruleset import Rules
    from shared.kernel.scoring import ScoreSheet


class CompleteTickets(Move):
    """Names the tickets to complete, perhaps none (CG-22); raises MalformedMove if one comes twice."""

    __slots__ = ("tickets",)
    kind = kinds.COMPLETE_TICKETS_MOVE
    fields = (("tickets", TicketList(number_hidden=True)),)

    def __init__(self, tickets: tuple[int, ...] | None) -> None:
        self.tickets: tuple[int, ...] | None = tickets_once(tickets, "/tickets")

    def seen_by(self, rules: Rules, head: State, mover: int, seat: int) -> Move:
        """Nothing, until all have named theirs."""
        return self if seat == mover else CompleteTickets(None)


class OnTheTrack(Mechanic):
    """Runs the end of each half. Stands after the display, which it lays out anew for the second half."""

    lists = (kinds.COMPLETE_TICKETS,)
    owns = (CompleteTickets,)
    reacts = (kinds.TURN_ENDED,)

    def __init__(self, rules: Rules, config: dict[str, Any]) -> None:
        super().__init__(rules, config)
        self.second_hand: int = config["second_hand"]

    def suggestion(self, rules: Rules, state: State, seat: int) -> tuple[int, ...]:
        """The set of tickets in hand with the highest total that the stack can pay for (CG-23)."""
        held = bits(state.parts[kinds.TICKETS].hands[seat])
        needs = [rules.board.ticket_costs[ticket] for ticket in held]
        points = [rules.board.ticket_points[ticket] for ticket in held]
        places = best_set(needs, points, state.parts[kinds.YARDS].stacks[seat], rules.wild)
        return tuple([held[place] for place in places])

    def payments(self, rules: Rules, state: State, seat: int, tickets: tuple[int, ...]) -> list[list[int]] | None:
        """The cards of the stack, by kind, that pay for each of these tickets, or None (CG-22)."""
        needs = [rules.board.ticket_costs[ticket] for ticket in tickets]
        return payments_for(needs, state.parts[kinds.YARDS].stacks[seat], rules.wild)

    def moves(self, rules: Rules, state: State, decision: Decision, out: list[Move]) -> None:
        """First the suggestion (CG-23), then each ticket that can be paid alone, and none; every other valid claim is
        legal too."""
        seat = decision.seat
        best = self.suggestion(rules, state, seat)
        out.append(CompleteTickets(best))
        stack = state.parts[kinds.YARDS].stacks[seat]
        for ticket in bits(state.parts[kinds.TICKETS].hands[seat]):
            if best != (ticket,) and is_payable(rules.board.ticket_costs[ticket], stack, rules.wild):
                out.append(CompleteTickets((ticket,)))
        if best:
            out.append(CompleteTickets(()))

    def check(self, rules: Rules, state: State, decision: Decision, move: Move) -> None:
        assert isinstance(move, CompleteTickets) and move.tickets is not None
        seat = decision.seat
        for ticket in move.tickets:
            if not state.parts[kinds.TICKETS].hands[seat] >> ticket & 1:
                raise RuleViolation("ticket_not_held", "CG-20", {"ticket": rules.board.tickets[ticket]})
        if self.payments(rules, state, seat, move.tickets) is None:
            data = {"tickets": [rules.board.tickets[ticket] for ticket in move.tickets]}
            raise RuleViolation("stack_cannot_pay", "CG-22", data)

    def play(self, play: Play, decision: Decision, move: Move) -> None:
        assert isinstance(move, CompleteTickets)
        play.emit(TicketsClaimed(decision.seat, move.tickets))
        if not play.state.decisions:
            self.settle(play)

    def default(self, rules: Rules, state: State, decision: Decision) -> Move | None:
        return CompleteTickets(self.suggestion(rules, state, decision.seat))

    def react(self, play: Play, event: Event) -> None:
        """The last turns start when the deck is empty (CG-19); after them everybody completes tickets (CG-20)."""
        state = play.state
        cards: Cards = state.parts[kinds.CARDS]
        if state.turns_left == 0:
            yards: Yards = state.parts[kinds.YARDS]
            play.emit(StacksOpened(tuple([tuple(stack) for stack in yards.stacks]), to_all=False))
            for seat in range(state.seats):
                play.open_decision(seat, kinds.COMPLETE_TICKETS)
        elif state.turns_left < 0 and cards.deck_size == 0:
            play.emit(LastRoundStarted(state.turn))

    def settle(self, play: Play) -> None:
        """Shows and scores all claims, then goes on to the second half or ends the game (CG-24 to CG-26)."""
        rules, state = play.rules, play.state
        yards: Yards = state.parts[kinds.YARDS]
        for seat, claim in enumerate(yards.claims[:]):
            tickets = tuple(bits(claim))
            paid = self.payments(rules, state, seat, tickets)
            assert paid is not None
            costs = [as_cost(cards) for cards in paid]
            points = sum([rules.board.ticket_points[ticket] for ticket in tickets])
            play.emit(TicketsCompleted(seat, tuple(zip(tickets, costs, strict=True)), points))
        if yards.half == yards.halves:
            play.end_game(LAST_ROUND)
        else:
            self.start_second_half(play)

    def start_second_half(self, play: Play) -> None:
        """Deals from the new deck as far as it reaches, first to the hands, then to the display (CG-26 to CG-29)."""
        state = play.state
        cards: Cards = state.parts[kinds.CARDS]
        play.emit(SecondHalfStarted())
        first = (state.turn + 1) % state.seats
        for number in range(self.second_hand * state.seats):
            if cards.deck_size:
                play.emit(CardDrawn((first + number) % state.seats, top_card(play)))
        for mechanic in play.rules.mechanics:
            if isinstance(mechanic, Display):
                mechanic.settle(play)
        if cards.deck_size == 0:
            play.emit(LastRoundStarted(state.turn))
        play.emit(TurnStarted(first))

    def running(self, rules: Rules, state: State, sheet: ScoreSheet) -> None:
        yards: Yards = state.parts[kinds.YARDS]
        for seat in range(rules.seats):
            for ticket, cards in yards.paid_by(seat).items():
                sheet.completed[seat] += 1
                paid = {rules.kinds[kind]: number for kind, number in cards}
                evidence = {"ticket": rules.board.tickets[ticket], "completed": True, "cards": paid}
                sheet.add(seat, rules.board.ticket_points[ticket], "ticket", "CG-24", evidence)

    def score(self, rules: Rules, state: State, sheet: ScoreSheet) -> None:
        tickets: Tickets = state.parts[kinds.TICKETS]
        for seat, hand in enumerate(tickets.hands):
            for ticket in bits(hand):
                evidence = {"ticket": rules.board.tickets[ticket], "completed": False}
                sheet.add(seat, -rules.board.ticket_points[ticket], "ticket", "CG-30", evidence)
