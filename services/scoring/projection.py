"""What scoring keeps of each game: its position at the last commit read, as a spectator may see it.

It is a cache of the log: lost or unreadable, it is folded again from the first commit.
"""

from __future__ import annotations

import json
import logging
from dataclasses import dataclass
from pathlib import Path

import redis

from shared.catalog import rules_for
from shared.kernel import Malformed, Rules, State, state_from_plain, state_to_plain

log = logging.getLogger(__name__)

SAVE = Path(__file__).with_name("save.lua")


@dataclass
class Projection:
    """A game as far as it has been read."""

    rules: Rules
    position: State

    @property
    def version(self) -> int:
        return self.position.version


class Projections:
    """The projections in the store; raises redis.RedisError when it cannot be used."""

    def __init__(self, store: redis.Redis) -> None:
        self._store = store
        self._save = store.register_script(SAVE.read_text())

    def load(self, game: str) -> Projection | None:
        """Gives what is kept of a game; None if that is nothing readable."""
        kept = self._store.hget(_key(game), "position")
        if kept is None:
            return None
        try:
            plain = json.loads(kept)
            rules = rules_for(plain["ruleset"], seats=plain["seats"], options=plain["options"])
            return Projection(rules, state_from_plain(rules, plain))
        except (ValueError, LookupError, Malformed):
            log.exception("a projection is unreadable and will be made again", extra={"game": game})
            self._store.delete(_key(game))
            return None

    def save(self, game: str, projection: Projection) -> None:
        """Keeps a projection; one that is as late or later stays."""
        position = json.dumps(state_to_plain(projection.rules, projection.position), separators=(",", ":"))
        self._save([_key(game)], [projection.version, position])


def _key(game: str) -> str:
    return f"sc:{{{game}}}:projection"
