"""The bots that platforms bring along: what they are called, what they play, how much at once. They run elsewhere."""

from __future__ import annotations

import json
from typing import Any

import redis

from services.gateway.tokens import BOT, Accounts
from shared.catalog import ruleset, rulesets
from shared.contracts.bots import owner_of

MOST_BOTS = 100
"""How many bots a platform may have."""

Json = dict[str, Any]


class TooMany(Exception):
    """The platform has as many bots as it may."""


class ExternalBots:
    """The external bots in the store; raises redis.RedisError when it cannot be used.

    A bot is there before its token and goes after it, so that whatever breaks off in between can be done again.
    """

    def __init__(self, store: redis.Redis, accounts: Accounts) -> None:
        self._store = store
        self._accounts = accounts

    def create(self, owner: str, about: Json) -> str | None:
        """Creates a bot of a platform from a `NewBotSchema`; gives its token, or None if it is there already.

        Raises TooMany.
        """
        key, name = _key(owner), about["bot"]
        if self._store.hlen(key) >= MOST_BOTS and not self._store.hexists(key, name):
            raise TooMany
        kept = {field: about[field] for field in ("about", "rulesets", "concurrency") if field in about}
        if not self._store.hsetnx(key, name, json.dumps(kept)):
            return None
        return self._accounts.create(BOT, full_name(owner, name))

    def of(self, owner: str) -> list[Json]:
        """Gives the bots of a platform, as `BotSchema` has them, by name."""
        return [_shown(full_name(owner, name), kept) for name, kept in sorted(self._store.hgetall(_key(owner)).items())]

    def find(self, bot: str) -> Json | None:
        """Gives a bot by its full name, as `BotSchema` has it; None if there is none."""
        owner = owner_of(bot)
        kept = owner and self._store.hget(_key(owner), _own_name(bot))
        return _shown(bot, kept) if kept else None

    def renew_token(self, bot: str) -> str:
        """Gives a new token of a bot and ends the earlier ones."""
        self._accounts.revoke(BOT, bot)
        return self._accounts.create(BOT, bot)

    def delete(self, bot: str) -> None:
        """Ends the tokens of a bot and forgets it."""
        self._accounts.revoke(BOT, bot)
        self._store.hdel(_key(owner_of(bot)), _own_name(bot))


def full_name(owner: str, name: str) -> str:
    """Gives what a bot of a platform is called everywhere."""
    return f"{owner}.{name}"


def plays(bot: Json, asked: str) -> bool:
    """Whether a bot plays the rule set that a game is asked for with; raises UnknownId if there is none."""
    name, revision = asked.partition("@")[0], ruleset(asked)["revision"]
    return name in bot["rulesets"] or f"{name}@{revision}" in bot["rulesets"]


def _shown(bot: str, kept: str) -> Json:
    about = json.loads(kept)
    return {"bot": bot, "rulesets": about.get("rulesets", rulesets()), "about": about["about"],
            "concurrency": about["concurrency"]}


def _own_name(bot: str) -> str:
    return bot.rpartition(".")[2]


def _key(owner: str) -> str:
    return f"gw:bots:{owner}"
