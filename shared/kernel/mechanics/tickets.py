"""Tickets: the opening choice, drawing, keeping and scoring them (BASE-5, BASE-31 to BASE-35, BASE-38, BASE-39)."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Any

from shared.kernel import kinds
from shared.kernel.chance import Chance
from shared.kernel.decisions import Decision
from shared.kernel.events import Event, TurnStarted
from shared.kernel.fields import TicketList
from shared.kernel.mechanic import Mechanic
from shared.kernel.moves import Move, refuse_kind
from shared.kernel.network import Network
from shared.kernel.state import SPECTATOR, Part, State, View
from shared.kernel.ticket_deck import NOT_CHOSEN, Tickets, bits, mask_of
from shared.kernel.ticket_events import (
    TicketsChosen,
    TicketsKept,
    TicketsOffered,
    TicketsReturned,
    TicketsRevealed,
    TicketsShuffledUnder,
)
from shared.kernel.tracks import Tracks
from shared.kernel.violations import MalformedMove, RuleViolation

if TYPE_CHECKING:
    from shared.kernel.engine import Play
    from shared.kernel.ruleset import Rules
    from shared.kernel.scoring import ScoreSheet


class DrawTickets(Move):
    """Draws tickets; which to keep is the next decision."""

    __slots__ = ()
    kind = kinds.DRAW_TICKETS


class KeepTickets(Move):
    """Keeps these of the offered tickets; in a commit of another seat they are hidden. Raises MalformedMove if one
    comes twice."""

    __slots__ = ("tickets",)
    kind = kinds.KEEP_TICKETS_MOVE
    fields = (("tickets", TicketList(number_hidden=True)),)

    def __init__(self, tickets: tuple[int, ...] | None) -> None:
        if tickets is not None and len(set(tickets)) < len(tickets):
            raise MalformedMove("/tickets", "a ticket is named twice")
        self.tickets: tuple[int, ...] | None = None if tickets is None else tuple(sorted(tickets))

    def seen_by(self, rules: Rules, head: State, mover: int, seat: int) -> Move:
        """Not even the number: that of opening tickets is secret until all have chosen (VIEW-4)."""
        return self if seat == mover else KeepTickets(None)


DRAW_TICKETS = DrawTickets()


def completed(rules: Rules, state: State, seat: int) -> list[int]:
    """The tickets in the seat's hand that its tracks complete (BASE-38), ascending."""
    tracks: Tracks = state.parts[kinds.TRACKS]
    network = Network(len(rules.board.cities), tracks.edges(rules, seat))
    ends = rules.board.ticket_ends
    return [t for t in bits(state.parts[kinds.TICKETS].hands[seat]) if network.connected(*ends[t])]


