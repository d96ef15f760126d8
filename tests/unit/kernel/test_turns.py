"""Turns, refusals and passing (BASE-7 to BASE-10)."""

from __future__ import annotations

import pytest

from shared.kernel import (
    TURN,
    Decision,
    DecisionNotOpen,
    FastChance,
    advance,
    decide,
    is_legal,
    parse_move,
    print_position,
)
from tests.unit.kernel.play import (
    ALL_CARDS,
    ALL_TICKETS,
    ScriptedChance,
    answer,
    answers,
    decision_of,
    listed_moves,
    names,
    position,
    refusal,
    shown,
    usa,
)

#: seat 0 can do nothing: seat 1 holds every card and every ticket
BLOCKED = f"hands=-/{ALL_CARDS} tickets=-/{ALL_TICKETS}"


@pytest.mark.rule("BASE-7")
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_turns_go_clockwise_and_wrap_round(seats: int) -> None:
    rules = usa(seats)
    state = position(rules, "turn=1 display=LRRRR", top="B" * seats * 2)
    asked = []
    for _ in range(seats + 1):
        asked.append(decision_of(state).seat)
        answers(rules, state, "DrawFromDeck", "DrawFromDeck")
    assert asked == [turn % seats for turn in range(1, seats + 2)]


@pytest.mark.rule("BASE-7")
@pytest.mark.parametrize(
    "moves",
    [
        ("DrawFromDeck", "DrawFromDeck"),
        ("DrawFromDisplay locomotive",),
        ("ClaimTrack dallas-houston-gray R1",),
        ("DrawTickets", "KeepTickets boston-miami"),
    ],
)
def test_a_turn_is_exactly_one_action(moves: tuple[str, ...]) -> None:
    rules = usa(2)
    state = position(rules, f"v=7 hands=R3/- display=LBBBB tickets=-/{ALL_TICKETS.replace('boston-miami,', '')}")
    answers(rules, state, *moves)
    assert [(d.seat, d.name) for d in state.decisions] == [(1, "turn")]
    assert state.turn == 1


@pytest.mark.rule("BASE-7")
def test_what_is_no_action_is_refused() -> None:
    rules = usa(2)
    data = {"decision": "turn", "move": "KeepTickets"}
    assert refusal(rules, position(rules), "KeepTickets boston-miami") == ("not_an_action", "BASE-7", data)


@pytest.mark.rule("BASE-8")
def test_a_refused_move_changes_nothing_and_the_turn_stays() -> None:
    rules = usa(2)
    state = position(rules, "v=5 hands=R1/B4 display=RRBBL")
    before = print_position(rules, state)
    refusal(rules, state, "ClaimTrack denver-omaha-purple P4")
    assert decision_of(state).id == "5.0"
    assert print_position(rules, state) == before
    answer(rules, state, "DrawFromDisplay red", FastChance(1))
    assert state.version == 6


@pytest.mark.rule("BASE-8")
def test_p01_nobody_moves_out_of_turn() -> None:
    """P-01: only an open decision can be answered, so neither another seat nor a second click gets a move."""
    rules = usa(2)
    state = position(rules, "v=5 hands=R1/B4 display=RRBBL")
    before = print_position(rules, state)
    for closed in (Decision(5, 1, TURN), Decision(4, 0, TURN)):
        assert state.decision(closed.id) is None
        with pytest.raises(DecisionNotOpen):
            advance(rules, state, closed, parse_move(rules, "DrawFromDeck"), ScriptedChance())
    assert print_position(rules, state) == before


@pytest.mark.rule("BASE-8")
def test_a_decision_is_answered_once() -> None:
    rules = usa(2)
    state = position(rules, "v=5 display=RRBBL")
    decision = decision_of(state)
    answer(rules, state, "DrawFromDisplay red", FastChance(1))
    before = print_position(rules, state)
    with pytest.raises(DecisionNotOpen):
        advance(rules, state, decision, parse_move(rules, "DrawFromDeck"), ScriptedChance())
    assert print_position(rules, state) == before


