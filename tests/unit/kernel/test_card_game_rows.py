"""Yards: moving cards to the stack, placing rows, robbing (CG-5 to CG-7, CG-10 to CG-15)."""

from __future__ import annotations

from typing import Any

import pytest

from shared.kernel import CARDS, YARDS, Event, FastChance, Rules, State, advance, legal_moves
from tests.unit.kernel.play import (
    answer,
    answers,
    card_game,
    decision_of,
    listed_moves,
    names,
    opened_game,
    position,
    refusal,
    shown,
)

HAND = "R3B2G2Y1K1W1L3"


def end_turn(rules: Rules, state: State) -> list[Event]:
    """Ends the open turn by two blind cards."""
    return answers(rules, state, "DrawFromDeck", "DrawFromDeck")


def before(hand: str, yards: str) -> tuple[Rules, State]:
    """The first of two seats is to play."""
    rules = card_game(2)
    return rules, position(rules, f"hands={hand}/- display=RBWKP yards={yards}")


def placed(hand: str, move: str, yards: str = "-/-") -> str:
    """The rows of the first seat's yard after it placed cards."""
    rules, state = before(hand, yards)
    answer(rules, state, move)
    return shown(rules, state, "yards").split("/")[0]


def refused(hand: str, move: str, yards: str = "-/-") -> tuple[str, str, dict[str, Any]]:
    """Why the first seat may not place these cards."""
    return refusal(*before(hand, yards), move)


@pytest.mark.rule("CG-5")
def test_c01_one_card_of_each_own_row_moves_when_the_turn_starts() -> None:
    rules = card_game(2)
    state = position(rules, "turn=1 display=RRBWK yards=R3,B1,G2/Y2 stacks=K1/P1")
    events = end_turn(rules, state)
    assert names(events)[-2:] == ["TurnStarted", "RowsMoved"]
    assert shown(rules, state, "yards") == "G1,R2/Y2"
    assert shown(rules, state, "stacks") == "B1G1K1R1/P1"
    end_turn(rules, state)
    assert (shown(rules, state, "yards"), shown(rules, state, "stacks")) == ("G1,R2/Y1", "B1G1K1R1/P1Y1")


@pytest.mark.rule("CG-5")
def test_without_cards_in_the_yard_nothing_moves() -> None:
    rules = card_game(2)
    state = position(rules, "turn=1 display=RRBWK yards=-/Y2")
    end_turn(rules, state)
    assert (shown(rules, state, "yards"), shown(rules, state, "stacks")) == ("-/Y2", "")
    assert shown(rules, state, "moved") == ""
    end_turn(rules, state)
    assert shown(rules, state, "moved") == "1"


@pytest.mark.rule("CG-5")
def test_a_row_whose_last_card_moved_is_gone_before_step_2() -> None:
    rules = card_game(2)
    state = position(rules, "turn=1 hands=R2/- display=RRBWK yards=R1/-")
    end_turn(rules, state)
    answer(rules, state, "PlaceCards R2")
    assert (shown(rules, state, "yards"), shown(rules, state, "stacks")) == ("R2/-", "R1/-")


@pytest.mark.rule("CG-6")
def test_c02_the_top_card_moves_locomotives_first() -> None:
    rules = card_game(2)
    state = position(rules, "turn=1 display=RRBWK yards=R1L2,B2/-")
    found = []
    for _ in range(4):
        end_turn(rules, state)
        found.append((shown(rules, state, "yards") or "-/-", shown(rules, state, "stacks")))
        end_turn(rules, state)
    assert found == [
        ("B1,R1L1/-", "B1L1/-"),
        ("R1/-", "B2L2/-"),
        ("-/-", "B2R1L2/-"),
        ("-/-", "B2R1L2/-"),
    ]


@pytest.mark.rule("CG-7")
def test_cards_stay_in_the_stack_until_tickets_are_completed() -> None:
    rules = card_game(3)
    state = position(rules, "hands=R4/-/- display=RBWKP yards=-/R2/B2 stacks=R1/R2/B1")
    answer(rules, state, "PlaceCards R4")
    assert shown(rules, state, "stacks") == "R1/R2/B1", "robbing takes the row, not the stack"
    state = opened_game(rules, seed=6)
    luck = FastChance(6)
    sizes = [0, 0, 0]
    while not state.parts[YARDS].open:
        moves = legal_moves(rules, state, decision_of(state))
        advance(rules, state, decision_of(state), moves[luck.below(len(moves))], luck)
        assert all(now >= then for now, then in zip(state.parts[YARDS].sizes, sizes, strict=True))
        sizes = state.parts[YARDS].sizes[:]
    assert min(sizes) > 0


