"""A whole game between bots in this process: no service, no queue, no clock."""

from __future__ import annotations

from collections.abc import Sequence

from shared.client import Bot, Question
from shared.kernel import Chance, FastChance, Rules, State, advance, legal_moves, new_game, view_for

MOST_DECISIONS = 2000
MOST_SEEDS = 1 << 31


def play(rules: Rules, bots: Sequence[Bot], chance: Chance, seconds: float = 1.0) -> State:
    """The end of a game, one bot a seat; the same luck gives the same game, unless time limits a bot's thinking.

    `seconds` is what a bot may think about each decision. Raises RuntimeError for a game that does not end.
    """
    state, _ = new_game(rules, chance)
    notes = [""] * rules.seats
    for _ in range(MOST_DECISIONS):
        if state.over:
            return state
        decision = state.decisions[0]
        seat = decision.seat
        view = view_for(rules, state, seat)
        luck = FastChance(chance.below(MOST_SEEDS))  # its own, so that a bot's thinking moves no card
        question = Question(rules, view, decision, legal_moves(rules, view, decision), notes[seat], luck, seconds)
        move = bots[seat].choose(question)
        notes[seat] = question.notes
        advance(rules, state, decision, move, chance)
    names = " against ".join(bot.name for bot in bots)
    raise RuntimeError(f"{rules.id}, {names}: not over after {MOST_DECISIONS} decisions")
