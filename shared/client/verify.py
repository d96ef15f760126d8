"""Auditing the record of a finished game with nothing but the kernel: was it fair, and is it what it says it is?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from shared.catalog import rules_for
from shared.kernel import (
    Commit,
    DecisionNotOpen,
    RecountError,
    Rules,
    commit_from_plain,
    fold_log,
    score,
    verify_draws,
)

Json = dict[str, Any]


@dataclass(frozen=True)
class Finding:
    """One thing looked at: what, whether it is right, and what was found."""

    what: str
    is_right: bool
    found: str


def verify(record: Json) -> list[Finding]:
    """Looks at everything a record promises: the seed committed to, every draw, the log, the result.

    Raises Malformed or UnknownId for a record that cannot be read.
    """
    rules = rules_for(record["ruleset"], seats=record["seats"], options=record["options"])
    commits = [commit_from_plain(rules, plain) for plain in record["commits"]]
    return [*_draws(record, commits), _versions(commits), _answers(commits), _result(rules, record, commits)]


def _draws(record: Json, commits: list[Commit]) -> list[Finding]:
    nonce, seed = bytes.fromhex(record["nonce"]), bytes.fromhex(record["seed"])
    wrong = verify_draws(nonce, seed, record["commitment"], commits)
    is_committed = wrong != [0]
    draws = sum(len(commit.chance or ()) for commit in commits)
    return [
        Finding("the seed is the one committed to", is_committed, record["commitment"]),
        Finding("every draw follows from the seed", not wrong,
                f"{draws} draws in {len(commits)} commits" if not wrong else
                f"wrong in commits {', '.join(map(str, wrong))}" if is_committed else "not looked at"),
    ]


def _versions(commits: list[Commit]) -> Finding:
    versions = [commit.version for commit in commits]
    is_whole = versions == list(range(1, len(commits) + 1))
    return Finding("the log has no gap", is_whole, f"versions 1 to {len(commits)}" if is_whole else f"{versions}")


def _answers(commits: list[Commit]) -> Finding:
    decisions = [commit.decision for commit in commits if commit.decision is not None]
    twice = sorted({decision for decision in decisions if decisions.count(decision) > 1})
    found = f"{len(decisions)} decisions" if not twice else f"answered again: {', '.join(twice)}"
    return Finding("each decision is answered once", not twice, found)


def _result(rules: Rules, record: Json, commits: list[Commit]) -> Finding:
    what = "the result follows from the log"
    recorded = [event["sheet"] for event in record["commits"][-1]["events"] if event["event"] == "ResultRecorded"]
    if not recorded:
        return Finding(what, False, "no result is recorded yet")
    try:
        sheet = score(rules, fold_log(rules, commits)).plain()
    except (ValueError, LookupError, DecisionNotOpen, RecountError) as error:
        return Finding(what, False, f"the log cannot be replayed: {type(error).__name__} {error}")
    totals = ", ".join(str(seat["total"]) for seat in sheet["seats"])
    return Finding(what, sheet == recorded[0], f"totals {totals}")
