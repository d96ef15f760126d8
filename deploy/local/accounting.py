"""What a game's record says was done, against what each program of the stack logged while it did it."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from shared.contracts.queues import AI_ANSWER_FALLBACK

SETTLE_SECONDS = 10.0
POLL_SECONDS = 0.2
LEVELS = ("DEBUG", "INFO")
"""Log levels at which the way of a game can be followed."""

SCORING = {"TrackClaimed": "track", "TrackScored": "track", "TicketsCompleted": "ticket"}
"""Events that score openly, and the reason that the sheet gives for these points."""

FAILURES = ("a bot failed", "the move of a bot was refused")

Json = dict[str, Any]
Check = tuple[str, bool, str]


class Account:
    """What a finished game's record says, as the API gives it."""

    def __init__(self, record: Json) -> None:
        self._game = record["game"]
        self._commits = record["commits"]
        answered = [commit for commit in self._commits if commit["decision"] is not None]
        self.answers = len(answered)
        self._answered = {commit["version"] for commit in answered}
        self._by_bots = {commit["version"] for commit in answered if not commit["forced"]}

    def adds_up(self, sheet: Json | None) -> Check:
        """Whether the sheet's lines make its totals, and what was scored in the log stands on it (BASE-42, CG-30)."""
        scored: Counter[tuple[int, str]] = Counter()
        for commit in self._commits:
            for event in commit["events"]:
                if reason := SCORING.get(event["event"]):
                    scored[event["seat"], reason] += event["points"]
        reasons = {reason for _, reason in scored}
        listed: Counter[tuple[int, str]] = Counter()
        seats = sheet["seats"] if sheet else []
        for seat in seats:
            for line in seat["lines"]:
                if line["reason"] in reasons and line["points"] > 0:
                    listed[seat["seat"], line["reason"]] += line["points"]
        adds_up = bool(seats) and scored == listed and all(
            seat["total"] == sum(line["points"] for line in seat["lines"]) for seat in seats
        )
        figures = ", ".join(f"{scored[key]} for {key[1]}s of seat {key[0]}" for key in sorted(scored))
        return "the sheet adds up and holds the points scored in the log", adds_up, figures

    def agrees(self, logs: Path) -> list[Check]:
        """Whether the programs that log there did what the record says; their last lines may come a moment late.

        Each answer is followed by the id of its request, from the worker that sent it to the service that decided it.
        """
        deadline = time.monotonic() + SETTLE_SECONDS
        while True:
            checks = self._agreements(logs)
            if all(is_right for _, is_right, _ in checks) or time.monotonic() > deadline:
                return checks
            time.sleep(POLL_SECONDS)

    def fallbacks(self, logs: Path) -> tuple[int, Counter[str]]:
        """How many answers the fallback gave in place of a seat's own bot, and which bot failed how, how often.

        Asked after `agrees`, which waits for the last lines.
        """
        lines = list(_lines(logs, "bots", self._game))
        failures = Counter(f"{line['bot']}: {line['error']}" for line in lines if line["message"] in FAILURES)
        return sum(line["message"] == "task" and _is_fallback(line) for line in lines), failures

    def _agreements(self, logs: Path) -> list[Check]:
        request_of = {line["version"]: line["request_id"] for line in _lines(logs, "game_state", self._game)
                      if line["message"] == "answered"}
        decided = {line["request_id"] for line in _lines(logs, "rules", "/decide") if line["status"] == 200}
        let_in = {line["request_id"] for line in _lines(logs, "gateway", self._game) if line["message"] == "request"}
        worked = {line["request_id"] for line in _lines(logs, "bots", self._game) if line["message"] == "task"}

        def check(what: str, versions: set[int], requests: set[str], note: str = "") -> Check:
            seen = sum(request_of.get(version) in requests for version in versions)
            return what, seen == len(versions), f"{seen} of {len(versions)} answers, by the ids of their requests{note}"

        forced = len(self._answered) - len(self._by_bots)
        note = f"; {forced} more for a seat whose time was up" if forced else ""
        return [
            check("every answer was decided by the rules service", self._answered, decided),
            check("every answer of a bot came through the gateway", self._by_bots, let_in, note),
            check("every answer of a bot was made by a Celery worker", self._by_bots, worked, note),
        ]


def _is_fallback(line: Json) -> bool:
    """Whether a task's answer counts and is none of the seat's own bot: it failed, or was not there in time."""
    is_late_bot = line["task"] == AI_ANSWER_FALLBACK and line.get("answer") == "answered"
    return is_late_bot or line.get("answer") == "fallback"


def _lines(logs: Path, program: str, word: str) -> Iterator[Json]:
    """Gives the lines in which a word occurs, of a program's present log and the one before."""
    for path in (logs / f"{program}.log.1", logs / f"{program}.log"):
        if path.exists():
            with path.open(errors="replace") as file:
                yield from (json.loads(line) for line in file if word in line and line.endswith("}\n"))
