"""Perft tables: how many lines of play there are from a position, one, two, three or four answers deep.

A line of perft.txt is the counts by depth, a bar, and a position. Luck is fixed: each answer draws with the same key.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from shared.catalog import rules_for
from shared.kernel import KeyedChance, Move, Rules, State, legal_moves, parse_position, play_checked, position_header
from tests.property import reference

LINES = [line for line in Path(__file__).with_name("perft.txt").read_text().splitlines() if line[:1] != "#"]


def label(line: str) -> str:
    """A name for a test's parameter."""
    return line.split(" | ")[0].replace(" ", "-")


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


@pytest.mark.parametrize("line", LINES, ids=label)
def test_as_many_lines_of_play_as_ever(line: str) -> None:
    counts, rules, state = read(line)
    assert [perft(rules, state, depth) for depth in range(1, len(counts) + 1)] == counts


@pytest.mark.parametrize("line", [line for line in LINES if reference.is_read(read(line)[1])], ids=label)
def test_as_many_lines_by_the_second_reading_of_the_rules(line: str) -> None:
    counts, rules, state = read(line)
    nodes = [state]
    for count in counts[: 2 if counts[0] < 20 else 1]:  # it is slow
        lists = [reference.legal_list(rules, node, node.decisions[0]) if node.decisions else [] for node in nodes]
        assert sum(len(moves) or bool(node.decisions) for moves, node in zip(lists, nodes, strict=True)) == count
        nodes = [after(rules, node, move) for node in nodes for move in answers(rules, node)]
