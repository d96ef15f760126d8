"""One network for all tickets together: which tracks to claim, which tickets they complete.

Tickets are joined to the network one after the other by the cheapest way, in several orders, by turns as by trains;
then each ticket is taken out and joined anew, and tickets that bring less than they cost are given up. The trains left
go to tracks that score well for the turns that they take.
"""

from __future__ import annotations

from math import exp

from services.ai.planning.atlas import NO_WAY
from services.ai.planning.needs import Needs
from services.ai.planning.prices import CARD_TURNS, CLAIM_RISK, TRAIN_WORTH, TURN_WORTH
from services.ai.planning.standing import Standing
from shared.kernel import GRAY

ORDERS = 4
THRIFT = 1.0  # points that a train counts for in plans with few trains
TURN_SPREAD = 2.0  # turns: how sure it is when a plan will be done
TRAIN_SPREAD = 2.0  # trains: how sure it is that they reach
DETOURS = 0.15  # trains that detours take, of those planned
FILL_PRICES = (-0.5, 0.0, 0.6, 1.0)  # points a train, tried for the tracks that use up what is left


class Plan:
    """Tracks to claim, and what they are for."""

    __slots__ = ("fill", "tickets", "tracks", "trains", "weight", "worth")

    def __init__(self) -> None:
        self.tracks: set[int] = set()
        self.tickets: dict[int, list[int]] = {}  # for each ticket its way over tracks of the plan
        self.trains: int = 0
        self.weight: float = 0.0
        self.worth: float = 0.0  # points, tickets not in the plan included
        self.fill: list[int] = []  # tracks for their points alone


