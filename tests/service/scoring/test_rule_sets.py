"""The score of every rule set: right at every step of a game, and in the end with the evidence for each point."""

from __future__ import annotations

from collections import Counter
from itertools import count
from typing import Any

import pytest

from services.scoring import handlers
from shared.catalog import rules_for, rulesets
from shared.kernel import events_to_plain, running_score
from tests.kernel_games import Game, play
from tests.service.scoring.conftest import SEED, Scoring

STEP = 5
OPENLY = {"claim": "track", "merchandise": "token", "alvin": "capture", "on_the_track": "ticket"}  # by mechanic
Json = dict[str, Any]


@pytest.fixture(scope="module", params=rulesets())
def game(request: pytest.FixtureRequest) -> Game:
    """A whole game of one rule set between four, the first in which everything scored that can."""
    rules = rules_for(request.param, 4)
    games = (play(rules, seed) for seed in count(1))
    every = {reason for mechanic, reason in OPENLY.items() if mechanic in rules.by_name}
    return next(game for game in games if openly_scored(game) == every)


def openly_scored(game: Game) -> set[str]:
    """What has brought points in play."""
    return {line.reason for lines in running_score(game.rules, game.end).lines for line in lines}


@pytest.fixture
def final(scoring: Scoring, game: Game, name: str) -> Json:
    """The scores of the finished game."""
    scoring.neighbour.serve(name, game, SEED, len(game.commits))
    handlers.record_result(scoring.adapters, name)
    return scoring.scores(name)


def events_of(game: Game, name: str) -> list[Json]:
    """The events of one kind in order."""
    plain = [event for commit in game.commits for event in events_to_plain(game.rules, commit.events)]
    return [event for event in plain if event["event"] == name]


def lines_of(scores: Json, reason: str) -> list[tuple[int, Json]]:
    """The lines of one reason, with their seats."""
    return [(seat["seat"], line) for seat in scores["seats"] for line in seat["lines"] if line["reason"] == reason]


@pytest.mark.rule("VIEW-2")
def test_the_running_score_is_what_the_position_says_at_every_step(scoring: Scoring, game: Game, name: str) -> None:
    served = scoring.neighbour.serve(name, game, SEED, 1)
    for served.head in (*range(1, len(game.commits), STEP), len(game.commits) - 1):
        told = scoring.scores(name)
        assert (told["status"], told["version"]) == ("running", served.head)
        assert [seat["total"] for seat in told["seats"]] == game.states[served.head - 1].points
        assert all(sum(seat["by_reason"].values()) == seat["total"] for seat in told["seats"])
    assert any(game.states[served.head - 1].points)


@pytest.mark.rule("BASE-42")
def test_every_point_of_the_final_sheet_has_its_line_rule_and_evidence(final: Json) -> None:
    assert final["status"] == "final"
    for seat in final["seats"]:
        assert sum(line["points"] for line in seat["lines"]) == seat["total"] == sum(seat["by_reason"].values())
        assert all(line["rule"] and line["evidence"] for line in seat["lines"])


@pytest.mark.rule("MK-16")
def test_tokens_are_listed_by_city(game: Game, final: Json) -> None:
    told = Counter((seat, line["evidence"]["city"], line["points"]) for seat, line in lines_of(final, "token"))
    fetched = Counter(
        (event["seat"], city, value) for event in events_of(game, "PassengerMoved")
        for city, value in event["tokens"].items()
    )  # fmt: skip
    assert told == fetched
    assert bool(fetched) == ("merchandise" in game.rules.by_name)


@pytest.mark.rule("OW-9")
def test_tracks_name_their_claimer_and_the_marker_that_scored_them(game: Game, final: Json) -> None:
    if "city_markers" not in game.rules.by_name:
        assert all("marker" not in line["evidence"] for _, line in lines_of(final, "track"))
        return
    claimers = {event["track"]: event["seat"] for event in events_of(game, "TrackClaimed")}
    told = Counter(
        (seat, line["evidence"]["track"], line["evidence"]["claimed_by"], line["evidence"].get("marker"),
         line["points"]) for seat, line in lines_of(final, "track")
    )  # fmt: skip
    assert told == Counter(
        (event["seat"], event["track"], claimers[event["track"]], event["marker"], event["points"])
        for event in events_of(game, "TrackScored")
    )
    assert {event["points"] for event in events_of(game, "TrackClaimed")} == {0}
    assert any(seat != claimer for seat, _, claimer, _, _ in told), "a marker scored what another seat built"


@pytest.mark.rule("OW-10")
def test_each_capture_of_alvin_has_its_city(game: Game, final: Json) -> None:
    captured = [event["seat"] for event in events_of(game, "AlvinCaptured")]
    lines = lines_of(final, "capture")
    assert Counter(captured) == Counter(seat for seat, _ in lines)
    assert all((line["points"], line["rule"]) == (10, "OW-10") and line["evidence"]["city"] for _, line in lines)
    assert [seat for seat, _ in lines_of(final, "alvin")] == captured[-1:]


@pytest.mark.rule("CG-24")
def test_completed_tickets_say_which_cards_paid_for_them(game: Game, final: Json) -> None:
    paid = {
        (event["seat"], ticket): cards for event in events_of(game, "TicketsCompleted")
        for ticket, cards in event["payments"].items()
    }  # fmt: skip
    told = {
        (seat, line["evidence"]["ticket"]): line["evidence"]["cards"] for seat, line in lines_of(final, "ticket")
        if "cards" in line["evidence"]
    }  # fmt: skip
    assert told == paid
    assert bool(paid) == ("on_the_track" in game.rules.by_name)
