"""What a caller is told of the scores: openly scored points, then the sheet."""

from __future__ import annotations

import pytest

from services.scoring import handlers
from shared.kernel import running_score, score
from shared.web import Problem
from tests.kernel_games import Game
from tests.service.scoring.conftest import SEED, Scoring
from tests.service.scoring.fakes import Served


@pytest.mark.rule("VIEW-2")
def test_the_running_score_holds_what_was_scored_openly_and_no_ticket(
    scoring: Scoring, half: Served, played: Game, name: str
) -> None:
    told = scoring.scores(name)
    assert (told["game"], told["status"], told["version"], told["sheet"]) == (name, "running", half.head, None)
    expected = running_score(played.rules, played.states[half.head - 1]).plain()["seats"]
    assert [seat["total"] for seat in told["seats"]] == [seat["total"] for seat in expected]
    assert {line["reason"] for seat in told["seats"] for line in seat["lines"]} == {"track"}
    assert told["seats"][1]["name"] == "Seat 1"
    assert all(sum(seat["by_reason"].values()) == seat["total"] for seat in told["seats"])


def test_a_request_catches_up_with_the_game_it_is_about(scoring: Scoring, half: Served, name: str) -> None:
    handlers.acknowledge(scoring.adapters, name)
    half.head += 5
    assert scoring.scores(name)["version"] == half.head
    scoring.neighbour.asked.clear()
    assert scoring.scores(name)["version"] == half.head
    assert scoring.neighbour.asked == [f"/games/{name}"]


def test_before_the_start_nobody_has_scored(scoring: Scoring, half: Served, name: str) -> None:
    half.head = 0
    told = scoring.scores(name)
    assert (told["status"], told["version"]) == ("running", 0)
    assert [seat["total"] for seat in told["seats"]] == [0, 0, 0]


@pytest.mark.rule("BASE-40")
def test_over_but_not_recorded_is_pending_and_recorded_is_final_with_evidence(
    scoring: Scoring, played: Game, name: str
) -> None:
    scoring.neighbour.serve(name, played, SEED, len(played.commits))
    pending = scoring.scores(name)
    assert (pending["status"], pending["sheet"]) == ("pending", None)
    assert {line["reason"] for seat in pending["seats"] for line in seat["lines"]} == {"track"}
    handlers.record_result(scoring.adapters, name)
    final, sheet = scoring.scores(name), score(played.rules, played.end).plain()
    assert (final["status"], final["sheet"]["winners"]) == ("final", sheet["winners"])
    assert [seat["total"] for seat in final["seats"]] == [seat["total"] for seat in sheet["seats"]]
    tickets = [line for seat in final["seats"] for line in seat["lines"] if line["reason"] == "ticket"]
    assert tickets and all(line["evidence"]["ticket"] for line in tickets)


def test_the_caller_is_passed_on_and_what_game_state_refuses_is_refused(
    scoring: Scoring, half: Served, name: str
) -> None:
    scoring.call(f"/scores/{name}", caller="seat:g:1:3")
    assert scoring.neighbour.callers[0] == "seat:g:1:3" and "seat:g:1:3" not in scoring.neighbour.callers[1:]
    assert scoring.call("/scores/nothing").json["code"] == "game_not_found"
    scoring.neighbour.failing = Problem(401, "token_revoked")
    assert scoring.call(f"/scores/{name}").status_code == 401


def test_without_game_state_there_is_an_answer_that_says_when_to_come_back(
    scoring: Scoring, half: Served, name: str
) -> None:
    scoring.neighbour.failing = Problem(503, "store_unavailable", retry_after=1)
    answer = scoring.call(f"/scores/{name}")
    assert answer.status_code == 503 and answer.headers["Retry-After"] == "1"


@pytest.mark.parametrize(("service", "status"), [("gateway", 200), ("game_state", 403), (None, 401)])
def test_who_may_ask(scoring: Scoring, half: Served, name: str, service: str | None, status: int) -> None:
    assert scoring.call(f"/scores/{name}", service=service).status_code == status
