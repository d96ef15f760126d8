"""City markers of Old West: placing them, and who scores a claim (OW-3, OW-8, OW-9)."""

from __future__ import annotations

import pytest

from shared.kernel import FastChance, Rules, State, default_move, print_move, running_score, view_for
from tests.unit.kernel.play import (
    answer,
    decision_of,
    listed_moves,
    names,
    old_west,
    position,
    refusal,
    shown,
)

DENVER = "cheyenne-denver-purple"  # length 1
FOUR = "salt_lake_city-st_george-red"  # length 4, the rulebook's example
TO_ST_GEORGE = "las_vegas-st_george-blue"
AGAIN_TO_ST_GEORGE = "grand_junction-st_george-white"
CLAIM = f"ClaimTrack {DENVER} P1"


def west(rules: Rules, text: str) -> State:
    """A position with a full display."""
    return position(rules, text if "display=" in text else f"{text} display=GGYYK")


def asked(text: str = "") -> tuple[Rules, State]:
    """Seat 0 has just claimed Cheyenne to Denver from Denver and is asked for a marker."""
    rules = old_west(2)
    given = {word.split("=")[0] for word in text.split()}
    defaults = {"starts": "denver/boise", "hands": "P3R2L2/-", "tracks": f"{DENVER}/-"}
    line = " ".join([text, *[f"{name}={value}" for name, value in defaults.items() if name not in given]])
    return rules, west(rules, f"{line} last_claim={DENVER} ask=marker")


@pytest.mark.rule("OW-8")
@pytest.mark.parametrize("payment", ["P2", "R2", "P1L1", "R1L1", "L2"])
def test_o03_a_marker_costs_two_cards_of_one_colour_locomotives_included(payment: str) -> None:
    rules, state = asked()
    events = answer(rules, state, f"PlaceMarker cheyenne {payment}")
    assert names(events) == ["MarkerPlaced", "TurnEnded", "TurnStarted"]
    assert shown(rules, state, "markers") == "cheyenne/-"
    assert shown(rules, state, "discard") == payment
    assert decision_of(state).seat == 1


@pytest.mark.rule("OW-8")
@pytest.mark.parametrize(
    ("payment", "code", "data"),
    [
        ("P1R1", "mixed_colours", {"colours": ["purple", "red"]}),
        ("P1", "wrong_payment_size", {"needed": 2, "came": 1}),
        ("L1", "wrong_payment_size", {"needed": 2, "came": 1}),
        ("P3", "wrong_payment_size", {"needed": 2, "came": 3}),
        ("P2L1", "wrong_payment_size", {"needed": 2, "came": 3}),
        ("B2", "cards_not_held", {"card": "blue", "needed": 2, "held": 0}),
        ("B1L1", "cards_not_held", {"card": "blue", "needed": 1, "held": 0}),
    ],
)
def test_o03_another_payment_is_refused(payment: str, code: str, data: dict) -> None:
    rules, state = asked()
    assert refusal(rules, state, f"PlaceMarker cheyenne {payment}") == (code, "OW-8", data)


@pytest.mark.rule("OW-8")
@pytest.mark.parametrize(
    ("hand", "listed"),
    [
        ("P3R2L2", ["P2", "R2", "L2"]),
        ("P1R1L1", ["P1L1", "R1L1"]),
        ("P1R1", []),
        ("P1L2", ["P1L1", "L2"]),
        ("L1", []),
        ("-", []),
    ],
)
def test_the_list_has_the_fewest_locomotives_by_colour_and_locomotives_alone(hand: str, listed: list[str]) -> None:
    rules, state = asked(f"hands={hand}/-")
    assert listed_moves(rules, state) == ["Decline", *[f"PlaceMarker cheyenne {payment}" for payment in listed]]


@pytest.mark.rule("OW-8")
def test_o03_on_either_end_of_the_track_and_nowhere_else() -> None:
    rules = old_west(2)
    tracks = "denver-pueblo-orange,durango-pueblo-red"
    text = f"starts=denver/boise hands=P2/- tracks={tracks}/- ask=marker last_claim="
    state = west(rules, f"{text}durango-pueblo-red")
    assert listed_moves(rules, state) == ["Decline", "PlaceMarker durango P2", "PlaceMarker pueblo P2"]
    for city in ("denver", "seattle"):
        data = {"city": city, "track": "durango-pueblo-red"}
        assert refusal(rules, state, f"PlaceMarker {city} P2") == ("city_not_on_track", "OW-8", data)
    answer(rules, state, "PlaceMarker pueblo P2")
    assert shown(rules, state, "markers") == "pueblo/-"