class TicketRules(Mechanic):
    """Offers tickets, plays the choices and scores them."""

    slot = kinds.TICKETS
    lists = (kinds.OPENING_TICKETS, kinds.TURN, kinds.KEEP_TICKETS)
    owns = (DrawTickets, KeepTickets)
    reacts = (kinds.GAME_ENDED,)

    def __init__(self, rules: Rules, config: dict[str, Any]) -> None:
        self.opening: dict[str, Any] = config["opening"]
        self.drawing: dict[str, Any] = config["drawing"]
        self.choices: dict[tuple[int, int], list[Move]] = {}

    def part(self, rules: Rules) -> Part:
        return Tickets(rules.seats, len(rules.board.tickets))

    def offer(self, play: Play, seat: int, number: int) -> None:
        """Draws tickets for a seat, as many as there are up to `number` (BASE-33)."""
        drawn: list[int] = []
        for layer in play.state.parts[kinds.TICKETS].layers:
            left = bits(layer.tickets)
            while left and len(drawn) < number:
                drawn.append(left.pop(play.chance.below(len(left))))
            if len(drawn) == number:
                break
        play.emit(TicketsOffered(seat, tuple(drawn)))

    def setup(self, play: Play) -> None:
        for seat in range(play.rules.seats):
            self.offer(play, seat, self.opening["deal"])
        for seat in range(play.rules.seats):
            play.open_decision(seat, kinds.OPENING_TICKETS)

    def least(self, state: State, decision: Decision) -> int:
        """How many of the offered tickets must be kept at least."""
        choice = self.opening if decision.kind == kinds.OPENING_TICKETS else self.drawing
        return min(choice["keep"], len(state.parts[kinds.TICKETS].offers[decision.seat]))

    def moves(self, rules: Rules, state: State, decision: Decision, out: list[Move]) -> None:
        tickets: Tickets = state.parts[kinds.TICKETS]
        if decision.kind == kinds.TURN:
            if tickets.deck_size:
                out.append(DRAW_TICKETS)
            return
        offered = mask_of(tickets.offers[decision.seat])
        least = self.least(state, decision)
        choices = self.choices.get((offered, least))
        if choices is None:
            members = bits(offered)
            choices = [KeepTickets(c) for n in range(least, len(members) + 1) for c in combinations(members, n)]
            self.choices[offered, least] = choices
        out += choices

    def check(self, rules: Rules, state: State, decision: Decision, move: Move) -> None:
        tickets: Tickets = state.parts[kinds.TICKETS]
        if isinstance(move, KeepTickets) == (decision.kind == kinds.TURN):
            refuse_kind(decision, move)
        if isinstance(move, DrawTickets):
            if tickets.deck_size == 0:
                raise RuleViolation("no_tickets_left", "BASE-34", {"left": 0})
            return
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
        if not isinstance(move, KeepTickets):
            self.offer(play, decision.seat, self.drawing["deal"])
            play.open_decision(decision.seat, kinds.KEEP_TICKETS)
            return
        assert move.tickets is not None
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
            play.emit(TicketsShuffledUnder(tuple(returned)))
        play.emit(TurnStarted(play.state.turn))

    def react(self, play: Play, event: Event) -> None:
        """At the end all tickets are revealed (BASE-39)."""
        tickets: Tickets = play.state.parts[kinds.TICKETS]
        hands = tuple([tuple(bits(hand)) for hand in tickets.hands])
        play.emit(TicketsRevealed(hands, tuple([tuple(bits(layer.tickets)) for layer in tickets.layers])))

    def default(self, rules: Rules, state: State, decision: Decision) -> Move | None:
        tickets: Tickets = state.parts[kinds.TICKETS]
        if decision.kind == kinds.TURN:
            return DRAW_TICKETS if tickets.deck_size else None
        return KeepTickets(tuple(tickets.offers[decision.seat][: self.least(state, decision)]))

    def hide(self, rules: Rules, view: View) -> None:
        tickets: Tickets = view.parts[kinds.TICKETS]
        for seat in range(view.seats):
            if seat == view.viewer:
                continue
            tickets.hands[seat] = 0
            tickets.offers[seat] = [-1] * len(tickets.offers[seat])
            if tickets.chosen[seat] != NOT_CHOSEN:
                tickets.chosen[seat] = 0
            for layer in tickets.layers:
                layer.known[seat] = 0
        for layer in tickets.layers:
            layer.tickets = 0

    def fill(self, rules: Rules, view: View, state: State, chance: Chance) -> None:
        fill_tickets(rules, view.viewer, state.parts[kinds.TICKETS], self.opening["keep"], chance)

    def score(self, rules: Rules, state: State, sheet: ScoreSheet) -> None:
        board = rules.board
        tracks: Tracks = state.parts[kinds.TRACKS]
        for seat in range(rules.seats):
            network = Network(len(board.cities), tracks.edges(rules, seat))
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


def fill_tickets(rules: Rules, viewer: int, tickets: Tickets, least: int, chance: Chance) -> None:
    """Puts a uniformly chosen ticket into every hole: first which of the tickets that the viewer put into a layer are
    still there, then the tickets that are nowhere to be seen."""
    unseen = (1 << len(rules.board.tickets)) - 1
    for mask in (*tickets.hands, *[mask_of(offer) for offer in tickets.offers]):
        unseen &= ~mask
    gone = [0] * len(tickets.layers)  # by layer: what the viewer put there and others have drawn since
    for depth, layer in enumerate(tickets.layers if viewer != SPECTATOR else ()):
        pool = layer.pools[viewer]
        size = layer.size
        for ticket in bits(layer.known[viewer]):
            if chance.below(pool) < size:
                layer.tickets |= 1 << ticket
                size -= 1
            else:
                gone[depth] |= 1 << ticket
            pool -= 1
        unseen &= ~layer.tickets
    for depth, layer in enumerate(tickets.layers):
        there = bits(unseen & ~gone[depth])
        for _ in range(layer.size - layer.tickets.bit_count()):
            layer.tickets |= 1 << there.pop(chance.below(len(there)))
        unseen &= ~layer.tickets
    rest = bits(unseen)

    def deal() -> int:
        return rest.pop(chance.below(len(rest)))

    for seat, count in enumerate(tickets.counts):
        for _ in range(count - tickets.hands[seat].bit_count()):
            tickets.hands[seat] |= 1 << deal()
        offer = tickets.offers[seat]
        for place, ticket in enumerate(offer):
            if ticket < 0:
                offer[place] = deal()
        if tickets.chosen[seat] == 0:
            tickets.chosen[seat] = mask_of(offer[: least + chance.below(len(offer) - least + 1)])
