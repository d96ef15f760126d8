"""Finding good paths for a passenger among the many that are legal (MK-11 to MK-15)."""

from __future__ import annotations

from typing import Any, Final

WIDTH: Final = 3  # labels of a city that are followed
Step = tuple[int, int, int]  # track, its bit, the city it leads to
Label = tuple[int, int, int, int, int, Any, int]  # value, city, cards, tracks used, cities seen, label before, track


def steps_from(ends: list[tuple[int, int]], cities: int, closed: frozenset[int]) -> list[list[Step]]:
    """For each city the tracks on which a passenger may leave it; none leads to a closed city (MK-14)."""
    steps: list[list[Step]] = [[] for _ in range(cities)]
    for track, (a, b) in enumerate(ends):
        if a not in closed and b not in closed:
            steps[a].append((track, 1 << track, b))
            steps[b].append((track, 1 << track, a))
    return steps


def good_paths(
    steps: list[list[Step]], owners: list[int], tops: list[int], seat: int, start: int, cards: int
) -> list[Label]:
    """Paths of the seat's passenger in `start`, ordered by target and cost: to each city within reach one for the
    fewest passenger cards, and for more cards those that fetch more. Empty only if no path is legal.

    A search by cost: free steps first, then one card more. In each city the WIDTH best labels survive, of any cost so
    far, if they have seen different cities. So the best value is found nearly always, and never after long (to be sure
    of it would take a travelling salesman).
    """
    best: dict[int, list[int]] = {}  # by city: the highest values so far, ascending
    known: dict[int, set[int]] = {}  # by city: what its labels have seen
    found: list[Label] = []
    queue: list[Label] = [(0, start, 0, 0, 1 << start, None, -1)]
    for cost in range(cards + 1):
        kept: dict[int, Label] = {}
        dearer: list[Label] = []
        for label in queue:
            value, city, _, used, seen, before, _ = label
            if city not in best:
                best[city] = [-1] * WIDTH
                known[city] = set()
            values = best[city]
            if value <= values[0] or seen in known[city]:
                continue
            if value > values[-1] and before:
                kept[city] = label
            values[0] = value
            values.sort()
            known[city].add(seen)
            for track, bit, to in steps[city]:
                owner = owners[track]
                if owner < 0 or used & bit:
                    continue
                worth = value if seen >> to & 1 else value + tops[to]
                if to in best and worth <= best[to][0]:
                    continue
                if owner == seat:
                    queue.append((worth, to, cost, used | bit, seen | 1 << to, label, track))
                elif cost < cards:
                    dearer.append((worth, to, cost + 1, used | bit, seen | 1 << to, label, track))
        found += kept.values()
        queue = sorted(dearer, key=_value, reverse=True)
    found.sort(key=_target_and_cost)
    return found


def _value(label: Label) -> int:
    return label[0]


def _target_and_cost(label: Label) -> tuple[int, int]:
    return label[1], label[2]


def path_of(label: Label) -> tuple[int, ...]:
    """The tracks of a path in order."""
    path: list[int] = []
    while label[5] is not None:
        path.append(label[6])
        label = label[5]
    path.reverse()
    return tuple(path)
