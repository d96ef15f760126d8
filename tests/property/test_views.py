"""A view is a state with holes: it folds on its own, and whoever fills the holes gets a whole position."""

from __future__ import annotations

import random

from shared.kernel import (
    Commit,
    FastChance,
    Rules,
    State,
    View,
    determinize,
    fold,
    redact,
    running_score,
    state_from_plain,
    state_to_plain,
    view_for,
)
from tests.kernel_games import play, play_from, text_of_state
from tests.property.games import for_every_game


def viewers(rules: Rules) -> list[int | None]:
    """Every seat, and a spectator."""
    return [None, *range(rules.seats)]


def fold_seen(rules: Rules, view: View, commits: list[Commit], viewer: int | None, head: State) -> None:
    """Folds commits as they are served to the viewer while the game stands at `head`."""
    for commit in commits:
        fold(rules, view, redact(rules, commit, viewer, head))


@for_every_game(examples=3)
def test_redacted_commits_fold_from_view_to_view(rules: Rules, seed: int) -> None:
    game = play(rules, seed)
    viewer = random.Random(seed).choice(viewers(rules))
    view = view_for(rules, game.states[0], viewer)
    for commit, state in zip(game.commits[1:], game.states[1:], strict=True):
        fold_seen(rules, view, [commit], viewer, state)
        assert text_of_state(rules, view) == text_of_state(rules, view_for(rules, state, viewer)), state.version


@for_every_game(examples=3)
def test_a_view_that_lags_catches_up_on_later_commits(rules: Rules, seed: int) -> None:
    game = play(rules, seed)
    luck = random.Random(seed)
    for viewer in viewers(rules):
        for begin in game.sample(2, luck):
            end = luck.choice([begin, luck.randrange(begin, len(game.states)), len(game.states) - 1])
            view = view_for(rules, game.states[begin], viewer)
            head = game.states[end]
            fold_seen(rules, view, game.commits[begin + 1 : end + 1], viewer, head)
            assert text_of_state(rules, view) == text_of_state(rules, view_for(rules, head, viewer))


@for_every_game(examples=4)
def test_filling_the_holes_gives_a_whole_position_of_the_same_view(rules: Rules, seed: int) -> None:
    game = play(rules, seed)
    luck = random.Random(seed)
    for viewer in viewers(rules):
        for place in game.sample(4, luck):
            view = view_for(rules, game.states[place], viewer)
            before = text_of_state(rules, view)
            world = determinize(rules, view, FastChance(luck.randrange(2**31)))
            assert type(world) is State
            assert text_of_state(rules, state_from_plain(rules, state_to_plain(rules, world))) == text_of_state(
                rules, world
            )
            assert text_of_state(rules, view_for(rules, world, viewer)) == before
            assert text_of_state(rules, view) == before, "the view stays as it is"


@for_every_game(examples=4)
def test_a_world_can_be_played_to_its_end(rules: Rules, seed: int) -> None:
    game = play(rules, seed)
    luck = random.Random(seed)
    view = view_for(rules, luck.choice(game.states), luck.choice(viewers(rules)))
    world = determinize(rules, view, FastChance(seed))
    assert play_from(rules, world, seed).end.over


@for_every_game(examples=4)
def test_public_scores_are_the_same_from_everywhere(rules: Rules, seed: int) -> None:
    game = play(rules, seed)
    for place in game.sample(6, random.Random(seed)):
        state = game.states[place]
        shown = running_score(rules, state)
        assert shown.totals == state.points
        for viewer in viewers(rules):
            assert running_score(rules, view_for(rules, state, viewer)).plain() == shown.plain()
