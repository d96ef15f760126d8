"""The games in the store: one log of commits each, the head snapshot, given answers, seats, secrets and notes.

The log is the truth; head and answers are caches of it, written by the same script (append_commit.lua).
Every value is a string here: what commits and states mean is the kernel's business.
"""

from __future__ import annotations

from pathlib import Path

import redis

from services.game_state.agenda import START, member
from services.game_state.keys import game_key, owner_key, shard_key, shard_of, work_key
from services.game_state.records import (
    Answer,
    Appended,
    Game,
    Head,
    Log,
    NewCommit,
    Secret,
    Stored,
    answer_of,
    game_of,
    head_of,
    meta_of,
)
from services.game_state.waiting import HOLDERS, waiting_key
from shared.contracts.queues import SHARDS, WAKE_CHANNEL, feed_of

SCRIPTS = Path(__file__).parent


class EventStore:
    """Reads and writes games; raises redis.RedisError when the store cannot be used."""

    def __init__(self, store: redis.Redis) -> None:
        self._store = store
        self._append, self._create, self._claim, self._release, self._set_head = (
            store.register_script((SCRIPTS / f"{name}.lua").read_text())
            for name in ("append_commit", "create_game", "claim_seat", "release_seat", "set_head")
        )

    def ping(self) -> None:
        """Raises redis.RedisError if the store does not answer."""
        self._store.ping()

    # -- games and seats

    def create(self, game: Game, secret: Secret, *, digest: str, now: int, start_due: int) -> str:
        """Creates a game; gives created, same (it exists, made by the same request) or conflict (by another)."""
        self._store.zadd(owner_key(game.owner), {game.id: now}, nx=True)
        meta = meta_of(game)
        keys = [game_key(game.id, "meta"), game_key(game.id, "secret"), shard_key(shard_of(game.id), "agenda")]
        start = member(START, game.id) if game.is_full else ""
        seed = ["seed", secret.seed.hex(), "nonce", secret.nonce.hex()]
        return self._create(keys, [digest, start, start_due, len(meta), *meta, *seed])

    def claim_seat(self, game: str, seat: int, name: str, *, start_due: int) -> tuple[str, int, bool]:
        """Claims a seat; gives claimed, again, seat_taken or name_taken, the epoch, and whether it filled the game."""
        keys = [game_key(game, "meta"), shard_key(shard_of(game), "agenda")]
        outcome, epoch, full = self._claim(keys, [seat, name, member(START, game), start_due])
        return outcome, epoch, bool(full)

    def bot_of(self, game: str, seat: int) -> str | None:
        """Gives the bot that holds a seat."""
        return self._store.hget(game_key(game, "meta"), f"bot:{seat}")

    def release_seat(self, game: str, seat: int) -> str:
        """Frees a seat, or revokes its token once the game is full; gives freed, revoked, free or bot."""
        return self._release([game_key(game, "meta"), game_key(game, "notes")], [seat])

    def raise_spectators(self, game: str) -> int:
        """Revokes all spectator tokens of a game; gives the new epoch."""
        return self._store.hincrby(game_key(game, "meta"), "spectators", 1)

    def set_quarantine(self, game: str, reason: str | None) -> None:
        """Takes a game out of service for a reason, or with None back into it."""
        if reason is None:
            self._store.hdel(game_key(game, "meta"), "quarantined")
        else:
            self._store.hset(game_key(game, "meta"), "quarantined", reason)

    def games_of(self, owner: str, *, after: str | None, limit: int) -> tuple[list[Stored], str | None]:
        """Gives an owner's games, newest first, from after a game on, and after which the next page starts.

        Raises LookupError if the owner has no such game. An id whose creation broke off is passed over.
        """
        first = 0
        if after is not None:
            rank = self._store.zrevrank(owner_key(owner), after)
            if rank is None:
                raise LookupError(after)
            first = rank + 1
        ids = self._store.zrevrange(owner_key(owner), first, first + limit)
        found = (self.read(game) for game in ids[:limit])
        return [stored for stored in found if stored is not None], ids[limit - 1] if len(ids) > limit else None

    # -- log and head

    def read(self, game: str, decision: str | None = None) -> Stored | None:
        """Gives a game with its head, and the answer a decision got; None if there is no such game."""
        with self._store.pipeline(transaction=True) as pipe:
            pipe.hgetall(game_key(game, "meta"))
            pipe.xlen(game_key(game, "log"))
            pipe.hgetall(game_key(game, "head"))
            pipe.hmget(game_key(game, "secret"), "seed", "nonce")
            if decision is not None:
                pipe.hget(game_key(game, "answers"), decision)
            meta, version, head, (seed, nonce), *answers = pipe.execute()
        if not meta:
            return None
        answer = answer_of(answers[0]) if answers and answers[0] else None
        secret = Secret(bytes.fromhex(seed), bytes.fromhex(nonce))
        return Stored(game_of(game, meta), version, head_of(head), secret, answer)

    def append(self, new: NewCommit) -> Appended:
        """Appends a commit, head, answer and agenda in one step, or tells why it could not be."""
        shard = shard_of(new.game)
        keys = [game_key(new.game, part) for part in ("log", "head", "answers")]
        keys += [*(shard_key(shard, part) for part in ("agenda", "attempts", "live")), feed_of(shard)]
        keys += [waiting_key(shard, holder) for holder in HOLDERS]
        listed = [new.done, *(new.opened.get(holder, ()) for holder in HOLDERS)]
        counted = [value for values in listed for value in (len(values), *values)]
        keys += [work_key(shard, work.bot) for work in new.work]
        work = [part for work in new.work for part in (work.decision, work.free_until or "")]
        bots = sorted({work.bot for work in new.work if work.free_until is not None})
        due = [value for pair in new.due.items() for value in pair]
        outcome, version, *opened = self._append(
            keys,
            [new.game, shard, new.version, new.decision, str(new.answer or ""), new.commit, new.head.state,
             new.head.phase, WAKE_CHANNEL, new.at, " ".join(bots), *counted, *work, *due],
        )  # fmt: skip
        return Appended(outcome, version, int(float(opened[0])) if opened else None)

    def commits(self, game: str, *, after: int = 0, limit: int | None = None) -> list[tuple[int, str]]:
        """Gives commits later than a version with their versions, oldest first."""
        return _entries(self._store.xrange(game_key(game, "log"), min=f"{after + 1}-0", count=limit))

    def log(self, game: str) -> Log:
        """Gives the whole log of a started game."""
        key = game_key(game, "log")
        with self._store.pipeline(transaction=True) as pipe:
            entries, about = pipe.xrange(key).xinfo_stream(key).execute()
        return Log(_entries(entries), int(about["last-generated-id"].split("-")[0]))

    def commit(self, game: str, version: int) -> str:
        """Gives the commit of a version."""
        [(_, fields)] = self._store.xrange(game_key(game, "log"), min=f"{version}-0", max=f"{version}-0")
        return fields["commit"]

    def set_head(self, game: str, head: Head) -> bool:
        """Replaces the head by one rebuilt from the log; False if the log has grown meanwhile."""
        keys = [game_key(game, "log"), game_key(game, "head")]
        return self._set_head(keys, [head.version, head.state, head.phase]) == 1

    def answers(self, game: str) -> dict[str, str]:
        """Gives every recorded answer of a game by decision, as it is kept."""
        return self._store.hgetall(game_key(game, "answers"))

    def set_answers(self, game: str, answers: dict[str, Answer]) -> None:
        """Records answers again, as the log has them."""
        self._store.hset(game_key(game, "answers"), mapping={key: str(answer) for key, answer in answers.items()})

    # -- notes, and figures over all games

    def notes(self, game: str, seat: int) -> str:
        """Gives the notes a seat keeps with the game."""
        return self._store.hget(game_key(game, "notes"), str(seat)) or ""

    def set_notes(self, game: str, seat: int, notes: str) -> None:
        """Keeps the notes of a seat."""
        self._store.hset(game_key(game, "notes"), str(seat), notes)

    def live_games(self) -> int:
        """Gives how many games have started and are not over."""
        with self._store.pipeline(transaction=False) as pipe:
            for shard in range(SHARDS):
                pipe.scard(shard_key(shard, "live"))
            return sum(pipe.execute())


def _entries(found: list[tuple[str, dict[str, str]]]) -> list[tuple[int, str]]:
    return [(int(entry.split("-")[0]), fields.get("commit", "")) for entry, fields in found]
