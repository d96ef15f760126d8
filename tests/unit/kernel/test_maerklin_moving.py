"""Moving passengers and fetching merchandise (MK-11 to MK-16)."""

from __future__ import annotations

import pytest

from shared.kernel import Malformed, State, parse_move, running_score
from tests.unit.kernel.play import (
    answer,
    answers,
    decision_of,
    listed_moves,
    maerklin,
    names,
    position,
    refusal,
    shown,
)

#: Berlin, Leipzig and Magdeburg in a ring of seat 0; on from Leipzig to Dresden and Chemnitz over tracks of seat 1
OWN = "berlin-leipzig-orange,leipzig-magdeburg-yellow,berlin-magdeburg-red"
OTHERS = "dresden-leipzig-black,chemnitz-dresden-yellow"
BOARD = f"display=RRBWK tracks={OWN}/{OTHERS} passengers=berlin/-"


def move(city: str, path: str, cards: int) -> str:
    return f"MovePassenger {city} {path} {cards}"


def tokens(state: State, seat: int = 0) -> str:
    return shown(maerklin(state.seats), state, "tokens").split("/")[seat]


@pytest.mark.rule("MK-11")
@pytest.mark.rule("BASE-7")
def test_a_move_is_the_turns_action() -> None:
    rules = maerklin()
    state = position(rules, BOARD)
    events = answer(rules, state, move("berlin", "berlin-leipzig-orange", 0))
    assert names(events) == ["PassengerMoved", "TurnEnded", "TurnStarted"]
    assert (decision_of(state).seat, decision_of(state).name) == (1, "turn")
    assert shown(rules, state, "passengers") == ""


@pytest.mark.rule("MK-11")
@pytest.mark.parametrize("passengers", ["-/berlin", "leipzig/-"])
def test_only_an_own_passenger_on_the_board(passengers: str) -> None:
    rules = maerklin()
    state = position(rules, BOARD.replace("berlin/-", passengers))
    refused = refusal(rules, state, move("berlin", "berlin-leipzig-orange", 0))
    assert refused == ("no_own_passenger", "MK-11", {"city": "berlin"})


@pytest.mark.rule("MK-11")
def test_at_least_one_track() -> None:
    rules = maerklin()
    state = position(rules, BOARD)
    assert refusal(rules, state, move("berlin", "-", 0)) == ("path_empty", "MK-11", {"needed": 1, "came": 0})


@pytest.mark.rule("MK-11")
@pytest.mark.parametrize(
    ("path", "track", "city"),
    [
        ("leipzig-magdeburg-yellow", "leipzig-magdeburg-yellow", "berlin"),
        ("berlin-leipzig-orange,berlin-magdeburg-red", "berlin-magdeburg-red", "leipzig"),
        ("berlin-leipzig-orange,leipzig-magdeburg-yellow,dresden-leipzig-black", "dresden-leipzig-black", "magdeburg"),
    ],
)
def test_each_track_starts_where_the_one_before_ended(path: str, track: str, city: str) -> None:
    rules = maerklin()
    state = position(rules, f"hands=N1/- {BOARD}")
    assert refusal(rules, state, move("berlin", path, 0)) == ("path_broken", "MK-11", {"track": track, "city": city})


@pytest.mark.rule("MK-12")
def test_m18_not_over_an_unclaimed_track() -> None:
    rules = maerklin()
    state = position(rules, BOARD)
    refused = refusal(rules, state, move("berlin", "berlin-leipzig-orange,erfurt-leipzig-red", 0))
    assert refused == ("track_unclaimed", "MK-12", {"track": "erfurt-leipzig-red"})


@pytest.mark.rule("MK-12")
def test_m18_not_over_the_closed_lane_of_a_double() -> None:
    rules = maerklin()
    state = position(rules, "tracks=hamburg-kiel-black/- passengers=kiel/- hands=N1/-")
    refused = refusal(rules, state, move("kiel", "hamburg-kiel-purple", 1))
    assert refused == ("track_unclaimed", "MK-12", {"track": "hamburg-kiel-purple"})


@pytest.mark.rule("MK-12")
@pytest.mark.parametrize(("again", "cards"), [("berlin-leipzig-orange", 0), ("dresden-leipzig-black", 2)])
def test_no_track_is_used_twice(again: str, cards: int) -> None:
    rules = maerklin()
    state = position(rules, f"hands=N2/- {BOARD}")
    path = {
        "berlin-leipzig-orange": "berlin-leipzig-orange,berlin-leipzig-orange",
        "dresden-leipzig-black": "berlin-leipzig-orange,dresden-leipzig-black,dresden-leipzig-black",
    }[again]
    assert refusal(rules, state, move("berlin", path, cards)) == ("track_used_twice", "MK-12", {"track": again})


