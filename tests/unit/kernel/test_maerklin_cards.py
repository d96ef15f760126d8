"""Märklin's cards: "+4" locomotives, passenger cards and what they do to the display (MK-8 to MK-9c), triple tracks."""

from __future__ import annotations

import pytest

from tests.unit.kernel.play import (
    answer,
    count,
    decision_of,
    listed_moves,
    maerklin,
    names,
    position,
    refusal,
    shown,
)

TRIPLE = ["dortmund-duesseldorf-gray", "dortmund-duesseldorf-gray-2", "dortmund-duesseldorf-gray-3"]


def claims(hand: str, track: str, seats: int = 2) -> list[str]:
    """The listed payments for a track."""
    rules = maerklin(seats)
    state = position(rules, f"hands={'/'.join([hand] + ['-'] * (seats - 1))}")
    words = [move.split() for move in listed_moves(rules, state)]
    return [word[2] for word in words if word[0] == "ClaimTrack" and word[1] == track]


@pytest.mark.rule("MK-8")
@pytest.mark.rule("BASE-24")
@pytest.mark.parametrize(
    ("hand", "claim"),
    [
        ("F4", "augsburg-nuernberg-orange F4"),
        ("O1L1F2", "augsburg-nuernberg-orange O1L1F2"),
        ("O3F1", "augsburg-nuernberg-orange O3F1"),
        ("L3F1", "augsburg-nuernberg-orange L3F1"),
        ("R3F1", "frankfurt-koeln-gray R3F1"),
        ("K2L1F4", "berlin-hannover-black K2L1F4"),
    ],
)
def test_plus_fours_mix_freely_on_tracks_of_four_and_more(hand: str, claim: str) -> None:
    rules = maerklin()
    state = position(rules, f"hands={hand}/- display=RRBWK")
    assert names(answer(rules, state, f"ClaimTrack {claim}"))[0] == "TrackClaimed"
    assert shown(rules, state, "hands") == "-/-"
    assert shown(rules, state, "discard") == hand


@pytest.mark.rule("MK-8")
@pytest.mark.parametrize(
    ("hand", "claim", "length"),
    [
        ("B2F1", "bremen-emden-blue B2F1", 3),
        ("F3", "hannover-kassel-gray F3", 3),
        ("L2F1", "bremen-emden-blue L2F1", 3),
        ("F1", "augsburg-ulm-gray F1", 1),
    ],
)
def test_on_shorter_tracks_they_cannot_be_played(hand: str, claim: str, length: int) -> None:
    rules = maerklin()
    state = position(rules, f"hands={hand}/-")
    data = {"card": "plus_four", "needed": 4, "length": length}
    assert refusal(rules, state, f"ClaimTrack {claim}") == ("track_too_short", "MK-8", data)


@pytest.mark.rule("MK-8")
def test_lists_use_them_before_locomotives_and_only_where_they_may_be_played() -> None:
    assert claims("O2L2F2", "augsburg-nuernberg-orange") == ["O2F2"]
    assert claims("O2L2F1", "augsburg-nuernberg-orange") == ["O2L1F1"]
    assert claims("L3F2", "augsburg-nuernberg-orange") == ["L2F2"]
    assert claims("O1F2", "augsburg-nuernberg-orange") == []
    assert claims("B1L1F2", "bremen-emden-blue") == []
    assert claims("B1L2F2", "bremen-emden-blue") == ["B1L2"]
    assert claims("R2F6", "frankfurt-koeln-gray") == ["R2F2", "F4"]
    assert claims("R1F6", "dortmund-muenster-gray") == ["R1"]


