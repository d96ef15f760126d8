"""Drawing train cards (BASE-11 to BASE-18, BASE-22)."""

from __future__ import annotations

import pytest

from shared.kernel import CARDS, FastChance, empty_state, fold
from tests.unit.kernel.play import (
    ALL_TICKETS,
    ScriptedChance,
    answer,
    answers,
    count,
    decision_of,
    listed_moves,
    names,
    played_log,
    position,
    refusal,
    shown,
    usa,
)


@pytest.mark.rule("BASE-11")
@pytest.mark.parametrize(
    ("moves", "hand"),
    [
        (("DrawFromDeck", "DrawFromDeck"), "B1G1"),
        (("DrawFromDeck", "DrawFromDisplay red"), "B1R1"),
        (("DrawFromDisplay red", "DrawFromDeck"), "G1R1"),
        (("DrawFromDisplay red", "DrawFromDisplay yellow"), "Y1R1"),
        (("DrawFromDisplay red", "DrawFromDisplay red"), "R2"),
    ],
)
def test_two_cards_each_from_display_or_deck(moves: tuple[str, str], hand: str) -> None:
    rules = usa(2)
    state = position(rules, "display=RRYKL", top="BGP")
    assert names(answer(rules, state, moves[0]))[-1] == "DecisionOpened"
    assert (decision_of(state).seat, decision_of(state).name) == (0, "second_card")
    assert names(answer(rules, state, moves[1]))[-2:] == ["TurnEnded", "TurnStarted"]
    assert shown(rules, state, "hands") == f"{hand}/-"


@pytest.mark.rule("BASE-11")
@pytest.mark.parametrize("ask", ["turn", "second_card"])
def test_a_card_that_is_not_on_the_display_cannot_be_taken(ask: str) -> None:
    rules = usa(2)
    state = position(rules, f"display=RRYKK ask={ask}")
    data = {"card": "blue", "display": ["red", "red", "yellow", "black", "black"]}
    assert refusal(rules, state, "DrawFromDisplay blue") == ("card_not_on_display", "BASE-11", data)
    assert refusal(rules, state, "DrawFromDisplay locomotive")[0] == "card_not_on_display"


@pytest.mark.rule("BASE-11")
def test_the_list_names_each_kind_of_the_display_once() -> None:
    rules = usa(2)
    for ask, kinds in (("turn", ["red", "locomotive", "purple", "blue"]), ("second_card", ["red", "purple", "blue"])):
        state = position(rules, f"display=RLRPB ask={ask}")
        draws = [move for move in listed_moves(rules, state) if move.startswith("DrawFrom")]
        assert draws == ["DrawFromDeck", *[f"DrawFromDisplay {kind}" for kind in kinds]]


@pytest.mark.rule("BASE-11")
def test_d17_never_more_than_two_cards_a_turn() -> None:
    """D-17: also when the first card was the last of the deck."""
    rules = usa(2)
    state = position(rules, "hands=-/P12B12O12W12G12Y11 display=YRRRR discard=K12R8L13 deck=L1")
    answer(rules, state, "DrawFromDeck")
    events = answer(rules, state, "DrawFromDisplay yellow", FastChance(1))
    assert count(events, "TurnEnded") == 1
    assert decision_of(state).seat == 1
    assert state.parts[CARDS].sizes[0] == 2


@pytest.mark.rule("BASE-12")
def test_the_replacement_lies_there_before_the_second_card() -> None:
    rules = usa(2)
    state = position(rules, "display=RYKKK", top="B")
    assert names(answer(rules, state, "DrawFromDisplay red")) == ["CardTaken", "CardTurnedUp", "DecisionOpened"]
    assert shown(rules, state, "display") == "YKKKB"
    answer(rules, state, "DrawFromDisplay blue", FastChance(1))
    assert shown(rules, state, "hands") == "B1R1/-"


@pytest.mark.rule("BASE-12")
def test_a_card_from_the_deck_leaves_the_display_alone() -> None:
    rules = usa(2)
    state = position(rules, "display=RYKKK", top="BB")
    assert names(answer(rules, state, "DrawFromDeck")) == ["CardDrawn", "DecisionOpened"]
    assert shown(rules, state, "display") == "RYKKK"


