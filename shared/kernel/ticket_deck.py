"""The part of the state that holds tickets: hands, offers, choices held back, and the decks as layers.

Sets of tickets are bit masks. A hidden ticket is -1 - deck, since the deck it came from is public. A layer keeps, for
each seat, which of its tickets that seat put there (`known`) and how many of its original tickets that seat has not
seen leave (`pools`), so that a view can say what its seat knows and nothing of what others drew.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from shared.kernel.fields import read_by_seat, read_digits, read_int, read_list, read_name, read_object
from shared.kernel.kinds import ANNOUNCE_SPLIT, KEEP_TICKETS, OPENING_TICKETS, YARDS
from shared.kernel.state import Part, State
from shared.kernel.violations import Malformed

if TYPE_CHECKING:
    from shared.kernel.ruleset import Rules

NOT_CHOSEN: Final = -1


def bits(mask: int) -> list[int]:
    """The members of a mask, ascending."""
    out = []
    while mask:
        low = mask & -mask
        out.append(low.bit_length() - 1)
        mask ^= low
    return out


def mask_of(tickets: tuple[int, ...] | list[int]) -> int:
    """The mask of tickets; hidden ones (negative) are left out."""
    mask = 0
    for ticket in tickets:
        if ticket >= 0:
            mask |= 1 << ticket
    return mask


class Layer:
    """Tickets of one depth of one deck, in no order."""

    __slots__ = ("deck", "known", "pools", "size", "tickets")

    def __init__(self, deck: int, tickets: int, size: int, known: list[int], pools: list[int]) -> None:
        self.deck: int = deck
        self.tickets: int = tickets  # in a view: 0
        self.size: int = size
        self.known: list[int] = known
        self.pools: list[int] = pools

    def copy(self) -> Layer:
        """An independent copy."""
        return Layer(self.deck, self.tickets, self.size, self.known[:], self.pools[:])


class Tickets(Part):
    """All tickets. In a view other seats' hands and offers are hidden while numbers stay true."""

    __slots__ = ("chosen", "counts", "deck_sizes", "hands", "layers", "offers")

    def __init__(self, seats: int, decks: list[int]) -> None:
        self.hands: list[int] = [0] * seats
        self.counts: list[list[int]] = [[0] * len(decks) for _ in range(seats)]  # held, by deck
        self.offers: list[list[int]] = [[] for _ in range(seats)]  # in the order drawn
        self.chosen: list[int] = [NOT_CHOSEN] * seats  # held until all have chosen (BASE-5); hidden: 0
        #: the layers of all decks; those of one deck from the top down
        self.layers: list[Layer] = [
            Layer(deck, mask, mask.bit_count(), [0] * seats, [mask.bit_count()] * seats)
            for deck, mask in enumerate(decks)
        ]
        self.deck_sizes: list[int] = [mask.bit_count() for mask in decks]

    def copy(self) -> Tickets:
        """An independent copy."""
        other = Tickets(0, [])
        other.hands = self.hands[:]
        other.counts = [counts[:] for counts in self.counts]
        other.offers = [offer[:] for offer in self.offers]
        other.chosen = self.chosen[:]
        other.layers = [layer.copy() for layer in self.layers]
        other.deck_sizes = self.deck_sizes[:]
        return other

    def top(self, deck: int) -> Layer:
        """The first layer of a deck that is not empty."""
        for layer in self.layers:
            if layer.deck == deck:
                return layer
        raise ValueError("the deck is empty")

    def leave_deck(self, seat: int, deck: int, ticket: int) -> None:
        """The seat draws a ticket, perhaps a hidden one, of the deck's first layer."""
        layer = self.top(deck)
        if ticket >= 0:
            bit = 1 << ticket
            layer.tickets &= ~bit
            layer.known[seat] &= ~bit
        layer.pools[seat] -= 1
        layer.size -= 1
        self.deck_sizes[deck] -= 1
        if layer.size == 0:
            self.layers.remove(layer)

    def put_under(self, deck: int, by_seat: list[tuple[int, ...]], has_holes: bool) -> None:
        """Puts tickets, given by the seat that returns them, shuffled together under the deck."""
        size = sum([len(tickets) for tickets in by_seat])
        known = [mask_of(tickets) for tickets in by_seat]
        mask = 0
        if not has_holes:
            for part in known:
                mask |= part
        self.layers.append(Layer(deck, mask, size, known, [size] * len(by_seat)))
        self.deck_sizes[deck] += size

    def shuffle_in(self, deck: int, by_seat: list[tuple[int, ...]], has_holes: bool) -> None:
        """Shuffles tickets, given by the seat that returns them, into the deck: all its layers become one. Until then
        nobody has put tickets into it, so each seat knows exactly those that it returns."""
        self.put_under(deck, by_seat, has_holes)
        *above, merged = [layer for layer in self.layers if layer.deck == deck]
        for layer in above:
            merged.tickets |= layer.tickets
            merged.size += layer.size
            self.layers.remove(layer)
        merged.pools = [merged.size] * len(by_seat)

    def plain(self, rules: Rules) -> dict[str, Any]:
        """The JSON-ready form."""
        names = rules.board.tickets

        def named(mask: int) -> list[str]:
            return [names[ticket] for ticket in bits(mask)]

        return {
            "hands": [named(hand) for hand in self.hands],
            "counts": [_by_deck(rules, counts) for counts in self.counts],
            "offers": [[name_of(rules, t) for t in offer] for offer in self.offers],
            "chosen": [None if mask == NOT_CHOSEN else named(mask) for mask in self.chosen],
            "deck_size": _by_deck(rules, self.deck_sizes),
            "deck": [
                {
                    **({"deck": rules.ticket_decks[layer.deck]} if len(rules.ticket_decks) > 1 else {}),
                    "tickets": named(layer.tickets),
                    "size": layer.size,
                    "known": [named(mask) for mask in layer.known],
                    "pools": layer.pools[:],
                }
                for layer in self.layers
            ],
        }

    def load(self, rules: Rules, plain: Any, pointer: str) -> None:
        """Sets it from the plain form; raises Malformed."""
        total = len(rules.board.tickets)
        read_object(plain, ("hands", "counts", "offers", "chosen", "deck_size", "deck"), pointer)
        seats = rules.seats
        hands = read_list(plain["hands"], seats, seats, f"{pointer}/hands")
        self.hands = [_read_mask(rules, hand, f"{pointer}/hands/{i}") for i, hand in enumerate(hands)]
        counts = read_list(plain["counts"], seats, seats, f"{pointer}/counts")
        self.counts = [_read_by_deck(rules, count, f"{pointer}/counts/{i}") for i, count in enumerate(counts)]
        offers = read_list(plain["offers"], seats, seats, f"{pointer}/offers")
        self.offers = [_read_offer(rules, offer, f"{pointer}/offers/{i}") for i, offer in enumerate(offers)]
        chosen = read_list(plain["chosen"], seats, seats, f"{pointer}/chosen")
        self.chosen = [
            NOT_CHOSEN if choice is None else _read_mask(rules, choice, f"{pointer}/chosen/{i}")
            for i, choice in enumerate(chosen)
        ]
        self.deck_sizes = _read_by_deck(rules, plain["deck_size"], f"{pointer}/deck_size")
        self.layers = []
        for i, layer in enumerate(read_list(plain["deck"], 0, total, f"{pointer}/deck")):
            at = f"{pointer}/deck/{i}"
            several = len(rules.ticket_decks) > 1
            read_object(layer, (*(("deck",) if several else ()), "tickets", "size", "known", "pools"), at)
            deck = read_name(rules.ticket_deck_of, layer["deck"], f"{at}/deck", "deck") if several else 0
            known = read_list(layer["known"], seats, seats, f"{at}/known")
            pools = read_list(layer["pools"], seats, seats, f"{at}/pools")
            self.layers.append(
                Layer(
                    deck,
                    _read_mask(rules, layer["tickets"], f"{at}/tickets"),
                    read_int(layer["size"], 1, total, f"{at}/size"),
                    [_read_mask(rules, mask, f"{at}/known/{seat}") for seat, mask in enumerate(known)],
                    [read_int(pool, 1, total, f"{at}/pools/{seat}") for seat, pool in enumerate(pools)],
                )
            )

    def show(self, rules: Rules, out: dict[str, str]) -> None:
        """Adds its tokens to a notation."""
        if any(map(any, self.counts)):
            hands = [
                bits(hand) + _hidden(rules, hand, counts) for hand, counts in zip(self.hands, self.counts, strict=True)
            ]
            out["tickets"] = "/".join(_show(rules, hand) for hand in hands)
        if any(self.offers):
            out["offers"] = "/".join(_show(rules, offer) for offer in self.offers)
        if any(mask != NOT_CHOSEN for mask in self.chosen):
            out["chosen"] = "/".join("?" if m == 0 else _show(rules, bits(max(m, 0))) for m in self.chosen)
        decks = [layer.deck for layer in self.layers]
        if decks != list(range(len(self.deck_sizes))) or not all(_untouched(layer) for layer in self.layers):
            out["ticket_deck"] = "|".join(_show_layer(rules, layer) for layer in self.layers) or "-"

    def parse(self, rules: Rules, state: State, tokens: dict[str, str]) -> None:
        """Sets it from a notation; a deck, if left out, is one layer of every ticket of it that is nowhere else."""
        seats = rules.seats
        hands = [_parse(rules, part, "/tickets") for part in read_by_seat(tokens.pop("tickets", ""), seats, "/tickets")]
        self.hands = [mask_of(hand) for hand in hands]
        self.counts = [numbers(rules, hand) for hand in hands]
        self.offers = [
            _parse(rules, part, "/offers") for part in read_by_seat(tokens.pop("offers", ""), seats, "/offers")
        ]
        self.chosen = [
            NOT_CHOSEN if part == "-" else 0 if part == "?" else mask_of(_parse(rules, part, "/chosen"))
            for part in read_by_seat(tokens.pop("chosen", ""), seats, "/chosen")
        ]
        deck = tokens.pop("ticket_deck", "")
        if deck:
            self.layers = [_parse_layer(rules, part) for part in deck.split("|")] if deck != "-" else []
        else:
            elsewhere = [*hands, *self.offers, *[bits(mask) for mask in set_aside(state)]]
            self.layers = []
            for number, mask in enumerate(rules.ticket_masks):
                size = mask.bit_count() - sum(numbers(rules, tickets)[number] for tickets in elsewhere)
                for tickets in elsewhere:
                    mask &= ~mask_of(tickets)
                if size > 0:
                    mask = 0 if state.has_holes() else mask
                    self.layers.append(Layer(number, mask, size, [0] * seats, [size] * seats))
        self.deck_sizes = [0] * len(rules.ticket_decks)
        for layer in self.layers:
            self.deck_sizes[layer.deck] += layer.size

    def verify(self, rules: Rules, state: State, pointer: str) -> None:
        """Raises Malformed unless each ticket is in exactly one place."""
        aside = set_aside(state)
        masks = [*self.hands, *aside, *[mask_of(o) for o in self.offers], *[layer.tickets for layer in self.layers]]
        seen = 0
        for mask in masks:
            if seen & mask:
                raise Malformed(pointer, f"{rules.board.tickets[bits(seen & mask)[0]]} is in two places")
            seen |= mask
        for deck, all_of_it in enumerate(rules.ticket_masks):
            layers = [layer.size for layer in self.layers if layer.deck == deck]
            named = [numbers(rules, tickets)[deck] for tickets in (*self.offers, *map(bits, aside))]
            held = [*named, *[counts[deck] for counts in self.counts]]
            if sum(held) + sum(layers) != all_of_it.bit_count() or self.deck_sizes[deck] != sum(layers):
                raise Malformed(pointer, f"the tickets must add up to {all_of_it.bit_count()}")
        for hand, counts in zip(self.hands, self.counts, strict=True):
            if any(held > count for held, count in zip(numbers(rules, bits(hand)), counts, strict=True)):
                raise Malformed(pointer, "more tickets are named than there are")
        for layer in self.layers:
            if layer.tickets.bit_count() > layer.size or layer.tickets & ~rules.ticket_masks[layer.deck]:
                raise Malformed(pointer, "more tickets are named than there are")
        if not state.has_holes() and seen.bit_count() != len(rules.board.tickets):
            raise Malformed(pointer, "only a view has unknown tickets")
        for seat, (hand, offer) in enumerate(zip(self.hands, self.offers, strict=True)):
            named = [ticket for ticket in offer if ticket >= 0]
            if len(named) > mask_of(named).bit_count():
                raise Malformed(f"{pointer}/offers/{seat}", "a ticket is offered twice")
            if state.shows(seat) and (len(named) < len(offer) or hand.bit_count() < sum(self.counts[seat])):
                raise Malformed(pointer, f"seat {seat} has unknown tickets, but none are hidden from this view")
        self._verify_choices(state, pointer)
        for place, layer in enumerate(self.layers):
            total = rules.ticket_masks[layer.deck].bit_count()
            if not layer.size <= min(layer.pools) <= max(layer.pools) <= total:
                raise Malformed(f"{pointer}/deck/{place}/pools", f"numbers from {layer.size} to {total} are needed")

    def _verify_choices(self, state: State, pointer: str) -> None:
        """An offer stands from its drawing until its seat has chosen, an opening one until all have."""
        asked = {d.seat: d.kind for d in state.decisions if d.kind in (OPENING_TICKETS, KEEP_TICKETS)}
        opening = OPENING_TICKETS in asked.values()
        drawn = set(range(len(self.offers))) if opening else {*asked, *self._announced(state, pointer)}
        for seat, (offer, choice) in enumerate(zip(self.offers, self.chosen, strict=True)):
            if bool(offer) != (seat in drawn):
                raise Malformed(f"{pointer}/offers/{seat}", "a seat has an offer while it must choose, and only then")
            if (choice == NOT_CHOSEN) == (opening and seat not in asked):
                raise Malformed(f"{pointer}/chosen/{seat}", "a choice is held while others still choose, and only then")
            if choice == 0 and state.shows(seat):
                raise Malformed(f"{pointer}/chosen/{seat}", "this choice is not hidden")
            if choice > 0 and choice & ~mask_of(offer):
                raise Malformed(f"{pointer}/chosen/{seat}", "only offered tickets can be chosen")

    def _announced(self, state: State, pointer: str) -> list[int]:
        """The seats that have drawn opening tickets while others still announce how theirs are split (MK-5)."""
        for decision in state.decisions:
            if decision.kind == ANNOUNCE_SPLIT:
                if any(map(any, self.counts)) or not any(self.deck_sizes):
                    raise Malformed(pointer, "splits are announced before anybody holds tickets, of decks not empty")
                number = (decision.seat - state.turn) % state.seats
                return [(state.turn + i) % state.seats for i in range(number)]
        return []