@pytest.mark.rule("OW-8")
def test_o03_not_on_a_city_with_a_marker_of_anyone() -> None:
    rules, state = asked()
    expected = ("city_marked", "OW-8", {"city": "denver", "owner": 0})
    assert refusal(rules, state, "PlaceMarker denver P2") == expected
    rules, state = asked("starts=boise/denver tracks=" + DENVER + "/-")
    expected = ("city_marked", "OW-8", {"city": "denver", "owner": 1})
    assert refusal(rules, state, "PlaceMarker denver P2") == expected


@pytest.mark.rule("OW-8")
@pytest.mark.rule("OPT-3")
def test_o03_o10_roswell_is_closed_with_alvin_only() -> None:
    text = "starts=las_cruces/boise hands=G2/- tracks=albuquerque-las_cruces-gray,albuquerque-roswell-red/- ask=marker"
    text += " last_claim=albuquerque-roswell-red"
    rules = old_west(2)
    state = west(rules, f"{text} captures=0:roswell alvin=las_cruces")
    assert refusal(rules, state, "PlaceMarker roswell G2") == ("city_closed", "OW-8", {"city": "roswell"})
    assert listed_moves(rules, state) == ["Decline", "PlaceMarker albuquerque G2"]
    rules = old_west(2, alvin=False)
    state = west(rules, text)
    assert listed_moves(rules, state) == ["Decline", "PlaceMarker albuquerque G2", "PlaceMarker roswell G2"]
    answer(rules, state, "PlaceMarker roswell G2")
    assert shown(rules, state, "markers") == "roswell/-"


@pytest.mark.rule("OW-8")
def test_it_may_be_declined() -> None:
    rules, state = asked()
    before = {name: shown(rules, state, name) for name in ("hands", "markers", "points")}
    assert names(answer(rules, state, "Decline")) == ["TurnEnded", "TurnStarted"]
    assert {name: shown(rules, state, name) for name in before} == before
    assert [(d.seat, d.name) for d in state.decisions] == [(1, "turn")]


@pytest.mark.rule("OW-8")
@pytest.mark.parametrize(
    "move", ["DrawFromDeck", "Pass", "DrawTickets", "ChooseStartingCity cheyenne", "MoveAlvin denver"]
)
def test_nothing_else_answers(move: str) -> None:
    rules, state = asked()
    data = {"decision": "marker", "move": move.split()[0]}
    assert refusal(rules, state, move) == ("marker_due", "OW-8", data)


@pytest.mark.rule("OW-8")
@pytest.mark.parametrize("move", ["PlaceMarker cheyenne P2", "Decline"])
def test_o03_no_marker_without_a_claim(move: str) -> None:
    rules = old_west(2)
    state = west(rules, f"starts=denver/boise hands=P2/- tracks={DENVER}/- last_claim={DENVER}")
    data = {"decision": "turn", "move": move.split()[0]}
    assert refusal(rules, state, move) == ("not_an_action", "BASE-7", data)


@pytest.mark.rule("OW-8")
@pytest.mark.rule("VIEW-12")
@pytest.mark.parametrize("hand", ["P1", "P1R1", "P3L2"])
def test_the_choice_opens_whatever_the_hand_holds(hand: str) -> None:
    rules = old_west(2)
    state = west(rules, f"starts=denver/boise hands={hand}/-")
    assert names(answer(rules, state, CLAIM))[-1] == "DecisionOpened"
    assert [(d.seat, d.name) for d in state.decisions] == [(0, "marker")]
    assert "Decline" in listed_moves(rules, state)


@pytest.mark.rule("OW-8")
def test_it_does_not_open_where_both_ends_are_marked() -> None:
    rules = old_west(2)
    state = west(rules, "starts=denver/cheyenne hands=P4/-")
    assert names(answer(rules, state, CLAIM))[-2:] == ["TurnEnded", "TurnStarted"]


@pytest.mark.rule("OW-8")
@pytest.mark.rule("OPT-3")
def test_it_does_not_open_where_the_only_free_end_is_roswell() -> None:
    text = "starts=las_cruces/boise hands=G4/-"
    rules = old_west(2)
    state = west(rules, text)
    answer(rules, state, "ClaimTrack las_cruces-roswell-green G2")
    assert names(answer(rules, state, "MoveAlvin las_cruces"))[-2:] == ["TurnEnded", "TurnStarted"]
    rules = old_west(2, alvin=False)
    state = west(rules, text)
    answer(rules, state, "ClaimTrack las_cruces-roswell-green G2")
    assert decision_of(state).name == "marker"


