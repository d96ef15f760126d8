"""Finding good paths for a passenger among the many that are legal (MK-11 to MK-15)."""

from __future__ import annotations

from typing import Any

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

    A search by cost: free steps first, then one card more. A label survives where it fetches more than any other that
    reached its city for as many cards or fewer. So each city is looked at a few times only, and nearly always the best
    value is found (to be sure of it would take a travelling salesman).
    """
    best = [-1] * len(steps)  # by city: the highest value so far, at this cost or less
    found: list[Label] = []
    seeds: dict[int, Label] = {start: (0, start, 0, 0, 1 << start, None, -1)}
    for cost in range(cards + 1):
        kept: dict[int, Label] = {}
        dearer: dict[int, Label] = {}
        for seed in sorted(seeds.values(), reverse=True, key=_value):
            if cost:
                if seed[0] <= best[seed[1]]:
                    continue  # reached meanwhile from a better seed
                best[seed[1]] = seed[0]
                kept[seed[1]] = seed
            queue = [seed]
            for label in queue:
                value, city, _, used, seen, _, _ = label
                for track, bit, to in steps[city]:
                    owner = owners[track]
                    if owner < 0 or used & bit:
                        continue
                    worth = value if seen >> to & 1 else value + tops[to]
                    if worth <= best[to]:
                        continue
                    if owner == seat:
                        best[to] = worth
                        kept[to] = onward = (worth, to, cost, used | bit, seen | 1 << to, label, track)
                        queue.append(onward)
                    elif to not in dearer or dearer[to][0] < worth:
                        dearer[to] = (worth, to, cost + 1, used | bit, seen | 1 << to, label, track)
        found += kept.values()
        seeds = dearer
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
