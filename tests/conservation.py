"""What no game may lose or make up: a ledger follows the events of each commit and says what in the position is not as
it should be. The property tests and `make soak` look at the same books, one for each part of the state."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from shared.catalog import ruleset
from shared.kernel import (
    ALVIN,
    CARDS,
    MARKERS,
    NOBODY,
    PASSENGERS,
    TICKETS,
    TRACKS,
    YARDS,
    Cards,
    Commit,
    Event,
    Markers,
    Passengers,
    Rules,
    State,
    Tickets,
    Tracks,
    Yards,
    bits,
)

Count = tuple[str, Any, Any]  # of what, how many were found, how many there should be


class Book:
    """What one part of the state must add up to."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.seats = range(rules.seats)
        self.mechanics: dict[str, dict[str, Any]] = ruleset(rules.id)["mechanics"]

    def enter(self, event: Event) -> None:
        """Notes what an event says, by its name."""

    def counts(self, state: State) -> Iterator[Count]:
        """What is compared after each commit."""
        raise NotImplementedError


class CardBook(Book):
    """Each card is in one pile, hand, row or stack, and nothing is known of a hand that it does not hold."""

    def counts(self, state: State) -> Iterator[Count]:
        cards: Cards = state.parts[CARDS]
        places = [*cards.deck, cards.discard, *cards.hands, *in_yards(self.rules, state.parts[YARDS])]
        for kind, name in enumerate(self.rules.kinds):
            found = sum([counts[kind] for counts in places]) + cards.display.count(kind)
            yield f"{name} cards", found, self.rules.deck_counts[kind]
        yield "cards fewer than none", [counts for counts in places if min(counts) < 0], []
        yield "sizes of hands", cards.sizes, [sum(hand) for hand in cards.hands]
        yield "size of the deck", cards.deck_size, sum([sum(layer) for layer in cards.deck])
        yield "size of the discard pile", cards.discard_size, sum(cards.discard)
        for hand, known in zip(cards.hands, cards.known, strict=True):
            yield "known cards", known, [min(max(k, 0), held) for k, held in zip(known, hand, strict=True)]


def in_yards(rules: Rules, yards: Yards | None) -> Iterator[list[int]]:
    """The cards by kind of each seat's rows and of each stack."""
    if yards is None:
        return
    yield from yards.stacks
    for rows, wilds in zip(yards.rows, yards.wilds, strict=True):
        counts = [0] * len(rules.kinds)
        counts[: rules.colours] = rows
        counts[rules.wild] += sum(wilds)
        yield counts


class TrackBook(Book):
    """Each track belongs to whoever claimed it, and trains stand on tracks or are left."""

    def __init__(self, rules: Rules) -> None:
        super().__init__(rules)
        self.owners = [NOBODY] * len(rules.board.tracks)
        self.trains = [self.mechanics["claim"]["trains"]] * rules.seats

    def enter(self, event: Event) -> None:
        if type(event).__name__ == "TrackClaimed":
            self.trains[event.seat] -= self.rules.board.lengths[event.track]
            self.owners[event.track] = event.seat

    def counts(self, state: State) -> Iterator[Count]:
        tracks: Tracks = state.parts[TRACKS]
        yield "owners of tracks", tracks.owners, self.owners
        yield "trains", tracks.trains, [max(trains, 0) for trains in self.trains]


class TicketBook(Book):
    """Each ticket is in one deck, offer or hand, or set aside as completed."""

    def counts(self, state: State) -> Iterator[Count]:
        tickets: Tickets = state.parts[TICKETS]
        yards: Yards | None = state.parts[YARDS]
        places = Counter(ticket for offer in tickets.offers for ticket in offer)
        for mask in (*tickets.hands, *[layer.tickets for layer in tickets.layers], *(yards.completed if yards else ())):
            places.update(bits(mask))
        names = self.rules.board.tickets
        yield "places of tickets", {name: places[t] for t, name in enumerate(names) if places[t] != 1}, {}
        decks = range(len(self.rules.ticket_masks))
        in_hands = [[(hand & mask).bit_count() for mask in self.rules.ticket_masks] for hand in tickets.hands]
        yield "tickets of hands", tickets.counts, in_hands
        sizes = [layer.tickets.bit_count() for layer in tickets.layers]
        yield "sizes of ticket layers", [layer.size for layer in tickets.layers], sizes
        in_decks = [sum([layer.size for layer in tickets.layers if layer.deck == deck]) for deck in decks]
        yield "sizes of ticket decks", tickets.deck_sizes, in_decks
        strangers = [layer.tickets & ~self.rules.ticket_masks[layer.deck] for layer in tickets.layers]
        yield "tickets in another deck", [bits(mask) for mask in strangers if mask], []


class MarkerBook(Book):
    """Markers stand where they were put, the first of each seat in its starting city."""

    def __init__(self, rules: Rules) -> None:
        super().__init__(rules)
        self.placed: list[list[int]] = [[] for _ in self.seats]

    def enter(self, event: Event) -> None:
        if type(event).__name__ in ("StartingCityChosen", "MarkerPlaced"):
            self.placed[event.seat].append(event.city)

    def counts(self, state: State) -> Iterator[Count]:
        markers: Markers = state.parts[MARKERS]
        yield "markers on the board", [markers.of(seat) for seat in self.seats], [sorted(p) for p in self.placed]
        number = self.mechanics["city_markers"]["number"]
        left = [markers.left(seat) for seat in self.seats]
        yield "markers left", left, [max(number - len(placed), 0) for placed in self.placed]
        yield "starting cities", markers.starts, [placed[0] if placed else -1 for placed in self.placed]


