"""A yardstick: draws tickets until they fill its trains, then builds one network for all of them.

After the "Hungry Agent" (services/ai/style.py).
"""

from __future__ import annotations

from services.ai.style import Style, Turn

TRAINS_TO_FILL = 20
OTHER_TRAINS = 20  # no more tickets when another seat is nearer to the end


class HungryBot(Style):
    """Tickets first, then the tracks that connect them all, then length."""

    name = "hungry"
    about = "Draws many tickets early, then builds one network for all of them."

    def wants_tickets(self, turn: Turn) -> bool:
        return turn.survey.trains - turn.plan.trains >= TRAINS_TO_FILL and turn.trains_of_others >= OTHER_TRAINS

    def wanted(self, turn: Turn) -> list[int]:
        def order(track: int) -> tuple[bool, int, int, int]:
            return turn.is_far(track), -turn.points[track], turn.survey.missing(track), track

        return sorted(turn.plan.tracks or turn.survey.open, key=order)