def set_aside(state: State) -> list[int]:
    """The completed tickets of each seat that are in no hand any more (CG-24)."""
    return [] if state.parts[YARDS] is None else state.parts[YARDS].completed


def _untouched(layer: Layer) -> bool:
    return not any(layer.known) and all(pool == layer.size for pool in layer.pools)


def numbers(rules: Rules, tickets: list[int] | tuple[int, ...]) -> list[int]:
    """How many of the tickets, hidden ones included, come from each deck."""
    out = [0] * len(rules.ticket_decks)
    for ticket in tickets:
        out[deck_of(rules, ticket)] += 1
    return out


def deck_of(rules: Rules, ticket: int) -> int:
    """The deck that a ticket, perhaps a hidden one, comes from."""
    return rules.deck_of_ticket[ticket] if ticket >= 0 else -1 - ticket


def hide(rules: Rules, tickets: list[int] | tuple[int, ...]) -> list[int]:
    """The tickets with nothing but their decks left to see."""
    return [-1 - deck_of(rules, ticket) for ticket in tickets]


def _hidden(rules: Rules, hand: int, counts: list[int]) -> list[int]:
    """The hidden tickets of a hand."""
    named = numbers(rules, bits(hand))
    return [-1 - deck for deck, count in enumerate(counts) for _ in range(count - named[deck])]


