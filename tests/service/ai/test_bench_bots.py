"""The measurement of bots: the same seeds in both orders of seats, the same figures again, failures that show."""

from __future__ import annotations

import re
from typing import Any

import pytest
from click.testing import CliRunner

from deploy.bench.bots import Duel, Outcome, count, failures, main, milliseconds
from services.ai import play
from services.ai.arenas.tally import EntrantTally
from services.ai.bots import BOTS
from services.ai.play import SPEED_STEP
from tests.service.ai.odd_bots import Odd, break_a_rule, throw


def duel(first: str, second: str, seats: int = 2, ruleset: str = "usa") -> Duel:
    """Both games of a seed."""
    return Duel(0, (first, second), ruleset, seats, seed=4, seconds=1.0)


def run(*options: str) -> tuple[int, str]:
    """How the command ends, and what it says."""
    done = CliRunner().invoke(main, [*options, "--workers", "1"], env={"COLUMNS": "80"})
    return done.exit_code, done.output


def result(*seats: tuple[int, int, int]) -> dict[str, Any]:
    """A result by the entrant, rank and points of each seat."""
    return {"seats": [{"entrant": entrant, "rank": rank, "points": points} for entrant, rank, points in seats]}


@pytest.mark.parametrize(("seats", "orders"), [(2, ["01", "10"]), (3, ["010", "101"]), (4, ["0101", "1010"])])
def test_the_bots_change_seats(seats: int, orders: list[str]) -> None:
    results = duel("random", "greedy", seats, "card_game").play()
    assert ["".join(str(seat["entrant"]) for seat in each["seats"]) for each in results] == orders


def test_both_games_have_the_same_luck_so_a_bot_is_never_ahead_of_its_twin(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(BOTS, "twin", BOTS["greedy"])
    first, second = duel("greedy", "twin").play()
    assert [seat["points"] for seat in first["seats"]] == [seat["points"] for seat in second["seats"]]
    outcome = Outcome(("greedy", "twin"))
    outcome.add([first, second])
    assert outcome.leads == [0] and outcome.wins == 1 and outcome.games == 2


def test_a_bot_against_itself_plays_a_seed_once() -> None:
    [only] = duel("greedy", "greedy").play()
    outcome = Outcome(("greedy", "greedy"))
    outcome.add([only])
    assert (outcome.games, outcome.leads, outcome.endless) == (1, [], 0)


def test_points_and_victories_are_those_of_the_bot_wherever_it_sat() -> None:
    outcome = Outcome(("a", "b"))
    outcome.add([result((0, 1, 120), (1, 2, 90)), result((1, 1, 100), (0, 1, 100))])
    assert (outcome.games, outcome.wins) == (2, 1.5)
    assert outcome.points == ([120, 100], [90, 100]) and outcome.leads == [15]
    outcome.add([result((0, 2, 60), (1, 1, 90), (0, 3, 30)), result((1, 1, 80), (0, 1, 80), (1, 3, 20))])
    assert (outcome.games, outcome.wins) == (4, 2.0)
    assert outcome.points[0][2:] == [45, 80] and outcome.points[1][2:] == [90, 50] and outcome.leads[1] == -7.5


def test_games_without_an_end_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(play, "MOST_DECISIONS", 10)
    outcome = Outcome(("greedy", "random"))
    outcome.add(duel("greedy", "random").play())
    assert (outcome.games, outcome.endless, outcome.leads) == (0, 2, [])
    assert "greedy - random: 2 games without an end" in failures({}, [outcome])


@pytest.mark.parametrize(("does", "reason"), [(throw, "threw"), (break_a_rule, "illegal")])
def test_a_bot_that_fails_is_told(monkeypatch: pytest.MonkeyPatch, does: Any, reason: str) -> None:
    monkeypatch.setitem(BOTS, does.__name__, Odd(does))
    tallies: dict[str, EntrantTally] = {}
    count(duel("greedy", does.__name__).play(), ("greedy", does.__name__), tallies)
    assert not tallies["greedy"].failures and tallies[does.__name__].failures[reason] > 2
    assert re.fullmatch(rf"\[red\]{does.__name__} failed: \d+ decisions, {reason}\[/red\]", failures(tallies, []))


def test_milliseconds_are_those_that_so_many_decisions_stay_below() -> None:
    tally = EntrantTally()
    tally.speeds.update({-3: 90, 0: 4, 20: 6})
    assert milliseconds(tally.speeds, 0.5) == SPEED_STEP**-3 and milliseconds(tally.speeds, 0.95) == SPEED_STEP**20


def test_the_same_command_gives_the_same_figures() -> None:
    options = ("--bots", "greedy,random,one_step", "--ruleset", "card_game", "--games", "4", "--seed", "3")
    code, output = run(*options)
    assert code == 0 and "card_game, 2 seats, 2 seeds from SEED=3" in output
    assert all(len(line) <= 80 for line in output.splitlines())
    pairings = [" ".join(line.split()[:4]) for line in output.splitlines() if " - " in line]
    assert pairings == ["greedy - random 4", "greedy - one_step 4", "random - one_step 4"]
    assert "No bot failed, and every game ended." in output
    again = run(*options)[1]
    assert again.partition("pairing  ")[2] == output.partition("pairing  ")[2] != ""


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--bots", "greedy"], "one bot against itself is greedy,greedy"),
        (["--bots", "greedy,gredy"], "no bot gredy"),
        (["--ruleset", "asia"], "no such rule set"),
        (["--seats", "6"], "usa has 2 to 5 seats"),
        (["--games", "1"], "1 is not in the range x>=2"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_wrong_options_are_told_what_there_is(options: list[str], told: str) -> None:
    code, output = run(*options)
    assert code != 0 and told in output
