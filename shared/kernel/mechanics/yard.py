"""Yards: moving rows to the stack, placing and robbing rows, the stalemate (CG-2, CG-5 to CG-7, CG-10 to CG-18)."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Any, Final

from shared.kernel import kinds
from shared.kernel.cards import Cards
from shared.kernel.chance import Chance
from shared.kernel.decisions import Decision
from shared.kernel.events import Event, GameEnded, TurnStarted
from shared.kernel.fields import Cost, Payment
from shared.kernel.mechanic import Mechanic
from shared.kernel.moves import Move, named_once
from shared.kernel.piles import as_cost
from shared.kernel.state import Part, State, View
from shared.kernel.ticket_deck import mask_of
from shared.kernel.ticket_events import TicketsKept
from shared.kernel.violations import RuleViolation
from shared.kernel.yard_events import (
    CardGiven,
    CardsPlaced,
    DeckDiscarded,
    QuietTurnsCounted,
    RowRobbed,
    RowsMoved,
    StacksOpened,
)
from shared.kernel.yards import HIDDEN, NOT_MADE, QUIET_ROUNDS, Yards

if TYPE_CHECKING:
    from shared.kernel.engine import Play
    from shared.kernel.ruleset import Rules

ROWS_OF_ONE: Final = 3  # CG-10


class PlaceCards(Move):
    """Places these cards of the own hand: one row, or three rows of one (CG-10); raises MalformedMove if a kind of card
    comes twice or not at all."""

    __slots__ = ("cards",)
    kind = kinds.PLACE_CARDS
    fields = (("cards", Payment()),)

    def __init__(self, cards: Cost) -> None:
        self.cards: Cost = named_once(cards, "/cards")


def rows_of(rules: Rules, colour: int, held: int) -> list[Move]:
    """The rows of 2 cards, of 3 cards, and so on, with the fewest wilds where so many of the colour are held."""
    plain: list[Move] = [PlaceCards(((colour, size),)) for size in range(2, held + 1)]
    wilds = range(1, rules.deck_counts[rules.wild] + 1)
    return plain + [PlaceCards(((colour, held), (rules.wild, number))) for number in wilds]


class Yard(Mechanic):
    """Step 1 happens by itself when a turn starts, since it leaves no choice."""

    slot = kinds.YARDS
    lists = (kinds.TURN,)
    owns = (PlaceCards,)
    reacts = (kinds.TURN_STARTED, kinds.TURN_ENDED, kinds.GAME_ENDED)

    def __init__(self, rules: Rules, config: dict[str, Any]) -> None:
        super().__init__(rules, config)
        self.opening_wilds: int = config["opening_locomotives"]
        self.halves: int = config["halves"][str(rules.seats)]
        #: for each colour and number of its cards held: the row of 2 cards, of 3 cards, and so on
        self.rows: list[list[list[Move]]] = [
            [[], *[rows_of(rules, colour, held) for held in range(1, count + 1)]]
            for colour, count in enumerate(rules.deck_counts[: rules.colours])
        ]
        #: for each mask of colours: the placements of three of them
        self.threes: list[list[Move]] = [[] for _ in range(1 << rules.colours)]
        for three in combinations(range(rules.colours), ROWS_OF_ONE):
            placement, mask = PlaceCards(tuple([(colour, 1) for colour in three])), mask_of(three)
            for colours in range(len(self.threes)):
                if colours & mask == mask:
                    self.threes[colours].append(placement)

    def part(self, rules: Rules) -> Part:
        return Yards(rules.seats, rules.colours, self.halves)

    def setup(self, play: Play) -> None:
        for seat in range(play.rules.seats):
            for _ in range(self.opening_wilds):
                play.emit(CardGiven(seat, play.rules.wild))

    def moves(self, rules: Rules, state: State, decision: Decision, out: list[Move]) -> None:
        """For each colour and length the row with the fewest locomotives, then the sets of three colours."""
        seat = decision.seat
        yards: Yards = state.parts[kinds.YARDS]
        cards: Cards = state.parts[kinds.CARDS]
        hand = cards.hands[seat]
        own, wilds = yards.rows[seat], hand[rules.wild]
        singles = 0
        for colour, longest in enumerate(yards.longest_of_others(seat)):
            held = hand[colour]
            if held and not own[colour]:
                if longest == 0:
                    singles |= 1 << colour
                shortest = longest + 1 if longest else 2
                out += self.rows[colour][held][shortest - 2 : held + wilds - 1]
        out += self.threes[singles]

    def check(self, rules: Rules, state: State, decision: Decision, move: Move) -> None:
        assert isinstance(move, PlaceCards)
        seat = decision.seat
        yards: Yards = state.parts[kinds.YARDS]
        hand = state.parts[kinds.CARDS].hands[seat]
        for kind, number in move.cards:
            if number > hand[kind]:
                data = {"card": rules.kinds[kind], "needed": number, "held": hand[kind]}
                raise RuleViolation("cards_not_held", "CG-10", data)
        colours = [(kind, number) for kind, number in move.cards if kind < rules.colours]
        size = sum([number for _, number in move.cards])
        if not colours:
            raise RuleViolation("row_without_colour", "CG-10", {"came": size})
        is_row = len(colours) == 1 and size >= 2
        is_three = len(colours) == size == ROWS_OF_ONE
        if not is_row and not is_three:
            came = {rules.kinds[kind]: number for kind, number in move.cards}
            raise RuleViolation("wrong_placement", "CG-10", {"came": came})
        for colour, _ in colours:
            name = rules.kinds[colour]
            if yards.rows[seat][colour]:
                raise RuleViolation("colour_in_own_yard", "CG-11", {"colour": name})
            needed, length = yards.longest_of_others(seat)[colour] + 1, size if is_row else 1
            if length < needed:
                rule = "CG-13" if is_row else "CG-15"
                raise RuleViolation("row_too_short", rule, {"colour": name, "needed": needed, "came": length})

    def play(self, play: Play, decision: Decision, move: Move) -> None:
        assert isinstance(move, PlaceCards)
        yards: Yards = play.state.parts[kinds.YARDS]
        play.emit(CardsPlaced(decision.seat, move.cards))
        for colour, _ in move.cards:
            for seat in range(play.rules.seats):
                if colour < play.rules.colours and seat != decision.seat and yards.rows[seat][colour]:
                    play.emit(RowRobbed(seat, colour))
        play.end_turn()

    def react(self, play: Play, event: Event) -> None:
        if isinstance(event, TurnStarted):
            play.emit(RowsMoved(event.seat))
        elif isinstance(event, GameEnded):
            yards: Yards = play.state.parts[kinds.YARDS]
            play.emit(StacksOpened(tuple([tuple(stack) for stack in yards.stacks]), to_all=True))
        else:
            self.count_quiet_turn(play)

    def count_quiet_turn(self, play: Play) -> None:
        """Counts turns that moved nothing, and ends the half when there were too many in succession (CG-18)."""
        state = play.state
        if state.turns_left >= 0:
            return
        yards: Yards = state.parts[kinds.YARDS]
        quiet = 0 if yards.moved or any(_stirs(event) for event in play.events) else yards.quiet + 1
        if quiet != yards.quiet:
            play.emit(QuietTurnsCounted(quiet))
        cards: Cards = state.parts[kinds.CARDS]
        if quiet == QUIET_ROUNDS * state.seats and cards.deck_size:
            counts = [sum(column) for column in zip(*cards.deck, strict=True)]
            play.emit(DeckDiscarded(as_cost(counts)))

    def hide(self, rules: Rules, view: View) -> None:
        yards: Yards = view.parts[kinds.YARDS]
        for seat in range(view.seats):
            if not yards.shows_stack(rules, view, seat):
                yards.stacks[seat] = [0] * len(rules.kinds)
            if seat != view.viewer and yards.claims[seat] != NOT_MADE:
                yards.claims[seat] = HIDDEN

    def fill(self, rules: Rules, view: View, state: State, chance: Chance) -> None:
        """Stacks are filled with the hands; a hidden claim is taken to be empty."""
        yards: Yards = state.parts[kinds.YARDS]
        yards.claims = [0 if claim == HIDDEN else claim for claim in yards.claims]


def _stirs(event: Event) -> bool:
    """Whether the event keeps a turn from being quiet."""
    if isinstance(event, TicketsKept):
        return bool(event.tickets)
    return event.kind in (kinds.CARD_DRAWN, kinds.CARD_TAKEN, kinds.CARDS_PLACED)