def name_of(rules: Rules, ticket: int) -> str | dict[str, str] | None:
    """The id of a ticket; for a hidden one {"deck": ...}, or null where there is only one deck."""
    if ticket >= 0:
        return rules.board.tickets[ticket]
    return {"deck": rules.ticket_decks[-1 - ticket]} if len(rules.ticket_decks) > 1 else None


def read_ticket(rules: Rules, plain: Any, pointer: str) -> int:
    """The ticket from `name_of`; raises Malformed."""
    if plain is None and len(rules.ticket_decks) == 1:
        return -1
    if isinstance(plain, dict):
        deck = read_object(plain, ("deck",), pointer)["deck"]
        return -1 - read_name(rules.ticket_deck_of, deck, f"{pointer}/deck", "deck")
    return read_name(rules.board.ticket_of, plain, pointer, "ticket")


def _by_deck(rules: Rules, values: list[int]) -> int | dict[str, int]:
    """Numbers by the name of the deck; the number alone where there is only one deck."""
    return values[0] if len(values) == 1 else dict(zip(rules.ticket_decks, values, strict=True))


def _read_by_deck(rules: Rules, plain: Any, pointer: str) -> list[int]:
    total = len(rules.board.tickets)
    if len(rules.ticket_decks) == 1:
        return [read_int(plain, 0, total, pointer)]
    found = read_object(plain, tuple(rules.ticket_decks), pointer)
    return [read_int(found[name], 0, total, f"{pointer}/{name}") for name in rules.ticket_decks]


