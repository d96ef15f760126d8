"""Arenas as the gateway asks for them: what is refused, who sees what, what the games come to."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from services.ai.arenas import slices
from services.ai.arenas.specification import MOST_RECORDED_GAMES
from services.ai.arenas.use_cases import MOST_LIVE
from services.ai.bots import BOTS
from services.ai.failures import FAILURES
from shared.catalog import board
from shared.client.verify import verify
from shared.contracts.arenas import ArenaPageSchema, ArenaRecordSchema, ArenaSchema
from shared.contracts.problems import MOST_ERRORS
from tests.arenas import Arenas, arenas
from tests.service.ai import odd_bots
from tests.service.ai.odd_bots import Odd

__all__ = ["arenas"]

THREE = [{"bot": "random"}] * 3


def faults(response: Any) -> list[tuple[str, str]]:
    """The pointers and codes of a refusal."""
    assert response.status_code == 422, response.json
    return [(error["pointer"], error["code"]) for error in response.json["errors"]]


def test_a_new_arena_says_what_it_will_play_and_has_played_nothing(arenas: Arenas) -> None:
    response = arenas.ask(entrants=[{"bot": "greedy"}, {"bot": "random"}, {"bot": "random"}], seats=2, games=6)
    assert response.status_code == 201
    shown = response.json
    assert ArenaSchema().load(shown)
    assert (shown["status"], shown["ruleset"], shown["seats"], shown["games"], shown["done"]) == (
        "running", "usa@1", 2, 6, 0)
    assert (shown["options"], shown["seed"], shown["records"], shown["round"]) == (
        {"first_player": "random"}, 1, False, 6)
    assert [entrant["bot"] for entrant in shown["entrants"]] == ["greedy", "random", "random"]
    assert shown["statistics"]["games"] == 0 and len(shown["statistics"]["never_used"]) == 100
    assert arenas.show(shown["arena"]) == shown


def test_an_arena_that_is_played_tells_what_its_games_came_to(arenas: Arenas) -> None:
    shown = arenas.play(arenas.create(entrants=[{"bot": "greedy"}, {"bot": "random"}], games=6))
    assert ArenaSchema().load(shown)
    assert (shown["status"], shown["done"], shown["statistics"]["games"]) == ("over", 6, 6)
    greedy, random = shown["statistics"]["entrants"]
    assert (greedy["bot"], random["bot"]) == ("greedy", "random")
    assert greedy["wins"] + random["wins"] == 6 and greedy["rating"]["mu"] > random["rating"]["mu"]
    assert [seat["games"] for seat in shown["statistics"]["seats"]] == [6, 6]


def test_the_same_arena_plays_the_same_games(arenas: Arenas, monkeypatch: pytest.MonkeyPatch) -> None:
    first = arenas.play(arenas.create(entrants=THREE, games=5, seed=9))
    monkeypatch.setattr(slices, "SLICE_SECONDS", 0.0)
    second = arenas.play(arenas.create(entrants=THREE, games=5, seed=9))
    other = arenas.play(arenas.create(entrants=THREE, games=5, seed=8))
    told = [_timeless(shown["statistics"]) for shown in (first, second, other)]
    assert told[0] == told[1] != told[2]


def _timeless(statistics: dict[str, Any]) -> dict[str, Any]:
    return {**statistics, "entrants": [{**entrant, "milliseconds": 0} for entrant in statistics["entrants"]]}


def test_records_are_kept_where_they_are_asked_for(arenas: Arenas) -> None:
    arena = arenas.create(games=24, records=True)
    assert arenas.records(arena) == []
    arenas.play(arena)
    page = arenas.records(arena)
    rest = arenas.records(arena, after=page[-1]["number"])
    assert [record["number"] for record in page + rest] == list(range(24)) and len(page) == 20
    assert arenas.records(arena, after=23) == []
    for record in page[:2]:
        assert ArenaRecordSchema().load(record)
        assert sorted(record["entrants"]) == [0, 1] and all(finding.is_right for finding in verify(record))
    assert arenas.call("GET", f"/arenas/{arenas.create()}/records").json["code"] == "records_not_kept"


def test_a_cancelled_arena_keeps_what_it_has(arenas: Arenas, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slices, "SLICE_SECONDS", 0.0)
    arena = arenas.create(games=1000)
    while not arenas.show(arena)["done"]:
        slices.play_slice(arenas.store)
    cancelled = arenas.call("DELETE", f"/arenas/{arena}")
    assert (cancelled.status_code, cancelled.json["status"]) == (200, "cancelled")
    assert cancelled.json["statistics"]["games"] == cancelled.json["done"] > 0
    assert not slices.play_slice(arenas.store)
    arenas.keeper.tend()
    assert arenas.call("DELETE", f"/arenas/{arena}").json == cancelled.json == arenas.show(arena)


def test_cancelling_what_is_over_changes_nothing(arenas: Arenas) -> None:
    over = arenas.play(arenas.create(games=1))
    assert arenas.call("DELETE", f"/arenas/{over['arena']}").json == over


def test_the_same_key_and_request_give_the_same_arena(arenas: Arenas) -> None:
    first = arenas.ask(idempotency_key="k")
    again = arenas.ask(idempotency_key="k")
    assert (first.status_code, again.status_code, again.json["arena"]) == (201, 200, first.json["arena"])
    conflict = arenas.ask(idempotency_key="k", games=5)
    assert (conflict.status_code, conflict.json["code"]) == (409, "idempotency_conflict")
    assert arenas.ask(idempotency_key="k2").json["arena"] != first.json["arena"]
    assert arenas.ask(idempotency_key="k", owner="somebody").json["arena"] != first.json["arena"]


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ({"ruleset": "asia"}, [("/ruleset", "unknown_ruleset")]),
        ({"ruleset": "usa@7"}, [("/ruleset", "unknown_ruleset")]),
        ({"entrants": [{"bot": "greedy"}, {"bot": "gredy"}, {"bot": "o"}]},
         [("/entrants/1/bot", "unknown_bot"), ("/entrants/2/bot", "unknown_bot")]),
        ({"entrants": [{"bot": "greedy"}]}, [("/entrants", "out_of_range")]),
        ({"entrants": [{"bot": "greedy"}] * 17}, [("/entrants", "out_of_range")]),
        ({"seats": 3}, [("/entrants", "too_few_entrants")]),
        ({"entrants": THREE, "seats": 1}, [("/seats", "not_allowed")]),
        ({"entrants": [{"bot": "random"}] * 6, "seats": 6}, [("/seats", "not_allowed")]),
        ({"games": 0}, [("/games", "out_of_range")]),
        ({"games": 1_000_000}, [("/games", "out_of_range")]),
        ({"games": "many"}, [("/games", "wrong_type")]),
        ({"seed": -1}, [("/seed", "out_of_range")]),
        ({"records": True, "games": MOST_RECORDED_GAMES + 1}, [("/records", "out_of_range")]),
        ({"options": {"alvin": True}}, [("/options/alvin", "not_allowed")]),
        ({"options": {"first_player": 2}}, [("/options/first_player", "not_allowed")]),
        ({"parameters": {"claim": {"trains": 0}}}, [("/parameters/claim/trains", "out_of_range")]),
        ({"parameters": 7}, [("/parameters", "wrong_type")]),
        ({"board": "usa"}, [("/board", "wrong_type")]),
        ({"board": {"id": "x", "name": "X", "cities": [], "tracks": []}},
         [("/board/cities", "out_of_range"), ("/board/tickets", "required")]),
        ({"speed": "high"}, [("/speed", "unknown_field")]),
    ],
    ids=str,
)  # fmt: skip
def test_what_cannot_be_played_is_refused_with_the_place_and_nothing_is_created(
    arenas: Arenas, asked: dict[str, Any], expected: list[tuple[str, str]]
) -> None:
    assert faults(arenas.ask(**asked)) == expected
    assert arenas.call("GET", "/arenas", query_string={"owner": arenas.owner}).json["arenas"] == []
    assert not list(arenas.store.open_arenas())


def test_a_board_that_cannot_be_played_is_refused_with_every_place_and_nothing_is_created(arenas: Arenas) -> None:
    broken = copy.deepcopy(board("usa"))
    broken["tracks"][3]["length"] = 9
    broken["tickets"][2]["cities"][1] = "atlantis"
    assert faults(arenas.ask(board=broken)) == [("/board/tracks/3/length", "no_points"),
                                                ("/board/tickets/2/cities/1", "unknown_city")]
    for track in broken["tracks"]:
        track["length"] = 60
    assert len(faults(arenas.ask(board=broken))) == MOST_ERRORS
    broken["tracks"] = broken["tracks"] * 4
    assert faults(arenas.ask(board=broken)) == [("/board/tracks", "out_of_range")]
    assert not list(arenas.store.open_arenas())


def test_a_board_to_try_is_played_and_shown_with_its_own_tracks_and_tickets(arenas: Arenas) -> None:
    small = copy.deepcopy(board("usa"))
    small["tickets"] = small["tickets"][:10]
    small["tracks"][0]["id"] = "the-new-one"
    parameters = {"claim": {"trains": 12}, "cards": {"locomotive": 20}}
    shown = arenas.play(arenas.create(board=small, parameters=parameters, games=3, records=True))
    assert ArenaSchema().load(shown)
    assert (shown["board"], shown["parameters"]) == (small, parameters)
    assert set(shown["statistics"]["tickets"]) == {ticket["id"] for ticket in small["tickets"]}
    assert set(shown["statistics"]["tracks"]) == {track["id"] for track in small["tracks"]}
    assert shown["statistics"]["games"] == 3 and shown["statistics"]["length"]["turns"]["most"] < 80
    assert len(arenas.records(shown["arena"])) == 3


def test_seats_follow_from_the_entrants_as_far_as_the_rule_set_goes(arenas: Arenas) -> None:
    shown = arenas.ask(ruleset="card_game", entrants=[{"bot": "random"}] * 6).json
    assert (shown["seats"], shown["round"]) == (4, 60)


def test_an_owner_has_only_so_many_running_arenas(arenas: Arenas) -> None:
    made = [arenas.create(idempotency_key=f"k{number}") for number in range(MOST_LIVE)]
    refused = arenas.ask()
    assert (refused.status_code, refused.json["code"]) == (429, "too_many_arenas") and refused.headers["Retry-After"]
    assert arenas.ask(idempotency_key="k0").status_code == 200
    assert arenas.ask(owner=f"{arenas.owner}x").status_code == 201
    arenas.call("DELETE", f"/arenas/{made[2]}")
    assert arenas.ask().status_code == 201
    assert arenas.ask().status_code == 429


@pytest.mark.parametrize(("method", "path"), [("GET", ""), ("DELETE", ""), ("GET", "/records")])
def test_an_arena_is_its_owners_alone(arenas: Arenas, method: str, path: str) -> None:
    arena = arenas.create(records=True)
    theirs = arenas.call(method, f"/arenas/{arena}{path}", owner="stranger")
    nobodys = arenas.call(method, f"/arenas/nothing{path}")
    assert (theirs.status_code, theirs.json["code"]) == (404, "arena_not_found")
    assert theirs.json | {"request_id": 0} == nobodys.json | {"request_id": 0}
    assert arenas.call(method, f"/arenas/{arena}{path}", owner="").status_code == 404
    assert arenas.call(method, f"/arenas/{arena}{path}", service="scoring").status_code == 403
    assert arenas.show(arena)["status"] == "running"
    assert arenas.call(method, f"/arenas/{arena}{path}").status_code == 200


def test_arenas_are_listed_newest_first_page_by_page(arenas: Arenas) -> None:
    made = [arenas.create() for _ in range(3)]

    def page(**query: Any) -> dict[str, Any]:
        answer = arenas.call("GET", "/arenas", query_string={"owner": arenas.owner, "limit": 2} | query)
        assert answer.status_code == 200 and ArenaPageSchema().load(answer.json)
        return answer.json

    first = page()
    rest = page(cursor=first["next"])
    assert {found["arena"] for found in first["arenas"] + rest["arenas"]} == set(made)
    assert rest["next"] is None and page(owner="stranger")["arenas"] == []
    foreign = arenas.call("GET", "/arenas", query_string={"owner": "stranger", "cursor": made[0]})
    assert faults(foreign) == [("?cursor", "invalid")]


def test_a_bot_that_fails_costs_its_arena_nothing_but_its_own_games(
    arenas: Arenas, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(BOTS, "throw", Odd(odd_bots.throw))
    before = FAILURES.labels("throw", "threw")._value.get()
    shown = arenas.play(arenas.create(entrants=[{"bot": "throw"}, {"bot": "greedy"}]))
    odd, greedy = shown["statistics"]["entrants"]
    assert shown["statistics"]["games"] == 4 and set(odd["failures"]) == {"threw"} and greedy["failures"] == {}
    assert FAILURES.labels("throw", "threw")._value.get() == before + odd["failures"]["threw"]


def test_a_bot_that_is_gone_ends_no_arena(arenas: Arenas, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setitem(BOTS, "retired", BOTS["greedy"])
        arena = arenas.create(entrants=[{"bot": "random"}, {"bot": "retired"}])
    shown = arenas.play(arena)
    assert (shown["status"], shown["done"], shown["statistics"]["abandoned"]) == ("over", 4, {"broken": 4})
