"""Games to read: whoever changes one sees in the diff what changed, and asks `make goldens` for the new text."""

from __future__ import annotations

from pathlib import Path

import pytest

from shared.catalog import board, ruleset
from shared.kernel import MECHANICS, Rules, compile_rules
from tests.golden.playthrough import PLAYTHROUGHS, SEED, playthroughs, text
from tests.kernel_games import play


@pytest.mark.parametrize(("path", "rules"), playthroughs().items(), ids=lambda value: getattr(value, "stem", ""))
def test_the_game_goes_as_written(path: Path, rules: Rules) -> None:
    assert text(play(rules, SEED)).splitlines() == path.read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize(("path", "rules"), playthroughs().items(), ids=lambda value: getattr(value, "stem", ""))
def test_rules_compiled_anew_give_the_same_game(path: Path, rules: Rules) -> None:
    source = ruleset(rules.id)
    anew = compile_rules(source, board(source["board"]), rules.seats, rules.options, MECHANICS)
    assert text(play(anew, SEED)).splitlines() == path.read_text(encoding="utf-8").splitlines()


def test_there_is_no_playthrough_of_a_game_that_is_gone() -> None:
    assert set(PLAYTHROUGHS.iterdir()) == set(playthroughs())