def _read_mask(rules: Rules, plain: Any, pointer: str) -> int:
    mask = 0
    for place, name in enumerate(read_list(plain, 0, len(rules.board.tickets), pointer)):
        mask |= 1 << read_name(rules.board.ticket_of, name, f"{pointer}/{place}", "ticket")
    return mask


def _read_offer(rules: Rules, plain: Any, pointer: str) -> list[int]:
    tickets = read_list(plain, 0, len(rules.board.tickets), pointer)
    return [read_ticket(rules, ticket, f"{pointer}/{i}") for i, ticket in enumerate(tickets)]


def _show(rules: Rules, tickets: list[int]) -> str:
    """Names in order, hidden tickets counted by deck: "a,b,?2", with the deck's name "?2short" where there are more."""
    shown = [rules.board.tickets[ticket] for ticket in tickets if ticket >= 0]
    for deck, name in enumerate(rules.ticket_decks):
        hidden = tickets.count(-1 - deck)
        if hidden:
            shown.append(f"?{hidden}{name if len(rules.ticket_decks) > 1 else ''}")
    return ",".join(shown) or "-"


def _show_layer(rules: Rules, layer: Layer) -> str:
    known = "/".join(_show(rules, bits(mask)) for mask in layer.known)
    pools = "/".join(str(pool) for pool in layer.pools)
    hidden = [-1 - layer.deck] * (layer.size - layer.tickets.bit_count())
    return f"{_show(rules, bits(layer.tickets) + hidden)}:{known}:{pools}"


