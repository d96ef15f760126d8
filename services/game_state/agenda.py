"""What must still happen: one sorted set per shard, members `purpose|game|decision`, scored by their next attempt.

Members are added and removed by the scripts that change a game, so nothing that has to happen exists only in a queue.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import redis

from services.game_state.clock import now_ms
from services.game_state.keys import game_key, shard_key, shard_of
from shared.contracts.queues import SHARDS

START, BOT, WORK, DEADLINE, PROJECT, RESULT, AUDIT = "start", "bot", "work", "deadline", "project", "result", "audit"

SECOND = 1000
PROJECT_AFTER = 250
TAKEN_WITHIN = 10 * SECOND
"""How long work waits for its external bot before the fallback answers instead."""
AUDIT_EVERY = 3600 * SECOND
PACE = {
    START: (1 * SECOND, 30 * SECOND),
    BOT: (4 * SECOND, 30 * SECOND),
    WORK: (8 * SECOND, 30 * SECOND),
    DEADLINE: (2 * SECOND, 30 * SECOND),
    PROJECT: (2 * SECOND, 60 * SECOND),
    RESULT: (2 * SECOND, 60 * SECOND),
    AUDIT: (AUDIT_EVERY, AUDIT_EVERY),
}
"""Milliseconds from a first attempt to the second, and at most between two attempts, by purpose."""
BY_BOTS = (BOT, WORK)
"""The purposes whose tasks bot workers take up."""

SCRIPTS = Path(__file__).parent


def member(purpose: str, game: str, decision: str = "") -> str:
    """Gives the agenda member for a purpose."""
    return f"{purpose}|{game}|{decision}"


@dataclass(frozen=True)
class Due:
    """A claimed member: what is to happen, the how-manieth attempt this is, and the milliseconds until the next."""

    purpose: str
    game: str
    decision: str
    attempt: int
    delay: int

    @property
    def member(self) -> str:
        return member(self.purpose, self.game, self.decision)


class Agenda:
    """The agendas of all shards in the store."""

    def __init__(self, store: redis.Redis) -> None:
        self._store = store
        self._claim = store.register_script((SCRIPTS / "claim_due.lua").read_text())
        self._give_back = store.register_script((SCRIPTS / "give_back.lua").read_text())
        self._projected = store.register_script((SCRIPTS / "projected.lua").read_text())

    def claim(self, shard: int, *, now: int | None = None, limit: int = 100, bots: int | None = None) -> list[Due]:
        """Gives what is due on a shard; each member goes to one caller and comes up again later until it is removed.

        For bot workers there are at most `bots` of each purpose, the longest due; the others stay due.
        """
        at = now_ms() if now is None else now
        most = dict.fromkeys(PACE, limit) | ({} if bots is None else dict.fromkeys(BY_BOTS, bots))
        paces = [value for purpose, delays in PACE.items() for value in (purpose, *delays, most[purpose])]
        found = iter(self._claim(self._keys(shard), [at, limit, *paces]))
        return [Due(*name.split("|"), attempt, delay) for name, attempt, delay in zip(found, found, found, strict=True)]

    def give_back(self, unsent: Iterable[Due], *, due: int) -> None:
        """Puts claimed members back without counting the attempt."""
        by_shard: dict[int, list[str]] = {}
        for item in unsent:
            by_shard.setdefault(shard_of(item.game), []).append(item.member)
        for shard, members in by_shard.items():
            self._give_back(self._keys(shard), [due, *members])

    def projected(self, game: str, version: int) -> bool:
        """Notes that scoring has read a game up to a version; tells whether nothing newer is left for it."""
        keys = [game_key(game, "log"), *self._keys(shard_of(game))]
        return self._projected(keys, [version, member(PROJECT, game), now_ms() + PROJECT_AFTER]) == 1

    def restore(self, game: str, due: dict[str, int]) -> list[str]:
        """Adds the members that are missing; gives those that were."""
        key = shard_key(shard_of(game), "agenda")
        return [name for name, at in due.items() if self._store.zadd(key, {name: at}, nx=True)]

    def remove(self, game: str, members: Sequence[str]) -> None:
        """Takes members off the agenda for good."""
        shard = shard_of(game)
        with self._store.pipeline() as pipe:
            pipe.zrem(shard_key(shard, "agenda"), *members)
            pipe.hdel(shard_key(shard, "attempts"), *members)
            pipe.execute()

    def oldest_due(self, *, now: int | None = None) -> float:
        """Gives how many seconds the longest-waiting due member is overdue; 0.0 if none is."""
        at = now_ms() if now is None else now
        with self._store.pipeline(transaction=False) as pipe:
            for shard in range(SHARDS):
                pipe.zrange(shard_key(shard, "agenda"), 0, 0, withscores=True)
            firsts = [score for found in pipe.execute() for _, score in found]
        return max(0.0, at - min(firsts, default=at)) / 1000

    @staticmethod
    def _keys(shard: int) -> list[str]:
        return [shard_key(shard, "agenda"), shard_key(shard, "attempts")]
