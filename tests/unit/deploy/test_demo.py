"""What the demo is asked for is looked at before anything is started."""

from __future__ import annotations

import pytest
from click.testing import CliRunner, Result

from deploy.local import demo
from services.ai.bots import BOTS
from shared import catalog


def run(**asked: str) -> Result:
    """Runs the demo as `make demo NAME=value ...` does."""
    return CliRunner().invoke(demo.main, env=asked)


@pytest.fixture(autouse=True)
def nothing_started(monkeypatch: pytest.MonkeyPatch) -> None:
    """A demo that would look for a stack or start one fails."""
    monkeypatch.delattr(demo, "running_stack")


def test_wrong_rule_set_lists_those_that_exist_before_a_stack_is_started() -> None:
    for asked in ("u_s_a", "usa@99", "../usa"):
        result = run(RULESET=asked)
        assert result.exit_code == 1
        assert f"RULESET={asked}: no such rule set" in result.output
        assert all(f"  {name}, " in result.output for name in catalog.rulesets())


@pytest.mark.parametrize("name", catalog.rulesets())
def test_wrong_number_of_seats_is_refused_before_a_stack_is_started(name: str) -> None:
    span = catalog.ruleset(name)["seats"]
    for seats in (0, span["min"] - 1, span["max"] + 1):
        result = run(RULESET=name, SEATS=str(seats))
        assert result.exit_code == 1
        assert f"SEATS={seats}: {name} has {span['min']} to {span['max']} seats." in result.output


def test_seats_that_are_no_number_are_named_with_their_variable() -> None:
    result = run(SEATS="two")
    assert result.exit_code == 2
    assert "'SEATS'" in result.output and "'two' is not a valid integer" in result.output


def test_wrong_bots_list_those_that_exist_before_a_stack_is_started() -> None:
    for asked in ("greedy,gredy", "gredy", ",", " "):
        result = run(BOTS=asked)
        assert result.exit_code == 1
        assert f"BOTS={asked}: " in result.output
        assert all(f"  {name}: " in result.output for name in BOTS)


def test_bots_are_repeated_to_fill_the_seats() -> None:
    assert demo.seated("usa", 5, " greedy, random") == ["greedy", "random", "greedy", "random", "greedy"]
