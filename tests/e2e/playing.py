"""People at the table: they know what the API tells their seat, and choose by chance."""

from __future__ import annotations

import random
from typing import Any

from shared.client import Client

Json = dict[str, Any]


class Person:
    """Plays one seat with its token: any legal move is as good as another."""

    def __init__(self, host: Client, game: str, seat: int, luck: random.Random) -> None:
        self.game, self.seat = game, seat
        self.client = host.with_token(host.claim_seat(game, seat, f"Person {seat}")["token"])
        self._luck = luck

    def choose(self, decision: str) -> Json:
        """Gives a legal move for an open decision of this seat."""
        return self._luck.choice(self.client.decision(self.game, decision)["legal_moves"])

    def answer(self, decision: str) -> Json:
        """Answers an open decision of this seat; gives what the API said."""
        return self.client.answer(self.game, decision, self.choose(decision))


def seat_people(host: Client, game: str, seats: list[int], seed: int) -> dict[int, Person]:
    """Claims seats for people; the same seed gives the same people."""
    return {seat: Person(host, game, seat, random.Random(f"{seed} {seat}")) for seat in seats}