class Planner:
    """Plans for one standing. `turns_left` are the turns that the seat still has, as expected."""

    def __init__(self, standing: Standing, turns_left: float) -> None:
        board = standing.rules.board
        self.standing = standing
        self.turns_left = turns_left
        self.lengths: list[int] = board.lengths
        self.values: list[int] = board.ticket_points
        self.gains: list[float] = standing.gains
        self.ends: list[tuple[int, int]] = board.ticket_ends
        self.thrifty: list[float] = [
            weight + THRIFT * length if 0 < weight < NO_WAY else weight
            for weight, length in zip(standing.weights, board.lengths, strict=True)
        ]

    def best(self, tickets: list[int]) -> Plan:
        """The best plan found for the tickets held, without what fills it up."""
        pending = [ticket for ticket in tickets if not self.standing.completes(ticket)]
        pending.sort(key=lambda ticket: -self.values[ticket])
        best = self._judged(Plan(), pending)
        wanted = pending
        while wanted:
            found = self._best_of_orders(wanted, pending)
            if found.worth > best.worth:
                best = found
            wanted = self._without_worst(wanted, found)
        best.worth += sum(self.gains[ticket] for ticket in tickets if ticket not in pending)
        return best

    def fill(self, plan: Plan) -> None:
        """Adds tracks for the trains and turns that the plan leaves, by their points."""
        standing = self.standing
        trains = standing.trains - plan.trains * (1 + DETOURS)
        turns = self.turns_left - Needs(standing.atlas, plan.tracks).turns(standing.hand)
        found = [self._filled(plan, trains, turns, price) for price in FILL_PRICES]
        plan.fill = max(found, key=lambda one: one[0])[1]

    def chance(self, tracks: set[int], later: int) -> float:
        """How likely turns and trains reach for these tracks, detours included, when begun some turns later."""
        if not tracks:
            return 1.0
        turns = Needs(self.standing.atlas, tracks).turns(self.standing.hand) + later
        trains = sum(self.lengths[track] for track in tracks)
        return _sigmoid((self.turns_left - turns) / TURN_SPREAD) * self._reach(trains)

    def way(self, ticket: int, weights: list[float]) -> tuple[float, list[int]]:
        """The cheapest way for a ticket, as Atlas.way; through the home city where there is one."""
        one, other = self.ends[ticket]
        atlas, home = self.standing.atlas, self.standing.home
        if home < 0:
            return atlas.way(weights, one, other)
        cost, way = atlas.way(weights, home, one)
        if cost >= NO_WAY:
            return cost, way
        joined = weights[:]
        for track in way:
            joined[track] = 0.0
        more, rest = atlas.way(joined, home, other)
        return cost + more, way + rest

    def strain(self, plan: Plan, length: int) -> float:
        """The points lost, as expected, because the trains may not reach for the plan when `length` of them are spent
        on something else: one of the tickets then fails."""
        if not plan.tickets:
            return 0.0
        each = sum(self.values[ticket] + self.gains[ticket] for ticket in plan.tickets) / len(plan.tickets)
        return each * (1 - self._reach(plan.trains, length))

    def _reach(self, trains: int, spent: int = 0) -> float:
        return _sigmoid((self.standing.trains - spent - trains * (1 + DETOURS)) / TRAIN_SPREAD)

    def _judged(self, plan: Plan, pending: list[int]) -> Plan:
        """Sets what the plan is worth: tickets that it completes or not, tracks, turns and trains."""
        turns = Needs(self.standing.atlas, plan.tracks).turns(self.standing.hand)
        done = _sigmoid((self.turns_left - turns) / TURN_SPREAD) if plan.tickets else 1.0
        worth = 0.0
        for ticket in pending:
            chance = done if ticket in plan.tickets else 0.0
            worth += self.gains[ticket] * chance - self.values[ticket] * (1 - chance)
        worth -= self.strain(plan, 0)
        worth += sum(self.standing.points[track] for track in plan.tracks)
        plan.worth = worth - TURN_WORTH * turns - TRAIN_WORTH * plan.trains - CLAIM_RISK * len(plan.tracks)
        return plan

    def _best_of_orders(self, wanted: list[int], pending: list[int]) -> Plan:
        orders = [wanted[first:] + wanted[:first] for first in range(min(ORDERS, len(wanted)))]
        if len(wanted) > 1:
            orders.append(wanted[::-1])
        plans = [
            self._judged(self._improved(self._joined(order, weights), weights), pending)
            for weights in (self.standing.weights, self.thrifty)
            for order in orders
        ]
        return max(plans, key=lambda plan: plan.worth)

    def _without_worst(self, wanted: list[int], plan: Plan) -> list[int]:
        """The tickets that the plan completes; if these are all, without the one that is the worst deal."""
        joined = [ticket for ticket in wanted if ticket in plan.tickets]
        if len(joined) < len(wanted):
            return joined
        worst = min(joined, key=lambda ticket: self._deal(plan, ticket))
        return [ticket for ticket in joined if ticket != worst]

    def _deal(self, plan: Plan, ticket: int) -> float:
        """What the ticket brings less what is planned for it alone."""
        alone = set(plan.tickets[ticket]) - _tracks_of_others(plan, ticket)
        return self.values[ticket] + self.gains[ticket] - sum(self.standing.weights[track] for track in alone)

    def _joined(self, order: list[int], base: list[float]) -> Plan:
        plan = Plan()
        weights = base[:]
        for ticket in order:
            self._join(plan, ticket, weights)
        return plan

    def _join(self, plan: Plan, ticket: int, weights: list[float]) -> None:
        """Adds the cheapest way of a ticket, unless the trains do not reach; what is planned weighs 0 from then on."""
        cost, way = self.way(ticket, weights)
        if cost >= NO_WAY:
            return
        new = {track for track in way if weights[track] > 0}
        trains = plan.trains + sum(self.lengths[track] for track in new)
        if trains > self.standing.trains:
            return
        plan.tickets[ticket] = [track for track in way if self.standing.weights[track] > 0]
        plan.tracks |= new
        plan.trains = trains
        plan.weight += cost
        for track in new:
            weights[track] = 0.0

    def _improved(self, plan: Plan, base: list[float]) -> Plan:
        """Takes each ticket out in turn and joins it anew."""
        for ticket in list(plan.tickets):
            others = _tracks_of_others(plan, ticket)
            if not others or len(others) == len(plan.tracks):
                continue
            again = Plan()
            again.tickets = {other: way for other, way in plan.tickets.items() if other != ticket}
            again.tracks = others
            again.trains = sum(self.lengths[track] for track in others)
            again.weight = sum(base[track] for track in others)
            weights = [0.0 if track in others else weight for track, weight in enumerate(base)]
            self._join(again, ticket, weights)
            if len(again.tickets) == len(plan.tickets) and again.weight < plan.weight:
                plan = again
        return plan

    def _filled(self, plan: Plan, trains: float, turns: float, price: float) -> tuple[float, list[int]]:
        """Tracks taken one after the other for their points, less the turns and a price for each train; the points less
        the turns, and the tracks."""
        standing, board, colours = self.standing, self.standing.rules.board, self.standing.rules.colours
        spare = standing.hand[:]
        for track in sorted(plan.tracks, key=lambda track: (board.colours[track] == GRAY, track)):
            colour = board.colours[track]
            if colour == GRAY:
                colour = spare.index(max(spare[:colours]))
            spare[colour] = max(0, spare[colour] - self.lengths[track])
        taken = plan.tracks | {other for track in plan.tracks for other in board.parallels[track]}
        cities = standing.reached(plan.tracks)
        chosen: list[int] = []
        worth = 0.0
        last = standing.rules.by_name["last_round"].trains  # with which the last round begins (BASE-36)
        while trains > last:
            best, best_net, best_turns, best_colour = -1, 0.0, 0.0, -1
            most = spare.index(max(spare[:colours]))
            for track in standing.open:
                length = self.lengths[track]
                if length > trains or track in taken:
                    continue
                if cities and not cities.intersection(board.ends[track]):
                    continue
                colour = most if board.colours[track] == GRAY else board.colours[track]
                takes = 1 + CARD_TURNS * max(0, length - spare[colour])
                net = standing.points[track] - TURN_WORTH * takes - price * length
                if net > best_net and takes <= turns:
                    best, best_net, best_turns, best_colour = track, net, takes, colour
            if best < 0:
                break
            chosen.append(best)
            taken |= {best, *board.parallels[best]}
            if cities:
                cities |= set(board.ends[best])
            spare[best_colour] = max(0, spare[best_colour] - self.lengths[best])
            trains -= self.lengths[best]
            turns -= best_turns
            worth += best_net + price * self.lengths[best]
        return worth, chosen


def _tracks_of_others(plan: Plan, ticket: int) -> set[int]:
    return {track for other, way in plan.tickets.items() if other != ticket for track in way}


def _sigmoid(x: float) -> float:
    return 1 / (1 + exp(-x))
