"""The arenas in the store: what was asked for, which games are being played where, results, tallies, records.

Each game gets one result, and each result is counted once, however often a game is played and whoever dies meanwhile.
All keys of an arena share a hash tag, so one script may touch them on Redis Cluster.
"""

from __future__ import annotations

import base64
import json
import secrets
import time
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import redis

LEASE_MS = 8_000
"""How long a game stays with a worker; no slice, whatever its bots do, takes that long (shared.tasks.config)."""
KEPT_SECONDS = 30 * 24 * 3600
"""How long an arena can be read after its end."""
UNFINISHED_MS = 60_000
"""After so long an arena whose creation broke off is cleared away."""
MOST_COUNTED = 1_000
RUNNING, OVER, CANCELLED = "running", "over", "cancelled"
KEPT, KNOWN, CLOSED = "kept", "known", "closed"

OPEN = "ai:open"
SCRIPTS = Path(__file__).parent
WORKING = ("leases", "losses", "aside", "holders", "positions", "finished", "results")
"""What is kept of an arena only as long as it is played."""

Json = dict[str, Any]


@dataclass(frozen=True)
class Arena:
    """An arena: what is fixed at its creation, how many of its games are done and how many of these are counted."""

    id: str
    owner: str
    created: str
    digest: str
    specification: Json
    status: str
    done: int
    counted: int


@dataclass(frozen=True)
class Claim:
    """A game to play now: its number, how often it was lost with its worker since it was last put aside, and the
    position to go on from, None at the beginning."""

    game: int
    losses: int
    aside: Json | None
    holder: str


