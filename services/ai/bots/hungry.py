"""A yardstick: draws tickets until they fill its trains, then builds one network for all of them.

After the "Hungry Agent" (`planning/style.py`): keeps the tickets that bring the most points a train, draws more until
their network leaves few trains over, claims the longest tracks of that network first, and ends with length. A decision
takes about 0.6 ms. USA, two seats, among the yardsticks: 105 points a game (the agent: 97), 3.7 tickets completed and
0.5 failed.
"""

from __future__ import annotations

from services.ai.planning.style import Style, StyledTurn

TRAINS_TO_FILL = 20
OTHER_TRAINS = 20  # no more tickets when another seat is nearer to the end


class HungryBot(Style):
    """Tickets first, then the tracks that connect them all, then length."""

    name = "hungry"
    about = "Draws many tickets early, then builds one network for all of them."

    def wants_tickets(self, turn: StyledTurn) -> bool:
        return turn.survey.trains - turn.plan.trains >= TRAINS_TO_FILL and turn.trains_of_others >= OTHER_TRAINS

    def wanted(self, turn: StyledTurn) -> list[int]:
        def order(track: int) -> tuple[bool, int, int, int]:
            return turn.is_far(track), -turn.points[track], turn.survey.missing(track), track

        return sorted(turn.plan.tracks or turn.survey.open, key=order)
