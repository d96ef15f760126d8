"""Logs that must fold for ever, never written again: what breaks one of them breaks the games that are kept."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from shared.catalog import rules_for, rulesets
from shared.kernel import commit_from_plain, commit_to_plain, fold_log, score, state_to_plain, verify_draws
from tests.golden.playthrough import LOGS
from tests.kernel_games import ALL_RULES

#: random seats never sit still for three rounds; the unit tests of the stalemate have it
NEVER_BY_CHANCE = {"DeckDiscarded"}


@pytest.mark.parametrize("path", sorted(LOGS.iterdir()), ids=lambda path: path.stem)
def test_the_log_still_folds_to_its_last_position(path: Path) -> None:
    head, *lines, last = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    rules = rules_for(head["ruleset"], head["seats"], head["options"])
    commits = [commit_from_plain(rules, line) for line in lines]
    assert [commit_to_plain(rules, commit) for commit in commits] == lines
    state = fold_log(rules, commits)
    assert state_to_plain(rules, state) == last["position"]
    assert score(rules, state).totals == last["totals"]
    nonce, seed = bytes.fromhex(head["nonce"]), bytes.fromhex(head["seed"])
    assert verify_draws(nonce, seed, head["commitment"], commits) == []


def test_the_logs_have_every_event_there_is() -> None:
    events = set()
    for path in LOGS.iterdir():
        _, *lines, _ = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        events |= {event["event"] for line in lines for event in line["events"]}
    assert events | NEVER_BY_CHANCE == set(ALL_RULES[0].event_classes)


def test_every_rule_set_has_logs() -> None:
    assert {path.stem.rsplit("_", 1)[0] for path in LOGS.iterdir()} == set(rulesets())