@pytest.mark.rule("MK-12")
@pytest.mark.rule("MK-13")
def test_parallel_tracks_are_different_tracks() -> None:
    rules = maerklin(4)
    tracks = "tracks=hamburg-kiel-black/hamburg-kiel-purple/-/-"
    state = position(rules, f"display=RRBWK hands=N1/-/-/- {tracks} passengers=kiel/-/-/-")
    answer(rules, state, move("kiel", "hamburg-kiel-black,hamburg-kiel-purple", 1))
    assert tokens(state) == "hamburg:4"


@pytest.mark.rule("MK-13")
@pytest.mark.parametrize(
    ("path", "needed"),
    [
        ("berlin-leipzig-orange,leipzig-magdeburg-yellow", 0),
        ("berlin-leipzig-orange,dresden-leipzig-black", 1),
        ("berlin-leipzig-orange,dresden-leipzig-black,chemnitz-dresden-yellow", 2),
    ],
)
def test_a_card_for_each_track_of_others_neither_fewer_nor_more(path: str, needed: int) -> None:
    rules = maerklin()
    state = position(rules, f"hands=N4/- {BOARD}")
    for came in {0, 1, 2, 3} - {needed}:
        data = {"needed": needed, "came": came}
        assert refusal(rules, state, move("berlin", path, came)) == ("wrong_passenger_cards", "MK-13", data)
    answer(rules, state, move("berlin", path, needed))
    assert shown(rules, state, "hands") == f"N{4 - needed}/-"
    assert shown(rules, state, "discard") == (f"N{needed}" if needed else "")


@pytest.mark.rule("MK-13")
@pytest.mark.parametrize("hand", ["L5F5R5", "N1L1"])
def test_the_cards_must_be_held_and_nothing_stands_for_them(hand: str) -> None:
    rules = maerklin()
    state = position(rules, f"hands={hand}/- {BOARD}")
    path = "berlin-leipzig-orange,dresden-leipzig-black,chemnitz-dresden-yellow"
    data = {"card": "passenger", "needed": 2, "held": int("N1" in hand)}
    assert refusal(rules, state, move("berlin", path, 2)) == ("cards_not_held", "MK-13", data)


@pytest.mark.rule("MK-13")
def test_the_cards_played_are_known_to_be_gone() -> None:
    rules = maerklin()
    state = position(rules, f"hands=N3/- known=N2/- {BOARD}")
    answer(rules, state, move("berlin", "berlin-leipzig-orange,dresden-leipzig-black", 1))
    assert shown(rules, state, "known") == "N1/-"


@pytest.mark.rule("MK-14")
@pytest.mark.parametrize("end", ["leipzig", "magdeburg"])
def test_m06_through_and_into_cities_that_hold_passengers(end: str) -> None:
    rules = maerklin()
    state = position(rules, BOARD.replace("passengers=berlin/-", "passengers=berlin,magdeburg/leipzig"))
    path = "berlin-leipzig-orange" + (",leipzig-magdeburg-yellow" if end == "magdeburg" else "")
    answer(rules, state, move("berlin", path, 0))
    assert shown(rules, state, "passengers") == "magdeburg/leipzig"


@pytest.mark.rule("MK-14")
@pytest.mark.parametrize("through", [False, True])
def test_neither_into_a_country_nor_through_one(through: bool) -> None:
    rules = maerklin()
    state = position(rules, "tracks=emden-niederlande-white,muenster-niederlande-orange/- passengers=emden/-")
    path = "emden-niederlande-white" + (",muenster-niederlande-orange" if through else "")
    data = {"country": "niederlande", "track": "emden-niederlande-white"}
    assert refusal(rules, state, move("emden", path, 0)) == ("country_closed", "MK-14", data)
    assert not [each for each in listed_moves(rules, state) if each.startswith("MovePassenger")]


@pytest.mark.rule("MK-15")
@pytest.mark.rule("MK-16")
def test_the_top_token_of_each_city_entered_and_none_of_the_start() -> None:
    rules = maerklin()
    state = position(rules, f"hands=N1/- {BOARD}")
    answer(rules, state, move("berlin", "berlin-leipzig-orange,dresden-leipzig-black", 1))
    assert tokens(state) == "dresden:3,leipzig:3"
    assert state.points == [7 + 2 + 4 + 6, 5]
    stacks = state.parts[5].plain(rules)["stacks"]
    assert (stacks["berlin"], stacks["leipzig"], stacks["dresden"]) == ([7, 6, 5, 4], [2, 1], [2, 1])


