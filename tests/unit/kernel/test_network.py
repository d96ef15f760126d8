"""Paths where tracks join countries with one another, as on boards of one's own (MK-17)."""

from __future__ import annotations

import random

import pytest

from shared.kernel import Network

BERN, WIEN, ROM = 0, 1, 2
COUNTRIES = frozenset({BERN, WIEN, ROM})


@pytest.mark.rule("MK-17")
def test_a_track_between_two_countries_joins_them() -> None:
    network = Network(3, [(7, BERN, WIEN, 2)], COUNTRIES)
    assert network.connected(BERN, WIEN) and network.connected(WIEN, BERN)
    assert network.path(BERN, WIEN) == [7]


@pytest.mark.rule("MK-17")
def test_no_path_passes_through_a_country_to_another() -> None:
    network = Network(4, [(7, BERN, WIEN, 2), (8, WIEN, ROM, 2), (9, 3, BERN, 1)], COUNTRIES)
    assert not network.connected(BERN, ROM) and network.path(BERN, ROM) is None
    assert not network.connected(3, WIEN) and network.path(3, WIEN) is None
    assert network.path(3, BERN) == [9]


@pytest.mark.rule("MK-17")
@pytest.mark.rule("BASE-38")
def test_cities_are_connected_where_a_walk_from_one_reaches_the_other() -> None:
    luck = random.Random(17)
    for _ in range(500):
        cities = luck.randrange(2, 8)
        countries = frozenset(city for city in range(cities) if luck.random() < 0.4)
        edges = [(track, *luck.sample(range(cities), 2), 1) for track in range(luck.randrange(10))]
        network = Network(cities, edges, countries)
        for start in range(cities):
            reached = walk(start, edges, countries)
            for goal in set(range(cities)) - {start}:
                assert network.connected(start, goal) == (network.path(start, goal) is not None) == (goal in reached)


def walk(start: int, edges: list[tuple[int, int, int, int]], countries: frozenset[int]) -> set[int]:
    """Every city that a walk from `start` reaches; it goes on from no country."""
    reached, ahead = {start}, [start]
    while ahead:
        city = ahead.pop()
        for _, one, other, _ in edges if city == start or city not in countries else ():
            beyond = {one: other, other: one}.get(city, start)
            if beyond not in reached:
                reached.add(beyond)
                ahead.append(beyond)
    return reached
