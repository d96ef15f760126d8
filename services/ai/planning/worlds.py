"""Possible worlds that are likely too: the tickets of other seats go with the tracks that they have claimed.

`determinize` fills what a seat cannot see with everything equally likely. Here each hidden ticket in a hand may change
places with one of the deck, the more readily the better its new owner's tracks serve it.
"""

from __future__ import annotations

from math import exp

from services.ai.planning.atlas import NO_WAY, atlas_of
from shared.kernel import TICKETS, TRACKS, Chance, Rules, State, Tickets, Tracks, View, bits, determinize

TRUST = 4.0  # how much likelier a ticket is that the tracks complete than one they do not serve at all
SWAPS = 12  # tried for each hidden ticket


class Worlds:
    """Draws worlds for the viewer of a view."""

    def __init__(self, rules: Rules, view: View) -> None:
        self._rules = rules
        self._view = view
        self._likely = [{} if seat == view.viewer else _likely_tickets(rules, view, seat) for seat in range(view.seats)]

    def draw(self, chance: Chance) -> State:
        """One possible world."""
        state = determinize(self._rules, self._view, chance)
        tickets: Tickets = state.parts[TICKETS]
        viewer = self._view.viewer
        for seat in range(state.seats):
            if seat != viewer and self._likely[seat]:
                self._redraw(tickets, seat, chance)
        return state

    def _redraw(self, tickets: Tickets, seat: int, chance: Chance) -> None:
        """Exchanges tickets of a hand with hidden ones of the same deck's layers, by how likely they are."""
        viewer = self._view.viewer
        likely = self._likely[seat]
        for ticket in bits(tickets.hands[seat]):
            deck = self._rules.deck_of_ticket[ticket]
            layers = [
                (layer, layer.tickets & ~layer.known[viewer] & ~layer.known[seat])
                for layer in tickets.layers
                if layer.deck == deck
            ]
            pool = [(layer, other) for layer, mask in layers for other in bits(mask)]
            held = ticket
            for _ in range(SWAPS if pool else 0):
                place = chance.below(len(pool))
                layer, other = pool[place]
                if chance.below(1000) < 1000 * likely[other] / likely[held]:
                    tickets.hands[seat] ^= 1 << held | 1 << other
                    layer.tickets ^= 1 << held | 1 << other
                    pool[place] = (layer, held)
                    held = other


def _likely_tickets(rules: Rules, view: View, seat: int) -> dict[int, float]:
    """For each ticket how likely the seat holds it, going by how much of its way it has claimed: 1 for none of it."""
    tracks: Tracks = view.parts[TRACKS]
    if not any(owner == seat for owner in tracks.owners):
        return {}
    atlas = atlas_of(rules)
    flags = tracks.open[seat]
    weights = [
        0.0 if owner == seat else (float(length) if is_open else NO_WAY)
        for owner, is_open, length in zip(tracks.owners, flags, rules.board.lengths, strict=True)
    ]
    lengths = [float(length) for length in rules.board.lengths]
    likely = {}
    for ticket, ends in enumerate(rules.board.ticket_ends):
        whole, _ = atlas.way(lengths, *ends)
        rest, _ = atlas.way(weights, *ends)
        done = 1 - rest / whole if rest < whole else 0.0
        likely[ticket] = exp(TRUST * done)
    return likely
