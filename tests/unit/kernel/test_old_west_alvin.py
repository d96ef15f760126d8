"""Alvin: capturing and moving him, and the game without him (OW-10, OW-10a, OW-11, OPT-3)."""

from __future__ import annotations

from typing import Any

import pytest

from shared.kernel import (
    FastChance,
    Malformed,
    MalformedMove,
    Rules,
    State,
    default_move,
    move_from_plain,
    new_game,
    print_move,
    running_score,
    score,
    state_to_plain,
    view_for,
)
from tests.unit.kernel.play import (
    answer,
    decision_of,
    listed_moves,
    names,
    old_west,
    played_log,
    position,
    refusal,
    shown,
)

TO_ROSWELL = "albuquerque-roswell-red"
CLAIM = f"ClaimTrack {TO_ROSWELL} R2"
#: seat 1 captured Alvin in Roswell and holds him in Santa Fe
HELD = "captures=1:roswell alvin=santa_fe tracks=-/roswell-santa_fe-yellow scored=roswell-santa_fe-yellow:santa_fe"


def west(text: str, seats: int = 2, **options: Any) -> tuple[Rules, State]:
    """A position with a full display."""
    rules = old_west(seats, **options)
    return rules, position(rules, f"{text} display=GGYYK")


def lines(state: State, rules: Rules, reason: str) -> list[tuple[int, int, str, dict]]:
    sheet = score(rules, state) if state.over else running_score(rules, state)
    return [
        (seat, line.points, line.rule, line.evidence)
        for seat, own in enumerate(sheet.lines)
        for line in own
        if line.reason == reason
    ]


@pytest.mark.rule("OW-10")
def test_he_starts_in_roswell_and_nobody_controls_him() -> None:
    state, _ = new_game(old_west(2), FastChance(1))
    assert shown(old_west(2), state, "alvin") == "roswell"
    assert (state.parts[4].captures, state.parts[4].controller) == ([], -1)


@pytest.mark.rule("OW-10")
@pytest.mark.parametrize(
    ("start", "claim"),
    [
        ("albuquerque", CLAIM),
        ("las_cruces", "ClaimTrack las_cruces-roswell-green G2"),
        ("santa_fe", "ClaimTrack roswell-santa_fe-yellow Y3"),
    ],
)
def test_the_first_track_to_roswell_captures_him(start: str, claim: str) -> None:
    rules, state = west(f"starts={start}/boise hands=R2G2Y3/-")
    events = answer(rules, state, claim)
    assert names(events) == ["TrackClaimed", "TrackScored", "AlvinCaptured", "DecisionOpened"]
    assert events[2].plain(rules, "event") == {"event": "AlvinCaptured", "seat": 0, "points": 10}
    assert state.points == [10 + (4 if "santa_fe" in claim else 2), 0]
    assert [(d.seat, d.name) for d in state.decisions] == [(0, "alvin_city")]
    assert shown(rules, state, "alvin") == "roswell"


@pytest.mark.rule("OW-10")
def test_a_track_elsewhere_does_not() -> None:
    rules, state = west("starts=albuquerque/boise hands=G1/-")
    assert "AlvinCaptured" not in names(answer(rules, state, "ClaimTrack albuquerque-santa_fe-green G1"))


@pytest.mark.rule("OW-10")
def test_the_captor_moves_him_to_a_city_with_an_own_marker() -> None:
    text = "starts=albuquerque/boise markers=santa_fe/- tracks=albuquerque-santa_fe-green/- hands=R2/-"
    rules, state = west(text)
    answer(rules, state, CLAIM)
    assert listed_moves(rules, state) == ["MoveAlvin albuquerque", "MoveAlvin santa_fe"]
    for city in ("boise", "roswell", "denver"):
        assert refusal(rules, state, f"MoveAlvin {city}") == ("no_own_marker", "OW-10", {"city": city})
    events = answer(rules, state, "MoveAlvin santa_fe")
    assert events[0].plain(rules, "event") == {"event": "AlvinMoved", "city": "santa_fe"}
    assert shown(rules, state, "alvin") == "santa_fe"
    assert shown(rules, state, "captures") == "0:roswell"


