"""Possible worlds: a whole position that a viewer cannot tell from the true one."""

from __future__ import annotations

from shared.kernel.chance import Chance
from shared.kernel.ruleset import Rules
from shared.kernel.state import State, View


def determinize(rules: Rules, view: View, chance: Chance) -> State:
    """One position that fits the view: every hole filled with cards and tickets nowhere to be seen, all equally likely.

    Takes what is known from the view alone: it does not remember which cards a reshuffled discard pile held.
    """
    if not isinstance(view, View):
        raise TypeError("determinize takes a view")
    state = State(view.seats)
    view.copy_into(state)
    if not view.over:
        for mechanic in rules.mechanics:
            mechanic.fill(rules, view, state, chance)
    return state
