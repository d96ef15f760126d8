"""Claims in Old West: growing networks, parallel tracks and the ferry (OW-2, OW-6, OW-7, BASE-23 to BASE-30)."""

from __future__ import annotations

import pytest

from shared.kernel import is_legal, parse_move
from tests.unit.kernel.play import (
    answer,
    answers,
    decision_of,
    listed_moves,
    names,
    old_west,
    position,
    refusal,
    shown,
)

STARTS = "starts=denver/boise"
FERRY = "los_angeles-san_francisco-gray"
DOUBLE = ("denver-pueblo-orange", "denver-pueblo-yellow")
ROSWELL = "albuquerque-roswell-red,las_cruces-roswell-green,roswell-santa_fe-yellow"  # all its tracks
TRIPLE = ("eugene-portland-red", "eugene-portland-black", "eugene-portland-purple")


def tracks_listed(moves: list[str]) -> set[str]:
    return {move.split()[1] for move in moves if move.startswith("ClaimTrack")}


@pytest.mark.rule("OW-6")
def test_r16_the_first_track_has_the_starting_city_as_one_end() -> None:
    rules = old_west(2)
    text = f"{STARTS} hands=P1R1O1/R3"
    data = {"track": "ashland-redding-red", "starting_city": "denver"}
    state = position(rules, text)
    assert refusal(rules, state, "ClaimTrack ashland-redding-red R1") == ("not_at_starting_city", "OW-6", data)
    assert tracks_listed(listed_moves(rules, state)) == {"cheyenne-denver-purple", "denver-pueblo-orange"}
    answer(rules, state, "ClaimTrack denver-pueblo-orange O1")
    assert shown(rules, state, "tracks") == "denver-pueblo-orange/-"


@pytest.mark.rule("OW-6")
def test_the_starting_city_of_another_seat_is_no_start() -> None:
    rules = old_west(2)
    state = position(rules, f"{STARTS} hands=R3/-")
    assert refusal(rules, state, "ClaimTrack boise-winnemucca-red R3")[0] == "not_at_starting_city"
    state = position(rules, f"{STARTS} hands=-/R3 turn=1")
    answer(rules, state, "ClaimTrack boise-winnemucca-red R3")


@pytest.mark.rule("OW-6")
@pytest.mark.parametrize(
    "move",
    [
        "cheyenne-denver-purple P1",  # at the starting city
        "durango-pueblo-red R3",  # where the first track ends
        "albuquerque-santa_fe-green G1",  # where the second does
    ],
)
def test_a_later_track_touches_the_starting_city_or_an_own_track(move: str) -> None:
    rules = old_west(2)
    state = position(rules, f"{STARTS} hands=P1R3G1/- tracks=denver-pueblo-orange,pueblo-santa_fe-black/-")
    answer(rules, state, f"ClaimTrack {move}")
    assert move.split()[0] in shown(rules, state, "tracks")


@pytest.mark.rule("OW-6")
@pytest.mark.parametrize(
    "move",
    [
        "grand_junction-st_george-white W4",
        "cheyenne-green_river-red R4",  # only another seat's track leads there
        "durango-flagstaff-purple P4",  # one track further away
    ],
)
def test_a_later_track_elsewhere_is_refused(move: str) -> None:
    rules = old_west(2)
    text = f"{STARTS} hands=P4R4W4/- tracks=denver-pueblo-orange/boise-idaho_falls-blue,cheyenne-denver-black"
    state = position(rules, text)
    track = move.split()[0]
    data = {"track": track, "starting_city": "denver"}
    assert refusal(rules, state, f"ClaimTrack {move}") == ("not_at_own_track", "OW-6", data)


@pytest.mark.rule("OW-6")
def test_markers_of_others_extend_no_network() -> None:
    rules = old_west(2)
    state = position(rules, "starts=denver/boise markers=-/idaho_falls hands=O3/- tracks=-/boise-idaho_falls-blue")
    assert refusal(rules, state, "ClaimTrack green_river-idaho_falls-orange O3")[0] == "not_at_starting_city"


@pytest.mark.rule("OW-6")
def test_every_listed_claim_touches_the_network_and_every_payable_one_is_listed() -> None:
    rules = old_west(2)
    own = "denver-pueblo-orange,pueblo-santa_fe-black"
    state = position(rules, f"{STARTS} hands=P6B6O6W6G6Y6K6R6L6/- tracks={own}/cheyenne-denver-black")
    board = rules.board
    near = {board.city_of[city] for city in ("denver", "pueblo", "santa_fe")}
    expected = {
        name
        for name, ends, owner in zip(board.tracks, board.ends, state.parts[1].owners, strict=True)
        if near & set(ends) and state.parts[1].open[0][board.track_of[name]] and owner < 0
    }
    moves = listed_moves(rules, state)
    assert tracks_listed(moves) == expected
    assert all(is_legal(rules, state, decision_of(state), parse_move(rules, move)) for move in moves)


