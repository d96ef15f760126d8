"""Boards and parameters to try: the catalog's own are right, and what is wrong with others is told at its place."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest

from services.ai.bots import BOTS
from services.ai.play import play
from shared.catalog import Unplayable, board, board_faults, ruleset, rulesets, variant
from shared.contracts.rulesets import NewBoardSchema

Json = dict[str, Any]


def refused(ruleset_id: str, *, board: Json | None = None, parameters: Json | None = None, seats: int = 2) -> list:
    """The places and codes of all that is wrong; empty if it can be played."""
    try:
        variant(ruleset_id, seats, {}, board, parameters)
    except Unplayable as error:
        assert all(fault.detail for fault in error.faults)
        return [(fault.pointer, fault.code) for fault in error.faults]
    return []


def changed(name: str, change: Callable[[Json], object]) -> Json:
    """A copy of a board with something done to it."""
    made = copy.deepcopy(board(name))
    change(made)
    return made


def without(made: Json, *cities: str) -> None:
    """Takes away all tracks to some cities."""
    made["tracks"] = [track for track in made["tracks"] if not set(cities) & set(track["cities"])]


@pytest.mark.parametrize("name", rulesets())
def test_every_board_of_the_catalog_is_right_for_its_rule_set(name: str) -> None:
    source = ruleset(name)
    own = board(source["board"])
    assert board_faults(own, source) == []
    assert NewBoardSchema().load(json.loads(json.dumps(own))) == own
    for seats in range(source["seats"]["min"], source["seats"]["max"] + 1):
        assert variant(name, seats, {}, own).board.tracks == variant(name, seats, {}).board.tracks


def test_a_changed_board_is_played_as_it_is() -> None:
    def shorten(made: Json) -> None:
        made["tracks"][0]["length"] = 6
        made["tickets"] = made["tickets"][:12]

    rules = variant("usa", 2, {}, changed("usa", shorten), {"claim": {"trains": 20}})
    first = rules.board.track_of[board("usa")["tracks"][0]["id"]]
    assert (rules.board.lengths[first], len(rules.board.tickets)) == (6, 12)
    assert play(rules, [BOTS["greedy"]] * 2, 1).over
    assert board("usa")["tracks"][0]["length"] == 2 and ruleset("usa")["mechanics"]["claim"]["trains"] == 45


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda b: without(b, "miami"), [("/board/cities/15", "disconnected"), ("/board/tickets/3", "unreachable"),
                                         ("/board/tickets/18", "unreachable"), ("/board/tickets/21", "unreachable")]),
        (lambda b: b["cities"].append({"id": "honolulu", "name": "Honolulu"}),
         [("/board/cities/36", "disconnected")]),
        (lambda b: b["tracks"][4].update(length=9), [("/board/tracks/4/length", "no_points")]),
        (lambda b: b["tracks"][4].update(colour="pink"), [("/board/tracks/4/colour", "unknown_colour")]),
        (lambda b: b["tracks"][4].update(colour="locomotive"), [("/board/tracks/4/colour", "unknown_colour")]),
        (lambda b: b["tracks"][4].update(locomotives=7), [("/board/tracks/4/locomotives", "out_of_range")]),
        (lambda b: b["tracks"][4].update(cities=["boston", "paris"]),
         [("/board/tracks/4/cities/1", "unknown_city")]),
        (lambda b: b["tracks"][4].update(cities=["boston", "boston"]), [("/board/tracks/4/cities", "same_city")]),
        (lambda b: b["tickets"][3].update(cities=["rome", "boston"]), [("/board/tickets/3/cities/0", "unknown_city")]),
        (lambda b: b["tickets"][3].update(cities=["miami", "miami"]), [("/board/tickets/3/cities", "same_city")]),
        (lambda b: b["tracks"].append(b["tracks"][0]), [("/board/tracks/100/id", "duplicate")]),
        (lambda b: b["tickets"].append(b["tickets"][0]), [("/board/tickets/30/id", "duplicate")]),
        (lambda b: b["cities"].append(b["cities"][0]), [("/board/cities/36/id", "duplicate")]),
        (lambda b: b.update(tracks=[]), [("/board/tracks", "not_allowed")]),
        (lambda b: b.update(tickets=b["tickets"][:5]), [("/board/tickets", "too_few_tickets")]),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_board_is_told_at_its_place(change: Callable, expected: list) -> None:
    assert sorted(refused("usa", board=changed("usa", change))) == sorted(expected)


def test_all_faults_are_told_at_once() -> None:
    def spoil(made: Json) -> None:
        made["tracks"][0].update(length=8, colour="pink")
        made["tickets"][0].update(cities=["rome", "paris"])

    assert len(refused("usa", board=changed("usa", spoil))) == 4


@pytest.mark.parametrize(
    ("name", "change", "expected"),
    [
        ("maerklin", lambda b: b["tickets"][0].update(kind="tiny"), [("/board/tickets/0/kind", "unknown_kind")]),
        ("maerklin", lambda b: b["cities"][1].update(tokens=[4, 5]), [("/board/cities/1/tokens", "not_descending")]),
        ("old_west", lambda b: b["cities"].remove(next(c for c in b["cities"] if c["id"] == "roswell"))
         or without(b, "roswell"), [("/board/cities", "unknown_city")]),
        ("card_game", lambda b: b["tickets"][0].pop("cards"), [("/board/tickets/0/cards", "required")]),
        ("card_game", lambda b: b["tickets"][0].update(cards={"pink": 1}),
         [("/board/tickets/0/cards/pink", "unknown_colour")]),
        ("card_game", lambda b: b["bonus_cards"][2].update(city="rome"),
         [("/board/bonus_cards/2/city", "unknown_city")]),
        ("card_game", lambda b: b["tracks"].append(board("usa")["tracks"][0]), [("/board/tracks", "not_allowed")]),
    ],
)  # fmt: skip
def test_what_only_some_rule_sets_have_is_looked_at_too(name: str, change: Callable, expected: list) -> None:
    assert [fault for fault in refused(name, board=changed(name, change)) if "tickets" not in fault[0]
            or "tickets" in expected[0][0]] == expected


@pytest.mark.rule("MK-17")
def test_a_country_is_reached_but_leads_nowhere() -> None:
    def cut(made: Json) -> None:
        """Leaves one city with nothing but tracks to a country."""
        without(made, "kiel")
        made["tracks"].append({"id": "x", "cities": ["kiel", "daenemark"], "length": 1, "colour": "gray"})

    found = refused("maerklin", board=changed("maerklin", cut))
    kiel = [city["id"] for city in board("maerklin")["cities"]].index("kiel")
    assert (f"/board/cities/{kiel}", "disconnected") in found


@pytest.mark.parametrize(
    ("parameters", "expected"),
    [
        ({"claim": {"trains": 0}}, [("/parameters/claim/trains", "out_of_range")]),
        ({"claim": {"trains": 61}}, [("/parameters/claim/trains", "out_of_range")]),
        ({"claim": {"trains": "many"}}, [("/parameters/claim/trains", "wrong_type")]),
        ({"claim": {"trains": 4.0}}, [("/parameters/claim/trains", "wrong_type")]),
        ({"claim": {"trains": True}}, [("/parameters/claim/trains", "wrong_type")]),
        ({"claim": {"trains": 5}}, [("/parameters", "too_long")]),
        ({"claim": {"to_claimer": 1}}, [("/parameters/claim/to_claimer", "wrong_type")]),
        ({"claim": {"wagons": 45}}, [("/parameters/claim/wagons", "unknown_parameter")]),
        ({"claim": {"points": {"8": 21}}}, [("/parameters/claim/points", "incomplete")]),
        ({"claim": {"points": {"long": 21}}}, [("/parameters/claim/points/long", "unknown_parameter")]),
        ({"claim": 45}, [("/parameters/claim", "wrong_type")]),
        ({"tunnels": {}}, [("/parameters/tunnels", "unknown_parameter")]),
        ({"tickets": {"opening": {"keep": 4}}}, [("/parameters/tickets/opening/keep", "out_of_range")]),
        ({"tickets": {"opening": {"rule": "X-1"}}}, [("/parameters/tickets/opening/rule", "unknown_parameter")]),
        ({"draw_tickets": {"opening": 30}}, [("/parameters/draw_tickets/opening", "out_of_range")]),
        ({"cards": {"pink": 3}}, [("/parameters/cards/pink", "unknown_parameter")]),
        ({"cards": {"red": 400}}, [("/parameters/cards/red", "out_of_range")]),
        ({"train_cards": {"opening_hand": 60}}, [("/parameters", "cannot_be_dealt")]),
        ({"claim": {"trains": -1}, "display": {"size": None}},
         [("/parameters/claim/trains", "out_of_range"), ("/parameters/display/size", "wrong_type")]),
    ],
    ids=str,
)  # fmt: skip
def test_what_is_no_parameter_or_out_of_its_span_is_told(parameters: Json, expected: list) -> None:
    assert refused("usa", parameters=parameters) == expected


@pytest.mark.parametrize(
    "parameters", [{"cards": {"locomotive": 1}}, {"yard": {"opening_locomotives": 9}}], ids=["few", "many"]
)
def test_more_locomotives_given_than_there_are_cannot_be_dealt(parameters: Json) -> None:
    assert refused("card_game", parameters=parameters) == [("/parameters", "cannot_be_dealt")]
    assert refused("card_game", parameters={"cards": {"locomotive": 2}}) == []


@pytest.mark.rule("OW-3")
def test_without_a_marker_for_the_starting_city_nobody_can_start() -> None:
    expected = [("/parameters/city_markers/number", "out_of_range")]
    assert refused("old_west", parameters={"city_markers": {"number": 0}}) == expected
    assert refused("old_west", parameters={"city_markers": {"number": 1}}) == []


def test_points_for_longer_tracks_let_a_board_have_them() -> None:
    long = changed("usa", lambda made: made["tracks"][4].update(length=8))
    assert refused("usa", board=long) == [("/board/tracks/4/length", "no_points")]
    assert refused("usa", board=long, parameters={"claim": {"points": {"7": 18, "8": 21}}}) == []


def test_alvin_may_start_elsewhere() -> None:
    assert variant("old_west", 2, {}, None, {"alvin": {"city": "denver"}}).by_name["alvin"].city >= 0
    assert refused("old_west", parameters={"alvin": {"city": "paris"}}) == [("/parameters", "unknown_city")]


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("usa", {"cards": {"locomotive": 0, "red": 30}, "display": {"size": 3, "reset_at": {"locomotive": 1}}}),
        ("usa", {"draw_tickets": {"opening": 5, "number": 1}, "tickets": {"opening": {"keep": 0}}}),
        ("usa", {"last_round": {"trains": 30}, "parallel_tracks": {"one_of_group_up_to_seats": 0}}),
        ("maerklin", {"passengers": {"number": 0}, "split_tickets": {"number": 2}, "cards": {"passenger": 1}}),
        ("old_west", {"city_markers": {"number": 9}, "alvin": {"end": 0}}),
        ("card_game", {"yard": {"halves": {"2": 2}}, "on_the_track": {"second_hand": 9}}),
    ],
    ids=str,
)
def test_what_is_let_pass_can_be_played(name: str, parameters: Json) -> None:
    rules = variant(name, 2, {}, None, parameters)
    for seed in range(3):
        assert play(rules, [BOTS["greedy"], BOTS["random"]], seed).over
