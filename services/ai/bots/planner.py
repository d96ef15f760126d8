"""Plans one network for all its tickets and weighs every action against that plan.

What an action is worth is counted in points; a turn is worth what a good track brings for each turn that it takes. A
claim saves the turn that it takes and secures a track that others may want. A card saves the turns by which it shortens
the collecting, as expected. Tickets are worth the points that they bring beside the plan.

A decision takes about 2.5 ms. USA, two seats: 130 points a game against greedy, of which it wins 76 %.
"""

from __future__ import annotations

from functools import cached_property

from services.ai.planning.atlas import NO_WAY
from services.ai.planning.clock import turns_left
from services.ai.planning.draws import Draws
from services.ai.planning.needs import Needs
from services.ai.planning.network_plan import Plan, Planner
from services.ai.planning.prices import TRAIN_WORTH, TURN_WORTH
from services.ai.planning.side_moves import side_move, worth_of_trip
from services.ai.planning.standing import Standing
from services.ai.planning.threats import threats
from services.ai.planning.ticket_draws import worth_of_drawing
from services.ai.planning.yard_turn import YardTurn
from shared.client import Bot, Question
from shared.kernel import (
    ANNOUNCE_SPLIT,
    KEEP_TICKETS,
    OPENING_TICKETS,
    SECOND_CARD,
    TRACKS,
    TURN,
    AnnounceSplit,
    ClaimTrack,
    DrawFromDeck,
    DrawFromDisplay,
    DrawTickets,
    KeepTickets,
    Move,
    MovePassenger,
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
            return YardTurn(question).choose()
        return PlannerTurn(question).choose()


class PlannerTurn:
    """One decision: the standing of its seat, its plan, and what each action is worth."""

    def __init__(self, question: Question) -> None:
        self.question = question
        self.rules = question.rules
        self.board = question.rules.board
        self.standing = Standing(question.rules, question.view, question.seat)
        self.planner = Planner(self.standing, turns_left(question.rules, question.view, question.seat))

    def choose(self) -> Move:
        """The move to make."""
        moves = self.question.legal_moves
        kind = self.question.decision.kind
        if kind in (OPENING_TICKETS, KEEP_TICKETS):
            return max(moves, key=self.worth_of_keeping)
        if kind == ANNOUNCE_SPLIT:
            return max(moves, key=lambda move: worth_of_drawing(self.planner, Plan(), move))
        if kind not in (TURN, SECOND_CARD):
            return side_move(self.planner, moves)
        return max(moves, key=self.worth)

    @cached_property
    def plan(self) -> Plan:
        """The best plan for the tickets held, with what fills it up."""
        plan = self.planner.best(self.standing.tickets)
        self.planner.fill(plan)
        return plan

    @cached_property
    def tracks(self) -> set[int]:
        """All tracks of the plan."""
        return {*self.plan.tracks, *self.plan.fill}

    @cached_property
    def draws(self) -> Draws:
        """The cards to draw for them."""
        is_second = self.question.decision.kind == SECOND_CARD
        return Draws(self.standing, Needs(self.standing.atlas, self.tracks), is_second)

    @cached_property
    def threats(self) -> list[float]:
        """For each track the chance that others take it within a round."""
        return threats(self.standing)

    def worth(self, move: Move) -> float:
        """The points that an action brings."""
        return self._worth_at_last(move) if self.planner.turns_left <= 1 else self._worth_in_play(move)

    def worth_of_keeping(self, move: Move) -> float:
        """The points that all tickets come to with those kept, by the best plan for them."""
        assert isinstance(move, KeepTickets)
        return self.planner.best([*self.standing.tickets, *(move.tickets or ())]).worth

    def _worth_in_play(self, move: Move) -> float:
        if isinstance(move, ClaimTrack):
            return self._worth_of_claim(move)
        if isinstance(move, (DrawTickets, AnnounceSplit)):
            worth = worth_of_drawing(self.planner, self.plan, move)
            return worth if worth < TURN_WORTH else TURN_WORTH + HURRY * (worth - TURN_WORTH)
        if isinstance(move, (DrawFromDeck, DrawFromDisplay)):
            return TURN_WORTH / 2 * self.draws.saved(move)
        if isinstance(move, MovePassenger):
            return worth_of_trip(self.planner, move)
        return WORTHLESS

    def _worth_at_last(self, move: Move) -> float:
        """The points that an action brings when no turn follows."""
        if isinstance(move, ClaimTrack):
            done = [ticket for ticket, way in self.plan.tickets.items() if {*way} == {move.track}]
            return self.standing.points[move.track] + 2 * sum(self.board.ticket_points[ticket] for ticket in done)
        if isinstance(move, (DrawTickets, AnnounceSplit)):
            return worth_of_drawing(self.planner, self.plan, move)
        if isinstance(move, MovePassenger):
            return worth_of_trip(self.planner, move)
        return 0.0 if isinstance(move, (DrawFromDeck, DrawFromDisplay)) else WORTHLESS

    def _worth_of_claim(self, move: ClaimTrack) -> float:
        track = move.track
        hand = self.standing.hand[:]
        for kind, number in move.payment:
            hand[kind] -= number
        needs = Needs(self.standing.atlas, self.tracks - {track})
        lost_cards = TURN_WORTH * (needs.draws(hand) - self.draws.needed) / 2
        if track in self.plan.tracks:
            return TURN_WORTH - lost_cards + self.threats[track] * self._loss(track)
        length = self.board.lengths[track]
        lost = lost_cards + self.planner.strain(self.plan, length) - self.planner.strain(self.plan, 0)
        if track in self.plan.fill:
            return TURN_WORTH + self.threats[track] * FILL_LOSS - lost - (FILL_WAITS if self.plan.tickets else 0.0)
        return self.standing.points[track] - TRAIN_WORTH * length - OFF_PLAN - lost

    def _loss(self, track: int) -> float:
        """What it costs if another seat takes a planned track: the way round, or the tickets."""
        weights = self.standing.weights[:]
        for planned in self.plan.tracks:
            weights[planned] = 0.0
        for closed in self.rules.closes[track]:
            weights[closed] = NO_WAY
        detour, _ = self.standing.atlas.way(weights, *self.board.ends[track])
        stake = sum(2 * self.board.ticket_points[ticket] for ticket, way in self.plan.tickets.items() if track in way)
        return min(detour, stake, MOST_LOSS)