@pytest.mark.rule("OW-6")
@pytest.mark.rule("BASE-9")
def test_o14_boxed_in_a_seat_may_only_draw() -> None:
    rules = old_west(2, alvin=False)
    state = position(rules, f"starts=roswell/albuquerque hands=R5Y5G5L5/- tracks=-/{ROSWELL} display=RRBBK")
    kinds = {move.split()[0] for move in listed_moves(rules, state)}
    assert kinds == {"DrawFromDeck", "DrawFromDisplay", "DrawTickets"}
    assert refusal(rules, state, "Pass")[:2] == ("pass_not_allowed", "BASE-9")


@pytest.mark.rule("BASE-9")
def test_o14_boxed_in_without_anything_to_draw_a_seat_passes() -> None:
    rules = old_west(2, alvin=False)
    gone = f"tickets=-/{','.join(rules.board.tickets)} hands=R5/P12B12O12W12G12Y12K12R7L14"
    state = position(rules, f"starts=roswell/albuquerque tracks=-/{ROSWELL} {gone}")
    assert listed_moves(rules, state) == ["Pass"]
    answer(rules, state, "Pass")
    assert decision_of(state).seat == 1


@pytest.mark.rule("OW-2")
@pytest.mark.rule("BASE-26")
@pytest.mark.parametrize("seats", [2, 3])
@pytest.mark.parametrize("tracks", [DOUBLE, TRIPLE])
def test_r01_r04_with_two_or_three_seats_one_track_of_a_group_locks_the_others(
    seats: int, tracks: tuple[str, ...]
) -> None:
    rules = old_west(seats)
    one, other, _ = tracks[0].split("-")
    starts, more = f"{one}/{other}" + "/boise" * (seats - 2), "/-" * (seats - 2)
    state = position(rules, f"starts={starts} hands=-/L3{more} turn=1 tracks={tracks[0]}/-{more}")
    for track in tracks[1:]:
        expected = ("track_locked", "BASE-26", {"track": track, "seats": seats})
        assert refusal(rules, state, f"ClaimTrack {track} L1") == expected


@pytest.mark.rule("OW-2")
@pytest.mark.rule("BASE-25")
@pytest.mark.parametrize("seats", [4, 5, 6])
def test_o11_r02_r03_r04_with_four_or_more_each_track_goes_to_another_seat(seats: int) -> None:
    rules = old_west(seats)
    starts = "/".join(["eugene", "portland", "bend", "denver", "phoenix", "fresno"][:seats])
    more = "/-" * (seats - 3)
    state = position(rules, f"starts={starts} hands=L3/L3/L3{more} tracks={TRIPLE[0]}/-/bend-eugene-gray{more}")
    owned = {"track": TRIPLE[1], "owned": TRIPLE[0]}
    assert refusal(rules, state, f"ClaimTrack {TRIPLE[1]} L1") == ("parallel_track_owned", "BASE-23", owned)
    answers(rules, state, "DrawFromDeck", "DrawFromDeck", f"ClaimTrack {TRIPLE[1]} L1")
    assert shown(rules, state, "tracks").split("/")[1] == TRIPLE[1]
    answers(rules, state, f"ClaimTrack {TRIPLE[2]} L1")
    assert shown(rules, state, "tracks").split("/")[2] == f"{TRIPLE[2]},bend-eugene-gray"


@pytest.mark.rule("OW-7")
@pytest.mark.parametrize("payment", ["R4L3", "R3L4", "K1L6", "L7"])
def test_o12_a_ferry_takes_three_locomotives_or_more(payment: str) -> None:
    rules = old_west(2)
    state = position(rules, "starts=los_angeles/boise hands=R5K5L8/-")
    answer(rules, state, f"ClaimTrack {FERRY} {payment}")
    assert shown(rules, state, "discard") == payment
    assert shown(rules, state, "trains") == "33/40"


@pytest.mark.rule("OW-7")
@pytest.mark.parametrize(("payment", "came"), [("R7", 0), ("R6L1", 1), ("R5L2", 2)])
def test_o12_with_fewer_it_is_refused(payment: str, came: int) -> None:
    rules = old_west(2)
    state = position(rules, "starts=los_angeles/boise hands=R7L3/-")
    expected = ("too_few_locomotives", "OW-7", {"needed": 3, "came": came})
    assert refusal(rules, state, f"ClaimTrack {FERRY} {payment}") == expected


@pytest.mark.rule("OW-7")
def test_o12_the_other_cards_of_a_ferry_are_of_one_colour_and_as_many_as_it_is_long() -> None:
    rules = old_west(2)
    state = position(rules, "starts=san_francisco/boise hands=R4K4L4/-")
    assert refusal(rules, state, f"ClaimTrack {FERRY} R2K2L3")[:2] == ("mixed_colours", "BASE-24")
    data = {"needed": 7, "came": 6}
    assert refusal(rules, state, f"ClaimTrack {FERRY} R3L3") == ("wrong_payment_size", "BASE-24", data)