@pytest.mark.rule("MK-8")
@pytest.mark.rule("BASE-24")
def test_a_plus_four_is_a_wild_of_any_colour_but_does_not_join_two_colours() -> None:
    rules = maerklin()
    state = position(rules, "hands=R2B1F1/-")
    assert refusal(rules, state, "ClaimTrack frankfurt-koeln-gray R2B1F1")[:2] == ("mixed_colours", "BASE-24")
    assert refusal(rules, state, "ClaimTrack frankfurt-koeln-gray R2F1")[:2] == ("wrong_payment_size", "BASE-24")
    assert refusal(rules, state, "ClaimTrack frankfurt-koeln-gray R2F2")[:2] == ("cards_not_held", "BASE-24")
    state = position(rules, "hands=R3F1/-")
    assert refusal(rules, state, "ClaimTrack augsburg-nuernberg-orange R3F1")[:2] == ("wrong_colour", "BASE-24")


@pytest.mark.rule("MK-9c")
@pytest.mark.parametrize("claim", ["bremen-emden-blue B2N1", "augsburg-ulm-gray N1", "frankfurt-koeln-gray L3N1"])
def test_m14_a_passenger_card_pays_for_no_track(claim: str) -> None:
    rules = maerklin()
    state = position(rules, f"hands={claim.split()[1]}/-")
    assert refusal(rules, state, f"ClaimTrack {claim}") == ("no_payment", "MK-9c", {"card": "passenger"})
    assert not [move for move in listed_moves(rules, state) if "N" in move.split()[-1]]


@pytest.mark.rule("MK-9")
@pytest.mark.parametrize("card", ["plus_four", "passenger"])
def test_they_are_taken_from_the_display_as_first_and_as_second_card(card: str) -> None:
    rules = maerklin()
    state = position(rules, "display=FFNNR", top="RRRRR")
    events = answer(rules, state, f"DrawFromDisplay {card}")
    assert (names(events)[-1], decision_of(state).name) == ("DecisionOpened", "second_card")
    assert f"DrawFromDisplay {card}" in listed_moves(rules, state)
    answer(rules, state, f"DrawFromDisplay {card}")
    assert (decision_of(state).seat, decision_of(state).name) == (1, "turn")
    assert shown(rules, state, "hands") == {"plus_four": "F2/-", "passenger": "N2/-"}[card]


@pytest.mark.rule("MK-9a")
@pytest.mark.rule("BASE-13")
@pytest.mark.rule("BASE-14")
def test_a_plain_locomotive_ends_the_action_and_is_no_second_card() -> None:
    rules = maerklin()
    state = position(rules, "display=LFNRR", top="RR")
    answer(rules, state, "DrawFromDisplay locomotive")
    assert decision_of(state).seat == 1
    state = position(rules, "display=LFNRR ask=second_card", top="RR")
    assert refusal(rules, state, "DrawFromDisplay locomotive")[:2] == ("locomotive_as_second_card", "BASE-14")


@pytest.mark.rule("MK-9a")
@pytest.mark.rule("BASE-19")
@pytest.mark.parametrize(("display", "resets"), [("RFFBB", 0), ("RLLBB", 0), ("RFLBB", 0), ("RFFFB", 0)])
@pytest.mark.parametrize("top", ["F", "L"])
def test_m13_plus_fours_do_not_count_for_the_reset(display: str, resets: int, top: str) -> None:
    rules = maerklin()
    state = position(rules, f"display={display}", top=top + "YYYYY")
    expected = 1 if (display + top).count("L") == 3 else resets
    assert count(answer(rules, state, "DrawFromDisplay red"), "DisplayReset") == expected


@pytest.mark.rule("MK-9b")
@pytest.mark.parametrize(("top", "resets"), [("B", 0), ("N", 1)])
def test_m12_three_passenger_cards_send_the_whole_display_to_the_discard_pile(top: str, resets: int) -> None:
    rules = maerklin()
    state = position(rules, "display=RNNBB", top=top + "YYYYK")
    assert count(answer(rules, state, "DrawFromDisplay red"), "DisplayReset") == resets
    assert shown(rules, state, "display") == ("YYYYK" if resets else "NNBBB")
    assert shown(rules, state, "discard") == ("B2N3" if resets else "")