@pytest.mark.rule("OW-3")
@pytest.mark.rule("OW-8")
@pytest.mark.parametrize(("markers", "kind"), [("-", "marker"), ("pueblo", "marker"), ("pueblo,santa_fe", "turn")])
def test_o03_three_markers_with_the_starting_one(markers: str, kind: str) -> None:
    rules = old_west(2)
    own = "denver-pueblo-orange,pueblo-santa_fe-black"
    state = west(rules, f"starts=denver/boise markers={markers}/- tracks={own}/- hands=P5/-")
    answer(rules, state, CLAIM)
    assert decision_of(state).name == kind
    assert state.parts[3].left(0) == 2 - len([city for city in markers.split(",") if city != "-"])


@pytest.mark.rule("OW-8")
def test_o03_one_marker_a_claim_and_it_never_moves() -> None:
    rules = old_west(2)
    state = west(rules, "starts=denver/boise hands=P9/- display=RRBBK")
    answer(rules, state, CLAIM)
    answer(rules, state, "PlaceMarker cheyenne P2")
    assert decision_of(state).seat == 1
    assert "PlaceMarker" not in {move.split()[0] for move in listed_moves(rules, state)}


@pytest.mark.rule("OW-8")
@pytest.mark.rule("BASE-20")
@pytest.mark.rule("BASE-21")
@pytest.mark.parametrize(
    ("choice", "begin"),
    [
        ("Decline", ["TurnEnded", "DeckReshuffled", "CardTurnedUp", "TurnStarted"]),
        (
            "PlaceMarker cheyenne P2",
            ["MarkerPlaced", "TurnEnded", "DeckReshuffled", "CardTurnedUp", "CardTurnedUp", "DisplayReset"],
        ),
    ],
)
def test_the_display_is_filled_and_checked_after_the_marker(choice: str, begin: list[str]) -> None:
    """No card is left to draw but those that the claim and then the marker put on the discard pile: with the marker's
    the display is filled and reset, without them neither."""
    rules = old_west(2)
    others = "P9B12O12W12G12Y12K12R12L11"
    state = west(rules, f"starts=denver/boise hands=P3/{others} display=LLL")
    assert names(answer(rules, state, CLAIM)) == ["TrackClaimed", "TrackScored", "DecisionOpened"]
    assert names(answer(rules, state, choice, FastChance(1)))[: len(begin)] == begin


@pytest.mark.rule("OW-8")
@pytest.mark.rule("BASE-44")
def test_p21_by_default_no_marker() -> None:
    rules, state = asked()
    assert print_move(rules, default_move(rules, state, decision_of(state))) == "Decline"


@pytest.mark.rule("VIEW-1")
def test_cards_paid_for_a_marker_are_public() -> None:
    rules, state = asked("known=P3/-")
    events = answer(rules, state, "PlaceMarker cheyenne P2")
    assert shown(rules, state, "known") == "P1/-"
    assert events[0].seen_by(rules, state, 1) is events[0]
    for viewer in (None, 1):
        assert shown(rules, view_for(rules, state, viewer), "markers") == "cheyenne/-"


def scored_by_seat(text: str, seats: int = 2) -> list[int]:
    """What the claim of Salt Lake City to St. George by seat 0 adds to each seat's points."""
    rules = old_west(seats)
    more = "/-" * (seats - 1)
    state = west(rules, f"{text} hands=R4{more}")
    before = state.points[:]
    answer(rules, state, f"ClaimTrack {FOUR} R4")
    return [after - once for after, once in zip(state.points, before, strict=True)]


