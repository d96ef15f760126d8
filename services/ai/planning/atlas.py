"""What a board offers, whoever owns what: made once for each rule set and number of seats."""

from __future__ import annotations

from functools import lru_cache
from heapq import heappop, heappush

from services.ai.planning.prices import price
from shared.kernel import Rules

NO_WAY = 1e9


class Atlas:
    """Tables for planning on a board."""

    def __init__(self, rules: Rules) -> None:
        board = rules.board
        self.rules = rules
        self.cities = len(board.cities)
        #: the points of each track for its claimer, markers aside (BASE-30)
        points: list[int] = rules.by_name["claim"].points
        self.points: list[int] = [points[length] for length in board.lengths]
        #: what each track costs a seat without cards
        self.prices: list[float] = [
            price(points, length, length) for points, length in zip(self.points, board.lengths, strict=True)
        ]
        #: for each city the neighbours as (city, track)
        self.ways: list[list[tuple[int, int]]] = [[] for _ in board.cities]
        for track, (one, other) in enumerate(board.ends):
            self.ways[one].append((other, track))
            self.ways[other].append((one, track))
        #: the neighbours through which a way may go on: none from a dead end (MK-17)
        self.onward: list[list[tuple[int, int]]] = [
            [] if city in board.dead_ends else ways for city, ways in enumerate(self.ways)
        ]

    def way(self, weights: list[float], start: int, goal: int) -> tuple[float, list[int]]:
        """The cheapest way between two cities as (cost, its tracks from the goal back); cost NO_WAY if there is none.

        `weights` gives what each track costs, at least 0; NO_WAY for one that cannot be used.
        """
        best = [NO_WAY] * self.cities
        came = [(-1, -1)] * self.cities
        best[start] = 0.0
        queue = [(0.0, start)]
        neighbours = self.ways[start]
        while queue:
            cost, city = heappop(queue)
            if city == goal:
                way = []
                while city != start:
                    city, track = came[city]
                    way.append(track)
                return cost, way
            if cost > best[city]:
                continue
            for other, track in neighbours if city == start else self.onward[city]:
                reached = cost + weights[track]
                if reached < best[other]:
                    best[other] = reached
                    came[other] = (city, track)
                    heappush(queue, (reached, other))
        return NO_WAY, []


@lru_cache(maxsize=64)
def atlas_of(rules: Rules) -> Atlas:
    """The tables of a rule set."""
    return Atlas(rules)
