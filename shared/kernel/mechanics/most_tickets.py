"""The bonus for the most completed tickets (MK-18, OW-13, BASE-41)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from shared.kernel.mechanic import Mechanic
from shared.kernel.state import State

if TYPE_CHECKING:
    from shared.kernel.ruleset import Rules
    from shared.kernel.scoring import ScoreSheet


class MostTickets(Mechanic):
    """All seats with the most completed tickets score in full, and nobody with none. Stands after the tickets."""

    def __init__(self, rules: Rules, config: dict[str, Any]) -> None:
        super().__init__(rules, config)
        self.points: int = config["points"]
        self.reason: str = config["reason"]
        self.rule: str = config["rule"]

    def score(self, rules: Rules, state: State, sheet: ScoreSheet) -> None:
        most = max(sheet.completed)
        for seat, completed in enumerate(sheet.completed):
            if completed == most > 0:
                sheet.add(seat, self.points, self.reason, self.rule, {"completed": completed})
