"""The board as one seat sees it: what each track would still cost it, and cheap ways to connect cities."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from heapq import heappop, heappush

from shared.kernel import ALVIN, CARDS, GRAY, MARKERS, TRACKS, Cards, Network, Rules, Tracks, View

CARD_COST = 2
CLAIM_COST = 9
POINT_WORTH = 3
LOSS_COST = 1  # for each point that the markers of others take away
CAPTURE_WORTH = 15  # points; the captor may lose him again
NO_WAY_ROUND = 1000


@dataclass
class Plan:
    """Tracks to claim, the tickets that they complete, the trains that they take, and what they cost."""

    tracks: set[int] = field(default_factory=set)
    tickets: list[int] = field(default_factory=list)
    trains: int = 0
    cost: int = 0


class Survey:
    """What a seat owns and may still claim. Costs count the cards still missing, and a little for each claim."""

    def __init__(self, rules: Rules, view: View, seat: int) -> None:
        board = rules.board
        tracks: Tracks = view.parts[TRACKS]
        cards: Cards = view.parts[CARDS]
        self.rules = rules
        self.view = view
        self.seat = seat
        self.hand: list[int] = cards.hands[seat]
        self.wilds: int = sum(self.hand[kind] for kind in rules.wild_from)
        self.trains: int = tracks.trains[seat]
        self.own = set(tracks.owned(seat))
        self.open = [
            track for track, length in enumerate(board.lengths) if tracks.open[seat][track] and length <= self.trains
        ]
        self.network = Network(len(board.cities), tracks.edges(rules, seat), board.dead_ends)
        #: the city that all own tracks must be joined to, where a rule set wants that (OW-6); -1 otherwise
        self.home: int = -1 if view.parts[MARKERS] is None else view.parts[MARKERS].starts[seat]
        self.costs = dict.fromkeys(self.own, 0) | {
            track: CLAIM_COST + CARD_COST * self.missing(track) + LOSS_COST * self._loss(track) for track in self.open
        }
        self.ways: list[list[tuple[int, int]]] = [[] for _ in board.cities]
        for track in self.costs:
            one, other = board.ends[track]
            self.ways[one].append((other, track))
            self.ways[other].append((one, track))

    def claimable(self) -> list[int]:
        """The open tracks that may be claimed next: where a rule set wants it, those that touch the own ones (OW-6)."""
        if self.home < 0:
            return self.open
        reached = {self.home, *(city for track in self.own for city in self.rules.board.ends[track])}
        return [track for track in self.open if not reached.isdisjoint(self.rules.board.ends[track])]

    def points(self, track: int) -> int:
        """What claiming the track is worth: what the seat scores by it, less what others score (OW-9, OW-10)."""
        board, markers, alvin = self.rules.board, self.view.parts[MARKERS], self.view.parts[ALVIN]
        points: int = self.rules.by_name["claim"].points[board.lengths[track]]
        if markers is not None:
            owners = [markers.owners[city] for city in markers.marked_ends(self.rules, track)]
            if owners:
                points *= 2 * owners.count(self.seat) - len(owners)
        if alvin is not None and alvin.city in board.ends[track] and alvin.controller != self.seat:
            points += CAPTURE_WORTH
        return points

    def _loss(self, track: int) -> int:
        """How much less a track is worth than its length because of the markers of others."""
        return max(0, self.rules.by_name["claim"].points[self.rules.board.lengths[track]] - self.points(track))

    def missing(self, track: int) -> int:
        """The cards that the hand lacks for the track, wilds aside."""
        colour = self.rules.board.colours[track]
        held = max(self.hand[: self.rules.colours]) if colour == GRAY else self.hand[colour]
        return max(0, self.rules.board.lengths[track] - held)

    def completes(self, ticket: int) -> bool:
        """Whether the own tracks complete the ticket (BASE-38)."""
        return self.network.connected(*self.rules.board.ticket_ends[ticket])

    def last_points(self, track: int, tickets: Iterable[int]) -> int:
        """What the track is worth as the last one: its own points, and twice those of each ticket that it completes."""
        board = self.rules.board
        edges = [*self.network.edges, (track, *board.ends[track], board.lengths[track])]
        network = Network(len(board.cities), edges, board.dead_ends)
        done = [t for t in tickets if not self.completes(t) and network.connected(*board.ticket_ends[t])]
        return self.points(track) + 2 * sum(board.ticket_points[ticket] for ticket in done)

    def path(self, start: int, goal: int, free: set[int], without: int = -1) -> tuple[int, list[int]] | None:
        """The cheapest way between two cities as (cost, its tracks), or None; tracks of `free` cost nothing."""
        came: dict[int, tuple[int, int]] = {}
        best = {start: 0}
        queue = [(0, start)]
        while queue:
            cost, city = heappop(queue)
            if city == goal:
                return cost, _trace(came, start, goal)
            if cost > best[city] or (city in self.rules.board.dead_ends and city != start):
                continue
            for neighbour, track in self.ways[city]:
                reached = cost if track in free else cost + self.costs[track]
                if track != without and reached < best.get(neighbour, reached + 1):
                    best[neighbour] = reached
                    came[neighbour] = (city, track)
                    heappush(queue, (reached, neighbour))
        return None

    def plan(self, tickets: Iterable[int]) -> Plan:
        """The best plan found for tickets not completed yet; one that the trains do not reach for is left out."""
        pending = [ticket for ticket in tickets if not self.completes(ticket)]
        pending.sort(key=lambda ticket: -self.rules.board.ticket_points[ticket])
        turned = [pending[first:] + pending[:first] for first in range(max(1, len(pending)))]
        return max((self._plan_in_order(order) for one in turned for order in (one, one[::-1])), key=self._worth)

    def capture(self, plan: Plan) -> set[int]:
        """The cheapest tracks to claim beside the plan for capturing Alvin (OW-10); none where it does not pay."""
        alvin = self.view.parts[ALVIN]
        if alvin is None or alvin.controller == self.seat or self.home < 0:
            return set()
        best, tracks = POINT_WORTH * CAPTURE_WORTH, set()
        for last in self.open:
            if alvin.city not in self.rules.board.ends[last]:
                continue
            for city in self.rules.board.ends[last]:
                found = self.path(self.home, city, plan.tracks, without=last)
                if found is None:
                    continue
                cost, needed = found[0] + self.costs[last], {last, *found[1]} - self.own
                if cost < best and self._has_trains(plan, needed):
                    best, tracks = cost, needed
        return tracks

    def _has_trains(self, plan: Plan, tracks: set[int]) -> bool:
        new = tracks - self.own - plan.tracks
        return plan.trains + sum(self.rules.board.lengths[track] for track in new) <= self.trains

    def worth_of_start(self, city: int, tickets: Iterable[int]) -> int:
        """What the best plan is worth if the seat starts in a city (OW-5)."""
        home, self.home = self.home, city
        worth = self._worth(self.plan(tickets))
        self.home = home
        return worth

    def detour(self, plan: Plan, track: int) -> int:
        """The cost of the cheapest way round a planned track, should another seat take it."""
        around = self.path(*self.rules.board.ends[track], plan.tracks, without=track)
        return NO_WAY_ROUND if around is None else around[0]

    def _plan_in_order(self, order: Iterable[int]) -> Plan:
        plan = Plan()
        for ticket in order:
            found = self._way(ticket, plan)
            if found is None:
                continue
            cost, way = found
            if self._has_trains(plan, set(way)):
                new = set(way) - self.own - plan.tracks
                plan.tracks |= new
                plan.trains += sum(self.rules.board.lengths[track] for track in new)
                plan.cost += cost
                plan.tickets.append(ticket)
        return plan

    def _way(self, ticket: int, plan: Plan) -> tuple[int, list[int]] | None:
        """The cheapest way between the cities of a ticket, through the home city where there is one."""
        one, other = self.rules.board.ticket_ends[ticket]
        if self.home < 0:
            return self.path(one, other, plan.tracks)
        first = self.path(self.home, one, plan.tracks)
        second = None if first is None else self.path(self.home, other, plan.tracks | set(first[1]))
        return None if first is None or second is None else (first[0] + second[0], first[1] + second[1])

    def _worth(self, plan: Plan) -> int:
        return POINT_WORTH * sum(self.rules.board.ticket_points[ticket] for ticket in plan.tickets) - plan.cost


def _trace(came: dict[int, tuple[int, int]], start: int, goal: int) -> list[int]:
    way = []
    while goal != start:
        goal, track = came[goal]
        way.append(track)
    return way
