"""Tickets: choosing which to keep, and scoring them (BASE-5, BASE-31, BASE-32, BASE-35, BASE-38, BASE-39)."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from typing import TYPE_CHECKING, Any, Final

from shared.kernel import kinds
from shared.kernel.chance import Chance
from shared.kernel.decisions import Decision
from shared.kernel.events import Event
from shared.kernel.mechanic import Mechanic
from shared.kernel.moves import Move, tickets_once
from shared.kernel.network import Network
from shared.kernel.state import SPECTATOR, Part, State, View
from shared.kernel.ticket_deck import NOT_CHOSEN, Tickets, bits, hide, mask_of, numbers, set_aside
from shared.kernel.ticket_events import (
    TicketList,
    TicketsChosen,
    TicketsKept,
    TicketsOffered,
    TicketsReturned,
    TicketsRevealed,
    TicketsShuffledBack,
    TicketsShuffledIn,
    TicketsShuffledUnder,
)
from shared.kernel.tracks import Tracks
from shared.kernel.violations import RuleViolation

if TYPE_CHECKING:
    from shared.kernel.engine import Play
    from shared.kernel.ruleset import Rules
    from shared.kernel.scoring import ScoreSheet


#: what a rule set's file says of the opening tickets not kept
BACK: Final[dict[str, type[TicketsShuffledBack]]] = {
    "shuffled_under": TicketsShuffledUnder,
    "shuffled_in": TicketsShuffledIn,
}


class KeepTickets(Move):
    """Keeps these of the offered tickets; in a commit of another seat they are hidden. Raises MalformedMove if one
    comes twice."""

    __slots__ = ("tickets",)
    kind = kinds.KEEP_TICKETS_MOVE
    fields = (("tickets", TicketList(number_hidden=True)),)

    def __init__(self, tickets: tuple[int, ...] | None) -> None:
        self.tickets: tuple[int, ...] | None = tickets_once(tickets, "/tickets")

    def seen_by(self, rules: Rules, head: State, mover: int, seat: int) -> Move:
        """Not even the number: that of opening tickets is secret until all have chosen (VIEW-4)."""
        return self if seat == mover else KeepTickets(None)


@lru_cache(maxsize=2048)
def choices(offered: int, least: int) -> tuple[KeepTickets, ...]:
    """All ways to keep at least so many of the tickets offered."""
    members = bits(offered)
    return tuple([KeepTickets(c) for n in range(least, len(members) + 1) for c in combinations(members, n)])


def completed(rules: Rules, state: State, seat: int) -> list[int]:
    """The tickets in the seat's hand that its tracks complete (BASE-38), ascending."""
    if state.parts[kinds.TRACKS] is None:
        return []
    tracks: Tracks = state.parts[kinds.TRACKS]
    network = Network(len(rules.board.cities), tracks.edges(rules, seat), rules.board.dead_ends)
    ends = rules.board.ticket_ends
    return [t for t in bits(state.parts[kinds.TICKETS].hands[seat]) if network.connected(*ends[t])]


def offer_tickets(play: Play, seat: int, wanted: list[int]) -> None:
    """Draws tickets for a seat, from each deck as many as there are up to the number wanted (BASE-33)."""
    tickets: Tickets = play.state.parts[kinds.TICKETS]
    drawn: list[int] = []
    for deck, number in enumerate(wanted):
        of_deck: list[int] = []
        for layer in tickets.layers:
            if layer.deck != deck or len(of_deck) == number:
                continue
            left = bits(layer.tickets)
            while left and len(of_deck) < number:
                of_deck.append(left.pop(play.chance.below(len(left))))
        drawn += of_deck
    play.emit(TicketsOffered(seat, tuple(drawn)))


