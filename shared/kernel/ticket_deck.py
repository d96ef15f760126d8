"""The part of the state that holds tickets: hands, offers, choices held back, and the deck as layers.

Sets of tickets are bit masks. A layer keeps, for each seat, which of its tickets that seat put there (`known`) and how
many of its original tickets that seat has not seen leave (`pools`), so that a view can say what its seat knows and
nothing of what others drew.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from shared.kernel.fields import read_digits, read_int, read_list, read_name, read_object
from shared.kernel.kinds import KEEP_TICKETS, OPENING_TICKETS
from shared.kernel.state import Part, State
from shared.kernel.violations import Malformed

if TYPE_CHECKING:
    from shared.kernel.ruleset import Rules

NOT_CHOSEN = -1


def bits(mask: int) -> list[int]:
    """The members of a mask, ascending."""
    out = []
    while mask:
        low = mask & -mask
        out.append(low.bit_length() - 1)
        mask ^= low
    return out


def mask_of(tickets: tuple[int, ...] | list[int]) -> int:
    """The mask of tickets; hidden ones (-1) are left out."""
    mask = 0
    for ticket in tickets:
        if ticket >= 0:
            mask |= 1 << ticket
    return mask


class Layer:
    """Tickets of one depth of the deck, in no order."""

    __slots__ = ("known", "pools", "size", "tickets")

    def __init__(self, tickets: int, size: int, known: list[int], pools: list[int]) -> None:
        self.tickets: int = tickets  # in a view: 0
        self.size: int = size
        self.known: list[int] = known
        self.pools: list[int] = pools

    def copy(self) -> Layer:
        """An independent copy."""
        return Layer(self.tickets, self.size, self.known[:], self.pools[:])


class Tickets(Part):
    """All tickets. In a view other seats' hands and offers are hidden while numbers stay true."""

    __slots__ = ("chosen", "counts", "deck_size", "hands", "layers", "offers")

    def __init__(self, seats: int, tickets: int) -> None:
        self.hands: list[int] = [0] * seats
        self.counts: list[int] = [0] * seats
        self.offers: list[list[int]] = [[] for _ in range(seats)]  # in the order drawn; hidden: -1
        self.chosen: list[int] = [NOT_CHOSEN] * seats  # held until all have chosen (BASE-5); hidden: 0
        self.layers: list[Layer] = [Layer((1 << tickets) - 1, tickets, [0] * seats, [tickets] * seats)]
        self.deck_size: int = tickets

    def copy(self) -> Tickets:
        """An independent copy."""
        other = Tickets.__new__(Tickets)
        other.hands = self.hands[:]
        other.counts = self.counts[:]
        other.offers = [offer[:] for offer in self.offers]
        other.chosen = self.chosen[:]
        other.layers = [layer.copy() for layer in self.layers]
        other.deck_size = self.deck_size
        return other

    def leave_deck(self, seat: int, ticket: int) -> None:
        """The seat draws a ticket (hidden: -1) of the first layer."""
        layer = self.layers[0]
        if ticket >= 0:
            bit = 1 << ticket
            layer.tickets &= ~bit
            layer.known[seat] &= ~bit
        layer.pools[seat] -= 1
        layer.size -= 1
        self.deck_size -= 1
        if layer.size == 0:
            del self.layers[0]

    def put_under(self, by_seat: list[tuple[int, ...]], has_holes: bool) -> None:
        """Puts tickets, given by the seat that returns them, shuffled together under the deck."""
        size = sum([len(tickets) for tickets in by_seat])
        known = [mask_of(tickets) for tickets in by_seat]
        mask = 0
        if not has_holes:
            for part in known:
                mask |= part
        self.layers.append(Layer(mask, size, known, [size] * len(by_seat)))
        self.deck_size += size

    def plain(self, rules: Rules) -> dict[str, Any]:
        """The JSON-ready form."""
        names = rules.board.tickets

        def named(mask: int) -> list[str]:
            return [names[ticket] for ticket in bits(mask)]

        return {
            "hands": [named(hand) for hand in self.hands],
            "counts": self.counts[:],
            "offers": [[None if t < 0 else names[t] for t in offer] for offer in self.offers],
            "chosen": [None if mask == NOT_CHOSEN else named(mask) for mask in self.chosen],
            "deck_size": self.deck_size,
            "deck": [
                {
                    "tickets": named(layer.tickets),
                    "size": layer.size,
                    "known": [named(mask) for mask in layer.known],
                    "pools": layer.pools[:],
                }
                for layer in self.layers
            ],
        }

    def load(self, rules: Rules, plain: dict[str, Any], pointer: str) -> None:
        """Sets it from the plain form; raises Malformed."""
        total = len(rules.board.tickets)
        read_object(plain, ("hands", "counts", "offers", "chosen", "deck_size", "deck"), pointer)
        seats = rules.seats
        hands = read_list(plain["hands"], seats, seats, f"{pointer}/hands")
        self.hands = [_read_mask(rules, hand, f"{pointer}/hands/{i}") for i, hand in enumerate(hands)]
        counts = read_list(plain["counts"], seats, seats, f"{pointer}/counts")
        self.counts = [read_int(count, 0, total, f"{pointer}/counts/{i}") for i, count in enumerate(counts)]
        offers = read_list(plain["offers"], seats, seats, f"{pointer}/offers")
        self.offers = [_read_offer(rules, offer, f"{pointer}/offers/{i}") for i, offer in enumerate(offers)]
        chosen = read_list(plain["chosen"], seats, seats, f"{pointer}/chosen")
        self.chosen = [
            NOT_CHOSEN if choice is None else _read_mask(rules, choice, f"{pointer}/chosen/{i}")
            for i, choice in enumerate(chosen)
        ]
        self.deck_size = read_int(plain["deck_size"], 0, total, f"{pointer}/deck_size")
        self.layers = []
        for i, layer in enumerate(read_list(plain["deck"], 0, total, f"{pointer}/deck")):
            at = f"{pointer}/deck/{i}"
            read_object(layer, ("tickets", "size", "known", "pools"), at)
            known = read_list(layer["known"], seats, seats, f"{at}/known")
            pools = read_list(layer["pools"], seats, seats, f"{at}/pools")
            self.layers.append(
                Layer(
                    _read_mask(rules, layer["tickets"], f"{at}/tickets"),
                    read_int(layer["size"], 1, total, f"{at}/size"),
                    [_read_mask(rules, mask, f"{at}/known/{seat}") for seat, mask in enumerate(known)],
                    [read_int(pool, 1, total, f"{at}/pools/{seat}") for seat, pool in enumerate(pools)],
                )
            )

    def show(self, rules: Rules, out: dict[str, str]) -> None:
        """Adds its tokens to a notation."""
        names = rules.board.tickets
        if any(self.counts):
            out["tickets"] = "/".join(
                _show(names, bits(hand), count) for hand, count in zip(self.hands, self.counts, strict=True)
            )
        if any(self.offers):
            out["offers"] = "/".join(_show(names, [t for t in offer if t >= 0], len(offer)) for offer in self.offers)
        if any(mask != NOT_CHOSEN for mask in self.chosen):
            out["chosen"] = "/".join("?" if m == 0 else _show(names, bits(max(m, 0)), 0) for m in self.chosen)
        plain = len(self.layers) == 1 and not any(self.layers[0].known) and _level(self.layers[0])
        if not plain:
            out["ticket_deck"] = "|".join(_show_layer(names, layer) for layer in self.layers) or "-"

    def parse(self, rules: Rules, state: State, tokens: dict[str, str]) -> None:
        """Sets it from a notation; the deck, if left out, is one layer of every ticket that is nowhere else."""
        seats = rules.seats
        hands = [_parse(rules, part, "/tickets") for part in _parts(seats, tokens.pop("tickets", ""), "/tickets")]
        self.hands = [mask_of(tickets) for tickets, _ in hands]
        self.counts = [size for _, size in hands]
        offers = [_parse(rules, part, "/offers") for part in _parts(seats, tokens.pop("offers", ""), "/offers")]
        self.offers = [tickets + [-1] * (size - len(tickets)) for tickets, size in offers]
        chosen = _parts(seats, tokens.pop("chosen", ""), "/chosen")
        self.chosen = [
            NOT_CHOSEN if part == "-" else 0 if part == "?" else mask_of(_parse(rules, part, "/chosen")[0])
            for part in chosen
        ]
        deck = tokens.pop("ticket_deck", "")
        elsewhere = sum(self.counts) + sum(len(offer) for offer in self.offers)
        if deck:
            self.layers = [_parse_layer(rules, part) for part in deck.split("|")] if deck != "-" else []
        else:
            left = (1 << len(rules.board.tickets)) - 1
            for mask in (*self.hands, *[mask_of(offer) for offer in self.offers]):
                left &= ~mask
            size = len(rules.board.tickets) - elsewhere
            deck_layer = Layer(0 if state.has_holes() else left, size, [0] * seats, [size] * seats)
            self.layers = [deck_layer] if size > 0 else []
        self.deck_size = sum(layer.size for layer in self.layers)

    def verify(self, rules: Rules, state: State, pointer: str) -> None:
        """Raises Malformed unless each ticket is in exactly one place."""
        masks = [*self.hands, *[mask_of(offer) for offer in self.offers], *[layer.tickets for layer in self.layers]]
        seen = 0
        for mask in masks:
            if seen & mask:
                raise Malformed(pointer, f"{rules.board.tickets[bits(seen & mask)[0]]} is in two places")
            seen |= mask
        sizes = [*self.counts, *[len(offer) for offer in self.offers], *[layer.size for layer in self.layers]]
        total = len(rules.board.tickets)
        if sum(sizes) != total or self.deck_size != sum(layer.size for layer in self.layers):
            raise Malformed(pointer, f"the tickets must add up to {total}")
        if any(mask.bit_count() > size for mask, size in zip(masks, sizes, strict=True)):
            raise Malformed(pointer, "more tickets are named than there are")
        if not state.has_holes() and seen.bit_count() != total:
            raise Malformed(pointer, "only a view has unknown tickets")
        for seat, (hand, offer) in enumerate(zip(self.hands, self.offers, strict=True)):
            named = [ticket for ticket in offer if ticket >= 0]
            if len(named) > mask_of(named).bit_count():
                raise Malformed(f"{pointer}/offers/{seat}", "a ticket is offered twice")
            if state.shows(seat) and (len(named) < len(offer) or hand.bit_count() < self.counts[seat]):
                raise Malformed(pointer, f"seat {seat} has unknown tickets, but none are hidden from this view")
        self._verify_choices(state, pointer)
        for place, layer in enumerate(self.layers):
            if not layer.size <= min(layer.pools) <= max(layer.pools) <= total:
                raise Malformed(f"{pointer}/deck/{place}/pools", f"numbers from {layer.size} to {total} are needed")

    def _verify_choices(self, state: State, pointer: str) -> None:
        """An offer stands as long as its seat is asked to choose, or holds a choice until all have chosen."""
        asked = {d.seat: d.kind for d in state.decisions if d.kind in (OPENING_TICKETS, KEEP_TICKETS)}
        opening = OPENING_TICKETS in asked.values()
        for seat, (offer, choice) in enumerate(zip(self.offers, self.chosen, strict=True)):
            if bool(offer) != (seat in asked or opening):
                raise Malformed(f"{pointer}/offers/{seat}", "a seat has an offer while it must choose, and only then")
            if (choice == NOT_CHOSEN) == (opening and seat not in asked):
                raise Malformed(f"{pointer}/chosen/{seat}", "a choice is held while others still choose, and only then")
            if choice == 0 and state.shows(seat):
                raise Malformed(f"{pointer}/chosen/{seat}", "this choice is not hidden")
            if choice > 0 and choice & ~mask_of(offer):
                raise Malformed(f"{pointer}/chosen/{seat}", "only offered tickets can be chosen")


