"""The longest trail (USA-4): exact on small networks of every shape, and fast on the densest that 45 trains build."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest

from deploy.bench.dense_networks import MODES, network
from shared.kernel import longest_trail

Track = tuple[int, int, int, int]


def by_trying_everything(tracks: list[Track]) -> int:
    """The length of a longest trail, by walking every trail there is."""
    best = 0
    stack = [(city, 0, frozenset[int]()) for _, a, b, _ in tracks for city in (a, b)]
    while stack:
        city, length, used = stack.pop()
        best = max(best, length)
        for track, a, b, more in tracks:
            if track not in used and city in (a, b):
                stack.append((b if city == a else a, length + more, used | {track}))
    return best


def with_a_short_frontier(tracks: list[Track]) -> list[int]:
    """All cities, each time one with few neighbours that are neither behind nor at the frontier."""
    beside: dict[int, set[int]] = {city: set() for edge in tracks for city in edge[1:3]}
    for _, a, b, _ in tracks:
        beside[a].add(b)
        beside[b].add(a)
    order: list[int] = []
    frontier: set[int] = set()
    while len(order) < len(beside):
        options = frontier or beside.keys() - set(order)
        order.append(min(options, key=lambda city: (len(beside[city] - frontier - set(order)), city)))
        frontier = (frontier | beside[order[-1]]) - set(order)
    return order


def by_frontier(tracks: list[Track]) -> int:
    """The length of a longest trail, by another exact method: every set of tracks at once, city after city.

    A state says of each city with tracks on both sides of the frontier which part of the trail visits it and whether
    it is odd, and how many ends lie behind; for each state only the greatest length is kept.
    """
    places = {city: place for place, city in enumerate(with_a_short_frontier(tracks))}
    best = 0
    states: dict[tuple[frozenset[tuple[frozenset[int], frozenset[int]]], int], int] = {(frozenset(), 0): 0}
    for city in places:
        for _, a, b, length in tracks:
            if min(a, b, key=places.__getitem__) == city:
                for (parts, ends), total in list(states.items()):
                    met = [part for part in parts if part[0] & {a, b}]
                    cities = frozenset({a, b}).union(*(part[0] for part in met))
                    odd = frozenset({a}) ^ {b} ^ frozenset().union(*(part[1] for part in met))
                    state = ((parts - set(met)) | {(cities, odd)}, ends)
                    states[state] = max(states.get(state, 0), total + length)
        behind: dict[tuple[frozenset[tuple[frozenset[int], frozenset[int]]], int], int] = {}
        for (parts, ends), total in states.items():
            left = frozenset((cities - {city}, odd - {city}) for cities, odd in parts)
            ends += any(city in odd for _, odd in parts)
            if ends <= 2 and left == {(frozenset(), frozenset())}:
                best = max(best, total)
            elif ends <= 2 and all(cities for cities, _ in left):
                behind[left, ends] = max(behind.get((left, ends), 0), total)
        states = behind
    return best


def assert_walkable(tracks: list[Track], length: int, trail: list[int]) -> None:
    """The evidence is a trail: no track twice, each starts where the one before ended, and it has that length."""
    ends = {track: (a, b, more) for track, a, b, more in tracks}
    assert len(set(trail)) == len(trail)
    assert sum(ends[track][2] for track in trail) == length
    places = set(ends[trail[0]][:2]) if trail else set()
    for track in trail:
        a, b, _ = ends[track]
        places = ({b} if a in places else set()) | ({a} if b in places else set())
        assert places, trail


def test_no_tracks_no_trail() -> None:
    assert longest_trail([]) == (0, [])


@pytest.mark.rule("USA-4")
def test_small_networks_of_every_shape() -> None:
    rng = Random(11)
    for _ in range(600):
        cities = rng.randint(2, 8)
        tracks = [(t, *rng.sample(range(cities), 2), rng.randint(1, 6)) for t in range(rng.randint(1, 8))]
        length, trail = longest_trail(tracks)
        assert length == by_trying_everything(tracks), tracks
        assert_walkable(tracks, length, trail)


@pytest.mark.rule("USA-4")
@pytest.mark.parametrize(("cities", "expected"), [(3, 3), (4, 5), (5, 10), (6, 13), (9, 36), (10, 41)])
def test_e12_complete_networks(cities: int, expected: int) -> None:
    """An odd number of cities makes one round trip of all; else each pair of odd cities but one loses a track."""
    tracks = [(t, a, b, 1) for t, (a, b) in enumerate(combinations(range(cities), 2))]
    length, trail = longest_trail(tracks)
    assert length == expected
    assert_walkable(tracks, length, trail)


@pytest.mark.rule("USA-4")
@pytest.mark.parametrize("mode", [mode for mode in MODES if mode not in ("complete", "parallel")])
def test_e12_dense_networks_by_another_exact_method(mode: str) -> None:
    for seed in range(3):
        tracks = network(mode, seed)
        assert longest_trail(tracks)[0] == by_frontier(tracks), tracks


@pytest.mark.rule("USA-4")
def test_networks_with_parts_bridges_parallel_tracks_and_round_trips() -> None:
    rng = Random(12)
    for _ in range(400):
        cities = rng.randint(6, 14)
        tracks = [(t, *rng.choices(range(cities), k=2), rng.randint(1, 5)) for t in range(rng.randint(6, 20))]
        length, trail = longest_trail(tracks)
        assert length == by_frontier(tracks), tracks
        assert_walkable(tracks, length, trail)


@pytest.mark.rule("USA-4")
@pytest.mark.parametrize("mode", MODES)
def test_e12_dense_networks_whatever_the_order_of_their_tracks(mode: str) -> None:
    """A plain search takes seconds on some of these."""
    for seed in range(25):
        tracks = network(mode, seed)
        length, trail = longest_trail(tracks)
        assert_walkable(tracks, length, trail)
        rng = Random(seed)
        renamed = rng.sample(range(100), 100)
        mixed = [(t, renamed[b], renamed[a], more) for t, a, b, more in rng.sample(tracks, len(tracks))]
        assert longest_trail(mixed)[0] == length
