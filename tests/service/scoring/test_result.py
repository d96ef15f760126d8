"""The final result: the kernel's sheet, handed in as often as asked, and never when the recount differs."""

from __future__ import annotations

import json
import logging

import pytest

from services.scoring import handlers
from shared.kernel import score
from shared.web import Problem
from tests.kernel_games import Game
from tests.service.scoring.conftest import SEED, Scoring
from tests.service.scoring.fakes import Served, tampered


@pytest.mark.rule("BASE-39")
@pytest.mark.rule("BASE-43")
def test_the_sheet_handed_in_is_the_kernels(scoring: Scoring, played: Game, name: str) -> None:
    served = scoring.neighbour.serve(name, played, SEED, len(played.commits))
    handlers.record_result(scoring.adapters, name)
    assert served.results == [json.loads(json.dumps(score(played.rules, played.end).plain()))]


def test_handing_it_in_again_hands_in_the_same(scoring: Scoring, played: Game, name: str) -> None:
    served = scoring.neighbour.serve(name, played, SEED, len(played.commits))
    for _ in range(3):
        handlers.record_result(scoring.adapters, name)
    assert len(served.results) == 3 and served.results[0] == served.results[1] == served.results[2]


@pytest.mark.rule("BASE-42")
def test_a_recount_that_differs_is_reported_and_not_recorded(
    scoring: Scoring, played: Game, name: str, caplog: pytest.LogCaptureFixture
) -> None:
    served = scoring.neighbour.serve(name, played, SEED, len(played.commits))
    served.record = tampered(served.record)
    before = scoring.metric("recount_differs")
    with caplog.at_level(logging.ERROR):
        handlers.record_result(scoring.adapters, name)
    assert served.results == [] and scoring.metric("recount_differs") == before + 1
    assert [record.levelname for record in caplog.records if "recount" in record.message] == ["ERROR"]
    assert scoring.scores(name)["status"] == "pending"


def test_before_the_end_there_is_no_result(scoring: Scoring, half: Served, name: str) -> None:
    with pytest.raises(Problem) as refused:
        handlers.record_result(scoring.adapters, name)
    assert refused.value.code == "game_not_over" and half.results == []
