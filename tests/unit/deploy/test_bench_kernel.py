"""The benchmark of the kernel: what it measures, and what it answers where there is nothing to measure."""

from __future__ import annotations

import os
from io import StringIO

import pytest
from click.testing import CliRunner, Result
from rich.console import Console

from deploy.bench import kernel
from shared.catalog import rulesets


@pytest.fixture(autouse=True)
def no_build(monkeypatch: pytest.MonkeyPatch) -> None:
    """As where nothing has been compiled, whatever the last build left."""
    monkeypatch.setattr(kernel, "is_current", lambda: False)


def bench(*arguments: str) -> Result:
    return CliRunner().invoke(kernel.main, ["--seconds", "0.01", *arguments], env={"COLUMNS": "120"})


def rows(output: str, columns: int) -> list[list[str]]:
    """The cells of the rows of the table with so many columns."""
    lines = [[cell.strip() for cell in line.split("│")[1:-1]] for line in output.splitlines() if "│" in line]
    return [line for line in lines if len(line) == columns]


def test_every_rule_set_is_measured_with_its_fewest_and_most_seats() -> None:
    lines = kernel.lines_of(rulesets())
    assert {name for name, _ in lines} == set(rulesets())
    assert {("usa", 2), ("usa", 5), ("maerklin", 5), ("old_west", 6), ("card_game", 2), ("card_game", 4)} <= set(lines)


def test_a_rule_set_without_tracks_is_compared_with_the_yardstick_and_has_no_trails() -> None:
    done = bench("--ruleset", "card_game")
    assert done.exit_code == 0, done.output
    measured = {(name, seats): float(ratio) for name, seats, _, ratio, *_ in rows(done.output, 6)}
    assert set(measured) == {("card_game", "2"), ("card_game", "4"), ("usa", "2"), ("usa", "4"), ("usa", "5")}
    assert {ratio for (name, _), ratio in measured.items() if name == "usa"} == {1.0}
    assert all(ratio > 0 for ratio in measured.values())
    assert "Longest trail" not in done.output


def test_a_rule_set_with_tracks_has_trails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel, "NETWORKS", 2)
    done = bench("--ruleset", "usa")
    assert done.exit_code == 0, done.output
    assert {(mode, form) for mode, form, *_ in rows(done.output, 4)} == {(mode, "plain") for mode in kernel.MODES}


def test_a_compiled_form_stands_beside_the_plain_one() -> None:
    runs = {
        "plain": [kernel.Tally(seconds, 100, 1000, 5000) for seconds in (1.0, 2.0, 4.0)],
        "compiled": [kernel.Tally(seconds, 300, 3000, 9000) for seconds in (1.0, 3.0, 4.0)],
    }
    printed = StringIO()
    Console(width=140, file=printed).print(kernel.games_table([("usa", 2)], [runs]))
    assert rows(printed.getvalue(), 8) == [["usa", "2", "50", "100", "3.00", "1.00", "10.0", "5.00"]]


def test_a_form_plays_in_a_process_of_its_own_and_leaves_the_environment_alone() -> None:
    before = os.environ.copy()
    with kernel.players() as players:
        assert os.environ == before
        tally = players["plain"].submit(kernel.measured, "usa", 2, 1, 0.01).result()
        assert players["plain"].submit(os.getpid).result() != os.getpid()
    assert tally.decisions > 100 * tally.games > 0


def test_the_rule_set_may_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULESET", "mars")
    done = bench()
    assert done.exit_code == 2
    assert "'mars' is not one of 'card_game', 'maerklin', 'old_west', 'usa'" in done.output
