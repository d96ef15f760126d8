"""The rules service, as game-state uses it: it alone decides what a move does."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import Any

from shared.kernel import Event, Rules, events_from_plain
from shared.web import Problem
from shared.web.client import ServiceClient, raise_for_problem

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Outcome:
    """What follows from an answer or a start: the events, and the outcomes of chance that went into them."""

    events: list[Event]
    chance: list[tuple[int, int]]


class RulesService:
    """Asks the rules service; raises Problem 503 rules_unavailable when it cannot be reached."""

    def __init__(self, client: ServiceClient) -> None:
        self._client = client

    def start(self, rules: Rules, key: bytes) -> Outcome:
        """Gives what the start of a game brings (BASE-4)."""
        return self._ask("/start", rules, {"key": key.hex()})

    def decide(
        self, rules: Rules, position: dict[str, Any], decision: str, move: dict[str, Any], key: bytes
    ) -> Outcome:
        """Gives what a move brings; raises Problem 422 rule_violation if a rule forbids it."""
        return self._ask(
            "/decide", rules, {"position": position, "decision": decision, "move": move, "key": key.hex()}
        )

    def _ask(self, path: str, rules: Rules, body: dict[str, Any]) -> Outcome:
        body = {"ruleset": rules.id, "seats": rules.seats, "options": rules.options} | body
        try:
            plain = raise_for_problem(self._client.request("POST", path, json=body, safe=True), "rules").json()
        except Problem as problem:
            if problem.code in ("rule_violation", "rules_unavailable"):
                raise
            log.error("the rules service failed", extra={"status": problem.status, "problem": problem.code})
            raise Problem(503, "rules_unavailable", "The move could not be judged now.", retry_after=1) from problem
        return Outcome(events_from_plain(rules, plain["events"]), [(n, result) for n, result in plain["chance"]])
