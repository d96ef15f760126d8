"""Names of everything game-state keeps in the store.

All keys of one game and the agenda of its shard carry the same hash tag, so one script may touch them on Redis Cluster.
"""

from __future__ import annotations

import zlib

from shared.contracts.queues import SHARDS


def shard_of(game: str) -> int:
    """Gives the shard a game lives on; it never changes for a game id."""
    return zlib.crc32(game.encode()) % SHARDS


def shard_key(shard: int, part: str) -> str:
    """Gives a key of a whole shard: agenda, attempts, live or waiting:..."""
    return f"gs:{{s{shard:02d}}}:{part}"


def work_key(shard: int, bot: str) -> str:
    """Gives the key of the free work of an external bot on a shard."""
    return shard_key(shard, f"work:{bot}")


def held_key(bot: str) -> str:
    """Gives the key of the work that an external bot holds, on whatever shard."""
    return f"gs:{{bot:{bot}}}:held"


def game_key(game: str, part: str) -> str:
    """Gives a key of one game: meta, log, head, answers, secret, notes or held."""
    return f"gs:{{s{shard_of(game):02d}}}:game:{game}:{part}"


def owner_key(owner: str) -> str:
    """Gives the key of the list of one owner's games."""
    return f"gs:{{owner:{owner}}}:games"