class AlvinBook(Book):
    """Alvin is where he was moved."""

    def __init__(self, rules: Rules) -> None:
        super().__init__(rules)
        self.city = rules.board.city_of[self.mechanics["alvin"]["city"]]

    def enter(self, event: Event) -> None:
        if type(event).__name__ == "AlvinMoved":
            self.city = event.city

    def counts(self, state: State) -> Iterator[Count]:
        yield "Alvin's city", state.parts[ALVIN].city, self.city


class PassengerBook(Book):
    """Passengers stand where they were placed until they have moved, and tokens go from the top of stacks to seats."""

    def __init__(self, rules: Rules) -> None:
        super().__init__(rules)
        self.placed = [0] * rules.seats
        self.moved = [0] * rules.seats
        self.standing = [NOBODY] * len(rules.board.cities)
        self.tokens: list[Counter[tuple[int, int]]] = [Counter() for _ in self.seats]
        self.taken: list[list[int]] = [[] for _ in rules.board.cities]

    def enter(self, event: Event) -> None:
        match type(event).__name__:
            case "PassengerPlaced":
                self.placed[event.seat] += 1
                self.standing[event.city] = event.seat
            case "PassengerMoved":
                self.moved[event.seat] += 1
                self.standing[event.city] = NOBODY
                self.tokens[event.seat].update(event.tokens)
                for city, value in event.tokens:
                    self.taken[city].append(value)

    def counts(self, state: State) -> Iterator[Count]:
        part: Passengers = state.parts[PASSENGERS]
        number = self.mechanics["passengers"]["number"]
        yield "passengers on the board", part.standing, self.standing
        yield "passengers in reserve", part.reserve, [max(number - placed, 0) for placed in self.placed]
        on_board = [len(part.places(seat)) for seat in self.seats]
        yield "passengers that moved", self.moved, [p - b for p, b in zip(self.placed, on_board, strict=True)]
        yield "tokens of seats", [Counter(part.tokens(self.rules, seat)) for seat in self.seats], self.tokens
        stacks = self.rules.board.stacks
        from_the_top = [list(stack[: len(taken)]) for stack, taken in zip(stacks, self.taken, strict=True)]
        yield "tokens taken", self.taken, from_the_top
        tops = [[*stack, 0][len(taken)] for stack, taken in zip(stacks, from_the_top, strict=True)]
        yield "top tokens", part.tops, tops


class YardBook(Book):
    """Rows hold what was placed, and stacks one card of each row for each time that these were moved."""

    def __init__(self, rules: Rules) -> None:
        super().__init__(rules)
        self._clear()

    def _clear(self) -> None:
        self.rows: list[dict[int, list[int]]] = [{} for _ in self.seats]  # the top card last
        self.stacks = [[0] * len(self.rules.kinds) for _ in self.seats]

    def enter(self, event: Event) -> None:
        match type(event).__name__:
            case "RowsMoved":
                for row in self.rows[event.seat].values():
                    self.stacks[event.seat][row.pop()] += 1
                self.rows[event.seat] = {colour: row for colour, row in self.rows[event.seat].items() if row}
            case "CardsPlaced":
                wilds = [self.rules.wild] * dict(event.cards).get(self.rules.wild, 0)
                for colour, number in event.cards:
                    if colour != self.rules.wild:
                        self.rows[event.seat][colour] = [colour] * number + wilds
            case "RowRobbed":
                self.rows[event.seat].pop(event.colour, None)
            case "SecondHalfStarted":
                self._clear()

    def counts(self, state: State) -> Iterator[Count]:
        yards: Yards = state.parts[YARDS]
        yield "stacks", yards.stacks, self.stacks
        yield "sizes of stacks", yards.sizes, [sum(stack) for stack in self.stacks]
        for seat in self.seats:
            rows = [self.rows[seat].get(colour, []) for colour in range(self.rules.colours)]
            yield "rows", yards.rows[seat], [row.count(colour) for colour, row in enumerate(rows)]
            yield "wilds on rows", yards.wilds[seat], [row.count(self.rules.wild) for row in rows]


class PointBook(Book):
    """Whoever has points scored them in some event."""

    def __init__(self, rules: Rules) -> None:
        super().__init__(rules)
        self.points = [0] * rules.seats

    def enter(self, event: Event) -> None:
        if hasattr(event, "points"):
            self.points[event.seat] += event.points

    def counts(self, state: State) -> Iterator[Count]:
        yield "points", state.points, self.points


#: The book of each part; a rule set with another part needs another book.
BOOKS: dict[int, type[Book]] = {
    CARDS: CardBook,
    TRACKS: TrackBook,
    TICKETS: TicketBook,
    MARKERS: MarkerBook,
    ALVIN: AlvinBook,
    PASSENGERS: PassengerBook,
    YARDS: YardBook,
}


class Ledger:
    """All books of one game, from its start commit on."""

    def __init__(self, rules: Rules) -> None:
        parts = [slot for slot, holder in enumerate(rules.holders) if holder is not None]
        self.books = [*[BOOKS[slot](rules) for slot in parts], PointBook(rules)]

    def follow(self, commit: Commit, state: State) -> list[str]:
        """Enters the next commit's events; gives what is wrong with the state after it, nothing where all is well."""
        wrong = []
        for book in self.books:
            for event in commit.events:
                book.enter(event)
            counts = book.counts(state)
            wrong += [f"{what}: {found} instead of {due}" for what, found, due in counts if found != due]
        return wrong
