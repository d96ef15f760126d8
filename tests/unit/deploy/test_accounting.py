"""The demo's proof: it holds for a true game with true counters, and for nothing else."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

from deploy.local import accounting
from deploy.local.accounting import Account
from shared.catalog import rules_for
from tests.kernel_games import play
from tests.records import record_of

SEED = 5
NOTHING = {"decides": 0.0, "overtaken": 0.0, "bots": 0.0}
Json = dict[str, Any]


class Counters:
    """Counters that give these figures one after the other, the last for ever."""

    def __init__(self, *figures: dict[str, float]) -> None:
        self._figures = list(figures)

    def read(self) -> dict[str, float]:
        return self._figures.pop(0) if len(self._figures) > 1 else self._figures[0]


@pytest.fixture(scope="module")
def record() -> Json:
    """The record of a game."""
    return record_of(play(rules_for("usa@1", 3), SEED), SEED)


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Counters that disagree are not waited for long."""
    monkeypatch.setattr(accounting, "SETTLE_SECONDS", 0.3)


def agrees(account: Account, *figures: dict[str, float]) -> list[bool]:
    """Whether each counter agrees with the record."""
    return [is_right for _, is_right, _ in account.agrees(Counters(*figures), NOTHING)]


@pytest.mark.rule("BASE-42")
def test_a_true_sheet_adds_up(record: Json) -> None:
    sheet = record["commits"][-1]["events"][0]["sheet"]
    assert Account(record["commits"]).adds_up(sheet)[1]


def total_off(sheet: Json) -> None:
    sheet["seats"][0]["total"] += 1


def ticket_off(sheet: Json) -> None:
    next(line for line in sheet["seats"][1]["lines"] if line["reason"] == "ticket")["points"] += 1


def track_off(sheet: Json) -> None:
    next(line for line in sheet["seats"][2]["lines"] if line["reason"] == "track")["points"] += 1
    sheet["seats"][2]["total"] += 1


def seatless(sheet: Json) -> None:
    sheet["seats"] = []


@pytest.mark.parametrize("change", [total_off, ticket_off, track_off, seatless])
def test_a_changed_sheet_does_not(record: Json, change: Callable[[Json], None]) -> None:
    sheet = copy.deepcopy(record["commits"][-1]["events"][0]["sheet"])
    change(sheet)
    assert not Account(record["commits"]).adds_up(sheet)[1]


def test_no_sheet_does_not_add_up(record: Json) -> None:
    assert not Account(record["commits"]).adds_up(None)[1]


def test_counters_agree_when_they_rose_by_what_the_log_says(record: Json) -> None:
    account = Account(record["commits"])
    true = {"decides": account.answers, "overtaken": 0, "bots": account.answers}
    assert account.answers == len(record["commits"]) - 2
    assert agrees(account, true) == [True, True]
    assert agrees(account, {**true, "decides": account.answers + 2, "overtaken": 2}) == [True, True]
    assert agrees(account, {**true, "bots": account.answers - 1}, true) == [True, True], "a late one is waited for"
    assert agrees(account, {**true, "decides": account.answers + 1}) == [False, True]
    assert agrees(account, {**true, "bots": account.answers - 1}) == [True, False]


@pytest.mark.rule("BASE-44")
def test_what_was_answered_for_a_seat_is_no_bots(record: Json) -> None:
    commits = copy.deepcopy(record["commits"])
    commits[5]["forced"] = commits[6]["forced"] = True
    account = Account(commits)
    assert agrees(account, {"decides": account.answers, "overtaken": 0, "bots": account.answers - 2}) == [True, True]
