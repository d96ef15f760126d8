"""The work of external bots in the store: free decisions by bot, and who holds one until when.

A commit makes work free and ends it (append_commit.lua). In between a worker of the bot may hold it for a while: it is
free for no other then, and the agenda asks the fallback when that while is over.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from pathlib import Path

import redis

from services.game_state.agenda import DEADLINE, TAKEN_WITHIN, WORK, member
from services.game_state.clock import now_ms
from services.game_state.keys import game_key, held_key, shard_key, shard_of, work_key
from services.game_state.records import Work
from shared.contracts.queues import SHARDS, WAKE_CHANNEL, feed_of

SCRIPTS = Path(__file__).parent
MOST_SHOWN = 20
"""How many free decisions are read from each shard, those that wait longest."""
HELD, TAKEN, EXPIRED, ABORTED = "held", "taken", "expired", "aborted"


@dataclass(frozen=True)
class HeldWork:
    """Work that one worker holds: the id it goes by, and the time until when, in milliseconds."""

    id: str
    game: str
    decision: str
    until: int


@dataclass(frozen=True)
class Holding:
    """The latest holding of a decision: who has taken it, until when (0: aborted), and how often it was aborted."""

    nonce: str
    until: int
    aborts: int

    def state(self, nonce: str, at: int) -> str:
        """Gives what a holding with this nonce was at a time: held, taken (by another), expired or aborted."""
        if nonce != self.nonce:
            return TAKEN
        if self.until == 0:
            return ABORTED
        return HELD if at <= self.until else EXPIRED


class WorkStore:
    """Reads and changes the work of external bots; raises redis.RedisError when the store cannot be used."""

    def __init__(self, store: redis.Redis) -> None:
        self._store = store
        self._make_room, self._take, self._abort = (
            store.register_script((SCRIPTS / f"{name}.lua").read_text())
            for name in ("make_room", "take_work", "abort_work")
        )

    def free(self, bot: str) -> list[tuple[str, Work]]:
        """Gives the decisions that a bot may take, each with its game, those first that wait longest."""
        now = now_ms()
        with self._store.pipeline(transaction=False) as pipe:
            for shard in range(SHARDS):
                pipe.zrange(work_key(shard, bot), f"({now}", "+inf", byscore=True, offset=0, num=MOST_SHOWN,
                            withscores=True)  # fmt: skip
            found = [entry for part in pipe.execute() for entry in part]
        found.sort(key=lambda entry: entry[1])
        named = [(*name.split("|"), int(until)) for name, until in found]
        return [(game, Work(bot, decision, until)) for game, decision, until in named]

    def held(self, bot: str) -> int:
        """Gives how many decisions a bot holds."""
        return self._store.zcount(held_key(bot), f"({now_ms()}", "+inf")

    def take(self, bot: str, game: str, decision: str, *, lease: int, most: int) -> HeldWork | None:
        """Takes free work for some milliseconds, but not beyond its deadline; None if it is free no more.

        Raises LookupError when the bot holds as many decisions as it may.
        """
        now, nonce = now_ms(), secrets.token_hex(8)
        work = f"{game}.{decision}.{nonce}"
        if not self._make_room([held_key(bot)], [now, work, now + lease, most]):
            raise LookupError(bot)
        shard = shard_of(game)
        keys = [work_key(shard, bot), game_key(game, "held"), shard_key(shard, "agenda"), shard_key(shard, "attempts")]
        until = self._take(keys, [f"{game}|{decision}", decision, now, now + lease, nonce,
                                  member(WORK, game, decision), member(DEADLINE, game, decision)])  # fmt: skip
        if not until:
            self.let_go(bot, work)
            return None
        return HeldWork(work, game, decision, until)

    def holding(self, game: str, decision: str) -> Holding | None:
        """Gives the latest holding of a decision; None if nobody ever held it."""
        kept = self._store.hget(game_key(game, "held"), decision)
        if kept is None:
            return None
        nonce, until, aborts = kept.split(":")
        return Holding(nonce, int(until), int(aborts))

    def why_unanswered(self, game: str, decision: str) -> str:
        """Gives why another must answer a decision: untaken, expired or aborted."""
        holding = self.holding(game, decision)
        if holding is None:
            return "untaken"
        return ABORTED if holding.until == 0 else EXPIRED

    def abort(self, bot: str, game: str, decision: str, nonce: str) -> bool:
        """Ends a holding: the work is free again at once or, the second time, the fallback is asked for it.

        False if it was not held any more.
        """
        now, shard = now_ms(), shard_of(game)
        keys = [game_key(game, "held"), work_key(shard, bot), shard_key(shard, "agenda"), feed_of(shard)]
        return bool(self._abort(keys, [decision, nonce, now, f"{game}|{decision}", member(WORK, game, decision),
                                       member(DEADLINE, game, decision), now + TAKEN_WITHIN, game, bot,
                                       WAKE_CHANNEL, shard]))  # fmt: skip

    def let_go(self, bot: str, work: str) -> None:
        """Counts work as held no more."""
        self._store.zrem(held_key(bot), work)