@pytest.mark.rule("CG-10")
@pytest.mark.parametrize(
    ("move", "rows"),
    [
        ("PlaceCards R2", "R2"),
        ("PlaceCards R3", "R3"),
        ("PlaceCards R1L1", "R1L1"),
        ("PlaceCards R1L3", "R1L3"),
        ("PlaceCards R2L1", "R2L1"),
        ("PlaceCards R1B1G1", "B1,G1,R1"),
    ],
)
def test_a_row_of_two_or_more_or_three_rows_of_one(move: str, rows: str) -> None:
    rules, state = before(HAND, "-/-")
    held = state.parts[CARDS].sizes[0]
    events = answer(rules, state, move)
    assert names(events) == ["CardsPlaced", "TurnEnded", "TurnStarted", "RowsMoved"]
    assert shown(rules, state, "yards") == f"{rows}/-"
    assert state.parts[CARDS].sizes[0] == held - sum(state.parts[YARDS].counts())


@pytest.mark.rule("CG-10")
@pytest.mark.parametrize(
    ("move", "came"),
    [
        ("PlaceCards R1", {"red": 1}),
        ("PlaceCards R1B1", {"blue": 1, "red": 1}),
        ("PlaceCards R2B1", {"blue": 1, "red": 2}),
        ("PlaceCards R2B2", {"blue": 2, "red": 2}),
        ("PlaceCards R2B1G1", {"blue": 1, "green": 1, "red": 2}),
        ("PlaceCards R1B1G1Y1", {"blue": 1, "green": 1, "yellow": 1, "red": 1}),
        ("PlaceCards R1B1L1", {"blue": 1, "red": 1, "locomotive": 1}),
        ("PlaceCards R1B1G1L1", {"blue": 1, "green": 1, "red": 1, "locomotive": 1}),
    ],
)
def test_c03_nothing_else_can_be_placed(move: str, came: dict[str, int]) -> None:
    assert refused(HAND, move) == ("wrong_placement", "CG-10", {"came": came})


@pytest.mark.rule("CG-10")
@pytest.mark.parametrize(("move", "came"), [("PlaceCards L1", 1), ("PlaceCards L2", 2), ("PlaceCards L3", 3)])
def test_not_a_row_of_locomotives_only(move: str, came: int) -> None:
    assert refused(HAND, move) == ("row_without_colour", "CG-10", {"came": came})


@pytest.mark.rule("CG-10")
@pytest.mark.parametrize(
    ("move", "data"),
    [
        ("PlaceCards R4", {"card": "red", "needed": 4, "held": 3}),
        ("PlaceCards R1L4", {"card": "locomotive", "needed": 4, "held": 3}),
        ("PlaceCards R1B1P1", {"card": "purple", "needed": 1, "held": 0}),
    ],
)
def test_only_cards_in_hand(move: str, data: dict[str, Any]) -> None:
    assert refused(HAND, move) == ("cards_not_held", "CG-10", data)


@pytest.mark.rule("CG-10")
def test_listed_are_for_each_length_the_row_with_the_fewest_locomotives_and_all_sets_of_three() -> None:
    rules = card_game(2)
    state = position(rules, "hands=R2B1G1L2/- display=RRBWK")
    placements = [move.split()[1] for move in listed_moves(rules, state) if move.startswith("PlaceCards")]
    assert placements == ["B1L1", "B1L2", "G1L1", "G1L2", "R2", "R2L1", "R2L2", "B1G1R1"]


@pytest.mark.rule("CG-11")
def test_not_a_colour_that_is_in_the_own_yard() -> None:
    why = ("colour_in_own_yard", "CG-11", {"colour": "red"})
    assert refused(HAND, "PlaceCards R3", yards="R1/-") == why
    assert refused(HAND, "PlaceCards R3", yards="R1L1/-") == why
    assert refused(HAND, "PlaceCards R1B1G1", yards="R1/-") == why
    assert placed(HAND, "PlaceCards B2", yards="R1/-") == "B2,R1"
    assert placed(HAND, "PlaceCards B1G1Y1", yards="R1/-") == "B1,G1,Y1,R1"


@pytest.mark.rule("CG-12")
def test_locomotives_lie_on_top_and_count_as_cards_of_the_rows_colour() -> None:
    assert placed("R1L2", "PlaceCards R1L2", yards="-/R2") == "R1L2"
    assert placed("R1L2", "PlaceCards R1L2", yards="-/R1L1") == "R1L2"
    data = {"colour": "red", "needed": 4, "came": 3}
    assert refused("R3L2", "PlaceCards R3", yards="-/R1L2") == ("row_too_short", "CG-13", data)
    assert placed("R3L2", "PlaceCards R3L1", yards="-/R1L2") == "R3L1"


