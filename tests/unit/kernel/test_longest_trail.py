"""The longest trail of a network (USA-4)."""

from __future__ import annotations

from itertools import combinations

import pytest

from shared.kernel import FastChance, longest_trail

Edges = list[tuple[int, int, int, int]]


def brute_force(edges: Edges) -> int:
    """Every trail from every city, one track at a time."""

    def furthest(city: int, used: frozenset[int]) -> int:
        best = 0
        for track, a, b, length in edges:
            if track not in used and city in (a, b):
                best = max(best, length + furthest(a + b - city, used | {track}))
        return best

    return max((furthest(city, frozenset()) for _, a, b, _ in edges for city in (a, b)), default=0)


def check_trail(edges: Edges) -> int:
    """The length, after the named tracks were walked one after the other."""
    length, trail = longest_trail(edges)
    by_track = {edge[0]: edge for edge in edges}
    assert len(set(trail)) == len(trail)
    assert sum(by_track[track][3] for track in trail) == length
    ends = [{by_track[track][1], by_track[track][2]} for track in trail]
    for start in ends[0] if ends else ():
        city: int | None = start
        for pair in ends:
            (city,) = (pair - {city}) if city in pair else (None,)
        if city is not None:
            return length
    assert not trail
    return length


def edges(*pairs: tuple[int, int], length: int = 1) -> Edges:
    return [(track, a, b, length) for track, (a, b) in enumerate(pairs)]


@pytest.mark.rule("USA-4")
@pytest.mark.parametrize(
    ("network", "length"),
    [
        ([], 0),
        ([(7, 3, 4, 6)], 6),
        (edges((0, 1), (1, 2), (2, 3)), 3),
        (edges((0, 1), (0, 2), (0, 3)), 2),
        (edges((0, 1), (1, 2), (2, 0)), 3),
        (edges((0, 1), (1, 2), (2, 0), (0, 3)), 4),
        (edges((0, 1), (1, 2), (2, 0), (0, 3), (3, 4), (4, 0)), 6),
        (edges((0, 1), (2, 3), (3, 4)), 2),
        (edges((0, 1), (0, 1), (1, 2)), 3),
        ([(0, 0, 1, 6), (1, 2, 3, 2), (2, 3, 4, 2), (3, 4, 5, 1)], 6),
        ([(0, 0, 1, 1), (1, 1, 2, 1), (2, 1, 3, 5), (3, 3, 4, 1)], 7),
    ],
    ids=["none", "one", "line", "star", "triangle", "lasso", "two loops", "two parts", "parallel", "far part", "fork"],
)
def test_known_networks(network: Edges, length: int) -> None:
    assert check_trail(network) == brute_force(network) == length


@pytest.mark.rule("USA-4")
@pytest.mark.parametrize("seed", range(60))
def test_random_networks_against_brute_force(seed: int) -> None:
    luck = FastChance(seed * 7919 + 13)
    cities = 3 + luck.below(5)
    pairs = list(combinations(range(cities), 2))
    network = []
    for track in range(1 + luck.below(7)):
        a, b = pairs[luck.below(len(pairs))]
        network.append((track, a, b, 1 + luck.below(6)))
    assert check_trail(network) == brute_force(network)
