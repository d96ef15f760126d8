"""Two games that differ only in what a viewer cannot know are the same to that viewer, byte by byte."""

from __future__ import annotations

import random

import pytest

from shared.kernel import Rules
from tests.kernel_games import ALL_RULES, label, play
from tests.secrecy.kernel_twins import Twins
from tests.secrecy.visible import HIDDEN_FIELDS

#: Set-up has no twin, and what ends a game shows everything (VIEW-10).
NOT_IN_TWINS = {"FirstSeatChosen", "GameEnded", "HandsRevealed", "TicketsRevealed", "ResultRecorded"}


@pytest.mark.rule("VIEW-8")
@pytest.mark.rule("VIEW-9")
@pytest.mark.rule("VIEW-11")
@pytest.mark.parametrize("rules", ALL_RULES, ids=label)
def test_games_that_differ_only_in_what_a_viewer_cannot_know_are_the_same_to_him(rules: Rules) -> None:
    covered: set[str] = set()
    different: set[tuple[str, str]] = set()
    for seed in range(5):
        luck = random.Random(seed)
        game = play(rules, seed)
        for viewer in (None, *range(rules.seats)):
            for place in (0, luck.randrange(rules.seats + 1), luck.randrange(len(game.states) - 1)):
                twins = Twins(rules, game.states[place], viewer, luck)
                twins.play(50)
                covered |= twins.covered
                different |= twins.different
    assert set(rules.event_classes) - covered == NOT_IN_TWINS, "every other event happened in twins"
    assert different == {(name, field) for name, fields in HIDDEN_FIELDS.items() for field in fields}