class ArenaStore:
    """Reads and writes arenas; raises redis.RedisError when the store cannot be used."""

    def __init__(self, store: redis.Redis) -> None:
        self._store = store
        (self._create, self._claim, self._put_aside, self._finish, self._save, self._cancel, self._take_room,
         self._take_turn) = (
            store.register_script((SCRIPTS / f"{name}.lua").read_text())
            for name in ("create_arena", "claim_game", "put_aside", "finish_game", "save_tally", "cancel_arena",
                         "take_room", "take_turn")
        )  # fmt: skip

    # -- whole arenas

    def take_room(self, owner: str, arena: str, most: int) -> bool:
        """Reserves one of an owner's places for running arenas; False when all are taken."""
        key = _owner_key(owner, "live")
        if self._take_room([key], [arena, most]):
            return True
        ended = [other for other in self._store.smembers(key) if not self._is_running(other)]
        if ended:
            self._store.srem(key, *ended)
        return bool(self._take_room([key], [arena, most]))

    def create(self, arena: str, owner: str, *, digest: str, created: str, specification: Json) -> str:
        """Creates an arena; gives created, same (it exists, made by the same request) or conflict (by another)."""
        now = _now_ms()
        self._store.zadd(_owner_key(owner, "arenas"), {arena: now}, nx=True)
        self._store.zadd(OPEN, {f"{owner}|{arena}": now * 1000}, nx=True)
        meta = {"owner": owner, "created": created, "specification": json.dumps(specification), "status": RUNNING,
                "games": specification["games"], "next": 0, "done": 0, "counted": 0}  # fmt: skip
        return self._create([_key(arena, "meta")], [digest, *(part for pair in meta.items() for part in pair)])

    def read(self, arena: str) -> Arena | None:
        """Gives an arena; None if there is none of this id."""
        meta = self._store.hgetall(_key(arena, "meta"))
        if not meta:
            return None
        return Arena(arena, meta["owner"], meta["created"], meta["digest"], json.loads(meta["specification"]),
                     meta["status"], int(meta["done"]), int(meta["counted"]))

    def arenas_of(self, owner: str, *, after: str | None, limit: int) -> tuple[list[Arena], str | None]:
        """Gives an owner's arenas, newest first, from after an arena on, and after which the next page starts.

        Raises LookupError if the owner has no such arena. What is no longer kept is cleared away.
        """
        key = _owner_key(owner, "arenas")
        first = 0
        if after is not None:
            rank = self._store.zrevrank(key, after)
            if rank is None:
                raise LookupError(after)
            first = rank + 1
        ids = self._store.zrevrange(key, first, first + limit)
        following = ids[limit - 1] if len(ids) > limit else None
        found = {arena: self.read(arena) for arena in ids[:limit]}
        gone = [arena for arena, read in found.items() if read is None and arena != following]
        if gone:
            self._store.zrem(key, *gone)
        return [read for read in found.values() if read is not None], following

    def cancel(self, arena: str) -> None:
        """Ends an arena that runs; its games that are not done will never be."""
        self._cancel([_key(arena, "meta")])

    def open_arenas(self) -> Iterator[tuple[str, str]]:
        """Gives (owner, id) of every arena that is not closed; clears away those whose creation broke off."""
        for member, score in self._store.zrange(OPEN, 0, -1, withscores=True):
            owner, _, arena = member.partition("|")
            if self._store.exists(_key(arena, "meta")):
                yield owner, arena
            elif score < (_now_ms() - UNFINISHED_MS) * 1000:
                self.close(owner, arena)

    def close(self, owner: str, arena: str) -> None:
        """Clears away what only a running arena needs, and lets the rest go after a while."""
        with self._store.pipeline(transaction=False) as pipe:
            pipe.delete(*(_key(arena, part) for part in WORKING))
            for part in ("meta", "tally", "records"):
                pipe.expire(_key(arena, part), KEPT_SECONDS)
            pipe.srem(_owner_key(owner, "live"), arena)
            pipe.zrem(OPEN, f"{owner}|{arena}")
            pipe.execute()

    # -- games

    def turns(self) -> Iterator[str]:
        """Gives each open arena once, the one that has waited longest first; whichever was given goes to the end."""
        for _ in range(self._store.zcard(OPEN)):
            member = self._take_turn([OPEN], [time.time_ns() // 1000])
            if member is None:
                return
            yield member.partition("|")[2]

    def claim(self, arena: str, *, now: int | None = None) -> Claim | None:
        """Gives the next game to play, for `LEASE_MS` to this caller alone; None if there is none now."""
        at = _now_ms() if now is None else now
        holder = secrets.token_hex(8)
        names = ("meta", "leases", "losses", "aside", "holders", "positions")
        claimed = self._claim([_key(arena, name) for name in names], [at, at + LEASE_MS, holder])
        if not claimed:
            return None
        game, losses, aside = claimed
        return Claim(game, losses, json.loads(aside) if aside else None, holder)

    def put_aside(self, arena: str, claim: Claim, position: Json) -> bool:
        """Puts a claimed game aside, to be claimed next; False if it is no longer this caller's."""
        names = ("leases", "losses", "aside", "holders", "positions")
        keys = [_key(arena, name) for name in names]
        return bool(self._put_aside(keys, [claim.game, claim.holder, json.dumps(position)]))

    def finish(self, arena: str, result: Json, record: Json | None = None) -> str:
        """Keeps the result of a game; gives kept, known (it had one) or closed (the arena does not run any more)."""
        names = ("meta", "leases", "losses", "aside", "holders", "positions", "finished", "results", "records")
        packed = "" if record is None else _pack(record)
        return self._finish([_key(arena, name) for name in names], [result["game"], json.dumps(result), packed])

    def claimable(self, arena: str, *, now: int | None = None) -> int:
        """Gives how many games could be claimed now."""
        with self._store.pipeline(transaction=False) as pipe:
            pipe.hmget(_key(arena, "meta"), "status", "games", "next")
            pipe.llen(_key(arena, "aside"))
            pipe.zcount(_key(arena, "leases"), "-inf", _now_ms() if now is None else now)
            (status, games, begun), aside, lost = pipe.execute()
        return int(games) - int(begun) + aside + lost if status == RUNNING else 0

    # -- results

    def results(self, arena: str) -> list[Json]:
        """Gives results that are not counted yet, at most `MOST_COUNTED`."""
        return [json.loads(result) for result in self._store.lrange(_key(arena, "results"), 0, MOST_COUNTED - 1)]

    def tally(self, arena: str) -> Json | None:
        """Gives the tally of all counted results; None before the first."""
        kept = self._store.get(_key(arena, "tally"))
        return None if kept is None else json.loads(kept)

    def save_tally(self, arena: Arena, counted: int, tally: Json) -> bool:
        """Keeps the tally in place of the results counted since `arena` was read; False if another has counted them.

        With the last game of an arena counted it is over.
        """
        keys = [_key(arena.id, name) for name in ("meta", "results", "tally")]
        return self._save(keys, [arena.counted, counted, json.dumps(tally)]) != ""

    def records(self, arena: str, *, after: int, limit: int) -> list[Json]:
        """Gives kept records of games with numbers above `after`, in order; records that are not there are left out."""
        key = _key(arena, "records")
        numbers = sorted(number for number in map(int, self._store.hkeys(key)) if number > after)[:limit]
        return [_unpack(packed) for packed in self._store.hmget(key, numbers)] if numbers else []

    def _is_running(self, arena: str) -> bool:
        return self._store.hget(_key(arena, "meta"), "status") == RUNNING


def _key(arena: str, part: str) -> str:
    return f"ai:{{arena:{arena}}}:{part}"


def _owner_key(owner: str, part: str) -> str:
    return f"ai:{{owner:{owner}}}:{part}"


def _now_ms() -> int:
    return time.time_ns() // 1_000_000


def _pack(record: Json) -> str:
    return base64.b85encode(zlib.compress(json.dumps(record, separators=(",", ":")).encode())).decode()


def _unpack(packed: str) -> Json:
    return json.loads(zlib.decompress(base64.b85decode(packed)))
