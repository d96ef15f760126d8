"""Perft tables: how many lines of play there are from a position; see perft.py."""

from __future__ import annotations

import pytest

from tests.golden.perft import after, answers, lines, perft, read
from tests.property import reference

LINES = lines()


def label(line: str) -> str:
    """A name for a test's parameter: the counts and the rules, and what is asked."""
    counts, position = line.split(" | ")
    return "-".join([*counts.split(), position.split(" ")[0], position.rpartition("ask=")[2]])


@pytest.mark.parametrize("line", LINES, ids=label)
def test_as_many_lines_of_play_as_ever(line: str) -> None:
    counts, rules, state = read(line)
    assert [perft(rules, state, depth) for depth in range(1, len(counts) + 1)] == counts


@pytest.mark.parametrize("line", [line for line in LINES if reference.is_read(read(line)[1])], ids=label)
def test_as_many_lines_by_the_second_reading_of_the_rules(line: str) -> None:
    counts, rules, state = read(line)
    nodes = [state]
    for count in counts[: 2 if counts[0] < 20 else 1]:  # it is slow
        lists = [(node, answers(rules, node)) for node in nodes]
        assert sum(len(moves) for _, moves in lists) == count
        for node, moves in lists:
            expected = reference.whole_list(rules, node, node.decisions[0], moves) if node.decisions else []
            assert reference.as_counter(moves) == reference.as_counter(expected)
        nodes = [after(rules, node, move) for node, moves in lists for move in moves]
