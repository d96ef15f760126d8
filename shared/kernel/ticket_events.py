"""What happens to tickets: events of which each seat sees its own part."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from shared.kernel import kinds
from shared.kernel.events import Event, PublicEvent, register
from shared.kernel.fields import Field, SeatNumber, read_list
from shared.kernel.state import State
from shared.kernel.ticket_deck import (
    NOT_CHOSEN,
    Layer,
    Tickets,
    deck_of,
    hide,
    mask_of,
    name_of,
    numbers,
    read_ticket,
)
from shared.kernel.violations import Malformed

if TYPE_CHECKING:
    from shared.kernel.ruleset import Rules


class TicketList(Field):
    """Tickets in order, perhaps hidden ones; null (None) where even their number may be hidden."""

    shape = "list"

    def __init__(self, number_hidden: bool = False) -> None:
        self.number_hidden: bool = number_hidden

    def out(self, rules: Rules, value: Any) -> list[Any] | None:
        if value is None:
            return None
        return [name_of(rules, ticket) for ticket in value]

    def read(self, rules: Rules, value: Any, pointer: str) -> tuple[int, ...] | None:
        if value is None and self.number_hidden:
            return None
        tickets: list[int] = []
        for place, entry in enumerate(read_list(value, 0, len(rules.board.tickets), pointer)):
            ticket = read_ticket(rules, entry, f"{pointer}/{place}")
            if ticket >= 0 and ticket in tickets:
                raise Malformed(f"{pointer}/{place}", "this ticket is named twice")
            tickets.append(ticket)
        return tuple(tickets)


class TicketLists(Field):
    """Lists of tickets, null where one is hidden: one for each seat, or one for each layer of the deck."""

    def __init__(self, by_seat: bool) -> None:
        self.by_seat: bool = by_seat

    def out(self, rules: Rules, value: Any) -> Any:
        return [TicketList().out(rules, tickets) for tickets in value]

    def read(self, rules: Rules, value: Any, pointer: str) -> tuple[tuple[int, ...] | None, ...]:
        low, high = (rules.seats, rules.seats) if self.by_seat else (0, len(rules.board.tickets))
        lists = read_list(value, low, high, pointer)
        return tuple([TicketList().read(rules, tickets, f"{pointer}/{i}") for i, tickets in enumerate(lists)])


class TicketEvent(Event):
    """Tickets of one seat that only this seat sees; others see their number."""

    __slots__ = ("seat", "tickets")
    fields = (("seat", SeatNumber()), ("tickets", TicketList()))

    def __init__(self, seat: int, tickets: tuple[int, ...]) -> None:
        self.seat: int = seat
        self.tickets: tuple[int, ...] = tickets

    def seen_by(self, rules: Rules, head: State, seat: int) -> Event:
        return self if seat == self.seat else type(self)(self.seat, tuple(hide(rules, self.tickets)))


class TicketsOffered(TicketEvent):
    """A seat drew tickets and must choose."""

    __slots__ = ()
    kind = kinds.TICKETS_OFFERED

    def fold(self, rules: Rules, state: State) -> None:
        tickets: Tickets = state.parts[kinds.TICKETS]
        tickets.offers[self.seat] = list(self.tickets)
        for ticket in self.tickets:
            tickets.leave_deck(self.seat, deck_of(rules, ticket), ticket)


class TicketsChosen(Event):
    """A seat made its opening choice; it takes effect when all have (BASE-5). Others see only that (VIEW-4)."""

    __slots__ = ("seat", "tickets")
    kind = kinds.TICKETS_CHOSEN
    fields = (("seat", SeatNumber()), ("tickets", TicketList(number_hidden=True)))

    def __init__(self, seat: int, tickets: tuple[int, ...] | None) -> None:
        self.seat: int = seat
        self.tickets: tuple[int, ...] | None = tickets

    def fold(self, rules: Rules, state: State) -> None:
        tickets: Tickets = state.parts[kinds.TICKETS]
        tickets.chosen[self.seat] = 0 if self.tickets is None else mask_of(self.tickets)

    def seen_by(self, rules: Rules, head: State, seat: int) -> Event:
        return self if seat == self.seat else TicketsChosen(self.seat, None)


class TicketsKept(TicketEvent):
    """Offered tickets became a seat's own for good (BASE-35)."""

    __slots__ = ()
    kind = kinds.TICKETS_KEPT

    def fold(self, rules: Rules, state: State) -> None:
        tickets: Tickets = state.parts[kinds.TICKETS]
        tickets.hands[self.seat] |= mask_of(self.tickets)
        for deck, number in enumerate(numbers(rules, self.tickets)):
            tickets.counts[self.seat][deck] += number
        tickets.offers[self.seat] = []
        tickets.chosen[self.seat] = NOT_CHOSEN


