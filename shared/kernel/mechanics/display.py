"""The display: refilling it and resetting it for too many locomotives (BASE-12, BASE-19 to BASE-21)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from shared.kernel import kinds
from shared.kernel.cards import Cards
from shared.kernel.events import Event, PublicEvent, register
from shared.kernel.fields import Card
from shared.kernel.mechanic import Mechanic
from shared.kernel.mechanics.train_cards import top_card
from shared.kernel.state import State

if TYPE_CHECKING:
    from shared.kernel.engine import Play
    from shared.kernel.ruleset import Rules


class CardTurnedUp(PublicEvent):
    """The top card of the deck was put on the display."""

    __slots__ = ("card",)
    kind = kinds.CARD_TURNED_UP
    fields = (("card", Card()),)

    def __init__(self, card: int) -> None:
        self.card: int = card

    def fold(self, rules: Rules, state: State) -> None:
        cards: Cards = state.parts[kinds.CARDS]
        cards.display.append(self.card)
        cards.leave_deck(self.card)


class DisplayReset(PublicEvent):
    """The whole display was discarded."""

    __slots__ = ()
    kind = kinds.DISPLAY_RESET

    def fold(self, rules: Rules, state: State) -> None:
        cards: Cards = state.parts[kinds.CARDS]
        for kind in cards.display:
            cards.discard[kind] += 1
        cards.discard_size += len(cards.display)
        cards.display = []
        cards.resets += 1


register(CardTurnedUp, DisplayReset)


class Display(Mechanic):
    """Keeps the display full and checks it whenever a refill is finished."""

    reacts = (kinds.CARD_TAKEN, kinds.TURN_ENDED)

    def __init__(self, rules: Rules, config: dict[str, Any]) -> None:
        self.size: int = config["size"]
        self.reset_at: int = config["reset_at"]
        self.most_resets: int = config["most_resets"]

    def setup(self, play: Play) -> None:
        self.settle(play)

    def react(self, play: Play, event: Event) -> None:
        """After a card was taken (BASE-12), and at the end of a turn for what had to wait (BASE-20, BASE-21)."""
        self.settle(play)

    def settle(self, play: Play) -> None:
        """Refills the display and resets it while a reset is due and possible."""
        rules = play.rules
        cards: Cards = play.state.parts[kinds.CARDS]
        while True:
            while len(cards.display) < self.size:
                if cards.deck_size == 0 and cards.discard_size == 0:
                    return
                play.emit(CardTurnedUp(top_card(play)))
            if cards.display.count(rules.wild) < self.reset_at or cards.resets == self.most_resets:
                return
            if cards.deck_size == 0 and cards.discard_size == 0:
                return
            play.emit(DisplayReset())