@pytest.mark.rule("CG-13")
@pytest.mark.parametrize(("length", "there"), [(2, 2), (2, 3), (3, 3), (3, 4)])
def test_a_row_must_be_longer_than_that_of_another_seat(length: int, there: int) -> None:
    data = {"colour": "red", "needed": there + 1, "came": length}
    assert refused("R5", f"PlaceCards R{length}", yards=f"-/R{there}") == ("row_too_short", "CG-13", data)
    assert placed("R5", f"PlaceCards R{there + 1}", yards=f"-/R{there}") == f"R{there + 1}"


@pytest.mark.rule("CG-13")
def test_two_cards_rob_a_row_of_one() -> None:
    assert placed("R2", "PlaceCards R2", yards="-/R1") == "R2"


@pytest.mark.rule("CG-13")
def test_it_must_be_longer_than_that_of_every_other_seat() -> None:
    rules = card_game(3)
    state = position(rules, "hands=R5/-/- display=RBWKP yards=-/R2/R1L1")
    why = refusal(rules, state, "PlaceCards R2")
    assert why == ("row_too_short", "CG-13", {"colour": "red", "needed": 3, "came": 2})
    state = position(rules, "hands=R4/-/- display=BBWKP yards=-/R1/R3L1")
    assert refusal(rules, state, "PlaceCards R4")[2] == {"colour": "red", "needed": 5, "came": 4}
    state = position(rules, "hands=R4L2/-/- display=BBWKP yards=-/R3/R1L1")
    listed = [move for move in listed_moves(rules, state) if move.startswith("PlaceCards")]
    assert listed == ["PlaceCards R4", "PlaceCards R4L1", "PlaceCards R4L2"]


@pytest.mark.rule("CG-14")
def test_every_other_seat_with_a_row_of_the_colour_loses_all_of_it_at_once() -> None:
    rules = card_game(4)
    state = position(rules, "turn=1 hands=-/R4/-/- display=RRBWK yards=R1L2,B2/G2/R3/Y1,K1 stacks=P1/-/-/-")
    events = answer(rules, state, "PlaceCards R4")
    assert names(events)[:3] == ["CardsPlaced", "RowRobbed", "RowRobbed"]
    assert [(event.seat, event.colour) for event in events[1:3]] == [(0, 7), (2, 7)]
    assert shown(rules, state, "yards") == "B2/G2,R4/-/Y1,K1"
    assert shown(rules, state, "discard") == "R4L2"
    assert shown(rules, state, "stacks") == "P1/-/-/-", "the row was robbed before its next card could move"


@pytest.mark.rule("CG-14")
def test_nobody_is_robbed_where_no_row_of_the_colour_lies() -> None:
    rules = card_game(2)
    state = position(rules, "hands=R2/- display=RRBWK yards=-/B2,G1L1")
    assert "RowRobbed" not in names(answer(rules, state, "PlaceCards R2"))
    assert shown(rules, state, "yards") == "R2/B1,G1"


@pytest.mark.rule("CG-15")
@pytest.mark.parametrize(("row", "colour", "needed"), [("R1", "red", 2), ("G1", "green", 2), ("R2L1", "red", 4)])
def test_three_rows_of_one_need_three_colours_that_lie_nowhere(row: str, colour: str, needed: int) -> None:
    data = {"colour": colour, "needed": needed, "came": 1}
    assert refused(HAND, "PlaceCards R1B1G1", yards=f"-/{row}") == ("row_too_short", "CG-15", data)
    assert placed(HAND, "PlaceCards B1W1K1", yards=f"-/{row}") == "B1,W1,K1"
    rules, state = before(HAND, f"-/{row}")
    colours = {letter for move in listed_moves(rules, state) if move.count("1") == 3 for letter in move.split()[1][::2]}
    assert colours == set("RBGYKW") - {row[0]}


@pytest.mark.rule("CG-10")
@pytest.mark.rule("CG-5")
def test_placing_ends_the_turn_and_the_cards_move_at_the_next_own_one() -> None:
    rules = card_game(2)
    state = position(rules, "hands=R2/- display=RRBWK")
    answer(rules, state, "PlaceCards R2")
    assert (state.turn, shown(rules, state, "yards")) == (1, "R2/-")
    answers(rules, state, "DrawTickets")
    answer(rules, state, "KeepTickets -", FastChance(1))
    assert (state.turn, shown(rules, state, "yards"), shown(rules, state, "stacks")) == (0, "R1/-", "R1/-")
