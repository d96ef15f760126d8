"""Who sits where in each game of an arena, in an order that favours nobody."""

from __future__ import annotations

import random
from itertools import combinations


class Schedule:
    """Lets every group of entrants that fits the seats play in turn, each as often as there are seats, moving up a
    seat from game to game. The same seed gives the same schedule."""

    def __init__(self, entrants: int, seats: int, seed: int) -> None:
        self.seats = seats
        self._seed = seed
        self._groups = list(combinations(range(entrants), seats))
        random.Random(seed).shuffle(self._groups)

    @property
    def round(self) -> int:
        """After so many games every group has played in every rotation: multiples of it are balanced."""
        return len(self._groups) * self.seats

    def seated(self, game: int) -> list[int]:
        """The entrant on each seat of a game; games are counted from 0."""
        block, turn = divmod(game, self.seats)
        order = list(self._groups[block % len(self._groups)])
        random.Random(f"{self._seed} {block}").shuffle(order)
        return order[turn:] + order[:turn]
