"""How many cards a seat still has to draw for the tracks that it plans, and how hard they are to come by."""

from __future__ import annotations

from collections.abc import Iterable

from services.ai.planning.atlas import Atlas
from shared.kernel import GRAY

DISPLAY = 5


def _draws_for_one_card(colours: int) -> float:
    """The cards drawn until one of them is of `colours` colours in demand, seeing the display and then the deck."""
    share = 0.109
    shown = 1 - (1 - colours * share) ** DISPLAY
    blind = colours * share + 0.127  # or a wild
    return 1 / (shown + (1 - shown) * min(1.0, blind))


#: draws for one useful card while so many colours are in demand
DRAWS = [0.0, *[_draws_for_one_card(colours) for colours in range(1, 10)]]
DRAWS_FOR_GRAY = 1.1  # any colour will do, as long as it is one


class Needs:
    """The cards that a set of tracks costs."""

    __slots__ = ("claims", "colours", "grays", "long", "plain", "wild_from")

    def __init__(self, atlas: Atlas, tracks: Iterable[int]) -> None:
        board = atlas.rules.board
        self.colours = atlas.rules.colours
        self.plain: list[int] = [0] * self.colours
        self.grays: list[int] = []
        self.claims = 0
        self.long = 0  # the length of the longest track
        self.wild_from = atlas.rules.wild_from
        for track in tracks:
            length = board.lengths[track]
            self.claims += 1
            self.long = max(self.long, length)
            if board.colours[track] == GRAY:
                self.grays.append(length)
            else:
                self.plain[board.colours[track]] += length
        self.grays.sort(reverse=True)

    def missing(self, hand: list[int]) -> tuple[list[int], int]:
        """The cards that the hand lacks, by colour, and those lacking for gray tracks; wilds aside."""
        lacking = [0] * self.colours
        spare = [0] * self.colours
        for colour, need in enumerate(self.plain):
            left = hand[colour] - need
            if left < 0:
                lacking[colour] = -left
            else:
                spare[colour] = left
        gray = 0
        for length in self.grays:
            most = max(spare)
            if most >= length:
                # the smallest heap that will do
                most = min(left for left in spare if left >= length)
                spare[spare.index(most)] -= length
            else:
                spare[spare.index(most)] = 0
                gray += length - most
        return lacking, gray

    def draws(self, hand: list[int]) -> float:
        """The cards to draw until the hand can pay for everything, as expected."""
        lacking, gray = self.missing(hand)
        wilds = sum(hand[kind] for kind, length in self.wild_from.items() if length <= self.long)
        demand = sum(1 for number in lacking if number)
        total = sum(lacking)
        if wilds >= total + gray:
            return 0.0
        # the last cards are the hardest: wilds go there first
        costs = [*DRAWS[1 : demand + 1], *[DRAWS[demand]] * (total - demand), *[DRAWS_FOR_GRAY] * gray]
        if wilds:
            costs.sort(reverse=True)
            del costs[:wilds]
        return sum(costs)

    def turns(self, hand: list[int]) -> float:
        """The turns until everything is claimed, two cards drawn in each turn without a claim."""
        return self.claims + self.draws(hand) / 2
