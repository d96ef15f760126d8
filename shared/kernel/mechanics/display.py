"""The display: refilling it and resetting it for too many cards of one kind (BASE-12, BASE-19 to BASE-21, MK-9b)."""

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
        #: kinds of cards of which so many send the whole display away
        self.reset_at: list[tuple[int, int]] = [(rules.kind_of[card], at) for card, at in config["reset_at"].items()]
        self.most_resets: int = config["most_resets"]

    def setup(self, play: Play) -> None:
        self.settle(play)

    def react(self, play: Play, event: Event) -> None:
        """After a card was taken (BASE-12), and at the end of a turn for what had to wait (BASE-20, BASE-21)."""
        self.settle(play)

    def settle(self, play: Play) -> None:
        """Refills the display and resets it while a reset is due and possible."""
        cards: Cards = play.state.parts[kinds.CARDS]
        while True:
            while len(cards.display) < self.size:
                if cards.is_spent(play.rules):
                    return
                play.emit(CardTurnedUp(top_card(play)))
            if cards.resets == self.most_resets or not self.is_crowded(cards.display):
                return
            if cards.is_spent(play.rules):
                return
            play.emit(DisplayReset())

    def is_crowded(self, display: list[int]) -> bool:
        """Whether too many cards of one kind lie there."""
        for kind, most in self.reset_at:  # noqa: SIM110 (no generator: this runs in every turn)
            if display.count(kind) >= most:
                return True
        return False
