"""A yardstick: long tracks for their points, first those that its opening tickets need; it draws no others.

After the "Long Route Junkie" (`planning/style.py`): prefers longer tracks, then gray ones, then those that lack the
fewest cards. A decision takes about 0.2 ms. USA, two seats, among the yardsticks: 98 points a game (the agent: 95), 2.4
tickets completed and 0.1 failed.
"""

from __future__ import annotations

from services.ai.planning.style import Style, StyledTurn
from shared.kernel import GRAY

SHORT = 2


class LongRouteBot(Style):
    """The longest tracks that its tickets need, then the longest there are."""

    name = "long_route"
    about = "Prefers long tracks, which bring more points a train; draws no tickets."

    def wants_tickets(self, turn: StyledTurn) -> bool:
        return False

    def wanted(self, turn: StyledTurn) -> list[int]:
        lengths, colours = turn.board.lengths, turn.board.colours

        def order(track: int) -> tuple[bool, int, bool, int, int]:
            return turn.is_far(track), -lengths[track], colours[track] != GRAY, turn.survey.missing(track), track

        return sorted(turn.plan.tracks or [track for track in turn.survey.open if lengths[track] > SHORT], key=order)
