"""Reading commits: once, twice, at once, from nothing; what is kept is always the latest."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from prometheus_client import REGISTRY

from services.scoring import handlers
from shared.kernel import View, state_to_plain, view_for
from shared.web import Problem
from tests.kernel_games import Game
from tests.service.scoring.conftest import SEED, Scoring
from tests.service.scoring.fakes import Served


def kept_as(scoring: Scoring, name: str, game: Game, version: int) -> bool:
    """Whether the projection kept is what a spectator sees at a version."""
    kept = scoring.adapters.projections.load(name)
    expected = view_for(game.rules, game.states[version - 1], None)
    return kept is not None and state_to_plain(game.rules, kept.position) == state_to_plain(game.rules, expected)


@pytest.mark.rule("VIEW-11")
def test_what_is_kept_is_what_a_spectator_sees(scoring: Scoring, half: Served, played: Game, name: str) -> None:
    for head in (1, 2, half.head, half.head + 1, len(played.commits) - 1):
        half.head = head
        handlers.acknowledge(scoring.adapters, name)
        assert kept_as(scoring, name, played, head)
        assert half.projected[-1] == head


def test_only_what_is_new_is_read_and_nothing_new_is_told_all_the_same(
    scoring: Scoring, half: Served, name: str
) -> None:
    handlers.acknowledge(scoring.adapters, name)
    scoring.neighbour.asked.clear()
    handlers.acknowledge(scoring.adapters, name)
    assert scoring.neighbour.asked == [f"/games/{name}/commits", f"/games/{name}/projected"]
    assert half.projected == [half.head, half.head]


def test_it_is_measured_how_late_new_commits_are_read(scoring: Scoring, half: Served, name: str) -> None:
    before = measured()
    handlers.acknowledge(scoring.adapters, name)
    assert measured() == before + 1
    handlers.acknowledge(scoring.adapters, name)
    assert measured() == before + 1, "nothing was new"


def measured() -> float:
    """Gives how often a lag was measured."""
    return REGISTRY.get_sample_value("whistlestop_projection_lag_seconds_count")


def test_tasks_at_once_leave_the_latest(scoring: Scoring, half: Served, played: Game, name: str) -> None:
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda _: handlers.acknowledge(scoring.adapters, name), range(16)))
    assert kept_as(scoring, name, played, half.head)


def test_a_late_task_does_not_undo_a_later_one(scoring: Scoring, half: Served, name: str) -> None:
    half.head = 30
    early = handlers.project(scoring.adapters, name)
    half.head = 60
    handlers.project(scoring.adapters, name)
    scoring.adapters.projections.save(name, early)
    assert scoring.version_kept(name) == 60


@pytest.mark.parametrize(
    "damage", ["lost", "no JSON", '{"ruleset": "usa@1"}', '{"ruleset": "chess", "seats": 2, "options": {}}']
)
def test_what_is_lost_or_unreadable_is_folded_again_from_the_log(
    scoring: Scoring, half: Served, played: Game, name: str, damage: str
) -> None:
    handlers.acknowledge(scoring.adapters, name)
    [key] = scoring.store.keys(f"sc:*{name}*")
    if damage == "lost":
        scoring.store.delete(key)
    else:
        scoring.store.hset(key, "position", damage)
    handlers.acknowledge(scoring.adapters, name)
    assert kept_as(scoring, name, played, half.head)


def test_every_key_has_the_services_prefix(scoring: Scoring, half: Served, name: str) -> None:
    handlers.acknowledge(scoring.adapters, name)
    assert all(key.startswith("sc:") for key in scoring.store.keys(f"*{name}*"))


@pytest.mark.rule("VIEW-10")
@pytest.mark.parametrize("read_before", [0, 1, 2, 40])
def test_a_finished_game_is_kept_whole_however_far_it_was_read_before(
    scoring: Scoring, played: Game, name: str, read_before: int
) -> None:
    served = scoring.neighbour.serve(name, played, SEED, read_before)
    if read_before:
        handlers.acknowledge(scoring.adapters, name)
    served.head = len(played.commits)
    handlers.acknowledge(scoring.adapters, name)
    kept = scoring.adapters.projections.load(name)
    assert kept is not None and not isinstance(kept.position, View)
    assert state_to_plain(played.rules, kept.position) == state_to_plain(played.rules, played.end)
    handlers.record_result(scoring.adapters, name)
    handlers.acknowledge(scoring.adapters, name)
    assert scoring.version_kept(name) == served.projected[-1] == len(played.commits) + 1


def test_while_game_state_is_away_nothing_is_kept_or_told(scoring: Scoring, half: Served, name: str) -> None:
    scoring.neighbour.failing = Problem(503, "rules_unavailable", retry_after=1)
    with pytest.raises(Problem):
        handlers.acknowledge(scoring.adapters, name)
    assert scoring.version_kept(name) == 0 and half.projected == []