@pytest.mark.rule("OW-9")
@pytest.mark.rule("OW-9b")
@pytest.mark.parametrize(
    ("text", "seats", "points"),
    [
        # no marker at either end
        (f"starts=las_vegas/boise tracks={TO_ST_GEORGE}/-", 2, [7, 0]),
        # an opponent's marker on one end
        (f"starts=las_vegas/salt_lake_city tracks={TO_ST_GEORGE}/-", 2, [0, 7]),
        # both ends marked by one opponent
        (
            f"starts=las_vegas/salt_lake_city markers=-/st_george tracks={TO_ST_GEORGE}/{AGAIN_TO_ST_GEORGE}",
            2,
            [0, 14],
        ),
        # by two opponents
        (f"starts=las_vegas/salt_lake_city/st_george tracks={TO_ST_GEORGE}/-/-", 3, [0, 7, 7]),
        # one own marker only, as the start or a later one
        ("starts=salt_lake_city/boise", 2, [7, 0]),
        (f"starts=las_vegas/boise markers=st_george/- tracks={TO_ST_GEORGE}/-", 2, [7, 0]),
        # an own one and an opponent's
        ("starts=st_george/salt_lake_city", 2, [7, 7]),
        # both ends own
        (f"starts=salt_lake_city/boise markers=st_george/- tracks={TO_ST_GEORGE}/-", 2, [14, 0]),
    ],
)
def test_check_cases_of_a_track_of_length_four(text: str, seats: int, points: list[int]) -> None:
    assert scored_by_seat(text, seats) == points


@pytest.mark.rule("OW-9")
def test_each_scorer_has_an_event_that_names_the_marker() -> None:
    rules = old_west(3)
    state = west(rules, f"starts=las_vegas/salt_lake_city/st_george tracks={TO_ST_GEORGE}/-/- hands=R4/-/-")
    events = [event.plain(rules, "event") for event in answer(rules, state, f"ClaimTrack {FOUR} R4")]
    assert events[1:3] == [
        {"event": "TrackScored", "seat": 1, "track": FOUR, "marker": "salt_lake_city", "points": 7},
        {"event": "TrackScored", "seat": 2, "track": FOUR, "marker": "st_george", "points": 7},
    ]
    state = west(rules, f"starts=las_vegas/boise/helena tracks={TO_ST_GEORGE}/-/- hands=R4/-/-")
    events = [event.plain(rules, "event") for event in answer(rules, state, f"ClaimTrack {FOUR} R4")]
    assert events[1] == {"event": "TrackScored", "seat": 0, "track": FOUR, "marker": None, "points": 7}


@pytest.mark.rule("OW-9a")
def test_a_marker_placed_in_the_same_turn_changes_nothing_for_that_track() -> None:
    rules = old_west(2)
    state = west(rules, f"starts=las_vegas/salt_lake_city tracks={TO_ST_GEORGE}/- hands=R4B2/-")
    answer(rules, state, f"ClaimTrack {FOUR} R4")
    before = shown(rules, state, "points")
    answer(rules, state, "PlaceMarker st_george B2")
    assert shown(rules, state, "points") == before == "2/7"
    sheet = running_score(rules, state)
    assert sheet.totals == state.points
    assert [line.evidence for line in sheet.lines[1]] == [
        {"track": FOUR, "claimed_by": 0, "marker": "salt_lake_city"}
    ]  # fmt: skip


@pytest.mark.rule("OW-9a")
def test_the_marker_counts_for_the_next_claim() -> None:
    rules = old_west(2)
    state = west(rules, f"starts=las_vegas/boise tracks={TO_ST_GEORGE}/{AGAIN_TO_ST_GEORGE} hands=R4B2/Y2")
    answer(rules, state, f"ClaimTrack {FOUR} R4")
    answer(rules, state, "PlaceMarker st_george B2")
    before = state.points[:]
    answer(rules, state, "ClaimTrack flagstaff-st_george-yellow Y2")
    assert [after - once for after, once in zip(state.points, before, strict=True)] == [2, 0]


@pytest.mark.rule("OW-9")
@pytest.mark.rule("BASE-42")
def test_the_sheet_names_track_claimer_and_marker() -> None:
    rules = old_west(2)
    state = west(rules, f"starts=las_vegas/salt_lake_city markers=-/st_george scored={TO_ST_GEORGE}:las_vegas"
                     f" tracks={TO_ST_GEORGE},{FOUR}/{AGAIN_TO_ST_GEORGE}")  # fmt: skip
    sheet = running_score(rules, state)
    shown_lines = [[(line.points, line.reason, line.rule, line.evidence) for line in own] for own in sheet.lines]
    vegas = {"track": TO_ST_GEORGE, "claimed_by": 0, "marker": "las_vegas"}
    assert shown_lines[0] == [(2, "track", "OW-9", vegas)]
    assert (7, "track", "OW-9", {"track": FOUR, "claimed_by": 0, "marker": "salt_lake_city"}) in shown_lines[1]
    assert (7, "track", "OW-9", {"track": FOUR, "claimed_by": 0, "marker": "st_george"}) in shown_lines[1]
    assert state.points == sheet.totals == [2, 7 + 7 + 7]