@pytest.mark.rule("MK-15")
def test_m08_none_of_the_start_even_on_return() -> None:
    rules = maerklin()
    state = position(rules, BOARD)
    answer(rules, state, move("berlin", "berlin-leipzig-orange,leipzig-magdeburg-yellow,berlin-magdeburg-red", 0))
    assert tokens(state) == "leipzig:3,magdeburg:2"


@pytest.mark.rule("MK-15")
def test_m08_one_from_a_city_however_often_it_is_entered() -> None:
    rules = maerklin()
    state = position(rules, f"hands=N1/- {BOARD.replace('=berlin/-', '=dresden/-')}")
    ring = "berlin-leipzig-orange,berlin-magdeburg-red,leipzig-magdeburg-yellow"
    answer(rules, state, move("dresden", f"dresden-leipzig-black,{ring}", 1))
    assert tokens(state) == "berlin:7,leipzig:3,magdeburg:2"


@pytest.mark.rule("MK-15")
@pytest.mark.parametrize(
    ("taken", "gained"),
    [("-/-", "3"), ("-/leipzig:3", "2"), ("-/leipzig:3,leipzig:2", "1"), ("-/leipzig:3,leipzig:2,leipzig:1", "")],
)
def test_each_move_takes_what_lies_on_top_then_and_none_where_the_stack_is_empty(taken: str, gained: str) -> None:
    rules = maerklin()
    state = position(rules, f"{BOARD} tokens={taken}")
    answer(rules, state, move("berlin", "berlin-leipzig-orange", 0))
    assert tokens(state) in (f"leipzig:{gained}", "-")
    assert ("leipzig" in tokens(state)) == bool(gained)


@pytest.mark.rule("MK-16")
def test_the_values_are_scored_at_once_and_their_lines_name_the_cities() -> None:
    rules = maerklin()
    state = position(rules, BOARD)
    before = state.points[0]
    answer(rules, state, move("berlin", "berlin-leipzig-orange,leipzig-magdeburg-yellow", 0))
    assert state.points[0] == before + 5
    sheet = running_score(rules, state)
    lines = [(line.points, line.rule, line.evidence) for line in sheet.lines[0] if line.reason == "token"]
    assert lines == [(3, "MK-16", {"city": "leipzig"}), (2, "MK-16", {"city": "magdeburg"})]
    assert sheet.totals == state.points


@pytest.mark.rule("MK-16")
def test_a_move_that_takes_nothing_is_legal_and_listed() -> None:
    rules = maerklin()
    state = position(rules, "tracks=augsburg-ulm-gray/- passengers=ulm/- tokens=-/augsburg:2 display=RRBWK")
    only = move("ulm", "augsburg-ulm-gray", 0)
    assert only in listed_moves(rules, state)
    points = state.points[:]
    answer(rules, state, only)
    assert state.points == points
    assert shown(rules, state, "reserve") == "2/3"


@pytest.mark.rule("MK-16")
def test_m07_a_passenger_moves_once_and_leaves_the_game() -> None:
    rules = maerklin()
    state = position(rules, BOARD.replace("=berlin/-", "=berlin,leipzig,magdeburg/-"), top="GG" * 3)
    for city, track in (
        ("berlin", "berlin-leipzig-orange"),
        ("leipzig", "leipzig-magdeburg-yellow"),
        ("magdeburg", "berlin-magdeburg-red"),
    ):
        answers(rules, state, move(city, track, 0), "DrawFromDeck", "DrawFromDeck")
    assert (shown(rules, state, "passengers"), shown(rules, state, "reserve")) == ("", "0/3")
    assert not [each for each in listed_moves(rules, state) if each.startswith("MovePassenger")]
    code, rule, _ = refusal(rules, state, move("leipzig", "berlin-leipzig-orange", 0))
    assert (code, rule) == ("no_own_passenger", "MK-11")


@pytest.mark.rule("MK-10")
@pytest.mark.rule("MK-16")
@pytest.mark.parametrize(("turn", "free"), [("MovePassenger berlin berlin-leipzig-orange 0", True), ("Draw", False)])
def test_the_city_that_a_passenger_left_is_free_again(turn: str, free: bool) -> None:
    rules = maerklin()
    state = position(rules, f"hands=-/P6 {BOARD}", top="GG")
    answers(rules, state, *(["DrawFromDeck", "DrawFromDeck"] if turn == "Draw" else [turn]))
    answer(rules, state, "ClaimTrack berlin-rostock-purple P6")
    assert ("PlacePassenger berlin" in listed_moves(rules, state)) == free


@pytest.mark.rule("MK-11")
@pytest.mark.parametrize("text", ["atlantis - 0", "berlin nowhere 0", "berlin - x"])
def test_what_is_no_move_is_malformed(text: str) -> None:
    with pytest.raises(Malformed):
        parse_move(maerklin(), f"MovePassenger {text}")
