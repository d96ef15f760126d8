"""The log as each seat may read it, during the game and after it (VIEW-7, VIEW-10)."""

from __future__ import annotations

import pytest

from shared.kernel import (
    commit_to_plain,
    empty_state,
    fold,
    print_position,
    redact,
    score,
    view_for,
)
from tests.unit.kernel.play import played_log, usa

VIEWERS = (0, 1, 2, None)


@pytest.mark.rule("VIEW-7")
def test_the_whole_history_stays_open_as_it_hides_nothing_from_its_owner() -> None:
    """USA has no stack that is hidden from its owner: old commits show later what they showed at once, and fold to
    the view of now."""
    rules = usa(3)
    state, log = played_log(rules, seed=3, moves=120)
    early, _ = played_log(rules, seed=3, moves=10)
    for viewer in VIEWERS:
        view = view_for(rules, empty_state(rules), viewer)
        for commit in log:
            late = redact(rules, commit, viewer, state)
            if commit.version <= early.version:
                now = redact(rules, commit, viewer, early)
                assert commit_to_plain(rules, late) == commit_to_plain(rules, now)
            fold(rules, view, late)
        assert print_position(rules, view) == print_position(rules, view_for(rules, state, viewer))


@pytest.mark.rule("VIEW-10")
def test_when_the_game_is_over_everything_is_public() -> None:
    rules = usa(3)
    state, log = played_log(rules, seed=5)
    whole = print_position(rules, state)
    log[-1].chance = [(3, 1)]
    for viewer in VIEWERS:
        view = view_for(rules, state, viewer)
        assert print_position(rules, view).replace(f" viewer={'spectator' if viewer is None else viewer}", "") == whole
        assert score(rules, view).plain() == score(rules, state).plain()
        assert all(redact(rules, commit, viewer, state) is commit for commit in log)


@pytest.mark.rule("VIEW-10")
@pytest.mark.parametrize("viewer", VIEWERS)
def test_a_view_that_was_folded_to_the_end_knows_all_too(viewer: int | None) -> None:
    """It once kept its holes, because nothing in the log of the last commit said what the hands held."""
    rules = usa(3)
    _, log = played_log(rules, seed=5)
    head = empty_state(rules)
    view = view_for(rules, head, viewer)
    for commit in log:
        fold(rules, head, commit)
        fold(rules, view, redact(rules, commit, viewer, head))
        assert print_position(rules, view) == print_position(rules, view_for(rules, head, viewer))
    assert head.over
