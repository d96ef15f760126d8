"""Where luck comes from: outcomes drawn from a key that is fixed for each commit, so every draw can be audited."""

from __future__ import annotations

import hashlib
import hmac
from typing import Protocol


class Chance(Protocol):
    """A source of outcomes: whatever has this method."""

    def below(self, n: int) -> int:
        """One of 0 .. n-1, each equally likely."""


class KeyedChance:
    """Outcomes from HMAC-SHA256(key, counter) by rejection sampling; keeps them as `outcomes` [(n, result)]."""

    def __init__(self, key: bytes) -> None:
        self.key: bytes = key
        self.counter: int = 0
        self.outcomes: list[tuple[int, int]] = []

    def below(self, n: int) -> int:
        """One of 0 .. n-1; n at most 2**64."""
        span = 1 << 64
        limit = span - span % n
        while True:
            block = hmac.digest(self.key, self.counter.to_bytes(8, "big"), "sha256")
            self.counter += 1
            value = int.from_bytes(block[:8], "big")
            if value < limit:
                self.outcomes.append((n, value % n))
                return value % n


class FastChance:
    """Park-Miller generator for simulations; never used for a hosted game."""

    def __init__(self, seed: int) -> None:
        digest = hashlib.sha256(b"%d" % seed).digest()  # so that neighbouring seeds do not begin alike
        self.state: int = int.from_bytes(digest[:8], "big") % 2147483646 + 1

    def below(self, n: int) -> int:
        """One of 0 .. n-1."""
        self.state = self.state * 48271 % 2147483647
        return self.state * n // 2147483647

    def copy(self) -> FastChance:
        """Another that gives the same from here on."""
        other = FastChance(0)
        other.state = self.state
        return other


def commit_key(seed: bytes, version: int) -> bytes:
    """The 32-byte key of one commit's draws."""
    return hmac.digest(seed, b"commit:%d" % version, "sha256")


def commitment(nonce: bytes, seed: bytes) -> str:
    """The hash published when a game is created; nonce and seed, published at its end, prove it (OPT-4)."""
    return hashlib.sha256(nonce + seed).hexdigest()


def outcomes_match(key: bytes, outcomes: list[tuple[int, int]]) -> bool:
    """Whether these are the outcomes that `key` gives for the same questions in the same order."""
    chance = KeyedChance(key)
    return all(n > 0 and chance.below(n) == result for n, result in outcomes)