@pytest.mark.rule("BASE-8")
def test_decide_leaves_the_position_as_it_is() -> None:
    rules = usa(2)
    state = position(rules, "v=5 display=RRBBL")
    before = print_position(rules, state)
    events = decide(rules, state, decision_of(state), parse_move(rules, "DrawFromDeck"), FastChance(1))
    assert names(events) == ["CardDrawn", "DecisionOpened"]
    assert print_position(rules, state) == before


@pytest.mark.rule("BASE-9")
@pytest.mark.parametrize(
    ("text", "legal"),
    [
        ("display=RRRRR", "DrawFromDeck"),
        (f"hands=R1/{ALL_CARDS.replace('R12', 'R11')} tickets=-/{ALL_TICKETS}", "ClaimTrack"),
        (f"hands=-/{ALL_CARDS}", "DrawTickets"),
    ],
)
def test_no_pass_while_an_action_is_legal(text: str, legal: str) -> None:
    rules = usa(2)
    assert refusal(rules, position(rules, text), "Pass") == ("pass_not_allowed", "BASE-9", {"legal": legal})


@pytest.mark.rule("BASE-9")
def test_a01_a03_pass_is_the_only_move_when_no_action_is_legal() -> None:
    rules = usa(2)
    state = position(rules, BLOCKED)
    assert listed_moves(rules, state) == ["Pass"]
    assert refusal(rules, state, "DrawFromDeck")[1] == "BASE-18"
    assert refusal(rules, state, "DrawTickets")[1] == "BASE-34"
    assert names(answer(rules, state, "Pass")) == ["TurnEnded", "TurnStarted"]
    assert decision_of(state).seat == 1
    assert shown(rules, state, "passes") == "1"


@pytest.mark.rule("BASE-9")
@pytest.mark.parametrize("text", ["ask=second_card", "ask=keep_tickets offers=boston-miami/-"])
def test_a_pass_never_answers_what_must_be_chosen(text: str) -> None:
    rules = usa(2)
    state = position(rules, text)
    assert not is_legal(rules, state, decision_of(state), parse_move(rules, "Pass"))
    assert "Pass" not in listed_moves(rules, state)


@pytest.mark.rule("BASE-9")
def test_a_pass_counts_as_a_turn_of_the_last_round() -> None:
    rules = usa(2)
    state = position(rules, f"hands=-/{ALL_CARDS} tickets=-/{ALL_TICKETS} last=0")
    events = answer(rules, state, "Pass")
    assert [event.plain(rules, "event") for event in events if names([event]) == ["GameEnded"]] == [
        {"event": "GameEnded", "reason": "last_round"}
    ]


@pytest.mark.rule("BASE-10")
def test_a03_when_all_pass_in_a_row_the_game_is_over() -> None:
    rules = usa(2)
    state = position(rules, BLOCKED + " trains=45/0")
    answer(rules, state, "Pass")
    assert not state.over
    events = answer(rules, state, "Pass")
    ended = [event.plain(rules, "event") for event in events]
    assert {"event": "GameEnded", "reason": "all_passed"} in ended
    assert state.over
    assert state.decisions == []


@pytest.mark.rule("BASE-10")
def test_an_action_between_passes_starts_the_count_anew() -> None:
    rules = usa(2)
    state = position(rules, BLOCKED)
    answer(rules, state, "Pass")
    answer(rules, state, "ClaimTrack dallas-houston-gray R1")
    assert shown(rules, state, "passes") == ""
    assert decision_of(state).seat == 0


@pytest.mark.rule("BASE-10")
def test_three_seats_need_three_passes() -> None:
    rules = usa(3)
    state = position(rules, f"hands=-/-/{ALL_CARDS} tickets=-/-/{ALL_TICKETS} trains=45/45/0")
    answers(rules, state, "Pass", "Pass")
    assert not state.over
    answer(rules, state, "Pass")
    assert state.over
