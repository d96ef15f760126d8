"""How long a game will still last."""

from __future__ import annotations

from shared.kernel import CARDS, TRACKS, Rules, State

LENGTH = 3.3  # trains that a claim takes, as a rule
USEFUL = 0.75  # part of a hand that fits the tracks wanted
CARDS_A_TURN = 1.8


def turns_left(rules: Rules, state: State, seat: int) -> float:
    """The turns that the seat still has, this one included, as far as the trains and hands of the others tell."""
    if state.turns_left >= 0:
        return 1.0
    return 1.0 + min(turns_to_end(rules, state, other) for other in range(state.seats) if other != seat)


def turns_to_end(rules: Rules, state: State, seat: int) -> float:
    """The turns that a seat needs at least to start the last round (BASE-36), if it claims as one does."""
    trains = state.parts[TRACKS].trains[seat] - rules.by_name["last_round"].trains
    cards = trains - USEFUL * state.parts[CARDS].sizes[seat]
    return max(1.0, trains / LENGTH + max(0.0, cards) / CARDS_A_TURN)
