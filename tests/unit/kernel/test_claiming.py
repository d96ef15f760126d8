"""Claiming a track (BASE-23, BASE-24, BASE-27 to BASE-30)."""

from __future__ import annotations

import pytest

from shared.catalog import board, ruleset
from shared.kernel import ClaimTrack, MalformedMove, is_legal, parse_move
from tests.unit.kernel.play import (
    answer,
    decision_of,
    listed_moves,
    names,
    position,
    refusal,
    shown,
    usa,
    variant,
)

PURPLE = "denver-omaha-purple"  # length 4
GRAY = "calgary-helena-gray"  # length 4
SIX = "duluth-helena-orange"
DISPLAY = "display=RRBBK"
ONE_TRACK_OF_EACH_LENGTH = {
    1: ("dallas-houston-gray", 1),
    2: ("boston-new_york-red", 2),
    3: ("chicago-duluth-red", 4),
    4: ("dallas-el_paso-red", 7),
    5: ("helena-omaha-red", 10),
    6: ("miami-new_orleans-red", 15),
}


def claims(moves: list[str], track: str) -> list[str]:
    return [move.removeprefix(f"ClaimTrack {track} ") for move in moves if move.startswith(f"ClaimTrack {track} ")]


@pytest.mark.rule("BASE-23")
def test_r15_a_claimed_track_cannot_be_claimed_again() -> None:
    rules = usa(2)
    state = position(rules, f"hands=P4/P4 tracks={PURPLE}/- turn=1 {DISPLAY}")
    expected = ("track_claimed", "BASE-23", {"track": PURPLE, "owner": 0})
    assert refusal(rules, state, f"ClaimTrack {PURPLE} P4") == expected
    state = position(rules, f"hands=P4/P4 tracks={PURPLE}/- turn=0 {DISPLAY}")
    assert refusal(rules, state, f"ClaimTrack {PURPLE} P4") == expected


@pytest.mark.rule("BASE-23")
def test_r11_a_track_longer_than_the_trains_left_cannot_be_claimed() -> None:
    rules = usa(2)
    state = position(rules, f"hands=P4/- trains=3/45 {DISPLAY}")
    expected = ("too_few_trains", "BASE-23", {"track": PURPLE, "needed": 4, "left": 3})
    assert refusal(rules, state, f"ClaimTrack {PURPLE} P4") == expected
    assert "ClaimTrack dallas-houston-gray P1" in listed_moves(rules, state)


@pytest.mark.rule("BASE-23")
def test_r11_the_last_trains_suffice_for_a_track_of_their_number() -> None:
    rules = usa(2)
    state = position(rules, f"hands=P4/- trains=4/45 {DISPLAY}")
    answer(rules, state, f"ClaimTrack {PURPLE} P4")
    assert shown(rules, state, "trains") == "0/45"


@pytest.mark.rule("BASE-23")
def test_without_trains_nothing_can_be_claimed() -> None:
    rules = usa(2)
    state = position(rules, f"hands=P4L4/- trains=0/45 {DISPLAY}")
    assert not [move for move in listed_moves(rules, state) if move.startswith("ClaimTrack")]
    assert refusal(rules, state, "ClaimTrack dallas-houston-gray L1")[0] == "too_few_trains"


@pytest.mark.rule("BASE-24")
@pytest.mark.parametrize("payment", ["P4", "P3L1", "P2L2", "P1L3", "L4"])
def test_r06_r08_r09_colour_and_locomotives_mix_as_the_seat_likes(payment: str) -> None:
    """R-06, R-08, R-09: also with locomotives while enough colour cards are held."""
    rules = usa(2)
    state = position(rules, f"hands=P6L5/- {DISPLAY}")
    answer(rules, state, f"ClaimTrack {PURPLE} {payment}")
    assert shown(rules, state, "discard") == payment


@pytest.mark.rule("BASE-24")
@pytest.mark.parametrize("payment", ["P4", "R4", "K3L1", "L4"])
def test_r06_a_gray_track_takes_any_one_colour_and_locomotives(payment: str) -> None:
    rules = usa(2)
    state = position(rules, f"hands=P4R4K3L4/- {DISPLAY}")
    answer(rules, state, f"ClaimTrack {GRAY} {payment}")
    assert shown(rules, state, "discard") == payment


@pytest.mark.rule("BASE-24")
@pytest.mark.parametrize("payment", ["P2R2", "P1R2L1"])
@pytest.mark.parametrize("track", [GRAY, PURPLE])
def test_r07_two_colours_do_not_mix(track: str, payment: str) -> None:
    rules = usa(2)
    state = position(rules, f"hands=P4R4L2/- {DISPLAY}")
    expected = ("mixed_colours", "BASE-24", {"colours": ["purple", "red"]})
    assert refusal(rules, state, f"ClaimTrack {track} {payment}") == expected