@pytest.mark.rule("BASE-13")
def test_d08_a_locomotive_of_the_display_taken_first_ends_the_action() -> None:
    rules = usa(2)
    state = position(rules, "display=LYKKK", top="B")
    events = answer(rules, state, "DrawFromDisplay locomotive")
    assert names(events) == ["CardTaken", "CardTurnedUp", "TurnEnded", "TurnStarted"]
    assert shown(rules, state, "hands") == "L1/-"
    assert decision_of(state).seat == 1


@pytest.mark.rule("BASE-13")
def test_d09_an_ordinary_card_of_the_display_does_not_end_it() -> None:
    rules = usa(2)
    state = position(rules, "display=LYKKK", top="B")
    answer(rules, state, "DrawFromDisplay yellow")
    assert decision_of(state).name == "second_card"


@pytest.mark.rule("BASE-14")
@pytest.mark.parametrize(
    ("display", "top", "first"),
    [
        ("LYKKK", "B", "DrawFromDisplay yellow"),
        ("RYKKK", "L", "DrawFromDisplay yellow"),
        ("LYKKK", "B", "DrawFromDeck"),
    ],
    ids=["lay there before", "replacement", "after a blind card"],
)
def test_d07_d11_a_locomotive_of_the_display_is_never_the_second_card(display: str, top: str, first: str) -> None:
    """D-07, D-11"""
    rules = usa(2)
    state = position(rules, f"display={display}", top=top)
    answer(rules, state, first)
    assert "L" in shown(rules, state, "display")
    expected = ("locomotive_as_second_card", "BASE-14", {"card": "locomotive"})
    assert refusal(rules, state, "DrawFromDisplay locomotive") == expected
    assert "DrawFromDeck" in listed_moves(rules, state)


@pytest.mark.rule("BASE-15")
def test_d10_a_locomotive_drawn_blind_counts_as_one_card() -> None:
    rules = usa(2)
    state = position(rules, "display=LYKKK", top="LLB")
    answers(rules, state, "DrawFromDeck")
    assert decision_of(state).name == "second_card"
    assert refusal(rules, state, "DrawFromDisplay locomotive")[1] == "BASE-14"
    answer(rules, state, "DrawFromDeck")
    assert shown(rules, state, "hands") == "L2/-"
    assert decision_of(state).seat == 1


@pytest.mark.rule("BASE-16")
@pytest.mark.parametrize("move", ["Pass", "ClaimTrack dallas-houston-gray R1", "DrawTickets", "KeepTickets -"])
def test_d18_the_second_card_must_be_taken(move: str) -> None:
    rules = usa(2)
    state = position(rules, "hands=R2/- display=LYKKK ask=second_card")
    data = {"decision": "second_card", "move": move.split()[0]}
    assert refusal(rules, state, move) == ("second_card_due", "BASE-16", data)
    assert listed_moves(rules, state) == ["DrawFromDeck", "DrawFromDisplay yellow", "DrawFromDisplay black"]


@pytest.mark.rule("BASE-17")
def test_d12_the_discard_pile_becomes_the_deck_at_the_moment_of_need() -> None:
    rules = usa(2)
    state = position(rules, "hands=-/P12B12O12W12G12Y11 display=YRRRR discard=K12R8L13 deck=L1")
    assert "DeckReshuffled" not in names(answer(rules, state, "DrawFromDeck"))
    assert (state.parts[CARDS].deck_size, state.parts[CARDS].discard_size) == (0, 33)
    # of 33 cards, the twelve black ones first, then eight red ones
    events = answer(rules, state, "DrawFromDeck", ScriptedChance(12))
    assert names(events)[:2] == ["DeckReshuffled", "CardDrawn"]
    assert shown(rules, state, "hands").startswith("R1L1/")
    assert (state.parts[CARDS].deck_size, state.parts[CARDS].discard_size) == (32, 0)


@pytest.mark.rule("BASE-17")
def test_d12_a_replacement_comes_from_the_reshuffled_discard_pile() -> None:
    rules = usa(2)
    state = position(rules, "hands=-/P12B12O12W12G12Y12 display=KKRRR discard=K10R9L14")
    events = answer(rules, state, "DrawFromDisplay red", ScriptedChance(0))
    assert names(events) == ["CardTaken", "DeckReshuffled", "CardTurnedUp", "DecisionOpened"]
    assert shown(rules, state, "display") == "KKRRK"