def _level(layer: Layer) -> bool:
    return all(pool == layer.size for pool in layer.pools)


def _read_mask(rules: Rules, plain: Any, pointer: str) -> int:
    mask = 0
    for place, name in enumerate(read_list(plain, 0, len(rules.board.tickets), pointer)):
        mask |= 1 << read_name(rules.board.ticket_of, name, f"{pointer}/{place}", "ticket")
    return mask


def _read_offer(rules: Rules, plain: Any, pointer: str) -> list[int]:
    names = read_list(plain, 0, len(rules.board.tickets), pointer)
    known = rules.board.ticket_of
    return [-1 if t is None else read_name(known, t, f"{pointer}/{i}", "ticket") for i, t in enumerate(names)]


def _show(names: list[str], tickets: list[int], size: int) -> str:
    hidden = size - len(tickets)
    shown = [names[ticket] for ticket in tickets] + ([f"?{hidden}"] if hidden > 0 else [])
    return ",".join(shown) or "-"


def _show_layer(names: list[str], layer: Layer) -> str:
    known = "/".join(_show(names, bits(mask), 0) for mask in layer.known)
    pools = "/".join(str(pool) for pool in layer.pools)
    return f"{_show(names, bits(layer.tickets), layer.size)}:{known}:{pools}"


def _parts(seats: int, text: str, pointer: str) -> list[str]:
    parts = text.split("/") if text else ["-"] * seats
    if len(parts) != seats:
        raise Malformed(pointer, f"{seats} seats are needed, separated by /")
    return parts


def _parse(rules: Rules, text: str, pointer: str) -> tuple[list[int], int]:
    """The named tickets in order, and the number of all of them."""
    tickets: list[int] = []
    hidden = 0
    for name in text.split(",") if text != "-" else ():
        if name.startswith("?"):
            hidden += read_digits(name[1:], pointer)
        else:
            tickets.append(read_name(rules.board.ticket_of, name, pointer, f"ticket as {name[:60]}"))
    return tickets, len(tickets) + hidden


def _parse_layer(rules: Rules, text: str) -> Layer:
    fields = text.split(":")
    if len(fields) != 3:
        raise Malformed("/ticket_deck", "a layer is tickets:known by seat:pools by seat")
    tickets, size = _parse(rules, fields[0], "/ticket_deck")
    known = [mask_of(_parse(rules, part, "/ticket_deck")[0]) for part in _parts(rules.seats, fields[1], "/ticket_deck")]
    pools = [read_digits(part, "/ticket_deck") for part in _parts(rules.seats, fields[2], "/ticket_deck")]
    return Layer(mask_of(tickets), size, known, pools)
