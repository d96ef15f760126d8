"""Parallel tracks: which of a group stay open once one is claimed (BASE-25, BASE-26)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from shared.kernel.mechanic import Mechanic

if TYPE_CHECKING:
    from shared.kernel.ruleset import Rules


class ParallelTracks(Mechanic):
    """Fills the tables of what a claim closes; the number of seats is that at set-up."""

    def __init__(self, rules: Rules, config: dict[str, Any]) -> None:
        for track, parallels in enumerate(rules.board.parallels):
            if rules.seats <= config["one_of_group_up_to_seats"]:
                rules.closes[track] = [track, *parallels]
            else:
                rules.closes_to_claimer[track] = parallels
