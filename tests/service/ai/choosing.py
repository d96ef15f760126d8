"""What a bot chooses in a position."""

from __future__ import annotations

from services.ai.bots import BOTS
from shared.client import Question
from shared.kernel import FastChance, Rules, legal_moves, parse_position, print_move, view_for

#: what connects Boston with Miami but for one track, charleston-miami-purple
ALMOST = "boston-new_york-red,new_york-washington-black,raleigh-washington-gray,charleston-raleigh-gray"


def chosen(name: str, rules: Rules, position: str, notes: str = "") -> str:
    """The move in notation of the bot whose seat must decide first; seat 0 is to play unless the position says more."""
    state = parse_position(rules, f"{rules.id}:{rules.seats} v=9 {position}")
    decision = state.decisions[0]
    view = view_for(rules, state, decision.seat)
    moves = legal_moves(rules, view, decision)
    return print_move(rules, BOTS[name].choose(Question(rules, view, decision, moves, notes, FastChance(1))))
