"""Game-state, as the scoring service uses it. Every call raises the Problem that game-state answers with."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from shared.contracts.callers import CALLER_HEADER
from shared.contracts.commits import MOST_COMMITS
from shared.web.client import ServiceClient, raise_for_problem

Json = dict[str, Any]


class GameState:
    """Reads games and logs, hands in results."""

    def __init__(self, client: ServiceClient) -> None:
        self._client = client

    def game(self, game: str, caller: str | None = None) -> Json:
        """Gives a game as `caller` may see it (as the gateway named it), or without one as a spectator does."""
        return self._ask("GET", f"/games/{game}", headers={CALLER_HEADER: caller} if caller else {})

    def commits(self, game: str, after: int) -> Iterator[Json]:
        """Gives every commit after a version, in order, as a spectator may see it."""
        while True:
            page = self._ask("GET", f"/games/{game}/commits", params={"after": after, "limit": MOST_COMMITS})
            yield from page["commits"]
            if not page["commits"] or page["commits"][-1]["version"] >= page["version"]:
                return
            after = page["commits"][-1]["version"]

    def record(self, game: str) -> Json:
        """Gives the whole record of a finished game; raises Problem 409 `game_not_over` before the end."""
        return self._ask("GET", f"/games/{game}/record")

    def record_result(self, game: str, sheet: Json) -> None:
        """Hands in the final sheet; done again it changes nothing."""
        self._ask("PUT", f"/games/{game}/result", json={"sheet": sheet})

    def note_projected(self, game: str, version: int) -> None:
        """Tells how far the game has been read."""
        self._ask("POST", f"/games/{game}/projected", json={"version": version}, safe=True)

    def _ask(self, method: str, path: str, **rest: Any) -> Json:
        return raise_for_problem(self._client.request(method, path, **rest), "game_state").json()