class TicketRules(Mechanic):
    """Plays the choices of tickets to keep and scores tickets."""

    slot = kinds.TICKETS
    lists = (kinds.OPENING_TICKETS, kinds.KEEP_TICKETS)
    owns = (KeepTickets,)
    reacts = (kinds.GAME_ENDED,)

    def __init__(self, rules: Rules, config: dict[str, Any]) -> None:
        self.opening: dict[str, Any] = config["opening"]
        self.drawing: dict[str, Any] = config["drawing"]
        self.back: type[TicketsShuffledBack] = BACK[config["opening"]["returned"]]

    def part(self, rules: Rules) -> Part:
        return Tickets(rules.seats, rules.ticket_masks)

    def least(self, state: State, decision: Decision) -> int:
        """How many of the offered tickets must be kept at least."""
        tickets: Tickets = state.parts[kinds.TICKETS]
        keep: int = (self.opening if decision.kind == kinds.OPENING_TICKETS else self.drawing)["keep"]
        return min(keep, len(tickets.offers[decision.seat]))

    def moves(self, rules: Rules, state: State, decision: Decision, out: list[Move]) -> None:
        tickets: Tickets = state.parts[kinds.TICKETS]
        out += choices(mask_of(tickets.offers[decision.seat]), self.least(state, decision))

    def check(self, rules: Rules, state: State, decision: Decision, move: Move) -> None:
        tickets: Tickets = state.parts[kinds.TICKETS]
        assert isinstance(move, KeepTickets) and move.tickets is not None
        for ticket in move.tickets:
            if ticket not in tickets.offers[decision.seat]:
                data = {"ticket": rules.board.tickets[ticket]}
                raise RuleViolation("ticket_not_offered", "BASE-31", data)
        least = self.least(state, decision)
        if len(move.tickets) < least:
            rule = (self.opening if decision.kind == kinds.OPENING_TICKETS else self.drawing)["rule"]
            raise RuleViolation("too_few_tickets_kept", rule, {"needed": least, "came": len(move.tickets)})

    def play(self, play: Play, decision: Decision, move: Move) -> None:
        assert isinstance(move, KeepTickets) and move.tickets is not None
        if decision.kind == kinds.OPENING_TICKETS:
            play.emit(TicketsChosen(decision.seat, move.tickets))
            if not play.state.decisions:
                self.settle_opening(play)
            return
        offer = play.state.parts[kinds.TICKETS].offers[decision.seat]
        returned = tuple([ticket for ticket in offer if ticket not in move.tickets])
        play.emit(TicketsKept(decision.seat, move.tickets))
        if returned:
            play.emit(TicketsReturned(decision.seat, returned))
        play.end_turn()

    def settle_opening(self, play: Play) -> None:
        """All opening choices take effect together, in seat order, and the first turn starts (BASE-5)."""
        tickets: Tickets = play.state.parts[kinds.TICKETS]
        chosen = tickets.chosen[:]
        returned = [
            tuple([ticket for ticket in offer if not chosen[seat] >> ticket & 1])
            for seat, offer in enumerate(tickets.offers)
        ]
        for seat, mask in enumerate(chosen):
            play.emit(TicketsKept(seat, tuple(bits(mask))))
        if any(returned):
            play.emit(self.back(tuple(returned)))
        play.start_turns()

    def react(self, play: Play, event: Event) -> None:
        """At the end all tickets are revealed (BASE-39)."""
        tickets: Tickets = play.state.parts[kinds.TICKETS]
        hands = tuple([tuple(bits(hand)) for hand in tickets.hands])
        play.emit(TicketsRevealed(hands, tuple([tuple(bits(layer.tickets)) for layer in tickets.layers])))

    def default(self, rules: Rules, state: State, decision: Decision) -> Move | None:
        tickets: Tickets = state.parts[kinds.TICKETS]
        return KeepTickets(tuple(tickets.offers[decision.seat][: self.least(state, decision)]))

    def hide(self, rules: Rules, view: View) -> None:
        tickets: Tickets = view.parts[kinds.TICKETS]
        for seat in range(view.seats):
            if seat == view.viewer:
                continue
            tickets.hands[seat] = 0
            tickets.offers[seat] = hide(rules, tickets.offers[seat])
            if tickets.chosen[seat] != NOT_CHOSEN:
                tickets.chosen[seat] = 0
            for layer in tickets.layers:
                layer.known[seat] = 0
        for layer in tickets.layers:
            layer.tickets = 0

    def fill(self, rules: Rules, view: View, state: State, chance: Chance) -> None:
        fill_tickets(rules, view.viewer, state, self.opening["keep"], chance)

    def score(self, rules: Rules, state: State, sheet: ScoreSheet) -> None:
        """Tickets are completed by tracks, where there are any (BASE-38)."""
        if state.parts[kinds.TRACKS] is None:
            return
        board = rules.board
        tracks: Tracks = state.parts[kinds.TRACKS]
        for seat in range(rules.seats):
            network = Network(len(board.cities), tracks.edges(rules, seat), board.dead_ends)
            for ticket in bits(state.parts[kinds.TICKETS].hands[seat]):
                path = network.path(*board.ticket_ends[ticket])
                evidence: dict[str, Any] = {"ticket": board.tickets[ticket], "completed": path is not None}
                points = board.ticket_points[ticket]
                if path is None:
                    sheet.add(seat, -points, "ticket", "BASE-39", evidence)
                else:
                    sheet.completed[seat] += 1
                    evidence["tracks"] = [board.tracks[track] for track in path]
                    sheet.add(seat, points, "ticket", "BASE-39", evidence)

    def rank(self, rules: Rules, state: State, sheet: ScoreSheet, seat: int) -> int:
        return sheet.completed[seat]


