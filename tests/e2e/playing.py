"""People at the table: they know what the API tells their seat, and choose by chance."""

from __future__ import annotations

import random
import threading
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

from shared.client import Client

Json = dict[str, Any]
WAIT_SECONDS = 2


class Person:
    """Plays one seat with its token: any legal move is as good as another."""

    def __init__(self, host: Client, game: str, seat: int, luck: random.Random) -> None:
        self.game, self.seat = game, seat
        self.client = host.with_token(host.claim_seat(game, seat, f"Person {seat}")["token"])
        self.leaves = threading.Event()
        self._luck = luck

    def choose(self, decision: str) -> Json:
        """Gives a legal move for an open decision of this seat."""
        return self._luck.choice(self.client.decision(self.game, decision)["legal_moves"])

    def answer(self, decision: str) -> Json:
        """Answers an open decision of this seat; gives what was chosen and in which version it stands."""
        move = self.choose(decision)
        version = self.client.answer(self.game, decision, move)["version"]
        return {"decision": decision, "version": version, "move": move}

    def play(self) -> list[Json]:
        """Answers whenever this seat is asked, until the game is over or `leaves` set; gives all acknowledged."""
        told = []
        while not self.leaves.is_set() and (shown := self.client.view(self.game))["status"] == "playing":
            asked = [decision["decision"] for decision in shown["decisions"] if decision["seat"] == self.seat]
            told += [self.answer(decision) for decision in asked]
            if not asked:
                self.client.commits(self.game, after=shown["version"], wait=WAIT_SECONDS)
        return told


def seat_people(host: Client, game: str, seats: list[int], seed: int) -> dict[int, Person]:
    """Claims seats for people; the same seed gives the same people."""
    return {seat: Person(host, game, seat, random.Random(f"{seed} {seat}")) for seat in seats}


@contextmanager
def at_the_table(people: Iterable[Person]) -> Iterator[list[Future[list[Json]]]]:
    """Lets people play, each by themselves; gives what each will have been told, and waits for the end of the game."""
    people = list(people)
    with ThreadPoolExecutor(len(people)) as pool:
        try:
            yield [pool.submit(person.play) for person in people]
        except BaseException:
            for person in people:
                person.leaves.set()
            raise