@pytest.mark.rule("OW-10")
@pytest.mark.parametrize("move", ["DrawFromDeck", "Decline", "Pass", "PlaceMarker albuquerque L2"])
def test_nothing_else_answers(move: str) -> None:
    """A captor cannot leave him where he is."""
    rules, state = west("starts=albuquerque/boise hands=R2L2/-")
    answer(rules, state, CLAIM)
    data = {"decision": "alvin_city", "move": move.split()[0]}
    assert refusal(rules, state, move) == ("alvin_due", "OW-10", data)


@pytest.mark.rule("OW-10")
def test_he_is_moved_on_capture_only() -> None:
    rules, state = west("starts=albuquerque/boise hands=R2L2/-")
    data = {"decision": "turn", "move": "MoveAlvin"}
    assert refusal(rules, state, "MoveAlvin albuquerque") == ("not_an_action", "BASE-7", data)


@pytest.mark.rule("OW-10")
@pytest.mark.rule("VIEW-12")
def test_a_single_city_is_asked_for_all_the_same() -> None:
    rules, state = west("starts=albuquerque/boise hands=R2/-")
    answer(rules, state, CLAIM)
    assert listed_moves(rules, state) == ["MoveAlvin albuquerque"]


@pytest.mark.rule("OW-10")
def test_another_seat_that_claims_to_his_city_captures_him() -> None:
    rules, state = west(f"starts=albuquerque/santa_fe hands=P1/- {HELD}")
    assert state.points == [0, 14]
    events = answer(rules, state, "ClaimTrack albuquerque-santa_fe-purple P1")
    assert names(events)[-2:] == ["AlvinCaptured", "DecisionOpened"]
    assert state.points == [1 + 10, 14 + 1]
    answer(rules, state, "MoveAlvin albuquerque")
    assert (shown(rules, state, "alvin"), shown(rules, state, "captures")) == ("albuquerque", "1:roswell,0:santa_fe")
    assert lines(state, rules, "capture") == [
        (0, 10, "OW-10", {"city": "santa_fe"}),
        (1, 10, "OW-10", {"city": "roswell"}),
    ]


@pytest.mark.rule("OW-10")
def test_he_is_captured_back_and_scores_each_time() -> None:
    rules, state = west(f"starts=albuquerque/santa_fe hands=P1/R2 {HELD}")
    answer(rules, state, "ClaimTrack albuquerque-santa_fe-purple P1")
    answer(rules, state, "MoveAlvin albuquerque")
    assert (decision_of(state).seat, state.points) == (1, [11, 15])
    answer(rules, state, CLAIM)
    assert listed_moves(rules, state) == ["MoveAlvin santa_fe"]
    answer(rules, state, "MoveAlvin santa_fe")
    assert state.points == [11 + 2, 15 + 10]
    assert shown(rules, state, "captures") == "1:roswell,0:santa_fe,1:albuquerque"


@pytest.mark.rule("OW-10")
def test_roswell_captures_nobody_once_he_has_left() -> None:
    rules, state = west(f"starts=albuquerque/santa_fe hands=R2/- {HELD}")
    events = answer(rules, state, CLAIM)
    assert "AlvinCaptured" not in names(events)
    assert state.points == [2, 14]


@pytest.mark.rule("OW-10a")
def test_his_controller_gains_nothing_from_claiming_to_his_city() -> None:
    rules, state = west(f"starts=albuquerque/santa_fe turn=1 hands=-/P1 {HELD}")
    events = answer(rules, state, "ClaimTrack albuquerque-santa_fe-purple P1")
    assert "AlvinCaptured" not in names(events)
    assert state.points == [1, 14 + 1]
    assert shown(rules, state, "alvin") == "santa_fe"


@pytest.mark.rule("OW-10a")
def test_o09_points_then_the_capture_then_his_move_then_the_marker() -> None:
    rules, state = west("starts=santa_fe/boise tracks=albuquerque-santa_fe-green/- hands=R2L2/-")
    assert names(answer(rules, state, CLAIM)) == ["TrackClaimed", "TrackScored", "AlvinCaptured", "DecisionOpened"]
    assert names(answer(rules, state, "MoveAlvin santa_fe")) == ["AlvinMoved", "DecisionOpened"]
    assert decision_of(state).name == "marker"
    events = answer(rules, state, "PlaceMarker albuquerque L2")
    assert names(events) == ["MarkerPlaced", "TurnEnded", "TurnStarted"]