def _parse(rules: Rules, text: str, pointer: str) -> list[int]:
    """The tickets in order, the hidden ones last."""
    tickets: list[int] = []
    hidden: list[int] = []
    for name in text.split(",") if text != "-" else ():
        if name.startswith("?"):
            deck = name[1:].lstrip("0123456789")
            number = read_digits(name[1 : len(name) - len(deck)], pointer)
            if number > len(rules.board.tickets):
                raise Malformed(pointer, "there are not so many tickets")
            several = len(rules.ticket_decks) > 1
            hidden += [-1 - read_name(rules.ticket_deck_of, deck, pointer, "deck") if several or deck else -1] * number
        else:
            tickets.append(read_name(rules.board.ticket_of, name, pointer, f"ticket as {name[:60]}"))
    return tickets + hidden


def _parse_layer(rules: Rules, text: str) -> Layer:
    fields = text.split(":")
    if len(fields) != 3:
        raise Malformed("/ticket_deck", "a layer is tickets:known by seat:pools by seat")
    tickets = _parse(rules, fields[0], "/ticket_deck")
    known = [
        mask_of(_parse(rules, part, "/ticket_deck")) for part in read_by_seat(fields[1], rules.seats, "/ticket_deck")
    ]
    pools = [read_digits(part, "/ticket_deck") for part in read_by_seat(fields[2], rules.seats, "/ticket_deck")]
    if not tickets or len({deck_of(rules, ticket) for ticket in tickets}) > 1:
        raise Malformed("/ticket_deck", "a layer holds tickets of one deck")
    return Layer(deck_of(rules, tickets[0]), mask_of(tickets), len(tickets), known, pools)
