"""Which bots there are for whom, so that no game is created for one that nobody plays."""

from __future__ import annotations

from typing import Any

from services.gateway.external_bots import ExternalBots, plays
from services.gateway.neighbours import Neighbour
from shared.catalog import UnknownId
from shared.contracts.bots import owner_of
from shared.web import Problem

Json = dict[str, Any]


class Roster:
    """The bots: the built-in ones, asked for only when one is named that is not yet known, and those of platforms."""

    def __init__(self, ai: Neighbour, external: ExternalBots) -> None:
        self._ai = ai
        self._external = external
        self._built_in: frozenset[str] = frozenset()

    def listing(self, owner: str | None) -> list[Json]:
        """Gives the built-in bots, then those of a platform."""
        built_in = self._ai.ask("GET", "/bots").json()["bots"]
        return built_in + (self._external.of(owner) if owner else [])

    def check(self, owner: str, ruleset: str, seats: list[Json]) -> None:
        """Raises Problem 422 that points at every seat whose bot does not exist for this platform and rule set."""
        named = [(number, seat["bot"]) for number, seat in enumerate(seats) if "bot" in seat]
        faults = [(number, self._fault(owner, ruleset, bot)) for number, bot in named]
        errors = [{"pointer": f"/seats/{number}/bot", **fault} for number, fault in faults if fault]
        if errors:
            raise Problem(422, "invalid_request", "A seat names a bot that cannot hold it.", errors=errors)

    def _fault(self, owner: str, ruleset: str, bot: str) -> Json | None:
        if bot in self._built_in:
            return None
        own = self._external.find(bot) if owner_of(bot) == owner else None
        if own is None:
            return self._fault_of_unknown(owner, bot)
        try:
            is_played = plays(own, ruleset)
        except UnknownId:
            return None  # it is not the bot that is wrong
        return None if is_played else {"code": "not_played", "detail": f"It plays {', '.join(own['rulesets'])}."}

    def _fault_of_unknown(self, owner: str, bot: str) -> Json | None:
        found = [known["bot"] for known in self.listing(owner)]
        self._built_in = frozenset(known for known in found if owner_of(known) is None)
        return None if bot in self._built_in else {"code": "unknown_bot", "detail": f"There are: {', '.join(found)}."}
