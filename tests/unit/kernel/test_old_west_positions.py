"""Notation, plain form and views of Old West: what they give back, and the positions no game can have."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

from shared.kernel import (
    FastChance,
    Malformed,
    commit_from_plain,
    commit_to_plain,
    determinize,
    parse_position,
    print_position,
    state_from_plain,
    state_to_plain,
    view_for,
)
from tests.unit.kernel.play import listed_moves, old_west, played_log, position, shown

CAPTURED = "starts=albuquerque/boise markers=santa_fe/- tracks=albuquerque-roswell-red,albuquerque-santa_fe-green/-"
BOTH_IN_ROSWELL = "starts=albuquerque/boise tracks=albuquerque-roswell-red/las_cruces-roswell-green"
TRACKS = "albuquerque-flagstaff-orange,albuquerque-phoenix-yellow,albuquerque-santa_fe-green"
MARKED = f"starts=albuquerque/boise tracks={TRACKS}/- last_claim=albuquerque-flagstaff-orange ask=marker markers="
WHOLE = f"{CAPTURED} captures=0:roswell alvin=santa_fe display=RRBBK"


@pytest.mark.parametrize("seats", [2, 6])
@pytest.mark.parametrize("alvin", [True, False])
def test_notation_and_plain_form_give_every_position_of_a_game_back(seats: int, alvin: bool) -> None:
    rules = old_west(seats, alvin=alvin)
    for moves in (0, seats, seats + 1, 2 * seats, 40, 90, 10_000):
        state, _ = played_log(rules, seed=seats, moves=moves)
        for seen in (state, view_for(rules, state, 0), view_for(rules, state, None)):
            text = print_position(rules, seen)
            assert print_position(rules, parse_position(rules, text)) == text
            plain = state_to_plain(rules, seen)
            assert state_to_plain(rules, state_from_plain(rules, copy.deepcopy(plain))) == plain


@pytest.mark.parametrize("alvin", [True, False])
def test_plain_form_gives_every_commit_back(alvin: bool) -> None:
    rules = old_west(3, alvin=alvin)
    _, log = played_log(rules, seed=2)
    seen = set()
    for commit in log:
        plain = commit_to_plain(rules, commit)
        seen |= {event["event"] for event in plain["events"]}
        assert commit_to_plain(rules, commit_from_plain(rules, plain)) == plain
    assert {"StartingCityChosen", "TrackScored", "MarkerPlaced"} <= seen
    assert ({"AlvinCaptured", "AlvinMoved"} <= seen) == alvin


def test_the_plain_form_of_markers_and_alvin() -> None:
    rules = old_west(2)
    plain = state_to_plain(rules, position(rules, f"{WHOLE} scored=albuquerque-santa_fe-green:albuquerque"))
    assert plain["markers"] == {
        "starts": ["albuquerque", "boise"],
        "owners": {"albuquerque": 0, "boise": 1, "santa_fe": 0},
        "scored": {"albuquerque-roswell-red": ["albuquerque"], "albuquerque-santa_fe-green": ["albuquerque"]},
    }
    assert plain["alvin"] == {"city": "santa_fe", "captures": [{"seat": 0, "city": "roswell"}]}


def test_a_track_that_scored_as_the_markers_stand_now_is_left_out_of_the_notation() -> None:
    rules = old_west(2)
    assert shown(rules, position(rules, WHOLE), "scored") == ""
    for scored in ("albuquerque-santa_fe-green:albuquerque", "albuquerque-santa_fe-green:albuquerque+santa_fe"):
        state = position(rules, f"{WHOLE} scored={scored}")
        assert shown(rules, state, "scored") == ("" if "+" in scored else scored)
        assert state.points == [10 + 2 + (2 if "+" in scored else 1), 0]


@pytest.mark.parametrize("viewer", [None, 0, 1])
def test_a_view_hides_nothing_of_markers_and_alvin(viewer: int | None) -> None:
    rules = old_west(2)
    state = position(rules, WHOLE)
    view = view_for(rules, state, viewer)
    for world in (view, determinize(rules, view, FastChance(1))):
        assert [part.plain(rules) for part in world.parts[3:5]] == [part.plain(rules) for part in state.parts[3:5]]


@pytest.mark.parametrize(
    ("text", "pointer"),
    [
        ("starts=denver", "/starts"),
        ("starts=denver/denver", "/starts"),
        ("starts=denver,boise/helena", "/starts"),
        ("starts=denver/atlantis", "/starts"),
        ("starts=denver/boise markers=denver/-", "/markers"),
        ("starts=denver/boise markers=pueblo", "/markers"),
        ("starts=denver/boise markers=pueblo/-", "/markers/owners/pueblo"),  # no own track there
        ("starts=denver/roswell", "/markers/owners/roswell"),
        ("starts=denver/boise tracks=denver-pueblo-orange/- scored=denver-pueblo-orange:pueblo", "/markers/scored"),
        ("starts=denver/boise tracks=denver-pueblo-orange/- scored=denver-pueblo-orange:-", "/markers/scored"),
        ("starts=denver/boise scored=denver-pueblo-orange:denver", "/markers/scored"),
        ("starts=denver/boise scored=denver", "/scored"),
        ("starts=denver/boise scored=denver-pueblo-orange:rome", "/scored"),
        ("", "/decisions"),  # a turn before there are starting cities
        ("starts=denver/boise ask=starting_city", "/decisions"),
        ("starts=-/boise ask=1.1:starting_city", "/decisions"),  # seat 0 is next
        ("starts=denver/- ask=1.0:starting_city", "/decisions"),
        ("starts=denver/boise ask=marker", "/decisions"),  # no claim
        ("starts=denver/pueblo tracks=denver-pueblo-orange/- last_claim=denver-pueblo-orange ask=marker", "/decisions"),
        ("starts=denver/boise tracks=-/denver-pueblo-orange last_claim=denver-pueblo-orange ask=marker", "/decisions"),
        ("starts=denver/boise last_claim=denver-pueblo-orange", "/tracks/last"),
        ("starts=denver/boise alvin=denver", "/alvin/city"),
        ("starts=denver/boise alvin=atlantis", "/alvin"),
        ("starts=denver/boise captures=0:roswell alvin=denver", "/alvin/captures/0"),  # no track to Roswell
        ("starts=denver/boise captures=9:roswell", "/captures"),
        ("starts=denver/boise captures=0:rome", "/captures"),
        (f"{CAPTURED} captures=0:roswell", "/alvin/city"),  # still in Roswell
        (f"{CAPTURED} captures=0:roswell alvin=boise", "/alvin/city"),  # no marker of seat 0
        (f"{CAPTURED} captures=0:albuquerque alvin=santa_fe", "/alvin/captures/0"),  # he starts in Roswell
        (f"{CAPTURED} captures=0:roswell,0:santa_fe alvin=santa_fe", "/alvin/captures/1"),  # his controller
        (f"{WHOLE} ask=alvin_city last_claim=albuquerque-roswell-red", "/alvin/city"),
        (f"{CAPTURED} captures=0:roswell ask=alvin_city last_claim=albuquerque-santa_fe-green", "/alvin/city"),
        (f"{BOTH_IN_ROSWELL} captures=1:roswell ask=alvin_city last_claim=albuquerque-roswell-red", "/alvin/city"),
        ("starts=denver/boise alvin=pueblo", "/alvin/city"),  # nobody has captured him
        ("starts=denver/boise tracks=denver-pueblo-orange/- captures=0:pueblo alvin=denver", "/alvin/captures/0"),
        (f"{MARKED}phoenix,santa_fe/-", "/decisions"),  # seat 0 has no marker left
    ],
)
def test_a_position_that_no_game_can_have_is_malformed(text: str, pointer: str) -> None:
    with pytest.raises(Malformed) as error:
        position(old_west(2), text)
    assert error.value.pointer.startswith(pointer)


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        (f"{CAPTURED} captures=0:roswell last_claim=albuquerque-roswell-red ask=alvin_city", ["MoveAlvin albuquerque"]),
        (f"{MARKED}phoenix/-", ["Decline"]),
    ],
)
def test_a_position_between_a_claim_and_the_next_turn(text: str, moves: list[str]) -> None:
    rules = old_west(2)
    state = position(rules, text)
    assert listed_moves(rules, state)[: len(moves)] == moves
    plain = state_to_plain(rules, state)
    assert state_to_plain(rules, state_from_plain(rules, plain)) == plain


@pytest.mark.rule("OW-3")
def test_a_fourth_marker_is_malformed() -> None:
    tracks = "denver-pueblo-orange,pueblo-santa_fe-black,albuquerque-santa_fe-green"
    text = f"starts=denver/boise tracks={tracks}/- markers="
    assert position(old_west(2), f"{text}pueblo,santa_fe/-")
    with pytest.raises(Malformed, match="OW-3"):
        position(old_west(2), f"{text}pueblo,santa_fe,albuquerque/-")


@pytest.mark.parametrize(
    ("change", "pointer"),
    [
        (lambda plain: plain["markers"].pop("scored"), "/markers/scored"),
        (lambda plain: plain["markers"].update(owners=[]), "/markers/owners"),
        (lambda plain: plain["markers"]["owners"].update(rome=0), "/markers/owners/rome"),
        (lambda plain: plain["markers"]["owners"].update(boise=2), "/markers/owners/boise"),
        (lambda plain: plain["markers"]["owners"].update(boise=0), "/markers/owners/boise"),
        (lambda plain: plain["markers"]["owners"].pop("boise"), "/markers/starts/1"),
        (lambda plain: plain["markers"].update(starts=["albuquerque", None]), "/markers/owners"),
        (lambda plain: plain["markers"].update(starts=["albuquerque"]), "/markers/starts"),
        (lambda plain: plain["markers"].update(starts=["albuquerque", 1]), "/markers/starts/1"),
        (lambda plain: plain["markers"]["scored"].clear(), "/markers/scored"),
        (lambda plain: plain["markers"]["scored"].update({"albuquerque-roswell-red": ["rome"]}), "/markers/scored"),
        (lambda plain: plain["markers"]["scored"].update({"albuquerque-roswell-red": 1}), "/markers/scored"),
        (lambda plain: plain["markers"]["scored"].update({"rome-milan": []}), "/markers/scored/rome-milan"),
        (lambda plain: plain.pop("alvin"), "/alvin"),
        (lambda plain: plain["alvin"].update(city="rome"), "/alvin/city"),
        (lambda plain: plain["alvin"].update(controller=0), "/alvin/controller"),
        (lambda plain: plain["alvin"].update(captures=None), "/alvin/captures"),
        (lambda plain: plain["alvin"]["captures"].append({"seat": 2, "city": "boise"}), "/alvin/captures/1/seat"),
        (lambda plain: plain["alvin"]["captures"].append({"seat": 1, "city": "rome"}), "/alvin/captures/1/city"),
        (lambda plain: plain["alvin"]["captures"].append({"seat": 1}), "/alvin/captures/1/city"),
    ],
)
def test_a_plain_form_that_fits_nothing_is_malformed(change: Callable[[dict[str, Any]], Any], pointer: str) -> None:
    rules = old_west(2)
    plain = state_to_plain(rules, position(rules, WHOLE))
    change(plain)
    with pytest.raises(Malformed) as error:
        state_from_plain(rules, plain)
    assert error.value.pointer.startswith(pointer)


def test_alvin_has_no_part_in_a_game_without_him() -> None:
    rules = old_west(2, alvin=False)
    plain = state_to_plain(rules, position(rules, CAPTURED))
    assert "alvin" not in plain
    with pytest.raises(Malformed) as error:
        state_from_plain(rules, {**plain, "alvin": {"city": "roswell", "captures": []}})
    assert error.value.pointer == "/alvin"
