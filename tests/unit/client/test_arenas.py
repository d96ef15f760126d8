"""Arenas from the client and the command line: created, followed to the end, read back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from flask import Response

from services.ai.arenas.specification import Specification
from services.ai.arenas.tally import Tally
from shared.client import Client, Unreachable, __main__, local_stack
from shared.client.__main__ import main
from shared.web import Problem
from tests.unit.client.conftest import Script

Json = dict[str, Any]
ASKED = {"ruleset": "usa", "entrants": [{"bot": "greedy"}, {"bot": "random"}], "games": 3, "options": {},
         "records": False, "parameters": {}}  # fmt: skip


def shown(status: str, done: int) -> Json:
    """An arena as the API shows it, after so many games that greedy has won."""
    specification = Specification.checked(ASKED, seed=5)
    tally = Tally.empty(2, 2)
    for game in range(done):
        seats = [{"entrant": entrant, "rank": entrant + 1, "points": 90 - 50 * entrant, "reasons": {"track": 90},
                  "tickets": {"boston-miami": entrant == 0}, "decisions": 9, "ms": 9.0, "speeds": {0: 9},
                  "failures": {"illegal": entrant}} for entrant in (0, 1)]  # fmt: skip
        tally.add({"game": game, "seats": seats, "tracks": ["atlanta-miami-blue"], "decisions": 18, "turns": 12})
    head = {"arena": "a1", "status": status, "created": "2026-11-29T21:40:00.123Z", "done": done}
    return head | specification.shown(tally)


@pytest.fixture
def run(url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Runs a command as a platform."""
    monkeypatch.setattr(local_stack, "VAR", tmp_path)
    monkeypatch.setattr(__main__, "LOOK_SECONDS", 0.01)

    def run_command(*words: str) -> Result:
        return CliRunner().invoke(main, list(words), env={"WHISTLESTOP_URL": url, "WHISTLESTOP_TOKEN": "pk_acme"})

    return run_command


def test_arena_creates_one_and_follows_it_to_its_end(script: Script, run: Any) -> None:
    script.replies = [(shown("running", 0), 201), shown("running", 1), shown("running", 2), shown("over", 3)]
    done = run("arena", "usa", "--bot", "greedy", "--bot", "random", "--games", "3", "--seed", "5",
               "--option", "first_player=1")  # fmt: skip
    assert done.exit_code == 0, done.output
    assert script.requests[0][2] == {"ruleset": "usa", "entrants": [{"bot": "greedy"}, {"bot": "random"}], "games": 3,
                                     "options": {"first_player": 1}, "records": False, "seed": 5}
    assert script.requests[0][3]["Idempotency-Key"]
    assert script.paths == ["POST /arenas", *["GET /arenas/a1"] * 3]
    assert "arena a1" in done.output and "3 of 3 games, seed 5" in done.output
    assert "0 greedy" in done.output and "1 random failed: 3 decisions, illegal" in done.output


def test_boards_and_parameters_come_from_files_and_records_go_to_one(
    script: Script, run: Any, tmp_path: Path
) -> None:
    for name, content in (("board", {"id": "mine"}), ("parameters", {"claim": {"trains": 9}})):
        (tmp_path / name).write_text(json.dumps(content))
    lines = [{"number": 0, "commits": []}, {"number": 1, "commits": []}]
    script.replies = [(shown("over", 3), 201), Response("".join(json.dumps(line) + "\n" for line in lines))]
    done = run("arena", "usa", "--bot", "greedy", "--bot", "random", "--board", str(tmp_path / "board"),
               "--parameters", str(tmp_path / "parameters"), "--records", str(tmp_path / "records"))  # fmt: skip
    assert done.exit_code == 0, done.output
    body = script.requests[0][2]
    assert (body["board"], body["parameters"], body["records"]) == ({"id": "mine"}, {"claim": {"trains": 9}}, True)
    assert [json.loads(line) for line in (tmp_path / "records").read_text().splitlines()] == lines
    (tmp_path / "board").write_text("{")
    wrong = run("arena", "usa", "--bot", "greedy", "--bot", "random", "--board", str(tmp_path / "board"))
    assert wrong.exit_code == 2 and "is not JSON" in wrong.output


def test_follow_cancel_and_list(script: Script, run: Any) -> None:
    script.replies = [shown("running", 1), shown("cancelled", 2)]
    assert "2 of 3 games" in run("follow", "a1").output
    script.replies = [shown("cancelled", 1)]
    assert "1 of 3 games" in run("cancel", "a1").output and script.paths[-1] == "DELETE /arenas/a1"
    pages = [{"arenas": [shown("running", number)], "next": "c" if number == 0 else None} for number in (0, 1)]
    script.replies = pages.copy()
    listed = run("arenas").output.splitlines()
    assert listed == [f"a1  running    usa@1, {number} of 3 games: greedy, random" for number in (0, 1)]
    assert script.paths[-2:] == ["GET /arenas", "GET /arenas?cursor=c"]


def test_a_refusal_points_at_what_is_wrong(script: Script, run: Any) -> None:
    fault = {"pointer": "/board/tracks/4/length", "code": "no_points", "detail": "Only tracks of a length up to 6."}
    script.replies = [Problem(422, "invalid_request", "This arena cannot be played.", errors=[fault])]
    done = run("arena", "usa", "--bot", "greedy", "--bot", "random")
    assert done.exit_code == 1 and "/board/tracks/4/length: Only tracks of a length up to 6." in done.output


def test_records_that_break_off_are_taken_up_after_the_last_one(script: Script, client: Client) -> None:
    script.replies = [Response(json.dumps({"number": 0}) + "\n" + '{"numb'), Response(json.dumps({"number": 1}) + "\n")]
    assert [record["number"] for record in client.arena_records("a1")] == [0, 1]
    assert script.paths == ["GET /arenas/a1/records", "GET /arenas/a1/records?after=0"]
    script.replies = [Response('{"numb')]
    with pytest.raises(Unreachable, match="broke off"):
        list(Client(client.base_url, "pk_x", patience=0.3).arena_records("a1"))
