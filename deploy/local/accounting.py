"""What a game's record says was done, against what the services' own counters say."""

from __future__ import annotations

import time
from collections import Counter
from typing import Any

import requests
from prometheus_client.parser import text_string_to_metric_families

from deploy.local.programs import HOST
from deploy.local.stack import Stack

SETTLE_SECONDS = 10.0
POLL_SECONDS = 0.1

Json = dict[str, Any]
Check = tuple[str, bool, str]


class Figures:
    """The counters of a stack, read from `/metrics`."""

    def __init__(self, stack: Stack) -> None:
        self._ports = stack.site.ports

    def read(self) -> dict[str, float]:
        """Decides accepted by the rules service, commits that were overtaken, and answers of bots."""
        decides = self._sum("rules", "whistlestop_decides_total", outcome=("accepted",))
        overtaken = self._sum("game_state", "whistlestop_overtaken_commits_total", kind=("answer", "forced"))
        bots = self._sum("bots", "whistlestop_bot_answers_total", outcome=("answered", "fallback"))
        return {"decides": decides, "overtaken": overtaken, "bots": bots}

    def _sum(self, program: str, counter: str, **labels: tuple[str, ...]) -> float:
        text = requests.get(f"http://{HOST}:{self._ports[program]}/metrics", timeout=5).text
        return sum(
            sample.value
            for family in text_string_to_metric_families(text)
            for sample in family.samples
            if sample.name == counter and all(sample.labels[name] in values for name, values in labels.items())
        )


class Account:
    """What a finished game's commits say."""

    def __init__(self, commits: list[Json]) -> None:
        self._commits = commits
        answered = [commit for commit in commits if commit["decision"] is not None]
        self.answers = len(answered)
        self.forced = sum(commit["forced"] for commit in answered)

    def adds_up(self, sheet: Json | None) -> Check:
        """Whether the sheet's lines make its totals, and its tracks those that were claimed in the log (BASE-42)."""
        claimed: Counter[int] = Counter()
        for commit in self._commits:
            for event in commit["events"]:
                if event["event"] in ("TrackClaimed", "TrackScored"):
                    claimed[event["seat"]] += event["points"]
        seats = sheet["seats"] if sheet else []
        adds_up = bool(seats) and all(
            seat["total"] == sum(line["points"] for line in seat["lines"])
            and claimed[seat["seat"]] == sum(line["points"] for line in seat["lines"] if line["reason"] == "track")
            for seat in seats
        )
        return "the sheet adds up, tracks as claimed in the log", adds_up, f"{sum(claimed.values())} points for tracks"

    def agrees(self, figures: Figures, before: dict[str, float]) -> list[Check]:
        """Whether the counters rose by what the log says; the last of them may come a moment after the game's end."""
        deadline = time.monotonic() + SETTLE_SECONDS
        while True:
            now = figures.read()
            rose = {name: int(now[name] - before[name]) for name in now}
            checks = self._agreements(rose)
            if all(is_right for _, is_right, _ in checks) or time.monotonic() > deadline:
                return checks
            time.sleep(POLL_SECONDS)

    def _agreements(self, rose: dict[str, int]) -> list[Check]:
        overtaken = f", {rose['overtaken']} overtaken and decided again" if rose["overtaken"] else ""
        by_bots = self.answers - self.forced
        forced = f", {self.forced} answered for a seat whose time was up" if self.forced else ""
        others = "; others seem to play on this stack too" if rose["decides"] > self.answers + rose["overtaken"] else ""
        return [
            ("every answer was decided by the rules service", rose["decides"] == self.answers + rose["overtaken"],
             f"decides rose by {rose['decides']}, commits with answers {self.answers}{overtaken}{others}"),
            ("every answer of a bot was made by a Celery worker", rose["bots"] == by_bots,
             f"bot answers rose by {rose['bots']}, commits of bots {by_bots}{forced}"),
        ]
