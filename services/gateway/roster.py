"""Which bots there are, so that no game is created for one that nobody plays."""

from __future__ import annotations

from typing import Any

from services.gateway.neighbours import Neighbour
from shared.web import Problem


class Roster:
    """The names of the bots, asked for only when one is named that is not yet known."""

    def __init__(self, ai: Neighbour) -> None:
        self._ai = ai
        self._names: frozenset[str] = frozenset()

    def check(self, seats: list[dict[str, Any]]) -> None:
        """Raises Problem 422 that points at every seat whose bot does not exist."""
        if not self._unknown(seats):
            return
        self._names = frozenset(bot["bot"] for bot in self._ai.ask("GET", "/bots").json()["bots"])
        unknown = self._unknown(seats)
        if unknown:
            known = ", ".join(sorted(self._names))
            errors = [
                {"pointer": f"/seats/{seat}/bot", "code": "unknown_bot", "detail": f"There are: {known}."}
                for seat in unknown
            ]
            raise Problem(422, "invalid_request", "A seat names a bot that does not exist.", errors=errors)

    def _unknown(self, seats: list[dict[str, Any]]) -> list[int]:
        return [number for number, seat in enumerate(seats) if "bot" in seat and seat["bot"] not in self._names]
