"""Bots with a style: each says which tracks it wants and when it wants tickets; the rest they have in common.

The styles are those of the agents in "AI-based Playtesting of Contemporary Board Games" by Silva, Lee, Togelius and
Nealen (FDG 2017), made anew from their descriptions, to measure other bots by.
"""

from __future__ import annotations

from functools import cached_property

from services.ai.planning.extras import extra_move, passenger_path
from services.ai.planning.rows import RowsTurn
from services.ai.planning.survey import Plan
from services.ai.planning.track_turn import TrackTurn
from shared.client import Bot, Question
from shared.kernel import GRAY, TRACKS, ClaimTrack, Cost, KeepTickets, Move


class Style(Bot):
    """Base of these bots."""

    def wanted(self, turn: StyledTurn) -> list[int]:
        """The tracks to claim, the most wanted first."""
        raise NotImplementedError

    def wants_tickets(self, turn: StyledTurn) -> bool:
        """Whether to draw tickets, before anything else."""
        raise NotImplementedError

    def choose(self, question: Question) -> Move:
        if question.view.parts[TRACKS] is None:
            return RowsTurn(question).choose()
        return StyledTurn(question, self).choose()


class StyledTurn(TrackTurn):
    """One decision in a style."""

    def __init__(self, question: Question, style: Style) -> None:
        super().__init__(question)
        self.style = style
        self.points: list[int] = [self.rules.by_name["claim"].points[length] for length in self.board.lengths]

    def choose(self) -> Move:
        """Keeps tickets, takes an extra, draws tickets, claims a wanted track, or draws cards for the most wanted."""
        if self.keeps:
            return max(self.keeps, key=self.worth_of_keeping)
        extra = extra_move(self.question, self.survey, self.tickets, self.price_beside)
        if extra is not None:
            return extra
        if path := passenger_path(self.survey, self.legal_moves):
            return path
        if self.ticket_draws and not self.is_last_round and self.style.wants_tickets(self):
            return self.ticket_draws[len(self.ticket_draws) // 2]
        wanted = self.style.wanted(self)
        for track in wanted:
            if payments := [move for move in self.claims if move.track == track]:
                return min(payments, key=lambda move: self.price_of_claim(wanted, move))
        if self.claims and (self.is_last_round or not wanted):
            return max(self.claims, key=lambda move: (self.points[move.track], -self.price_of_claim(wanted, move)))
        return self.draw(wanted) or self.legal_moves[0]

    @cached_property
    def cities(self) -> set[int]:
        """The cities of the own network, the home city among them."""
        return {self.survey.home, *(city for track in self.survey.own for city in self.board.ends[track])}

    @cached_property
    def plan(self) -> Plan:
        """Tracks for all the tickets together."""
        return self.survey.plan(self.tickets)

    def worth_of_keeping(self, move: KeepTickets) -> float:
        """Points for each train that the tickets take; those that fit no plan count against it."""
        plan, points = self.plan_with(move)
        return points / (1 + plan.trains)

    def is_far(self, track: int) -> bool:
        """Whether the track joins no own one, where a rule set wants that (OW-6), so that others must come first."""
        return self.survey.home >= 0 and self.cities.isdisjoint(self.board.ends[track])

    def price(self, wanted: list[int], payment: Cost) -> int:
        """What is lacking for wanted tracks after a payment, and the wilds that it takes."""
        spent = dict(payment)
        hand = [held - spent.get(kind, 0) for kind, held in enumerate(self.survey.hand)]
        lacking = sum(self.set_aside(track, hand)[1] for track in wanted)
        return lacking + 2 * spent.get(self.rules.wild, 0)

    def price_beside(self, payment: Cost) -> int:
        """What is lacking for all wanted tracks after a payment for something else."""
        return self.price(self.style.wanted(self), payment)

    def price_of_claim(self, wanted: list[int], move: ClaimTrack) -> int:
        """What a claim takes away from the other wanted tracks."""
        return self.price([track for track in wanted if track != move.track], move.payment)

    def draw(self, wanted: list[int]) -> Move | None:
        """A card of the display for the most wanted track that it helps, a wild that makes one ready, else the deck."""
        hand = self.survey.hand[:]
        for track in wanted:
            kind, lacking = self.set_aside(track, hand)
            if lacking and kind in self.display_draws:
                return self.display_draws[kind]
            if lacking - self.survey.wilds == 1 and self.rules.wild in self.display_draws:
                return self.display_draws[self.rules.wild]
        return self.blind_draw

    def set_aside(self, track: int, hand: list[int]) -> tuple[int, int]:
        """Takes the cards for a track out of the hand; gives their kind and how many lack, wilds aside."""
        kind = self.board.colours[track]
        if kind == GRAY:
            kind = max(range(self.rules.colours), key=lambda kind: hand[kind] + self.display.count(kind))
        used = min(hand[kind], self.board.lengths[track])
        hand[kind] -= used
        return kind, self.board.lengths[track] - used
