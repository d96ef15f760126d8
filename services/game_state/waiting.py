"""The open decisions of live games, by when they were opened: how long bots and people let a game wait.

Two sorted sets per shard, members `game|decision`, kept by the script that appends commits (append_commit.lua).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import pairwise
from pathlib import Path

import redis

from services.game_state.clock import now_ms
from services.game_state.keys import game_key, shard_key, shard_of
from shared.contracts.queues import SHARDS

BOTS, PEOPLE = "bots", "people"
HOLDERS = (BOTS, PEOPLE)
AGES = {"1s": 1, "10s": 10, "1m": 60, "10m": 600, "1h": 3600, "1d": 86400, "older": float("inf")}
"""How old a waiting decision is at most, in seconds, by the name of the age."""

SCRIPTS = Path(__file__).parent


def waiting_key(shard: int, holder: str) -> str:
    """Gives the key of the decisions that wait for bots or for people."""
    return shard_key(shard, f"waiting:{holder}")


def member(game: str, decision: str) -> str:
    """Gives the member that stands for an open decision."""
    return f"{game}|{decision}"


class Waiting:
    """The waiting decisions of all shards in the store."""

    def __init__(self, store: redis.Redis) -> None:
        self._store = store
        self._restore = store.register_script((SCRIPTS / "restore_waiting.lua").read_text())

    def counts(self, *, now: int | None = None) -> dict[str, dict[str, int]]:
        """Gives for each holder how many decisions wait, by age: each is counted in the least that holds it."""
        at = now_ms() if now is None else now
        ends = [at, *(at - seconds * 1000 for seconds in AGES.values())]
        with self._store.pipeline(transaction=False) as pipe:
            for holder in HOLDERS:
                for newest, oldest in pairwise(ends):
                    for shard in range(SHARDS):
                        pipe.zcount(waiting_key(shard, holder), f"({oldest}", "+inf" if newest == at else newest)
            found = iter(pipe.execute())
        return {holder: {age: sum(next(found) for _ in range(SHARDS)) for age in AGES} for holder in HOLDERS}

    def restore(
        self, game: str, version: int, answered: Iterable[str], opened: Mapping[str, Mapping[str, int]]
    ) -> bool:
        """Puts right what stands here of a game at a version, unless it has moved on; tells whether that was needed.

        `opened` are its open decisions by holder, each with the time when it was opened.
        """
        gone = [member(game, decision) for decision in answered]
        wrong = 0
        for holder in HOLDERS:
            open_ones = [value for decision, at in opened[holder].items() for value in (member(game, decision), at)]
            keys = [game_key(game, "log"), waiting_key(shard_of(game), holder)]
            wrong += self._restore(keys, [version, len(gone), *gone, *open_ones])
        return wrong > 0
