"""Whoever sits where: all alike in every round, and nobody has to remember it."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from services.ai.arenas.schedule import Schedule


@pytest.mark.parametrize(("entrants", "seats"), [(2, 2), (3, 3), (3, 2), (5, 3), (6, 5)])
def test_a_round_is_balanced(entrants: int, seats: int) -> None:
    schedule = Schedule(entrants, seats, seed=4)
    for first in (0, schedule.round):
        games = [schedule.seated(game) for game in range(first, first + schedule.round)]
        groups = Counter(tuple(sorted(seated)) for seated in games)
        assert groups == dict.fromkeys(combinations(range(entrants), seats), seats)
        places = Counter((entrant, seat) for seated in games for seat, entrant in enumerate(seated))
        assert len(places) == entrants * seats and len(set(places.values())) == 1


def test_whoever_played_has_played_every_seat_as_often_after_each_turn_of_the_seats() -> None:
    schedule = Schedule(7, 3, seed=1)
    for games in range(3, schedule.round, 3):
        places = Counter((entrant, seat) for game in range(games) for seat, entrant in enumerate(schedule.seated(game)))
        assert all(places[entrant, seat] == places[entrant, 0] for entrant in range(7) for seat in range(3))


def test_it_is_the_same_for_the_same_seed_only() -> None:
    def games(seed: int) -> list[list[int]]:
        schedule = Schedule(8, 4, seed)
        return [schedule.seated(game) for game in range(100)]

    assert games(3) == games(3) != games(4)