@pytest.mark.rule("MK-9b")
def test_two_locomotives_and_two_passenger_cards_stay() -> None:
    rules = maerklin()
    state = position(rules, "display=RLLNB", top="N")
    assert count(answer(rules, state, "DrawFromDisplay red"), "DisplayReset") == 0


@pytest.mark.rule("MK-9b")
@pytest.mark.rule("BASE-20")
def test_resets_of_both_kinds_count_together_up_to_three() -> None:
    rules = maerklin()
    state = position(rules, "display=RNNBB", top="N" + "LLLYK" + "NNNYK" + "LLLYK" + "PB")
    assert count(answer(rules, state, "DrawFromDisplay red"), "DisplayReset") == 3
    assert (shown(rules, state, "display"), shown(rules, state, "resets")) == ("LLLYK", "3")
    answer(rules, state, "DrawFromDeck")
    assert shown(rules, state, "display") == "LLLYK"


@pytest.mark.rule("MK-9b")
@pytest.mark.rule("BASE-20")
def test_once_a_card_changes_the_count_starts_at_0() -> None:
    rules = maerklin()
    state = position(rules, "display=NNNYK resets=3", top="NBBBBB")
    assert count(answer(rules, state, "DrawFromDisplay yellow"), "DisplayReset") == 1
    assert shown(rules, state, "resets") == "1"


@pytest.mark.rule("BASE-25")
@pytest.mark.rule("BASE-23")
@pytest.mark.parametrize("seats", [4, 5])
def test_r04_with_four_seats_three_of_them_claim_a_triple_one_lane_each(seats: int) -> None:
    rules = maerklin(seats)
    hands = "/".join(["R2"] * 3 + ["-"] * (seats - 3))
    state = position(rules, f"hands={hands} reserve={'/'.join('0' * seats)} display=RRBWK", top="GGGG")
    for seat in range(3):
        if seat:
            refused = refusal(rules, state, f"ClaimTrack {TRIPLE[seat - 1]} R1")
            assert refused == ("track_claimed", "BASE-23", {"track": TRIPLE[seat - 1], "owner": seat - 1})
        answer(rules, state, f"ClaimTrack {TRIPLE[seat]} R1")
    assert shown(rules, state, "tracks").split("/")[:3] == TRIPLE


@pytest.mark.rule("BASE-23")
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_r04_nobody_owns_two_lanes_of_a_triple(seats: int) -> None:
    rules = maerklin(seats)
    rest = ["-"] * (seats - 1)
    state = position(rules, f"hands={'/'.join(['R1', *rest])} tracks={'/'.join([TRIPLE[1], *rest])}")
    for lane in (TRIPLE[0], TRIPLE[2]):
        data = {"track": lane, "owned": TRIPLE[1]}
        assert refusal(rules, state, f"ClaimTrack {lane} R1") == ("parallel_track_owned", "BASE-23", data)


@pytest.mark.rule("BASE-26")
@pytest.mark.parametrize("seats", [2, 3])
def test_r04_with_two_or_three_seats_one_lane_of_a_triple_locks_the_others(seats: int) -> None:
    rules = maerklin(seats)
    rest = ["-"] * (seats - 2)
    state = position(rules, f"hands={'/'.join(['R1', '-', *rest])} tracks={'/'.join(['-', TRIPLE[0], *rest])}")
    for lane in TRIPLE[1:]:
        data = {"track": lane, "seats": seats}
        assert refusal(rules, state, f"ClaimTrack {lane} R1") == ("track_locked", "BASE-26", data)


@pytest.mark.rule("BASE-30")
def test_a_track_of_seven_scores_18() -> None:
    rules = maerklin()
    state = position(rules, "hands=W5F2/- display=RRBWK")
    answer(rules, state, "ClaimTrack erfurt-regensburg-white W5F2")
    assert state.points == [18, 0]
