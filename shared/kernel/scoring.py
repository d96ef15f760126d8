"""Score sheets: points by seat, each line with its reason, the rule it follows and the evidence."""

from __future__ import annotations

from typing import Any

from shared.kernel.ruleset import Rules
from shared.kernel.state import State
from shared.kernel.violations import RecountError


class Line:
    """Points of one seat for one thing."""

    __slots__ = ("evidence", "points", "reason", "rule")

    def __init__(self, points: int, reason: str, rule: str, evidence: dict[str, Any]) -> None:
        self.points: int = points
        self.reason: str = reason
        self.rule: str = rule
        self.evidence: dict[str, Any] = evidence

    def plain(self) -> dict[str, Any]:
        """The JSON-ready form."""
        return {"points": self.points, "reason": self.reason, "rule": self.rule, "evidence": self.evidence}


class ScoreSheet:
    """Lines and totals by seat; `ranks` (1 is best) and `ties` only on a final sheet."""

    def __init__(self, seats: int) -> None:
        self.lines: list[list[Line]] = [[] for _ in range(seats)]
        self.totals: list[int] = [0] * seats
        self.completed: list[int] = [0] * seats  # tickets
        self.ranks: list[int] = []
        self.ties: list[dict[str, int]] = []

    def add(self, seat: int, points: int, reason: str, rule: str, evidence: dict[str, Any]) -> None:
        """Adds a line."""
        self.lines[seat].append(Line(points, reason, rule, evidence))
        self.totals[seat] += points

    def winners(self) -> list[int]:
        """The seats of rank 1; several share the victory (BASE-43)."""
        return [seat for seat, rank in enumerate(self.ranks) if rank == 1]

    def plain(self) -> dict[str, Any]:
        """The JSON-ready form."""
        seats: list[dict[str, Any]] = []
        for seat, lines in enumerate(self.lines):
            entry: dict[str, Any] = {
                "seat": seat,
                "total": self.totals[seat],
                "lines": [line.plain() for line in lines],
            }
            if self.ranks:
                entry["rank"] = self.ranks[seat]
                entry["ties"] = self.ties[seat]
            seats.append(entry)
        out: dict[str, Any] = {"seats": seats}
        if self.ranks:
            out["winners"] = self.winners()
        return out


def score(rules: Rules, state: State) -> ScoreSheet:
    """The final sheet (BASE-39 to BASE-43).

    Raises ValueError while the game goes on, and RecountError if the points scored in play do not recount (BASE-42).
    """
    if not state.over:
        raise ValueError("the game is not over")
    sheet = running_score(rules, state)
    if sheet.totals != state.points:
        raise RecountError(f"{state.points} scored in play, {sheet.totals} counted from the record (BASE-42)")
    for mechanic in rules.mechanics:
        mechanic.score(rules, state, sheet)
    order: list[tuple[int, ...]] = []
    for seat in range(rules.seats):
        values = [mechanic.rank(rules, state, sheet, seat) for mechanic in rules.ties]
        sheet.ties.append(dict(zip(rules.tie_names, values, strict=True)))
        order.append((sheet.totals[seat], *values))
    sheet.ranks = [1 + sum(other > own for other in order) for own in order]
    return sheet


def running_score(rules: Rules, state: State) -> ScoreSheet:
    """What has been scored openly so far (VIEW-2); from a state or any view."""
    sheet = ScoreSheet(rules.seats)
    for mechanic in rules.mechanics:
        mechanic.running(rules, state, sheet)
    return sheet
