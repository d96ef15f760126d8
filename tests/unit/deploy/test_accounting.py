"""The demo's proof: it holds for a true game with true logs, and for nothing else."""

from __future__ import annotations

import copy
import json
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from deploy.local import accounting
from deploy.local.accounting import Account
from shared.catalog import rules_for
from shared.contracts.queues import AI_ANSWER, AI_ANSWER_FALLBACK
from tests.kernel_games import play
from tests.records import record_of

SEED = 5
RIGHT = [True, True, True]
Json = dict[str, Any]


@pytest.fixture(scope="module")
def record() -> Json:
    """The record of a game."""
    return record_of(play(rules_for("usa@1", 3), SEED), SEED)


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Logs that disagree are not waited for long."""
    monkeypatch.setattr(accounting, "SETTLE_SECONDS", 0.5)
    monkeypatch.setattr(accounting, "POLL_SECONDS", 0.05)


class Logs:
    """What the programs of a stack log while the answers of a game are given, each under a request of its own."""

    def __init__(self, record: Json) -> None:
        self.lines: dict[str, list[Json]] = {"gateway": [], "game_state": [], "rules": [], "bots": []}
        for commit in record["commits"]:
            if commit["decision"] is not None:
                self.answer(record["game"], commit["version"], "bots" if not commit["forced"] else "")

    def answer(self, game: str, version: int, worker: str) -> None:
        about = {"request_id": f"{game}-{version}", "game": game}
        self.lines["rules"].append({"request_id": about["request_id"], "message": "request", "route": "/decide",
                                    "status": 200})
        self.lines["game_state"] += [{**about, "message": "answered", "version": version},
                                     {**about, "message": "request", "status": 201}]
        if worker:
            self.lines["gateway"].append({**about, "message": "request", "status": 201})
            self.lines[worker].append({**about, "message": "task", "task": AI_ANSWER, "outcome": "done",
                                       "bot": "greedy", "answer": "answered"})

    def write(self, folder: Path, ending: str = "log") -> None:
        for program, lines in self.lines.items():
            (folder / f"{program}.{ending}").write_text("".join(json.dumps(line) + "\n" for line in lines))


def agrees(record: Json, logs: Path) -> list[bool]:
    """Whether each of the logs agrees with the record."""
    return [is_right for _, is_right, _ in Account(record).agrees(logs)]


@pytest.mark.rule("BASE-42", "CG-30")
@pytest.mark.parametrize(("name", "scored"), [("usa", "tracks"), ("old_west", "tracks"), ("card_game", "tickets")])
def test_a_true_sheet_adds_up(name: str, scored: str) -> None:
    record = record_of(play(rules_for(name, 3), SEED), SEED)
    _, adds_up, figures = Account(record).adds_up(record["commits"][-1]["events"][0]["sheet"])
    assert adds_up
    assert f" for {scored} of seat 0" in figures


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
    assert not Account(record).adds_up(sheet)[1]


def test_no_sheet_does_not_add_up(record: Json) -> None:
    assert not Account(record).adds_up(None)[1]


def test_logs_agree_that_hold_every_answer(record: Json, tmp_path: Path) -> None:
    Logs(record).write(tmp_path)
    assert Account(record).answers == len(record["commits"]) - 2
    assert agrees(record, tmp_path) == RIGHT


def test_games_of_others_at_the_same_time_do_not_make_the_proof_say_no(record: Json, tmp_path: Path) -> None:
    logs = Logs(record)
    for version in range(2, 90):
        logs.answer("another", version, "bots")
    logs.write(tmp_path)
    assert agrees(record, tmp_path) == RIGHT


@pytest.mark.parametrize(("program", "expected"), [("rules", [False, True, True]), ("gateway", [True, False, True]),
                                                   ("bots", [True, True, False]), ("game_state", [False] * 3)])
def test_an_answer_that_went_another_way_is_noticed_among_those_of_others(
    record: Json, tmp_path: Path, program: str, expected: list[bool]
) -> None:
    logs = Logs(record)
    del logs.lines[program][0]
    logs.answer("another", record["commits"][1]["version"], "bots")
    logs.write(tmp_path)
    assert agrees(record, tmp_path) == expected


def test_a_refused_decision_is_none(record: Json, tmp_path: Path) -> None:
    logs = Logs(record)
    logs.lines["rules"][3]["status"] = 422
    logs.write(tmp_path)
    assert agrees(record, tmp_path) == [False, True, True]


def test_logs_that_were_rotated_or_are_being_written_are_read(record: Json, tmp_path: Path) -> None:
    logs = Logs(record)
    logs.write(tmp_path, "log.1")
    for program in logs.lines:
        (tmp_path / f"{program}.log").write_text(f'{{"game": "{record["game"]}", "message": "/dec')
    assert agrees(record, tmp_path) == RIGHT


def test_last_lines_are_waited_for(record: Json, tmp_path: Path) -> None:
    logs = Logs(record)
    logs.write(tmp_path)
    (tmp_path / "rules.log").write_text("")
    late = threading.Timer(0.1, logs.write, [tmp_path])
    late.start()
    assert agrees(record, tmp_path) == RIGHT
    late.join()


@pytest.mark.rule("BASE-44")
def test_what_was_answered_for_a_seat_is_no_bots(record: Json, tmp_path: Path) -> None:
    forced = copy.deepcopy(record)
    forced["commits"][5]["forced"] = forced["commits"][6]["forced"] = True
    Logs(forced).write(tmp_path)
    assert agrees(forced, tmp_path) == RIGHT
    assert agrees(record, tmp_path) == [True, False, False]


def test_answers_of_the_fallback_are_told_with_what_went_wrong(record: Json, tmp_path: Path) -> None:
    """A bot that always failed showed in nothing but a counter."""
    logs = Logs(record)
    logs.answer("another", 90, "bots")
    first, second, third, *_, other = logs.lines["bots"]
    failed = {"message": "a bot failed", "bot": "greedy", "error": "KeyError: 'stack'"}
    refused = {"message": "the move of a bot was refused", "bot": "greedy", "error": "against BASE-24"}
    for line, why in ((first, failed), (second, refused), (other, failed)):
        line["answer"] = "fallback"
        logs.lines["bots"].append({**why, "game": line["game"], "request_id": line["request_id"]})
    third["task"] = AI_ANSWER_FALLBACK  # its own bot was not there in time
    logs.lines["bots"].append({**third, "answer": "late"})
    logs.write(tmp_path)
    assert Account(record).fallbacks(tmp_path) == (
        3, {"greedy: KeyError: 'stack'": 1, "greedy: against BASE-24": 1}
    )  # fmt: skip
    assert agrees(record, tmp_path) == RIGHT


def test_without_failures_there_are_no_fallbacks(record: Json, tmp_path: Path) -> None:
    Logs(record).write(tmp_path)
    assert Account(record).fallbacks(tmp_path) == (0, {})
