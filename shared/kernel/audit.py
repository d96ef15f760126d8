"""Auditing a finished game: the commitment, every draw, and the fold of its log."""

from __future__ import annotations

from shared.kernel.chance import commit_key, commitment, outcomes_match
from shared.kernel.engine import Commit, empty_state, fold
from shared.kernel.ruleset import Rules
from shared.kernel.state import State


def fold_log(rules: Rules, commits: list[Commit]) -> State:
    """The position after these commits from the first; raises ValueError for a gap."""
    state = empty_state(rules)
    for commit in commits:
        fold(rules, state, commit)
    return state


def verify_draws(nonce: bytes, seed: bytes, published: str, commits: list[Commit]) -> list[int]:
    """The versions whose outcomes are not those of the seed; [0] if the seed is not the one committed to (OPT-4).

    Needs no rules, so it holds whatever revision the game was played with.
    """
    if commitment(nonce, seed) != published:
        return [0]
    wrong = []
    for commit in commits:
        if commit.chance is None or not outcomes_match(commit_key(seed, commit.version), commit.chance):
            wrong.append(commit.version)
    return wrong
