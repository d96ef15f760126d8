"""Groups of parallel tracks (BASE-23, BASE-25, BASE-26)."""

from __future__ import annotations

import pytest

from tests.unit.kernel.play import answer, answers, listed_moves, position, refusal, shown, usa, variant

ORANGE, YELLOW = "atlanta-new_orleans-orange", "atlanta-new_orleans-yellow"
GRAYS = ("atlanta-raleigh-gray", "atlanta-raleigh-gray-2")
TRIPLE = {"id": "atlanta-new_orleans-red", "cities": ["new_orleans", "atlanta"], "length": 4, "colour": "red"}


def hands(seats: int) -> str:
    return "hands=" + "/".join(["O4", "Y4R4"] + ["-"] * (seats - 2)) + " display=BBKKP"


@pytest.mark.rule("BASE-26")
@pytest.mark.parametrize("seats", [2, 3])
def test_r01_with_two_or_three_seats_one_claim_locks_the_group(seats: int) -> None:
    rules = usa(seats)
    state = position(rules, hands(seats))
    answer(rules, state, f"ClaimTrack {ORANGE} O4")
    expected = ("track_locked", "BASE-26", {"track": YELLOW, "seats": seats})
    assert refusal(rules, state, f"ClaimTrack {YELLOW} Y4") == expected


@pytest.mark.rule("BASE-25")
@pytest.mark.parametrize("seats", [4, 5])
def test_r02_r05_with_four_or_more_another_seat_claims_the_other_track(seats: int) -> None:
    """R-05: the owner of the first stays."""
    rules = usa(seats)
    state = position(rules, hands(seats))
    answers(rules, state, f"ClaimTrack {ORANGE} O4", f"ClaimTrack {YELLOW} Y4")
    assert shown(rules, state, "tracks").split("/")[:2] == [ORANGE, YELLOW]
    assert state.points[:2] == [7, 7]


@pytest.mark.rule("BASE-23")
@pytest.mark.rule("BASE-25")
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_r03_nobody_owns_two_tracks_of_a_group(seats: int) -> None:
    rules = usa(seats)
    state = position(rules, f"hands=Y4R2{'/-' * (seats - 1)} tracks={ORANGE},{GRAYS[0]}{'/-' * (seats - 1)}")
    for track, payment, owned in ((YELLOW, "Y4", ORANGE), (GRAYS[1], "R2", GRAYS[0])):
        expected = ("parallel_track_owned", "BASE-23", {"track": track, "owned": owned})
        assert refusal(rules, state, f"ClaimTrack {track} {payment}") == expected
    assert not [move for move in listed_moves(rules, state) if YELLOW in move or GRAYS[1] in move]


@pytest.mark.rule("BASE-26")
@pytest.mark.parametrize("seats", [2, 3])
def test_r04_one_claim_locks_all_of_a_triple(seats: int) -> None:
    rules = variant(seats, tracks=[TRIPLE])
    state = position(rules, hands(seats))
    answer(rules, state, f"ClaimTrack {ORANGE} O4")
    for track, payment in ((YELLOW, "Y4"), (TRIPLE["id"], "R4")):
        assert refusal(rules, state, f"ClaimTrack {track} {payment}")[:2] == ("track_locked", "BASE-26")


@pytest.mark.rule("BASE-25")
def test_r04_with_four_seats_three_claim_a_triple_but_none_of_them_twice() -> None:
    rules = variant(4, tracks=[TRIPLE])
    state = position(rules, "hands=O4/Y4R4/R4/R4 display=BBKKP")
    answers(rules, state, f"ClaimTrack {ORANGE} O4", f"ClaimTrack {YELLOW} Y4")
    answers(rules, state, f"ClaimTrack {TRIPLE['id']} R4")
    assert shown(rules, state, "tracks") == f"{ORANGE}/{YELLOW}/{TRIPLE['id']}/-"
    assert refusal(rules, state, f"ClaimTrack {TRIPLE['id']} R4")[0] == "track_claimed"


@pytest.mark.rule("BASE-25")
def test_r18_a_track_is_named_by_its_id_and_takes_its_own_colour() -> None:
    rules = usa(4)
    state = position(rules, "hands=O4Y4/-/-/- display=BBKKP")
    assert refusal(rules, state, f"ClaimTrack {YELLOW} O4")[0] == "wrong_colour"
    answer(rules, state, f"ClaimTrack {YELLOW} Y4")
    assert shown(rules, state, "tracks") == f"{YELLOW}/-/-/-"


@pytest.mark.rule("BASE-26")
def test_a_single_track_locks_nothing_else() -> None:
    rules = usa(2)
    state = position(rules, "hands=B5/R4 display=BBKKP")
    answer(rules, state, "ClaimTrack atlanta-miami-blue B5")
    answer(rules, state, "ClaimTrack dallas-el_paso-red R4")
    assert state.points == [10, 7]
