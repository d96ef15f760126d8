"""Auditing records: a true one holds, and whatever is changed in it shows."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

from shared.catalog import rules_for
from shared.client.verify import verify
from tests.kernel_games import play
from tests.records import record_of

SEED = 23
Json = dict[str, Any]
COMMITTED, DRAWS, GAPS, ANSWERS, RESULT = (
    "the seed is the one committed to", "every draw follows from the seed", "the log has no gap",
    "each decision is answered once", "the result follows from the log",
)


@pytest.fixture(scope="module")
def record() -> Json:
    """A true record."""
    return record_of(play(rules_for("usa@1", 2), SEED), SEED)


def wrong(record: Json) -> set[str]:
    """What does not hold."""
    return {finding.what for finding in verify(record) if not finding.is_right}


@pytest.mark.rule("OPT-4")
def test_a_true_record_holds(record: Json) -> None:
    findings = verify(record)
    assert all(finding.is_right for finding in findings) and len(findings) == 5
    assert [finding.what for finding in findings] == [COMMITTED, DRAWS, GAPS, ANSWERS, RESULT]


def draws_of(record: Json) -> list[Json]:
    """The commits that took luck."""
    return [commit for commit in record["commits"] if commit["chance"]]


def other_seed(record: Json) -> None:
    record["seed"] = "00" * 32


def other_nonce(record: Json) -> None:
    record["nonce"] = "00" * 32


def other_draw(record: Json) -> None:
    n, result = draws_of(record)[3]["chance"][0]
    draws_of(record)[3]["chance"][0] = [n, (result + 1) % n]


def draw_moved(record: Json) -> None:
    first, second = draws_of(record)[3:5]
    first["chance"], second["chance"] = second["chance"], first["chance"]


def commit_missing(record: Json) -> None:
    del record["commits"][10]


def answered_again(record: Json) -> None:
    record["commits"][9]["decision"] = record["commits"][8]["decision"]


def point_added(record: Json) -> None:
    record["commits"][-1]["events"][0]["sheet"]["seats"][0]["total"] += 1


def result_missing(record: Json) -> None:
    del record["commits"][-1]


@pytest.mark.parametrize(
    ("change", "shows"),
    [(other_seed, {COMMITTED, DRAWS}), (other_nonce, {COMMITTED, DRAWS}), (other_draw, {DRAWS}), (draw_moved, {DRAWS}),
     (commit_missing, {GAPS, RESULT}), (answered_again, {ANSWERS, RESULT}), (point_added, {RESULT}),
     (result_missing, {RESULT})],
)
def test_whatever_is_changed_shows(record: Json, change: Callable[[Json], None], shows: set[str]) -> None:
    changed = copy.deepcopy(record)
    change(changed)
    assert wrong(changed) == shows
