"""Two games that differ only in what a viewer cannot know are the same to that viewer, byte by byte."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from shared.kernel import Rules
from tests.kernel_games import ALL_RULES, Game, label, play
from tests.secrecy.kernel_twins import Twins
from tests.secrecy.visible import HIDDEN_FIELDS, events_of

#: Set-up has no twin, and what ends a game shows everything (VIEW-10).
NOT_IN_TWINS = {"FirstSeatChosen", "CardGiven", "GameEnded", "HandsRevealed", "TicketsRevealed", "ResultRecorded"}
#: A discarded deck and the cards that pay for tickets become public at once (CG-18, CG-22), so twins rarely have them.
NOT_IN_TWINS |= {"DeckDiscarded", "TicketsCompleted", "SecondHalfStarted"}


def places(game: Game, done: set[str], luck: random.Random) -> Iterator[int]:
    """The start, soon after it, and before something happens that is not done with."""
    yield 0
    yield luck.randrange(game.rules.seats + 1)
    news = [{type(event).__name__ for event in commit.events} - done - NOT_IN_TWINS for commit in game.commits[1:-1]]
    yield luck.choice([place for place, new in enumerate(news) if new] or range(len(news)))


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
            done = {
                name for name in covered if all((name, field) in different for field in HIDDEN_FIELDS.get(name, ()))
            }
            for place in places(game, done, luck):
                twins = Twins(rules, game.states[place], viewer, luck)
                twins.play(50)
                covered |= twins.covered
                different |= twins.different
    possible = events_of(rules)
    assert possible - covered <= NOT_IN_TWINS, "every other event happened in twins"
    assert different == {(name, field) for name in HIDDEN_FIELDS if name in possible for field in HIDDEN_FIELDS[name]}
