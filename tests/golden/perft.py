"""How many lines of play there are from a position, one, two, three or four answers deep. `make goldens` writes lines
into perft.txt for rule sets and numbers of seats that have none; a line that is there is never written again.

A line is the counts by depth, a bar, and a position. Luck is fixed: each answer draws with the same key.
"""

from __future__ import annotations

import random
from pathlib import Path

from shared.catalog import rules_for
from shared.kernel import (
    KeyedChance,
    Move,
    Rules,
    State,
    legal_moves,
    parse_position,
    play_checked,
    position_header,
    print_position,
)
from tests.kernel_games import fewest_and_most_seats, play

TABLE = Path(__file__).with_name("perft.txt")
GAMES = 4  # that the positions are chosen from
DEEPEST = 4
MOST_NODES = 1000  # on the last level that is gone down from


def lines() -> list[str]:
    """The lines of perft.txt."""
    return [line for line in TABLE.read_text(encoding="utf-8").splitlines() if line[:1] != "#"]


def read(line: str) -> tuple[list[int], Rules, State]:
    """The counts, and the position."""
    counts, _, position = line.partition(" | ")
    rules = rules_for(*position_header(position))
    return [int(count) for count in counts.split()], rules, parse_position(rules, position)


def answers(rules: Rules, state: State) -> list[Move]:
    """The legal answers to the first open decision."""
    return legal_moves(rules, state, state.decisions[0]) if state.decisions else []


def after(rules: Rules, state: State, move: Move) -> State:
    """The position after an answer, with the same luck every time."""
    state = state.copy()
    play_checked(rules, state, state.decisions[0], move, KeyedChance(bytes(32)))
    return state


def perft(rules: Rules, state: State, depth: int) -> int:
    """The number of lines of exactly this many answers."""
    moves = answers(rules, state)
    if depth == 1:
        return len(moves)
    return sum(perft(rules, after(rules, state, move), depth - 1) for move in moves)


def positions(rules: Rules) -> list[State]:
    """A position for each kind of decision, and one of the last round."""
    luck = random.Random(rules.seats)
    by_kind: dict[tuple[str, bool], list[State]] = {}
    for seed in range(GAMES):
        for state in play(rules, seed).states[:-1]:
            name = state.decisions[0].name
            by_kind.setdefault((name, name == "turn" and state.turns_left >= 0), []).append(state)
    return [luck.choice(states) for _, states in sorted(by_kind.items())]


def line_of(rules: Rules, state: State) -> str:
    """The counts as deep as that takes no time, and the position."""
    counts = [perft(rules, state, 1)]
    while 0 < counts[-1] <= MOST_NODES and len(counts) < DEEPEST:
        counts.append(perft(rules, state, len(counts) + 1))
    return f"{' '.join(map(str, counts))} | {print_position(rules, state)}"


def main() -> None:
    """Adds what is missing."""
    there = {(rules.id, rules.seats) for _, rules, _ in map(read, lines())}
    missing = [rules for rules in fewest_and_most_seats() if (rules.id, rules.seats) not in there]
    with TABLE.open("a", encoding="utf-8") as table:
        for rules in missing:
            table.writelines(f"{line_of(rules, state)}\n" for state in positions(rules))


if __name__ == "__main__":
    main()