def fill_tickets(rules: Rules, viewer: int, state: State, least: int, chance: Chance) -> None:
    """Puts a uniformly chosen ticket into every hole: first which of the tickets that the viewer put into a layer are
    still there, then the tickets that are nowhere to be seen."""
    tickets: Tickets = state.parts[kinds.TICKETS]
    unseen = (1 << len(rules.board.tickets)) - 1
    for mask in (*tickets.hands, *[mask_of(offer) for offer in tickets.offers]):
        unseen &= ~mask
    aside = mask_of([ticket for mask in set_aside(state) for ticket in bits(mask)])
    unseen &= ~aside
    gone = [0] * len(tickets.layers)  # by layer: what the viewer put there and others have drawn since
    for depth, layer in enumerate(tickets.layers if viewer != SPECTATOR else ()):
        known = layer.known[viewer]
        pool = layer.pools[viewer] - (known & aside).bit_count()
        size = layer.size
        for ticket in bits(known & ~aside):
            if chance.below(pool) < size:
                layer.tickets |= 1 << ticket
                size -= 1
            else:
                gone[depth] |= 1 << ticket
            pool -= 1
        unseen &= ~layer.tickets
    for depth, layer in enumerate(tickets.layers):
        there = bits(unseen & ~gone[depth] & rules.ticket_masks[layer.deck])
        for _ in range(layer.size - layer.tickets.bit_count()):
            layer.tickets |= 1 << there.pop(chance.below(len(there)))
        unseen &= ~layer.tickets
    rest = [bits(unseen & mask) for mask in rules.ticket_masks]

    def deal(deck: int) -> int:
        return rest[deck].pop(chance.below(len(rest[deck])))

    for seat, counts in enumerate(tickets.counts):
        held = numbers(rules, bits(tickets.hands[seat]))
        for deck, count in enumerate(counts):
            for _ in range(count - held[deck]):
                tickets.hands[seat] |= 1 << deal(deck)
        offer = tickets.offers[seat]
        for place, ticket in enumerate(offer):
            if ticket < 0:
                offer[place] = deal(-1 - ticket)
        if tickets.chosen[seat] == 0:
            tickets.chosen[seat] = mask_of(offer[: least + chance.below(len(offer) - least + 1)])
