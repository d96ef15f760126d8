"""How the planner plays without a map: each action is weighed by the points of the cards that it brings nearer to the
stack.

A card in the stack is worth what tickets pay for it, more if those in hand lack it. In the hand it is worth a part of
that, less when there are hardly turns left to place it. So placing cards is worth what that adds to them and takes from
other seats, a draw what the best two cards are worth, and drawing tickets what the best of those that may come add.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from math import comb

from services.ai.planning.rows import RowsTurn
from shared.client import Question
from shared.kernel import (
    SECOND_CARD,
    TICKETS,
    DrawFromDeck,
    DrawFromDisplay,
    DrawTickets,
    KeepTickets,
    Move,
    PlaceCards,
    Tickets,
    bits,
)

# The points of a card in the stack
LACKED = 4.5  # by tickets in hand
SPARE, LAST_SPARE = 2.6, 0.9  # for tickets that may still come: early and at the end
EARLY_TURNS = 12  # turns left from which on it is early
WILD = 5.0

HELD = 0.74  # the part of it that a card in the hand is worth
ROOM = 2.6  # cards that can be placed in a turn
SLACK = 6.0  # cards fewer than there is room for with which no card in the hand is worth less

ROBBED = 3.5  # points of a card that another seat loses
OUTDOING = 0.3  # points for each further card of a row, which others must outdo

# What tickets cost, in points
LACKING = 4.0  # for each card that they lack
LACKING_IN_STACK = 0.37  # the part of it for one that is at hand
STRAIN = 0.15  # times the square of the cards they lack
OVERREACHED = 4.0  # for each card for which there will hardly be a turn
PLACED_A_TURN, DRAWN_A_TURN = 1.5, 0.6  # cards for tickets that a turn places, or draws and places
NEXT_HALF = 16  # the turns of another half (CG-29)

BONUS_SHARE = 0.25  # the part of a big city's bonus that a ticket naming it brings (CG-31)
HURRY = 0.3  # tickets can be drawn later too, but some of what they bring is lost each turn
SECOND_TICKET = 0.5  # how much the second best of the tickets that may come counts
DECK_A_TURN = 1.2  # cards of the deck that a seat takes each turn, as a rule
WORTHLESS = -1.0


class YardTurn(RowsTurn):
    """One decision of a seat in the Card Game, its memory that of `RowsTurn`."""

    def __init__(self, question: Question) -> None:
        super().__init__(question)
        board = self.rules.board
        rows, wilds = self.yards.rows[self.seat], self.yards.wilds[self.seat]
        #: the cards by kind that are in the stack or will get there
        self.paying: list[int] = [a + b for a, b in zip(self.stack, [*rows, sum(wilds)], strict=True)]
        #: what each ticket brings, with a share of the bonuses of its cities
        self.gains: list[float] = [
            points + BONUS_SHARE * sum(bonus for city, bonus in board.bonus_cards if city in ends)
            for points, ends in zip(board.ticket_points, board.ticket_ends, strict=True)
        ]
        self.turns: int = self.turns_after()

    def turn(self) -> Move:
        """The action that is worth most."""
        return max(self.legal_moves, key=self.worth)

    def turns_after(self) -> int:
        """How many turns about the seat still has after this one: in each a card of every row reaches the stack."""
        if self.view.turns_left >= 0:
            return 0
        return 1 + int(self.cards.deck_size / (DECK_A_TURN * self.view.seats))

    def worth(self, move: Move) -> float:
        """The points that an action brings."""
        if isinstance(move, PlaceCards):
            return self._worth_of_placing(move)
        if isinstance(move, DrawFromDeck):
            return self._blind + self._second
        if isinstance(move, DrawFromDisplay):
            return self._worth_in_hand(move.card) + (self._second if move.card != self.rules.wild else 0.0)
        if isinstance(move, DrawTickets):
            return self._worth_of_drawing_tickets()
        return WORTHLESS

    def worth_of_keeping(self, move: KeepTickets) -> float:
        """The points of all tickets with those kept, less what the cards cost that they lack."""
        return self._worth_of_tickets([*self.tickets, *(move.tickets or ())])

    # Cards

    @cached_property
    def _lacked(self) -> list[int]:
        """The cards by colour that the tickets in hand need beyond those in stack and yard, spare ones below 0."""
        return self._lacked_by(self.tickets)

    def _lacked_by(self, tickets: Iterable[int]) -> list[int]:
        lacked = [-number for number in self.paying[:-1]]
        for ticket in tickets:
            for colour, number in enumerate(self.rules.board.ticket_costs[ticket]):
                lacked[colour] += number
        return lacked

    def _worth_in_stack(self, kind: int, number: int) -> float:
        """The points of so many more cards of a kind in the stack."""
        if kind == self.rules.wild:
            return WILD * number
        lacked = min(number, max(0, self._lacked[kind]))
        return LACKED * lacked + self._spare * (number - lacked)

    @cached_property
    def _spare(self) -> float:
        return LAST_SPARE + (SPARE - LAST_SPARE) * min(1.0, self.turns / EARLY_TURNS)

    @cached_property
    def _held(self) -> float:
        """The part of what it is worth in the stack that a card in the hand is worth."""
        return HELD * max(0.0, min(1.0, (ROOM * self.turns - sum(self.hand)) / SLACK))

    def _worth_in_hand(self, kind: int) -> float:
        """The points of one more card in the hand."""
        if kind == self.rules.wild:
            return WILD * self._held
        return (LACKED if self._lacked[kind] > self.hand[kind] else self._spare) * self._held

    @cached_property
    def _blind(self) -> float:
        """What a card of the deck brings, as expected."""
        unseen = [
            max(0, number - own)
            for number, own in zip(self.cards.unseen(self.rules, self.view), self.stack, strict=True)
        ]
        return sum(number * self._worth_in_hand(kind) for kind, number in enumerate(unseen)) / max(1, sum(unseen))

    @cached_property
    def _second(self) -> float:
        """What the better of two cards brings besides the first; nothing if this is the second."""
        if self.question.decision.kind == SECOND_CARD:
            return 0.0
        shown = (kind for kind in self.cards.display if kind != self.rules.wild)
        return max([self._blind, *(self._worth_in_hand(kind) for kind in shown)])

    def _worth_of_placing(self, move: PlaceCards) -> float:
        """What the cards gain by it, as far as they reach the stack in time, and what others lose."""
        worth = 0.0
        wilds = sum(number for kind, number in move.cards if kind == self.rules.wild)
        for kind, number in move.cards:
            before = 0 if kind == self.rules.wild else wilds  # these lie on top (CG-12)
            moved = min(number, max(0, self.turns - before))
            worth += self._worth_in_stack(kind, moved) - self._held * self._worth_in_stack(kind, number)
            if kind != self.rules.wild:
                worth += ROBBED * self.others_have(kind) / (self.view.seats - 1)
        longest = move.cards[0][1] + wilds
        return worth + (OUTDOING * (longest - 1) if self.turns else 0.0)

    # Tickets

    def _worth_of_tickets(self, tickets: list[int]) -> float:
        """Their points less what the cards cost that they lack; wilds of the stack save the farthest."""
        near, far = 0, 0  # lacking cards at hand, and to be drawn
        for lacked, held in zip(self._lacked_by(tickets), self.hand, strict=False):
            if lacked > 0:
                near += min(lacked, held)
                far += max(0, lacked - held)
        wilds = self.paying[-1]
        far, near = max(0, far - wilds), max(0, near - max(0, wilds - far))
        turns = self.turns + NEXT_HALF * (self.yards.halves - self.yards.half)
        over = max(0.0, near - PLACED_A_TURN * turns) + max(0.0, far - DRAWN_A_TURN * turns)
        cost = LACKING * (LACKING_IN_STACK * near + far) + STRAIN * (near + far) ** 2 + OVERREACHED * over
        return sum(self.gains[ticket] for ticket in tickets) - cost

    def _worth_of_drawing_tickets(self) -> float:
        """What the best two of the tickets that may come add to those in hand, as expected."""
        tickets: Tickets = self.view.parts[TICKETS]
        seen = 0
        for layer in tickets.layers:
            seen |= layer.known[self.seat]
        for hand, completed in zip(tickets.hands, self.yards.completed, strict=True):
            seen |= hand | completed
        unseen = bits(~seen & (1 << len(self.gains)) - 1)
        number = min(self.rules.by_name["draw_tickets"].number, len(unseen))
        before = self._worth_of_tickets(self.tickets)
        added = [max(0.0, self._worth_of_tickets([*self.tickets, ticket]) - before) for ticket in unseen]
        added.sort(reverse=True)
        return HURRY * (_expected(added, number, 1) + SECOND_TICKET * _expected(added, number, 2))


def _expected(values: list[float], number: int, place: int) -> float:
    """The expected `place`-th largest of so many drawn from the values, which descend; 0 if fewer are drawn."""
    if place > number:
        return 0.0
    ways = comb(len(values), number)
    return sum(
        value * comb(above, place - 1) * comb(len(values) - 1 - above, number - place)
        for above, value in enumerate(values)
    ) / ways