@pytest.mark.rule("BASE-24")
@pytest.mark.parametrize(
    ("track", "payment", "needed", "came"),
    [
        (PURPLE, "R4", "purple", "red"),
        (PURPLE, "R3L1", "purple", "red"),
        ("dallas-el_paso-red", "P4", "red", "purple"),
        ("dallas-el_paso-red", "P3L1", "red", "purple"),
    ],
)
def test_r18_a_coloured_track_takes_its_own_colour(track: str, payment: str, needed: str, came: str) -> None:
    rules = usa(2)
    state = position(rules, f"hands=P4R4L2/- {DISPLAY}")
    expected = ("wrong_colour", "BASE-24", {"needed": needed, "came": came})
    assert refusal(rules, state, f"ClaimTrack {track} {payment}") == expected


@pytest.mark.rule("BASE-24")
@pytest.mark.parametrize(("payment", "came"), [("P3", 3), ("P5", 5), ("P3L2", 5), ("L3", 3), ("P1", 1)])
@pytest.mark.parametrize("track", [GRAY, PURPLE])
def test_r17_the_payment_is_exactly_as_large_as_the_track_is_long(track: str, payment: str, came: int) -> None:
    """R-17: neither a part of the track nor more cards than it needs."""
    rules = usa(2)
    state = position(rules, f"hands=P6L4/- {DISPLAY}")
    expected = ("wrong_payment_size", "BASE-24", {"needed": 4, "came": came})
    assert refusal(rules, state, f"ClaimTrack {track} {payment}") == expected


@pytest.mark.rule("BASE-24")
@pytest.mark.parametrize(
    ("payment", "card", "needed", "held"),
    [("P4", "purple", 4, 3), ("P3L1", "locomotive", 1, 0), ("P2P2", "purple", 4, 3), ("L2L2", "locomotive", 4, 0)],
)
def test_r14_only_cards_of_the_own_hand_each_once(payment: str, card: str, needed: int, held: int) -> None:
    """R-14: the same card named twice is two cards."""
    rules = usa(2)
    state = position(rules, f"hands=P3/P4L2 {DISPLAY}")
    expected = ("cards_not_held", "BASE-24", {"card": card, "needed": needed, "held": held})
    assert refusal(rules, state, f"ClaimTrack {PURPLE} {payment}") == expected


@pytest.mark.rule("BASE-24")
@pytest.mark.parametrize(
    ("hand", "track", "listed"),
    [
        ("P6", PURPLE, ["P4"]),
        ("P4L5", PURPLE, ["P4"]),
        ("P1L5", PURPLE, ["P1L3"]),
        ("P1L2", PURPLE, []),
        ("L4", PURPLE, ["L4"]),
        ("R4L4", PURPLE, ["L4"]),
        ("R4L3", PURPLE, []),
        ("R4K2L4", GRAY, ["K2L2", "R4", "L4"]),
        ("R3K1L2", GRAY, ["R3L1"]),
        ("L4", GRAY, ["L4"]),
        ("P12R12L14", SIX, ["L6"]),
        ("O12L14", SIX, ["O6"]),
    ],
)
def test_the_list_has_the_fewest_wilds_by_colour_and_wilds_alone(hand: str, track: str, listed: list[str]) -> None:
    """Wilds alone are left out where the track's own colour is held; `is_legal` takes them all the same."""
    rules = usa(2)
    state = position(rules, f"hands={hand}/- display=-")
    assert claims(listed_moves(rules, state), track) == listed


@pytest.mark.rule("BASE-24")
@pytest.mark.parametrize("hand", ["P2L3", "R3K2L1", "L6", "P1B1O1W1G1Y1K1R1", "G7L2", "B12L14"])
@pytest.mark.parametrize("trains", [1, 3, 45])
def test_every_listed_claim_is_legal_and_every_payable_track_is_listed(hand: str, trains: int) -> None:
    rules = usa(2)
    state = position(rules, f"hands={hand}/- tracks=-/dallas-houston-gray,{PURPLE} trains={trains}/40 display=-")
    moves = [move for move in listed_moves(rules, state) if move.startswith("ClaimTrack")]
    assert len(moves) == len(set(moves))
    assert all(is_legal(rules, state, decision_of(state), parse_move(rules, move)) for move in moves)
    held = state.parts[0].hands[0]
    payable = set()
    for track, length, colour in zip(rules.board.tracks, rules.board.lengths, rules.board.colours, strict=True):
        for kind in range(8) if colour < 0 else [colour]:
            if state.parts[1].open[0][rules.board.track_of[track]] and min(held[kind] + held[8], trains) >= length:
                payable.add(track)
    assert {move.split()[1] for move in moves} == payable


@pytest.mark.rule("BASE-24")
@pytest.mark.parametrize("payment", [((8, 2), (8, 2)), ((0, 2), (0, 2)), ((0, 5), (8, -1)), ((0, 4), (8, 0))])
def test_a_payment_that_names_a_kind_twice_or_not_at_all_is_no_move(payment: tuple[tuple[int, int], ...]) -> None:
    """Each entry alone is in the hand: the check of the rules would let four locomotives be paid with two."""
    with pytest.raises(MalformedMove) as refused:
        ClaimTrack(0, payment)
    assert refused.value.pointer == "/payment"


