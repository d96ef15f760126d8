"""From a log to what it says: the head, and which answer each decision got."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from services.game_state.records import Answer, Head, Log
from shared.kernel import Move, Rules, State, commit_from_plain, empty_state, fold, move_to_plain, state_to_plain


class CorruptLog(Exception):
    """A log that cannot be folded: an entry is missing, unreadable, or answers no open decision."""

    def __init__(self, version: int, reason: str) -> None:
        super().__init__(f"commit {version}: {reason}")
        self.version = version


def dump(plain: Any) -> str:
    """Gives the text in which a plain value is kept."""
    return json.dumps(plain, separators=(",", ":"))


def digest_of_plain(plain: Any) -> str:
    """Gives the hash by which the same value is known again, however its JSON was written."""
    return hashlib.sha256(json.dumps(plain, separators=(",", ":"), sort_keys=True).encode()).hexdigest()


def digest_of(rules: Rules, move: Move) -> str:
    """Gives the hash by which the same answer is known again."""
    return digest_of_plain(move_to_plain(rules, move))


def head_at(rules: Rules, state: State) -> Head:
    """Gives the snapshot of a position."""
    return Head(state.version, dump(state_to_plain(rules, state)), state.over)


def replay(rules: Rules, log: Log) -> tuple[State, dict[str, Answer]]:
    """Folds a whole log; gives the position and the answers by decision.

    Raises CorruptLog unless versions are contiguous from 1 and each decision is answered once, while it is open.
    """
    state = empty_state(rules)
    answers: dict[str, Answer] = {}
    for expected, (version, text) in enumerate(log.entries, start=1):
        if version != expected:
            raise CorruptLog(expected, f"version {version} stands in its place")
        try:
            commit = commit_from_plain(rules, json.loads(text))
            if commit.decision is not None:
                kind = next(open_.name for open_ in state.decisions if open_.id == commit.decision)
                answers[commit.decision] = Answer(version, kind, digest_of(rules, commit.move))
            fold(rules, state, commit)
        except Exception as error:  # a damaged entry can fail in any way, and must not fail in two
            raise CorruptLog(version, type(error).__name__) from error
    if state.version != log.last:
        raise CorruptLog(log.last, "it has been removed")
    return state, answers
