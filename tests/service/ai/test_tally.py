"""The statistics of an arena, against tables computed by hand; in any order and in parts they are the same."""

from __future__ import annotations

import json
from collections import Counter
from itertools import permutations
from typing import Any

import pytest
from openskill.models import PlackettLuce

from services.ai.arenas.tally import Tally, interval, summary

Json = dict[str, Any]


def seat(entrant: int, rank: int, points: int, tickets: Json | None = None, **more: Any) -> Json:
    """What a result says of one seat."""
    plain = {"entrant": entrant, "rank": rank, "points": points, "reasons": {"track": points}, "tickets": tickets or {},
             "decisions": 10, "ms": 20.0, "speeds": {"7": 10}, "failures": {}}  # fmt: skip
    return plain | more


def result(game: int, *seats: Json, tracks: list[str] | None = None, decisions: int = 20, turns: int = 8) -> Json:
    return {"game": game, "seats": list(seats), "tracks": tracks or [], "decisions": decisions, "turns": turns}


RESULTS = [
    result(0, seat(0, 1, 100, {"a-b": True, "c-d": False}), seat(1, 2, 60, {"e-f": False}), tracks=["t1", "t2"]),
    result(1, seat(1, 1, 80), seat(0, 1, 80, {"a-b": False}), tracks=["t1"], decisions=30, turns=12),
    result(2, seat(0, 1, 120, reasons={"track": 90, "longest_path": 10, "ticket": 20}, failures={"illegal": 2}),
           seat(1, 2, 20, ms=60.0, speeds={"14": 10}), decisions=40, turns=16),
    {"game": 3, "abandoned": "endless"},
]  # fmt: skip
SHOWN = (["one", "other"], ["a-b", "c-d", "e-f", "g-h"], ["t1", "t2", "t3"])


def tally_of(results: list[Json]) -> Tally:
    tally = Tally.empty(2, 2)
    for one in results:
        tally.add(one)
    return tally


def test_what_is_shown_is_what_was_played() -> None:
    shown = tally_of(RESULTS).statistics(*SHOWN)
    first, second = shown["entrants"]
    assert (first["games"], first["wins"], second["games"], second["wins"]) == (3, 2.5, 3, 0.5)
    assert first["win_rate"] == pytest.approx(2.5 / 3)
    assert first["points"] == {"mean": 100, "median": 100, "stdev": pytest.approx(20.0), "least": 80, "most": 120}
    assert second["points"] == {"mean": pytest.approx(160 / 3), "median": 60, "stdev": pytest.approx(30.55, abs=0.01),
                                "least": 20, "most": 80}
    assert first["by_reason"] == {"longest_path": pytest.approx(10 / 3), "ticket": pytest.approx(20 / 3), "track": 90}
    assert first["tickets"] == {"completed": pytest.approx(1 / 3), "failed": pytest.approx(2 / 3)}
    assert second["tickets"] == {"completed": 0, "failed": pytest.approx(1 / 3)}
    assert (first["failures"], second["failures"]) == ({"illegal": 2}, {})
    assert (first["decisions"], first["milliseconds"]["mean"]) == (30, 2.0)
    assert first["milliseconds"]["median"] == pytest.approx(1.1**7)
    assert second["milliseconds"] == {"mean": pytest.approx(100 / 30), "median": pytest.approx(1.1**7)}
    assert [(found["games"], found["wins"]) for found in shown["seats"]] == [(3, 2.5), (3, 0.5)]
    assert shown["tickets"] == {"a-b": {"kept": 2, "completed": 1}, "c-d": {"kept": 1, "completed": 0},
                                "e-f": {"kept": 1, "completed": 0}, "g-h": {"kept": 0, "completed": 0}}
    assert shown["tracks"] == {"t1": 2, "t2": 1, "t3": 0} and shown["never_used"] == ["t3"]
    assert shown["length"]["decisions"] == {"mean": 30, "median": 30, "stdev": 10.0, "least": 20, "most": 40}
    assert shown["length"]["turns"] == {"mean": 12, "median": 12, "stdev": 4.0, "least": 8, "most": 16}
    assert shown["games"] == 3 and shown["abandoned"] == {"endless": 1}


@pytest.mark.parametrize(
    ("wins", "games", "low", "high"),
    [(8, 10, 0.4902, 0.9433), (0, 5, 0.0, 0.4345), (5, 5, 0.5655, 1.0), (250, 400, 0.5766, 0.6710),
     (0.5, 1, 0.0546, 0.9454)],
)  # fmt: skip
def test_intervals_are_those_of_wilson(wins: float, games: int, low: float, high: float) -> None:
    assert interval(wins, games) == [pytest.approx(low, abs=5e-5), pytest.approx(high, abs=5e-5)]


def test_a_victory_is_shared_by_all_who_have_it() -> None:
    tally = Tally.empty(3, 3)
    tally.add(result(0, seat(2, 1, 9), seat(0, 1, 9), seat(1, 1, 9)))
    assert [entrant["wins"] for entrant in tally.statistics("xyz", [], [])["entrants"]] == [pytest.approx(1 / 3)] * 3


def test_ratings_are_those_of_the_library_in_the_order_of_the_games() -> None:
    model = PlackettLuce()
    first, second = model.rating(), model.rating()
    for ranks in ([1, 2], [1, 1], [1, 2]):
        [[first], [second]] = model.rate([[first], [second]], ranks=ranks)
    rated = [entrant["rating"] for entrant in tally_of(RESULTS).statistics("xy", [], [])["entrants"]]
    assert rated == [{"mu": pytest.approx(r.mu), "sigma": pytest.approx(r.sigma)} for r in (first, second)]


def test_the_order_of_results_changes_nothing() -> None:
    wanted = tally_of(RESULTS).statistics(*SHOWN)
    for order in permutations(RESULTS):
        assert tally_of(list(order)).statistics(*SHOWN) == wanted


def test_a_game_that_never_comes_holds_no_rating_up() -> None:
    tally = tally_of([RESULTS[0], RESULTS[2]])
    assert len(tally.unrated) == 1
    tally.finish()
    assert not tally.unrated and tally.entrants[0].mu > tally_of(RESULTS[:1]).entrants[0].mu


def test_counting_goes_on_from_what_was_kept() -> None:
    tally = Tally.empty(2, 2)
    for one in (RESULTS[0], RESULTS[3], RESULTS[2], RESULTS[1]):
        tally = Tally.from_plain(json.loads(json.dumps(tally.plain())))
        tally.add(one)
    assert tally.statistics(*SHOWN) == tally_of(RESULTS).statistics(*SHOWN)


def test_without_games_there_is_nothing_to_tell() -> None:
    shown = Tally.empty(2, 2).statistics(*SHOWN)
    assert shown["entrants"][0] == {
        "bot": "one", "games": 0, "wins": 0, "win_rate": None, "interval": None,
        "rating": {"mu": 25.0, "sigma": 25 / 3},
        "points": None, "by_reason": {}, "tickets": None, "decisions": 0, "milliseconds": None, "failures": {},
    }  # fmt: skip
    assert (shown["games"], shown["length"]) == (0, {"decisions": None, "turns": None})


def test_one_value_has_no_deviation() -> None:
    assert summary(Counter({7: 1})) == {"mean": 7, "median": 7, "stdev": None, "least": 7, "most": 7}