@pytest.mark.rule("BASE-17")
def test_nothing_is_reshuffled_while_the_deck_has_a_card() -> None:
    rules = usa(2)
    state = position(rules, "hands=-/P12B12O12W12G12Y12 display=KKRRR discard=K10R9L13 deck=L1")
    assert names(answer(rules, state, "DrawFromDeck")) == ["CardDrawn", "DecisionOpened"]


@pytest.mark.rule("BASE-18")
@pytest.mark.parametrize("move", ["DrawFromDeck", "DrawFromDisplay yellow", "DrawFromDisplay locomotive"])
def test_d15_no_draw_while_deck_and_discard_pile_are_empty(move: str) -> None:
    """D-15: also where the display still holds cards (rules.md, against some sources)."""
    rules = usa(2)
    state = position(rules, "hands=R3/P12B12O12W12G12Y11K12R9L10 display=YLLLL")
    assert refusal(rules, state, move) == ("no_train_cards", "BASE-18", {"deck": 0, "discard": 0})
    assert not [listed for listed in listed_moves(rules, state) if listed.startswith("DrawFrom")]


@pytest.mark.rule("BASE-18")
def test_d16_with_no_card_anywhere_the_turn_stays_open_for_the_other_actions() -> None:
    rules = usa(2)
    state = position(rules, "hands=R1/P12B12O12W12G12Y12K12R11L14")
    refusal(rules, state, "DrawFromDeck")
    assert "DrawTickets" in listed_moves(rules, state)
    answer(rules, state, "ClaimTrack dallas-houston-gray R1")
    assert decision_of(state).seat == 1


@pytest.mark.rule("BASE-18")
@pytest.mark.parametrize(
    ("move", "display", "hand"),
    [("DrawFromDeck", "YLLRR", "L1"), ("DrawFromDisplay yellow", "LLRRL", "Y1")],
    ids=["blind", "with its replacement"],
)
def test_the_action_ends_with_one_card_when_the_last_card_is_gone(move: str, display: str, hand: str) -> None:
    rules = usa(2)
    state = position(rules, f"hands=-/P12B12O12W12G12Y11K12R10L11 display=YLLRR tickets=-/{ALL_TICKETS}")
    assert names(answer(rules, state, move))[-2:] == ["TurnEnded", "TurnStarted"]
    assert shown(rules, state, "display") == display
    assert shown(rules, state, "hands").startswith(f"{hand}/")
    assert decision_of(state).seat == 1


@pytest.mark.rule("BASE-18")
def test_one_discarded_card_is_enough_for_a_second_card() -> None:
    rules = usa(2)
    state = position(rules, "hands=-/P12B12O12W12G12Y11K12R9L11 display=YLLRR discard=R1 deck=L1")
    answer(rules, state, "DrawFromDeck")
    assert decision_of(state).name == "second_card"
    answer(rules, state, "DrawFromDeck")
    assert shown(rules, state, "hands").startswith("R1L1/")


@pytest.mark.rule("BASE-22")
def test_d19_a_hoarder_may_draw_on() -> None:
    rules = usa(2)
    state = position(rules, "hands=P12B12O12W12G12Y12/- display=KKRRL", top="RK")
    answers(rules, state, "DrawFromDeck", "DrawFromDeck")
    assert state.parts[CARDS].sizes == [74, 0]


@pytest.mark.rule("BASE-3")
@pytest.mark.parametrize("seats", [2, 5])
def test_d20_every_card_is_in_one_place_after_every_move(seats: int) -> None:
    rules = usa(seats)
    _, log = played_log(rules, seed=seats, moves=150)
    state = empty_state(rules)
    for commit in log:
        fold(rules, state, commit)
        cards = state.parts[CARDS]
        assert cards.unseen(rules, state) == [sum(kinds) for kinds in zip(*cards.deck, strict=True)]
        assert sum(cards.sizes) + cards.deck_size + cards.discard_size + len(cards.display) == 110
