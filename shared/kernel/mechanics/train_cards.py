"""Train cards: deck, discard pile, hands, display, and the action of drawing (BASE-3, BASE-11 to BASE-18, BASE-22)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from shared.kernel import kinds
from shared.kernel.cards import Cards
from shared.kernel.chance import Chance
from shared.kernel.decisions import Decision
from shared.kernel.events import Event, PublicEvent, register
from shared.kernel.fields import Card, Field, SeatNumber, read_list
from shared.kernel.mechanic import Mechanic
from shared.kernel.moves import Move
from shared.kernel.piles import draw_one, fill_hands, plain_counts, read_counts
from shared.kernel.state import Part, State, View
from shared.kernel.violations import RuleViolation

if TYPE_CHECKING:
    from shared.kernel.engine import Play
    from shared.kernel.ruleset import Rules


class DrawFromDeck(Move):
    """Takes the top card of the deck."""

    __slots__ = ()
    kind = kinds.DRAW_FROM_DECK


class DrawFromDisplay(Move):
    """Takes a card of this kind from the display."""

    __slots__ = ("card",)
    kind = kinds.DRAW_FROM_DISPLAY
    fields = (("card", Card()),)

    def __init__(self, card: int) -> None:
        self.card: int = card


class CardDrawn(Event):
    """A seat drew a card from the deck; only that seat knows which (VIEW-1)."""

    __slots__ = ("card", "seat")
    kind = kinds.CARD_DRAWN
    fields = (("seat", SeatNumber()), ("card", Card(hidden=True)))

    def __init__(self, seat: int, card: int) -> None:
        self.seat: int = seat
        self.card: int = card

    def fold(self, rules: Rules, state: State) -> None:
        cards: Cards = state.parts[kinds.CARDS]
        cards.sizes[self.seat] += 1
        if self.card >= 0:
            cards.hands[self.seat][self.card] += 1
        cards.leave_deck(self.card)

    def seen_by(self, rules: Rules, head: State, seat: int) -> Event:
        return self if seat == self.seat else CardDrawn(self.seat, -1)


class CardTaken(PublicEvent):
    """A seat took a card from the display."""

    __slots__ = ("card", "seat")
    kind = kinds.CARD_TAKEN
    fields = (("seat", SeatNumber()), ("card", Card()))

    def __init__(self, seat: int, card: int) -> None:
        self.seat: int = seat
        self.card: int = card

    def fold(self, rules: Rules, state: State) -> None:
        cards: Cards = state.parts[kinds.CARDS]
        cards.reach_hand(self.seat, self.card)
        cards.display.remove(self.card)
        cards.resets = 0


class DeckReshuffled(PublicEvent):
    """The discard pile became the deck (BASE-17)."""

    __slots__ = ()
    kind = kinds.DECK_RESHUFFLED

    def fold(self, rules: Rules, state: State) -> None:
        cards: Cards = state.parts[kinds.CARDS]
        if not state.has_holes():
            cards.deck = [cards.discard]
        cards.deck_size = cards.discard_size
        cards.discard = [0] * len(rules.kinds)
        cards.discard_size = 0


class CardsBySeat(Field):
    """For each seat how many cards of each kind."""

    def out(self, rules: Rules, value: Any) -> list[dict[str, int]]:
        return [plain_counts(rules, counts) for counts in value]

    def read(self, rules: Rules, value: Any, pointer: str) -> tuple[tuple[int, ...], ...]:
        hands = read_list(value, rules.seats, rules.seats, pointer)
        return tuple([tuple(read_counts(rules, hand, f"{pointer}/{seat}")) for seat, hand in enumerate(hands)])


class HandsRevealed(PublicEvent):
    """The game is over and all hands are public (VIEW-10); what is in no hand is in the deck."""

    __slots__ = ("hands",)
    kind = kinds.HANDS_REVEALED
    fields = (("hands", CardsBySeat()),)

    def __init__(self, hands: tuple[tuple[int, ...], ...]) -> None:
        self.hands: tuple[tuple[int, ...], ...] = hands

    def fold(self, rules: Rules, state: State) -> None:
        cards: Cards = state.parts[kinds.CARDS]
        cards.hands = [list(hand) for hand in self.hands]
        cards.deck = [cards.unseen(rules, state)]


register(CardDrawn, CardTaken, DeckReshuffled, HandsRevealed)

DRAW_FROM_DECK: Final = DrawFromDeck()


def top_card(play: Play) -> int:
    """The kind of the deck's top card, by chance; reshuffles first if the deck is empty (BASE-17)."""
    cards: Cards = play.state.parts[kinds.CARDS]
    if cards.deck_size == 0:
        play.emit(DeckReshuffled())
    layer = cards.deck[0]
    return draw_one(layer, cards.deck_size if len(cards.deck) == 1 else sum(layer), play.chance)


