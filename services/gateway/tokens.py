"""Who is calling: signed tokens of seats and spectators, stored keys of platforms and bots.

A signed token carries game, seat and epoch and needs no look-up; game-state refuses one whose epoch has passed. Of a
key only its SHA-256 is stored, so the store gives nobody a key.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Iterator
from dataclasses import dataclass

import redis
from itsdangerous import BadSignature, Signer

from shared.contracts.bots import owner_of

PLATFORM, BOT, SEAT, SPECTATOR = "platform", "bot", "seat", "spectator"
EXTERNAL_BOT = "external_bot"
PREFIXES = {PLATFORM: "pk_", BOT: "bt_", SEAT: "st_", SPECTATOR: "sp_"}
LONGEST_TOKEN = 400
ACCOUNT = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")


@dataclass(frozen=True)
class Caller:
    """A verified caller: its kind, the id of its account or game, and for a signed token seat and epoch."""

    kind: str
    id: str
    seat: int | None = None
    epoch: int | None = None

    @property
    def game(self) -> str | None:
        """The only game that the token opens; None for an account."""
        return self.id if self.kind in (SEAT, SPECTATOR) else None

    @property
    def header(self) -> str:
        """What the services behind the gateway are told (Whistlestop-Caller)."""
        if self.kind == SEAT:
            return f"seat:{self.id}:{self.seat}:{self.epoch}"
        if self.kind == SPECTATOR:
            return f"spectator:{self.id}:{self.epoch}"
        return f"{'owner' if self.kind == PLATFORM else BOT}:{self.id}"

    @property
    def rate(self) -> str:
        """Whose rate limit applies: that of its kind, or that of external bots."""
        return EXTERNAL_BOT if self.kind == BOT and owner_of(self.id) else self.kind

    @property
    def account(self) -> str:
        """What rate limits count by."""
        return f"{self.kind}:{self.id}" if self.seat is None else f"{self.kind}:{self.id}:{self.seat}"


class SignedTokens:
    """Issues and reads the tokens of seats and spectators."""

    def __init__(self, secret: str) -> None:
        self._signers = {
            kind: Signer(secret, salt=f"whistlestop.{kind}", digest_method=hashlib.sha256, key_derivation="hmac")
            for kind in (SEAT, SPECTATOR)
        }

    def for_seat(self, game: str, seat: int, epoch: int) -> str:
        """Gives the token that plays a seat until its epoch is raised."""
        return self._issue(SEAT, f"{game}.{seat}.{epoch}")

    def for_spectators(self, game: str, epoch: int) -> str:
        """Gives the token that watches a game until its spectators' epoch is raised."""
        return self._issue(SPECTATOR, f"{game}.{epoch}")

    def read(self, token: str) -> Caller | None:
        """Gives the caller of a token issued here; None for anything else."""
        for kind, signer in self._signers.items():
            if token.startswith(PREFIXES[kind]):
                try:
                    game, *numbers = signer.unsign(token[3:]).decode().split(".")
                except BadSignature:
                    return None
                *seat, epoch = map(int, numbers)
                return Caller(kind, game, seat[0] if seat else None, epoch)
        return None

    def _issue(self, kind: str, value: str) -> str:
        return PREFIXES[kind] + self._signers[kind].sign(value).decode()


class Accounts:
    """The keys of platforms and bots, hashed, in the store; raises redis.RedisError when it cannot be used."""

    def __init__(self, store: redis.Redis) -> None:
        self._store = store

    def find(self, key: str) -> Caller | None:
        """Gives the caller of a key; None if it was never issued or is revoked."""
        kind = next((kind for kind in (PLATFORM, BOT) if key.startswith(PREFIXES[kind])), None)
        account = self._store.get(_key_of(_digest(key))) if kind else None
        if account is None:
            return None
        found_kind, _, found_id = account.partition(":")
        return Caller(found_kind, found_id) if found_kind == kind else None

    def create(self, kind: str, account: str) -> str:
        """Gives a new key of an account; its earlier keys stay valid."""
        key = PREFIXES[kind] + secrets.token_urlsafe(32)
        self.register(kind, account, key)
        return key

    def register(self, kind: str, account: str, key: str) -> None:
        """Makes a key valid that was issued before, such as one kept in a file while the store was lost."""
        with self._store.pipeline() as pipe:
            pipe.set(_key_of(_digest(key)), f"{kind}:{account}")
            pipe.sadd(_account_of(kind, account), _digest(key))
            pipe.sadd(ALL, f"{kind}:{account}")
            pipe.execute()

    def revoke(self, kind: str, account: str) -> int:
        """Ends every key of an account, with a platform's also those of its bots; gives how many there were."""
        if kind == PLATFORM:
            return self._revoke(kind, account) + sum(self._revoke(BOT, bot) for bot in self._bots_of(account))
        return self._revoke(kind, account)

    def _bots_of(self, platform: str) -> list[str]:
        bots = [account.removeprefix(f"{BOT}:") for account in self._store.smembers(ALL)]
        return [bot for bot in bots if owner_of(bot) == platform]

    def _revoke(self, kind: str, account: str) -> int:
        digests = self._store.smembers(_account_of(kind, account))
        with self._store.pipeline() as pipe:
            pipe.delete(_account_of(kind, account), *map(_key_of, digests))
            pipe.srem(ALL, f"{kind}:{account}")
            pipe.execute()
        return len(digests)

    def listing(self) -> Iterator[tuple[str, str, int]]:
        """Gives every account in order: kind, id, number of keys."""
        for account in sorted(self._store.smembers(ALL)):
            kind, _, account_id = account.partition(":")
            yield kind, account_id, self._store.scard(_account_of(kind, account_id))


ALL = "gw:accounts"


def _digest(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()


def _key_of(digest: str) -> str:
    return f"gw:key:{digest}"


def _account_of(kind: str, account: str) -> str:
    return f"gw:account:{kind}:{account}"
