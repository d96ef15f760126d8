"""Plans one network for all its tickets and weighs every action against that plan.

What an action is worth is counted in points; a turn is worth what a good track brings for each turn that it takes. A
claim saves the turn that it takes and secures a track that others may want. A card saves the turns by which it shortens
the collecting, as expected. Tickets are worth the points that they bring beside the plan.
"""

from __future__ import annotations

from services.ai.atlas import NO_WAY
from services.ai.clock import turns_left
from services.ai.draws import Draws
from services.ai.extras import Payment, extra_move, passenger_path
from services.ai.needs import Needs
from services.ai.network_plan import Planner
from services.ai.rows import RowsTurn
from services.ai.standing import TRAIN_WORTH, TURN_WORTH, Standing
from services.ai.survey import Survey
from services.ai.threats import threats
from services.ai.ticket_draws import worth_of_drawing
from shared.client import Bot, Question
from shared.kernel import (
    SECOND_CARD,
    TRACKS,
    AnnounceSplit,
    ClaimTrack,
    DrawFromDeck,
    DrawFromDisplay,
    DrawTickets,
    KeepTickets,
    Move,
)

MOST_LOSS = 40.0
FILL_LOSS = 2.0  # points that are lost with a track wanted for its points alone
FILL_WAITS = 2.0  # points by which such a track may wait while tickets are pending
OFF_PLAN = 3.0  # points that a claim costs beside the plan
HURRY = 0.2  # tickets can be drawn later too, but some of what they bring is lost each turn
WORTHLESS = -1000.0


class PlannerBot(Bot):
    """Takes the action that is worth the most points."""

    name = "planner"
    about = "Plans one network for all its tickets and weighs claims, cards and tickets by the turns that they save."

    def choose(self, question: Question) -> Move:
        if question.view.parts[TRACKS] is None:
            return RowsTurn(question).choose()
        return Turn(question).choose()


class Turn:
    """One decision: the standing of its seat, its plan, and what each action is worth."""

    def __init__(self, question: Question) -> None:
        self.question = question
        self.rules = question.rules
        self.board = question.rules.board
        self.standing = Standing(question.rules, question.view, question.seat)
        self.planner = Planner(self.standing, turns_left(question.view, question.seat))

    def choose(self) -> Move:
        """The move to make."""
        moves = self.question.legal_moves
        keeps = [move for move in moves if isinstance(move, KeepTickets)]
        if keeps:
            return max(keeps, key=self._worth_of_keeping)
        survey = Survey(self.rules, self.question.view, self.question.seat)
        if path := passenger_path(survey, moves):
            return path
        self._prepare()
        if extra := extra_move(self.question, survey, self.standing.tickets, self._draws_after):
            return extra
        worth = self._worth_at_last if self.planner.turns_left <= 1 else self.worth
        return max(moves, key=worth)

    def _prepare(self) -> None:
        self.plan = self.planner.best(self.standing.tickets)
        self.planner.fill(self.plan)
        self.tracks = {*self.plan.tracks, *self.plan.fill}
        is_second = self.question.decision.kind == SECOND_CARD
        self.draws = Draws(self.standing, Needs(self.standing.atlas, self.tracks), is_second)
        self.threats = threats(self.standing)

    def worth(self, move: Move) -> float:
        """The points that an action brings."""
        if isinstance(move, ClaimTrack):
            return self._worth_of_claim(move)
        if isinstance(move, (DrawTickets, AnnounceSplit)):
            worth = worth_of_drawing(self.planner, self.plan, move)
            return worth if worth < TURN_WORTH else TURN_WORTH + HURRY * (worth - TURN_WORTH)
        if isinstance(move, (DrawFromDeck, DrawFromDisplay)):
            return TURN_WORTH / 2 * self.draws.saved(move)
        return WORTHLESS

    def _worth_at_last(self, move: Move) -> float:
        """The points that an action brings when no turn follows."""
        if isinstance(move, ClaimTrack):
            done = [ticket for ticket, way in self.plan.tickets.items() if {*way} == {move.track}]
            return self.standing.points[move.track] + 2 * sum(self.board.ticket_points[ticket] for ticket in done)
        if isinstance(move, (DrawTickets, AnnounceSplit)):
            return worth_of_drawing(self.planner, self.plan, move)
        return 0.0 if isinstance(move, (DrawFromDeck, DrawFromDisplay)) else WORTHLESS

    def _worth_of_keeping(self, move: KeepTickets) -> float:
        return self.planner.best([*self.standing.tickets, *(move.tickets or ())]).worth

    def _worth_of_claim(self, move: ClaimTrack) -> float:
        track = move.track
        hand = self.standing.hand[:]
        for kind, number in move.payment:
            hand[kind] -= number
        needs = Needs(self.standing.atlas, self.tracks - {track})
        lost_cards = TURN_WORTH * (needs.draws(hand) - self.draws.needed) / 2
        if track not in self.tracks:
            return self.standing.points[track] - TRAIN_WORTH * self.board.lengths[track] - lost_cards - OFF_PLAN
        worth = TURN_WORTH - lost_cards + self.threats[track] * self._loss(track)
        return worth - FILL_WAITS if track in self.plan.fill and self.plan.tickets else worth

    def _draws_after(self, payment: Payment) -> float:
        """The draws that the planned tracks need after a payment for something else."""
        hand = self.standing.hand[:]
        for kind, number in payment:
            hand[kind] -= number
        return Needs(self.standing.atlas, self.tracks).draws(hand)

    def _loss(self, track: int) -> float:
        """What it costs if another seat takes a planned track: the way round, or the tickets."""
        if track not in self.plan.tracks:
            return FILL_LOSS
        weights = self.standing.weights[:]
        for planned in self.plan.tracks:
            weights[planned] = 0.0
        for closed in self.rules.closes[track]:
            weights[closed] = NO_WAY
        detour, _ = self.standing.atlas.way(weights, *self.board.ends[track])
        stake = sum(2 * self.board.ticket_points[ticket] for ticket, way in self.plan.tickets.items() if track in way)
        return min(detour, stake, MOST_LOSS)
