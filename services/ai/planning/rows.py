"""How the greedy bot plays without a map: rows for the colours that its tickets need, robbing where that pays.

Its stack is hidden from it, so it remembers in its notes what went there.
"""

from __future__ import annotations

import json

from shared.client import Question
from shared.kernel import (
    CARDS,
    TICKETS,
    YARDS,
    CompleteTickets,
    DrawFromDeck,
    DrawFromDisplay,
    DrawTickets,
    KeepTickets,
    Move,
    PlaceCards,
    bits,
)

OPENING_CARDS = 11  # what the opening tickets may cost all together
MORE_CARDS = 4  # what tickets drawn later may cost, beyond what is at hand
ROB_WORTH = 0.6
NEEDED_WORTH = 2.0
IDLE_COST = 0.4  # for a card placed that no ticket needs
GOOD_ROW = 3.0  # what a row must be worth to be placed
LATE_ROW = 0.5  # the same when the seat has no more than so many turns left
LATE_TURNS = 2
CARDS_A_TURN = 2
LACKING = 2  # cards that the hand may lack for its tickets when more are drawn
TICKETS_BEFORE = 8  # cards left in the deck below which no more tickets are drawn


class RowsTurn:
    """One decision of a seat in the Card Game."""

    def __init__(self, question: Question) -> None:
        self.question = question
        self.rules = question.rules
        self.view = question.view
        self.seat = question.seat
        self.legal_moves = question.legal_moves
        self.cards = self.view.parts[CARDS]
        self.yards = self.view.parts[YARDS]
        self.tickets: list[int] = bits(self.view.parts[TICKETS].hands[self.seat])
        self.hand: list[int] = self.cards.hands[self.seat]
        memory = json.loads(question.notes) if question.notes else {}
        self.stack: list[int] = memory.get("stack", [0] * len(self.rules.kinds))
        self.before: list[list[int]] = memory.get("rows", [])
        self.half: int = memory.get("half", 1)

    def choose(self) -> Move:
        """The move; what the next one must know is noted."""
        self.remember()
        keeps = [move for move in self.legal_moves if isinstance(move, KeepTickets)]
        if keeps:
            move: Move = max(keeps, key=self.worth_of_keeping)
        elif isinstance(self.legal_moves[0], CompleteTickets):
            move = self.legal_moves[0]  # the best claim is listed first (CG-23)
        else:
            move = self.turn()
        rows = [self.yards.rows[self.seat][:], self.yards.wilds[self.seat][:]]
        if isinstance(move, PlaceCards):
            colours = [kind for kind, _ in move.cards if kind < self.rules.colours]
            for kind, number in move.cards:
                rows[kind == self.rules.wild][colours[0] if kind == self.rules.wild else kind] = number
        self.question.notes = json.dumps({"stack": self.stack, "rows": rows, "half": self.half})
        return move

    def remember(self) -> None:
        """Adds to the stack what has gone there since the last move: the top card of each row that got one shorter.

        A row of which nothing is left was robbed if somebody else has that colour now (CG-14), else moved.
        """
        if self.yards.half != self.half:
            self.stack, self.before, self.half = [0] * len(self.rules.kinds), [], self.yards.half
        if not self.before:
            return
        for colour in range(self.rules.colours):
            cards, wilds = self.before[0][colour], self.before[1][colour]
            now = self.length(self.seat, colour)
            if cards and now == cards + wilds - 1 and (now or not self.others_have(colour)):
                self.stack[self.rules.wild if wilds else colour] += 1

    def others_have(self, colour: int) -> int:
        """The cards of others in rows of a colour."""
        return sum(self.length(seat, colour) for seat in range(self.view.seats) if seat != self.seat)

    def length(self, seat: int, colour: int) -> int:
        """The number of cards in a row, its locomotives included (CG-12)."""
        return self.yards.rows[seat][colour] + self.yards.wilds[seat][colour]

    def needs(self, tickets: list[int]) -> list[int]:
        """The cards by colour that the tickets need beyond what is in the stack and the yard."""
        needs = [0] * self.rules.colours
        for ticket in tickets:
            needs = [a + b for a, b in zip(needs, self.rules.board.ticket_costs[ticket], strict=True)]
        held = [self.stack[c] + self.yards.rows[self.seat][c] for c in range(self.rules.colours)]
        return [max(0, need - have) for need, have in zip(needs, held, strict=True)]

    def worth_of_keeping(self, move: KeepTickets) -> float:
        """The points of the tickets, as far as the cards that they cost can still be got."""
        offered = list(move.tickets or ())
        missing = sum(max(0, n - h) for n, h in zip(self.needs([*self.tickets, *offered]), self.hand, strict=False))
        room = MORE_CARDS if self.tickets else OPENING_CARDS
        points = sum(self.rules.board.ticket_points[ticket] for ticket in offered)
        return points - 6.0 * max(0, missing - room)

    def turn(self) -> Move:
        """Places a good row, else draws what is needed, else takes tickets or what there is."""
        needs = self.needs(self.tickets)
        rows = [move for move in self.legal_moves if isinstance(move, PlaceCards)]
        if rows:
            best = max(rows, key=lambda move: self.worth_of_row(move, needs))
            if self.worth_of_row(best, needs) >= (GOOD_ROW if self.turns_after() > LATE_TURNS else LATE_ROW):
                return best
        tickets = next((move for move in self.legal_moves if isinstance(move, DrawTickets)), None)
        missing = sum(max(0, need - held) for need, held in zip(needs, self.hand, strict=False))
        if tickets and missing <= LACKING and self.cards.deck_size > TICKETS_BEFORE:
            return tickets
        return self.draw(needs) or (rows[0] if rows else self.legal_moves[0])

    def turns_after(self) -> int:
        """How many turns about the seat still has after this one: in each a card of every row reaches the stack."""
        if self.view.turns_left >= 0:
            return 0
        return 1 + self.cards.deck_size // (CARDS_A_TURN * self.view.seats)

    def worth_of_row(self, move: PlaceCards, needs: list[int]) -> float:
        """What the cards are worth to the own tickets, and what others lose."""
        worth = 0.0
        for kind, number in move.cards:
            if kind == self.rules.wild:
                worth += 0.3 * number  # wilds go to the stack first, where they pay for anything
                continue
            useful = min(number, needs[kind], self.turns_after())
            worth += NEEDED_WORTH * useful - IDLE_COST * (number - useful)
            worth += ROB_WORTH * self.others_have(kind)
        return worth

    def draw(self, needs: list[int]) -> Move | None:
        """A card of the display that is needed, a locomotive, else the deck."""
        shown = {move.card: move for move in self.legal_moves if isinstance(move, DrawFromDisplay)}
        lacking = {c: needs[c] - self.hand[c] for c in shown if c < self.rules.colours and needs[c] > self.hand[c]}
        if lacking:
            return shown[max(lacking, key=lambda colour: (self.cards.display.count(colour), lacking[colour]))]
        blind = next((move for move in self.legal_moves if isinstance(move, DrawFromDeck)), None)
        return blind or shown.get(self.rules.wild) or next(iter(shown.values()), None)