@pytest.mark.rule("OW-10a")
def test_o09_he_cannot_move_to_a_marker_of_the_same_turn() -> None:
    """The fresh marker comes after his move, so it is no city for him."""
    rules, state = west("starts=santa_fe/boise tracks=albuquerque-santa_fe-green/- hands=R2L2/-")
    answer(rules, state, CLAIM)
    assert refusal(rules, state, "MoveAlvin albuquerque")[:2] == ("no_own_marker", "OW-10")
    assert refusal(rules, state, "PlaceMarker albuquerque L2")[:2] == ("alvin_due", "OW-10")


@pytest.mark.rule("OW-10a")
def test_the_claim_that_captures_is_scored_by_its_markers_first() -> None:
    """The track's points go to the other seat, the capture to the claimer."""
    rules, state = west("starts=boise/albuquerque tracks=albuquerque-las_cruces-gray/- hands=R2/-")
    before = state.points[:]
    answer(rules, state, CLAIM)
    assert [after - once for after, once in zip(state.points, before, strict=True)] == [10, 2]


@pytest.mark.rule("OW-10")
@pytest.mark.rule("BASE-44")
def test_by_default_the_first_marked_city_of_the_board() -> None:
    text = "starts=santa_fe/boise markers=albuquerque/- tracks=albuquerque-santa_fe-green/- hands=R2/-"
    rules, state = west(text)
    answer(rules, state, CLAIM)
    assert print_move(rules, default_move(rules, state, decision_of(state))) == "MoveAlvin albuquerque"


@pytest.mark.rule("OW-10")
def test_everybody_sees_him() -> None:
    rules, state = west(f"starts=albuquerque/santa_fe {HELD}")
    for viewer in (None, 0, 1):
        view = view_for(rules, state, viewer)
        assert (shown(rules, view, "alvin"), shown(rules, view, "captures")) == ("santa_fe", "1:roswell")


@pytest.mark.rule("OW-11")
@pytest.mark.rule("OW-1")
@pytest.mark.rule("BASE-40")
def test_o13_at_the_end_his_controller_scores_ten_more() -> None:
    rules, state = west(f"starts=albuquerque/santa_fe over=1 {HELD}")
    assert lines(state, rules, "alvin") == [(1, 10, "OW-11", {"city": "santa_fe"})]
    sheet = score(rules, state)
    assert sheet.totals == [0, 14 + 10]


@pytest.mark.rule("OW-11")
def test_o13_the_last_captor_alone() -> None:
    rules, state = west(
        "starts=albuquerque/santa_fe over=1 captures=1:roswell,0:santa_fe alvin=albuquerque"
        " tracks=albuquerque-santa_fe-purple/roswell-santa_fe-yellow"
    )
    assert lines(state, rules, "alvin") == [(0, 10, "OW-11", {"city": "albuquerque"})]
    assert len(lines(state, rules, "capture")) == 2


@pytest.mark.rule("OW-11")
def test_o13_nobody_if_he_was_never_captured() -> None:
    rules, state = west("starts=albuquerque/santa_fe over=1")
    assert lines(state, rules, "alvin") == []


@pytest.mark.rule("OPT-3")
def test_o10_without_him_nothing_is_captured_or_scored() -> None:
    rules, state = west("starts=albuquerque/boise hands=R2/-", alvin=False)
    events = answer(rules, state, CLAIM)
    assert names(events) == ["TrackClaimed", "TrackScored", "DecisionOpened"]
    assert decision_of(state).name == "marker"
    assert "alvin" not in state_to_plain(rules, state)
    assert shown(rules, state, "alvin") == ""
    state, _ = played_log(rules, seed=1)
    assert {line.reason for own in score(rules, state).lines for line in own} <= {"track", "ticket", "globetrotter"}


@pytest.mark.rule("OPT-3")
def test_o10_without_him_roswell_scores_like_any_city() -> None:
    rules, state = west("starts=albuquerque/roswell hands=R2/-", alvin=False)
    answer(rules, state, CLAIM)
    assert state.points == [2, 2]


@pytest.mark.rule("OPT-3")
def test_without_him_there_is_no_move_or_token_of_his() -> None:
    rules = old_west(2, alvin=False)
    with pytest.raises(MalformedMove):
        move_from_plain(rules, {"move": "MoveAlvin", "city": "denver"})
    with pytest.raises(Malformed, match="no such token"):
        position(rules, "starts=albuquerque/boise alvin=roswell")
