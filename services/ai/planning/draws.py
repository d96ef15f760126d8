"""What it is worth to draw a card: the draws that it saves, as expected where the card is not known."""

from __future__ import annotations

from services.ai.planning.needs import Needs
from services.ai.planning.standing import Standing
from shared.kernel import CARDS, DrawFromDeck, DrawFromDisplay


class Draws:
    """The cards that a seat can draw now, for what it needs. `needed` are the draws still to make, as expected."""

    def __init__(self, standing: Standing, needs: Needs, is_second: bool) -> None:
        self._wild = standing.rules.wild
        self._hand = standing.hand
        self._needs = needs
        self._is_second = is_second
        cards = standing.state.parts[CARDS]
        self._display: list[int] = cards.display
        self._deck: list[int] = cards.unseen(standing.rules, standing.state)
        self.needed = needs.draws(standing.hand)

    def saved(self, move: DrawFromDeck | DrawFromDisplay) -> float:
        """The draws that a card saves, and the one after it if there is one."""
        if isinstance(move, DrawFromDeck):
            return self._by_deck(self._hand, self.needed) + self._by_second(self._hand, self._display)
        hand = self._hand[:]
        hand[move.card] += 1
        saved = self.needed - self._needs.draws(hand)
        if move.card == self._wild:
            return saved
        display = self._display[:]
        display.remove(move.card)
        return saved + self._by_second(hand, display)

    def _by_second(self, hand: list[int], display: list[int]) -> float:
        if self._is_second:
            return 0.0
        needed = self._needs.draws(hand)
        shown = [self._by_card(hand, needed, kind) for kind in set(display) if kind != self._wild]
        return max(self._by_deck(hand, needed), *shown, 0.0)

    def _by_deck(self, hand: list[int], needed: float) -> float:
        total = sum(self._deck)
        if not total:
            return 0.0
        saved = [number * self._by_card(hand, needed, kind) for kind, number in enumerate(self._deck) if number]
        return sum(saved) / total

    def _by_card(self, hand: list[int], needed: float, kind: int) -> float:
        hand[kind] += 1
        saved = needed - self._needs.draws(hand)
        hand[kind] -= 1
        return saved
