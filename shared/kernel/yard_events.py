"""What happens in the yards of the Card Game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from shared.kernel import kinds
from shared.kernel.cards import Cards
from shared.kernel.events import Event, PublicEvent, register
from shared.kernel.fields import Card, Cost, Field, Flag, Number, Payment, SeatNumber, read_list
from shared.kernel.piles import plain_counts, read_counts
from shared.kernel.state import State
from shared.kernel.ticket_deck import Tickets, mask_of, numbers
from shared.kernel.ticket_events import TicketList
from shared.kernel.ticket_payments import TicketPayments
from shared.kernel.yards import HIDDEN, NOT_MADE, Yards

if TYPE_CHECKING:
    from shared.kernel.ruleset import Rules


class CardGiven(PublicEvent):
    """A seat got an open card at set-up (CG-2)."""

    __slots__ = ("card", "seat")
    kind = kinds.CARD_GIVEN
    fields = (("seat", SeatNumber()), ("card", Card()))

    def __init__(self, seat: int, card: int) -> None:
        self.seat: int = seat
        self.card: int = card

    def fold(self, rules: Rules, state: State) -> None:
        cards: Cards = state.parts[kinds.CARDS]
        cards.reach_hand(self.seat, self.card)
        cards.leave_deck(self.card)


class RowsMoved(PublicEvent):
    """A turn began, and the top card of each own row went face down to the stack (CG-5, CG-6)."""

    __slots__ = ("seat",)
    kind = kinds.ROWS_MOVED
    fields = (("seat", SeatNumber()),)

    def __init__(self, seat: int) -> None:
        self.seat: int = seat

    def fold(self, rules: Rules, state: State) -> None:
        yards: Yards = state.parts[kinds.YARDS]
        rows, wilds = yards.rows[self.seat], yards.wilds[self.seat]
        shown = yards.shows_stack(rules, state, self.seat)
        yards.moved = False
        for colour in range(rules.colours):
            if rows[colour] == 0:
                continue
            yards.moved = True
            top = rules.wild if wilds[colour] else colour
            if wilds[colour]:
                wilds[colour] -= 1
            else:
                rows[colour] -= 1
            yards.sizes[self.seat] += 1
            if shown:
                yards.stacks[self.seat][top] += 1
        yards.starts.append(state.version)
        if len(yards.starts) > state.seats:
            del yards.starts[0]


class CardsPlaced(PublicEvent):
    """A seat placed cards in its yard: one row, or three rows of one (CG-10)."""

    __slots__ = ("cards", "seat")
    kind = kinds.CARDS_PLACED
    fields = (("seat", SeatNumber()), ("cards", Payment()))

    def __init__(self, seat: int, cards: Cost) -> None:
        self.seat: int = seat
        self.cards: Cost = cards

    def fold(self, rules: Rules, state: State) -> None:
        yards: Yards = state.parts[kinds.YARDS]
        cards: Cards = state.parts[kinds.CARDS]
        last = 0
        for kind, number in self.cards:
            cards.leave_hand(self.seat, kind, number)
            if kind == rules.wild:
                yards.wilds[self.seat][last] = number
            else:
                yards.rows[self.seat][kind] = number
                last = kind


class RowRobbed(PublicEvent):
    """A row was discarded, since another seat placed a longer one of its colour (CG-14)."""

    __slots__ = ("colour", "seat")
    kind = kinds.ROW_ROBBED
    fields = (("seat", SeatNumber()), ("colour", Card()))

    def __init__(self, seat: int, colour: int) -> None:
        self.seat: int = seat
        self.colour: int = colour

    def fold(self, rules: Rules, state: State) -> None:
        yards: Yards = state.parts[kinds.YARDS]
        cards: Cards = state.parts[kinds.CARDS]
        rows, wilds = yards.rows[self.seat], yards.wilds[self.seat]
        cards.discard[self.colour] += rows[self.colour]
        cards.discard[rules.wild] += wilds[self.colour]
        cards.discard_size += rows[self.colour] + wilds[self.colour]
        rows[self.colour] = wilds[self.colour] = 0


class QuietTurnsCounted(PublicEvent):
    """So many turns in succession moved nothing (CG-18)."""

    __slots__ = ("turns",)
    kind = kinds.QUIET_TURNS_COUNTED
    fields = (("turns", Number()),)

    def __init__(self, turns: int) -> None:
        self.turns: int = turns

    def fold(self, rules: Rules, state: State) -> None:
        state.parts[kinds.YARDS].quiet = self.turns


class StackList(Field):
    """For each seat the cards of its stack, null where they are hidden."""

    def out(self, rules: Rules, value: Any) -> list[Any]:
        return [None if stack is None else plain_counts(rules, stack) for stack in value]

    def read(self, rules: Rules, value: Any, pointer: str) -> tuple[Any, ...]:
        stacks = read_list(value, rules.seats, rules.seats, pointer)
        return tuple(
            [None if s is None else tuple(read_counts(rules, s, f"{pointer}/{i}")) for i, s in enumerate(stacks)]
        )


class DeckDiscarded(PublicEvent):
    """The rest of the deck was discarded, since nothing had moved for long (CG-18)."""

    __slots__ = ("cards",)
    kind = kinds.DECK_DISCARDED
    fields = (("cards", Payment()),)

    def __init__(self, cards: Cost) -> None:
        self.cards: Cost = cards

    def fold(self, rules: Rules, state: State) -> None:
        cards: Cards = state.parts[kinds.CARDS]
        for kind, number in self.cards:
            cards.discard[kind] += number
            cards.discard_size += number
        cards.deck_size = 0
        if not state.has_holes():
            cards.deck = [[0] * len(rules.kinds)]


class StacksOpened(Event):
    """The turns of a half are over: each owner sees the own stack (CG-22); at the end of the game everybody does."""

    __slots__ = ("stacks", "to_all")
    kind = kinds.STACKS_OPENED
    fields = (("stacks", StackList()), ("to_all", Flag()))

    def __init__(self, stacks: tuple[Any, ...], to_all: bool) -> None:
        self.stacks: tuple[Any, ...] = stacks
        self.to_all: bool = to_all

    def fold(self, rules: Rules, state: State) -> None:
        yards: Yards = state.parts[kinds.YARDS]
        yards.open = not self.to_all
        for seat, stack in enumerate(self.stacks):
            if stack is not None:
                yards.stacks[seat] = list(stack)

    def seen_by(self, rules: Rules, head: State, seat: int) -> Event:
        if self.to_all:
            return self
        return StacksOpened(tuple([stack if s == seat else None for s, stack in enumerate(self.stacks)]), False)


class TicketsClaimed(Event):
    """A seat named the tickets to complete; what it named is shown when all have (CG-22, VIEW-4)."""

    __slots__ = ("seat", "tickets")
    kind = kinds.TICKETS_CLAIMED
    fields = (("seat", SeatNumber()), ("tickets", TicketList(number_hidden=True)))

    def __init__(self, seat: int, tickets: tuple[int, ...] | None) -> None:
        self.seat: int = seat
        self.tickets: tuple[int, ...] | None = tickets

    def fold(self, rules: Rules, state: State) -> None:
        claim = HIDDEN if self.tickets is None else mask_of(self.tickets)
        state.parts[kinds.YARDS].claims[self.seat] = claim

    def seen_by(self, rules: Rules, head: State, seat: int) -> Event:
        return self if seat == self.seat else TicketsClaimed(self.seat, None)


class TicketsCompleted(PublicEvent):
    """A seat's claim is shown: each ticket with the cards that pay for it, and the points (CG-22, CG-24)."""

    __slots__ = ("payments", "points", "seat")
    kind = kinds.TICKETS_COMPLETED
    fields = (("seat", SeatNumber()), ("payments", TicketPayments()), ("points", Number()))

    def __init__(self, seat: int, payments: tuple[tuple[int, Cost], ...], points: int) -> None:
        self.seat: int = seat
        self.payments: tuple[tuple[int, Cost], ...] = payments
        self.points: int = points

    def fold(self, rules: Rules, state: State) -> None:
        yards: Yards = state.parts[kinds.YARDS]
        tickets: Tickets = state.parts[kinds.TICKETS]
        completed = [ticket for ticket, _ in self.payments]
        yards.claims[self.seat] = NOT_MADE
        yards.pay(self.seat, dict(self.payments))
        tickets.hands[self.seat] &= ~mask_of(completed)
        for deck, number in enumerate(numbers(rules, completed)):
            tickets.counts[self.seat][deck] -= number
        state.points[self.seat] += self.points


class SecondHalfStarted(PublicEvent):
    """All train cards but the hands became the new deck (CG-26)."""

    __slots__ = ()
    kind = kinds.SECOND_HALF_STARTED

    def fold(self, rules: Rules, state: State) -> None:
        yards: Yards = state.parts[kinds.YARDS]
        cards: Cards = state.parts[kinds.CARDS]
        yards.clear()
        yards.half = 2
        yards.open = False
        yards.quiet = 0
        cards.discard = [0] * len(rules.kinds)
        cards.discard_size = 0
        cards.display = []
        cards.deck_size = sum(rules.deck_counts) - sum(cards.sizes)
        cards.deck = [] if state.has_holes() else [cards.unseen(rules, state)]
        state.turns_left = -1
        state.passes = 0


register(
    CardGiven,
    RowsMoved,
    CardsPlaced,
    RowRobbed,
    QuietTurnsCounted,
    DeckDiscarded,
    StacksOpened,
    TicketsClaimed,
    TicketsCompleted,
    SecondHalfStarted,
)