class TrainCards(Mechanic):
    """Deals the opening hands and plays the action of drawing two cards."""

    slot = kinds.CARDS
    lists = (kinds.TURN, kinds.SECOND_CARD)
    owns = (DrawFromDeck, DrawFromDisplay)
    reacts = (kinds.GAME_ENDED,)

    def __init__(self, rules: Rules, config: dict[str, Any]) -> None:
        self.opening_hand: int = config["opening_hand"]
        self.from_display: list[Move] = [DrawFromDisplay(kind) for kind in range(len(rules.kinds))]

    def part(self, rules: Rules) -> Part:
        cards = Cards(rules.seats, len(rules.kinds))
        cards.deck = [rules.deck_counts[:]]
        cards.deck_size = sum(rules.deck_counts)
        return cards

    def setup(self, play: Play) -> None:
        for seat in range(play.rules.seats):
            for _ in range(self.opening_hand):
                play.emit(CardDrawn(seat, top_card(play)))

    def moves(self, rules: Rules, state: State, decision: Decision, out: list[Move]) -> None:
        cards: Cards = state.parts[kinds.CARDS]
        if not cards.is_spent(rules):
            out.append(DRAW_FROM_DECK)
        elif rules.replenishes:
            return  # BASE-18
        seen = 1 << rules.wild if decision.kind == kinds.SECOND_CARD else 0  # BASE-14
        for kind in cards.display:
            if not seen >> kind & 1:
                seen |= 1 << kind
                out.append(self.from_display[kind])

    def check(self, rules: Rules, state: State, decision: Decision, move: Move) -> None:
        cards: Cards = state.parts[kinds.CARDS]
        if cards.is_spent(rules) and (rules.replenishes or isinstance(move, DrawFromDeck) or not cards.display):
            raise RuleViolation("no_train_cards", "BASE-18", {"deck": cards.deck_size, "discard": cards.discard_size})
        if isinstance(move, DrawFromDisplay):
            if move.card not in cards.display:
                data = {"card": rules.kinds[move.card], "display": [rules.kinds[kind] for kind in cards.display]}
                raise RuleViolation("card_not_on_display", "BASE-11", data)
            if move.card == rules.wild and decision.kind == kinds.SECOND_CARD:
                raise RuleViolation("locomotive_as_second_card", "BASE-14", {"card": rules.kinds[move.card]})

    def play(self, play: Play, decision: Decision, move: Move) -> None:
        if isinstance(move, DrawFromDisplay):
            play.emit(CardTaken(decision.seat, move.card))  # the display is refilled before anything else (BASE-12)
            last = decision.kind == kinds.SECOND_CARD or move.card == play.rules.wild  # BASE-13
        else:
            play.emit(CardDrawn(decision.seat, top_card(play)))
            last = decision.kind == kinds.SECOND_CARD
        cards: Cards = play.state.parts[kinds.CARDS]
        if last or not cards.has_second(play.rules):
            play.end_turn()
        else:
            play.open_decision(decision.seat, kinds.SECOND_CARD)

    def react(self, play: Play, event: Event) -> None:
        """At the end all hands are revealed."""
        cards: Cards = play.state.parts[kinds.CARDS]
        play.emit(HandsRevealed(tuple([tuple(hand) for hand in cards.hands])))

    def default(self, rules: Rules, state: State, decision: Decision) -> Move | None:
        drawable: list[Move] = []
        self.moves(rules, state, decision, drawable)
        return drawable[0] if drawable else None

    def hide(self, rules: Rules, view: View) -> None:
        cards: Cards = view.parts[kinds.CARDS]
        for seat in range(view.seats):
            if seat != view.viewer:
                cards.hands[seat] = cards.known[seat][:]
        cards.deck = []

    def fill(self, rules: Rules, view: View, state: State, chance: Chance) -> None:
        cards: Cards = state.parts[kinds.CARDS]
        pool = cards.unseen(rules, state)
        fill_hands(cards.hands, cards.sizes, pool, chance)
        yards = state.parts[kinds.YARDS]
        if yards is not None:
            fill_hands(yards.stacks, yards.sizes, pool, chance)
        cards.deck = [pool]
