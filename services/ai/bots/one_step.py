"""A yardstick: one ticket at a time, one track at a time.

After the "One Step Thinker" (`planning/style.py`): takes the most valuable ticket that can still be completed, and of
its cheapest way the track that lacks the fewest cards; draws tickets when its own are done. A decision takes about
0.2 ms. USA, two seats, among the yardsticks: 108 points a game (the agent: 87 to 99), 4.4 tickets completed and 0.5
failed.
"""

from __future__ import annotations

from services.ai.planning.style import Style, StyledTurn

TRAINS_FOR_TICKETS = 12


class OneStepBot(Style):
    """The most valuable ticket not yet completed, and of its tracks the one that lacks the fewest cards."""

    name = "one_step"
    about = "Works on one ticket at a time, the most valuable first, and there on the track that is nearest to ready."

    def wants_tickets(self, turn: StyledTurn) -> bool:
        return turn.survey.trains >= TRAINS_FOR_TICKETS and not _way(turn)

    def wanted(self, turn: StyledTurn) -> list[int]:
        def order(track: int) -> tuple[bool, int, int, int]:
            return turn.is_far(track), turn.survey.missing(track), -turn.points[track], track

        return sorted(_way(turn), key=order)[:1]


def _way(turn: StyledTurn) -> set[int]:
    """The tracks that complete the most valuable ticket that can still be completed; none where there is none."""
    for ticket in sorted(turn.tickets, key=lambda ticket: -turn.board.ticket_points[ticket]):
        if tracks := turn.survey.plan([ticket]).tracks:
            return tracks
    return set()