class TicketsReturned(TicketEvent):
    """Tickets went to the bottom of the deck in this order (BASE-32)."""

    __slots__ = ()
    kind = kinds.TICKETS_RETURNED

    def fold(self, rules: Rules, state: State) -> None:
        tickets: Tickets = state.parts[kinds.TICKETS]
        for ticket in self.tickets:
            by_seat: list[tuple[int, ...]] = [()] * state.seats
            by_seat[self.seat] = (ticket,)
            tickets.put_under(deck_of(rules, ticket), by_seat, state.has_holes())


class TicketsShuffledBack(Event):
    """The opening tickets that were not kept, by seat, went back to their decks, shuffled."""

    __slots__ = ("tickets",)
    fields = (("tickets", TicketLists(by_seat=True)),)

    def __init__(self, tickets: tuple[tuple[int, ...], ...]) -> None:
        self.tickets: tuple[tuple[int, ...], ...] = tickets

    def by_deck(self, rules: Rules) -> list[tuple[int, list[tuple[int, ...]]]]:
        """For each deck that gets some, what each seat returns to it."""
        out = []
        for deck in range(len(rules.ticket_decks)):
            by_seat = [tuple([t for t in part if deck_of(rules, t) == deck]) for part in self.tickets]
            if any(by_seat):
                out.append((deck, by_seat))
        return out

    def seen_by(self, rules: Rules, head: State, seat: int) -> Event:
        own = enumerate(self.tickets)
        return type(self)(tuple([part if s == seat else tuple(hide(rules, part)) for s, part in own]))


class TicketsShuffledUnder(TicketsShuffledBack):
    """They went under the deck, shuffled together (USA-2, OW-4)."""

    __slots__ = ()
    kind = kinds.TICKETS_SHUFFLED_UNDER

    def fold(self, rules: Rules, state: State) -> None:
        for deck, by_seat in self.by_deck(rules):
            state.parts[kinds.TICKETS].put_under(deck, by_seat, state.has_holes())


class TicketsShuffledIn(TicketsShuffledBack):
    """They were shuffled into their decks (MK-5, CG-3)."""

    __slots__ = ()
    kind = kinds.TICKETS_SHUFFLED_IN

    def fold(self, rules: Rules, state: State) -> None:
        for deck, by_seat in self.by_deck(rules):
            state.parts[kinds.TICKETS].shuffle_in(deck, by_seat, state.has_holes())


class TicketsRevealed(PublicEvent):
    """The game is over and all tickets are public (BASE-39, VIEW-10): those of each seat and of each layer."""

    __slots__ = ("deck", "hands")
    kind = kinds.TICKETS_REVEALED
    fields = (("hands", TicketLists(by_seat=True)), ("deck", TicketLists(by_seat=False)))

    def __init__(self, hands: tuple[tuple[int, ...], ...], deck: tuple[tuple[int, ...], ...]) -> None:
        self.hands: tuple[tuple[int, ...], ...] = hands
        self.deck: tuple[tuple[int, ...], ...] = deck

    def fold(self, rules: Rules, state: State) -> None:
        tickets: Tickets = state.parts[kinds.TICKETS]
        tickets.hands = [mask_of(hand) for hand in self.hands]
        seats = state.seats
        tickets.layers = [
            Layer(deck_of(rules, part[0]), mask_of(part), len(part), [0] * seats, [len(part)] * seats)
            for part in self.deck
        ]


register(
    TicketsOffered,
    TicketsChosen,
    TicketsKept,
    TicketsReturned,
    TicketsShuffledUnder,
    TicketsShuffledIn,
    TicketsRevealed,
)