@pytest.mark.rule("BASE-27")
def test_r16_a_claim_need_not_touch_own_tracks() -> None:
    rules = usa(2)
    state = position(rules, f"hands=R1/- tracks=portland-seattle-gray/- {DISPLAY}")
    answer(rules, state, "ClaimTrack dallas-houston-gray R1")
    assert shown(rules, state, "tracks") == "dallas-houston-gray,portland-seattle-gray/-"


@pytest.mark.rule("BASE-28")
def test_r03_r17_one_track_a_turn() -> None:
    rules = usa(2)
    state = position(rules, f"hands=R5/R5 {DISPLAY}")
    answer(rules, state, "ClaimTrack dallas-houston-gray R1")
    assert [d.seat for d in state.decisions] == [1]


@pytest.mark.rule("BASE-28")
def test_r17_no_part_of_a_track_is_claimed() -> None:
    rules = usa(2)
    state = position(rules, f"hands=P3/- {DISPLAY}")
    assert refusal(rules, state, f"ClaimTrack {PURPLE} P3")[0] == "wrong_payment_size"
    assert claims(listed_moves(rules, state), PURPLE) == []


@pytest.mark.rule("BASE-29")
def test_r10_r12_a_claim_has_all_its_effects_once() -> None:
    """R-10, R-12: cards, trains, owner, points and turn."""
    rules = usa(2)
    state = position(rules, f"v=8 hands=P5L2/R2 tracks=portland-seattle-gray/- {DISPLAY} discard=R1")
    events = answer(rules, state, f"ClaimTrack {PURPLE} P3L1")
    assert [event.plain(rules, "event") for event in events] == [
        {"event": "TrackClaimed", "seat": 0, "track": PURPLE, "payment": {"purple": 3, "locomotive": 1}, "points": 7},
        {"event": "TurnEnded", "seat": 0, "passed": False},
        {"event": "TurnStarted", "seat": 1},
    ]
    assert {name: shown(rules, state, name) for name in ("v", "hands", "discard", "trains", "points", "ask")} == {
        "v": "9",
        "hands": "P2L1/R2",
        "discard": "P3R1L1",
        "trains": "40/45",
        "points": "8/0",
        "ask": "9.1:turn",
    }
    assert shown(rules, state, "tracks") == f"{PURPLE},portland-seattle-gray/-"


@pytest.mark.rule("BASE-30")
@pytest.mark.parametrize("length", range(1, 7))
def test_r13_points_by_length(length: int) -> None:
    rules = usa(2)
    track, points = ONE_TRACK_OF_EACH_LENGTH[length]
    assert rules.board.lengths[rules.board.track_of[track]] == length
    state = position(rules, f"hands=R6/- {DISPLAY}")
    answer(rules, state, f"ClaimTrack {track} R{length}")
    assert state.points == [points, 0]
    assert shown(rules, state, "trains") == f"{45 - length}/45"


LONG = {"id": "denver-seattle-red", "cities": ["denver", "seattle"], "length": 7, "colour": "red"}


@pytest.mark.rule("BASE-30")
def test_r19_a_length_without_points_fails_at_load_time() -> None:
    assert max(track["length"] for track in board("usa")["tracks"]) == 6
    with pytest.raises(ValueError, match="no points for a track of length 7"):
        variant(tracks=[LONG])


@pytest.mark.rule("BASE-30")
@pytest.mark.parametrize(("length", "points"), [(7, 18), (8, 21)])
def test_r13_r19_longer_tracks_pay_by_the_same_table(length: int, points: int) -> None:
    mechanics = ruleset("usa")["mechanics"]
    claim = {**mechanics["claim"], "points": {**mechanics["claim"]["points"], "7": 18, "8": 21}}
    rules = variant(tracks=[{**LONG, "length": length}], mechanics={**mechanics, "claim": claim})
    state = position(rules, f"hands=R8/- {DISPLAY}")
    events = answer(rules, state, f"ClaimTrack denver-seattle-red R{length}")
    assert names(events)[0] == "TrackClaimed"
    assert state.points == [points, 0]


def test_the_shortest_tracks_of_a_colour_are_listed_too() -> None:
    """The board of USA has no coloured track of length 1."""
    rules = variant(tracks=[{**LONG, "length": 1}, {**LONG, "id": "denver-seattle-red-2", "length": 2}])
    state = position(rules, f"hands=R1L1/- {DISPLAY}")
    listed = [move for move in listed_moves(rules, state) if "denver-seattle" in move]
    assert listed == ["ClaimTrack denver-seattle-red R1", "ClaimTrack denver-seattle-red-2 R1L1"]


def test_wilds_may_be_kept_for_the_longest_tracks() -> None:
    cards = [{**card, "from_length": 6} if card.get("role") == "wild" else card for card in ruleset("usa")["cards"]]
    rules = variant(cards=cards)
    claims = listed_moves(rules, position(rules, f"hands=R5L6/- {DISPLAY}"))
    lengths = {rules.board.lengths[rules.board.track_of[move.split()[1]]] for move in claims if "L" in move.split()[-1]}
    assert lengths == {6}
