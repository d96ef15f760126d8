"""The bonus for the longest continuous path (USA-4, BASE-41)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from shared.kernel import kinds
from shared.kernel.graph import longest_trail
from shared.kernel.mechanic import Mechanic
from shared.kernel.state import State
from shared.kernel.tracks import Tracks

if TYPE_CHECKING:
    from shared.kernel.ruleset import Rules
    from shared.kernel.scoring import ScoreSheet


class LongestPath(Mechanic):
    """All seats with the longest path score in full, and nobody with none."""

    def __init__(self, rules: Rules, config: dict[str, Any]) -> None:
        self.points: int = config["points"]
        self.rule: str = config["rule"]

    def score(self, rules: Rules, state: State, sheet: ScoreSheet) -> None:
        tracks: Tracks = state.parts[kinds.TRACKS]
        trails = [longest_trail(tracks.edges(rules, seat)) for seat in range(rules.seats)]
        longest = max(length for length, _ in trails)
        for seat, (length, trail) in enumerate(trails):
            if length == longest > 0:
                evidence = {"length": length, "tracks": [rules.board.tracks[track] for track in trail]}
                sheet.add(seat, self.points, "longest_path", self.rule, evidence)

    def rank(self, rules: Rules, state: State, sheet: ScoreSheet, seat: int) -> int:
        return int(any(line.reason == "longest_path" for line in sheet.lines[seat]))
