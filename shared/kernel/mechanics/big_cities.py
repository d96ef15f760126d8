"""The bonus cards of big cities (CG-31, CG-32)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from shared.kernel import kinds
from shared.kernel.mechanic import Mechanic
from shared.kernel.state import State
from shared.kernel.ticket_deck import bits

if TYPE_CHECKING:
    from shared.kernel.ruleset import Rules
    from shared.kernel.scoring import ScoreSheet

REASON: Final = "big_city"


class BigCities(Mechanic):
    """For each big city all seats with the most completed tickets that name it score its bonus, nobody with none."""

    def score(self, rules: Rules, state: State, sheet: ScoreSheet) -> None:
        completed = state.parts[kinds.YARDS].completed
        for city, points in rules.board.bonus_cards:
            naming = [sum(city in rules.board.ticket_ends[t] for t in bits(mask)) for mask in completed]
            for seat, number in enumerate(naming):
                if number == max(naming) > 0:
                    evidence = {"city": rules.board.cities[city], "completed": number}
                    sheet.add(seat, points, REASON, "CG-31", evidence)

    def rank(self, rules: Rules, state: State, sheet: ScoreSheet, seat: int) -> int:
        return sum(line.reason == REASON for line in sheet.lines[seat])