@pytest.mark.rule("OW-7")
@pytest.mark.parametrize(
    ("hand", "listed"),
    [
        ("R7L3", ["R4L3"]),
        ("R7L2", []),
        ("R3L3", []),
        ("R3L4", ["R3L4"]),
        ("R4K4L3", ["K4L3", "R4L3"]),
        ("L7", ["L7"]),
        ("R1L7", ["R1L6", "L7"]),
        ("L6", []),
    ],
)
def test_o12_the_list_has_the_fewest_locomotives_that_a_ferry_needs(hand: str, listed: list[str]) -> None:
    rules = old_west(2)
    state = position(rules, f"starts=los_angeles/boise hands={hand}/-")
    prefix = f"ClaimTrack {FERRY} "
    assert [move.removeprefix(prefix) for move in listed_moves(rules, state) if move.startswith(prefix)] == listed


@pytest.mark.rule("OW-7")
@pytest.mark.rule("BASE-23")
def test_a_ferry_needs_trains_and_the_network_like_any_track() -> None:
    rules = old_west(2)
    state = position(rules, "starts=los_angeles/boise hands=R7L3/- trains=6/40")
    assert refusal(rules, state, f"ClaimTrack {FERRY} R4L3")[0] == "too_few_trains"
    assert not [move for move in listed_moves(rules, state) if FERRY in move]
    state = position(rules, "starts=denver/boise hands=R7L3/-")
    assert refusal(rules, state, f"ClaimTrack {FERRY} R4L3")[:2] == ("not_at_starting_city", "OW-6")
    assert not [move for move in listed_moves(rules, state) if FERRY in move]


@pytest.mark.rule("BASE-30")
@pytest.mark.parametrize(
    ("track", "start", "payment", "points"),
    [
        ("denver-pueblo-orange", "pueblo", "O1", 1),
        ("casper-cheyenne-white", "cheyenne", "W2", 2),
        ("denver-grand_junction-red", "denver", "R3", 4),
        ("salt_lake_city-st_george-red", "st_george", "R4", 7),
        ("salt_lake_city-winnemucca-yellow", "winnemucca", "Y5", 10),
        ("denver-salt_lake_city-blue", "denver", "B6", 15),
        ("boise-seattle-gray", "seattle", "G7", 18),
        (FERRY, "san_francisco", "P4L3", 18),
    ],
)
def test_r13_r19_points_by_length_up_to_seven(track: str, start: str, payment: str, points: int) -> None:
    rules = old_west(2)
    state = position(rules, f"starts={start}/helena hands=P4O1W2R4Y5B6G7L3/-")
    answer(rules, state, f"ClaimTrack {track} {payment}")
    assert shown(rules, state, "points") == f"{points}/0"


@pytest.mark.rule("BASE-29")
@pytest.mark.rule("OW-9")
def test_r10_a_claim_has_all_its_effects_in_order() -> None:
    rules = old_west(2)
    state = position(rules, "v=8 starts=denver/seattle hands=P4R2/R2 display=RRBBK discard=R1", top="GG")
    events = answer(rules, state, "ClaimTrack cheyenne-denver-purple P1")
    assert [event.plain(rules, "event") for event in events] == [
        {"event": "TrackClaimed", "seat": 0, "track": "cheyenne-denver-purple", "payment": {"purple": 1}, "points": 0},
        {"event": "TrackScored", "seat": 0, "track": "cheyenne-denver-purple", "marker": "denver", "points": 1},
        {"event": "DecisionOpened", "seat": 0, "decision": "marker"},
    ]
    assert {name: shown(rules, state, name) for name in ("v", "hands", "discard", "trains", "points", "ask")} == {
        "v": "9",
        "hands": "P3R2/R2",
        "discard": "P1R1",
        "trains": "39/40",
        "points": "1/0",
        "ask": "9.0:marker",
    }
    assert names(answer(rules, state, "Decline")) == ["TurnEnded", "TurnStarted"]


@pytest.mark.rule("OW-6")
@pytest.mark.rule("BASE-24")
def test_refusals_of_payments_are_those_of_every_board_game() -> None:
    rules = old_west(2)
    state = position(rules, f"{STARTS} hands=O3P3R2L1/-")
    assert refusal(rules, state, "ClaimTrack denver-pueblo-orange P1")[:2] == ("wrong_colour", "BASE-24")
    assert refusal(rules, state, "ClaimTrack denver-grand_junction-red R3")[:2] == ("cards_not_held", "BASE-24")
    assert refusal(rules, state, "ClaimTrack denver-grand_junction-red R2")[:2] == ("wrong_payment_size", "BASE-24")
