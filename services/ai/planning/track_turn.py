"""What bots that play by a Survey have in common in a decision: what the seat has and what it may do."""

from __future__ import annotations

from services.ai.planning.survey import Plan, Survey
from shared.client import Question
from shared.kernel import (
    CARDS,
    TICKETS,
    TRACKS,
    AnnounceSplit,
    ClaimTrack,
    DrawFromDeck,
    DrawFromDisplay,
    DrawTickets,
    KeepTickets,
    Tracks,
    bits,
)


class TrackTurn:
    """One decision on a board with tracks."""

    def __init__(self, question: Question) -> None:
        rules, view, seat, legal_moves = question.rules, question.view, question.seat, question.legal_moves
        tracks: Tracks = view.parts[TRACKS]
        self.question = question
        self.rules = rules
        self.board = rules.board
        self.legal_moves = legal_moves
        self.survey = Survey(rules, view, seat)
        self.tickets: list[int] = bits(view.parts[TICKETS].hands[seat])
        self.display: list[int] = view.parts[CARDS].display
        self.trains_of_others = min(left for other, left in enumerate(tracks.trains) if other != seat)
        self.is_last_round = view.turns_left >= 0
        self.keeps = [move for move in legal_moves if isinstance(move, KeepTickets)]
        self.claims = [move for move in legal_moves if isinstance(move, ClaimTrack)]
        self.ticket_draws = [move for move in legal_moves if isinstance(move, (DrawTickets, AnnounceSplit))]
        self.blind_draw = next((move for move in legal_moves if isinstance(move, DrawFromDeck)), None)
        self.display_draws = {move.card: move for move in legal_moves if isinstance(move, DrawFromDisplay)}

    def plan_with(self, move: KeepTickets) -> tuple[Plan, int]:
        """A plan for all tickets with those kept; the points of those that fit it, less the points of the others."""
        tickets = [*self.tickets, *(move.tickets or ())]
        plan = self.survey.plan(tickets)
        fit = {*plan.tickets, *(ticket for ticket in tickets if self.survey.completes(ticket))}
        values = self.board.ticket_points
        return plan, sum(values[t] if t in fit else -values[t] for t in tickets)
