"""Refilling and resetting the display (BASE-19 to BASE-21)."""

from __future__ import annotations

import pytest

from shared.catalog import ruleset
from shared.kernel import CARDS, FastChance, new_game
from tests.unit.kernel.play import (
    ScriptedChance,
    answer,
    count,
    decision_of,
    names,
    position,
    shown,
    usa,
    variant,
)


@pytest.mark.rule("BASE-19")
def test_d01_three_locomotives_send_the_whole_display_away() -> None:
    rules = usa(2)
    state = position(rules, "display=RLLBB", top="LYYYYK")
    events = answer(rules, state, "DrawFromDisplay red")
    assert names(events) == ["CardTaken", "CardTurnedUp", "DisplayReset"] + ["CardTurnedUp"] * 5 + ["DecisionOpened"]
    assert shown(rules, state, "display") == "YYYYK"
    assert shown(rules, state, "discard") == "B2L3"


@pytest.mark.rule("BASE-19")
@pytest.mark.parametrize(("top", "resets"), [("B", 0), ("L", 1)])
def test_two_locomotives_stay_and_three_do_not(top: str, resets: int) -> None:
    rules = usa(2)
    state = position(rules, "display=RLLBB", top=top + "YYYYY")
    assert count(answer(rules, state, "DrawFromDisplay red"), "DisplayReset") == resets


@pytest.mark.rule("BASE-19")
def test_it_holds_at_set_up() -> None:
    """Some deal turns up three locomotives: they are discarded before tickets are dealt."""
    rules = usa(2)
    for seed in range(200):
        state, events = new_game(rules, FastChance(seed))
        if count(events, "DisplayReset"):
            break
    turned = names(events)
    first = turned.index("DisplayReset")
    assert turned[:first].count("CardTurnedUp") == 5
    assert turned[first + 1 : first + 6] == ["CardTurnedUp"] * 5
    assert first < turned.index("TicketsOffered")
    assert shown(rules, state, "display").count("L") < 3
    assert state.parts[CARDS].discard_size == 5 * turned.count("DisplayReset")


@pytest.mark.rule("BASE-19")
def test_it_holds_after_the_second_card_too() -> None:
    rules = usa(2)
    state = position(rules, "display=RLLBB ask=second_card", top="LYYYYY")
    assert count(answer(rules, state, "DrawFromDisplay red"), "DisplayReset") == 1
    assert decision_of(state).seat == 1


@pytest.mark.rule("BASE-19")
def test_the_check_waits_until_the_refill_is_finished() -> None:
    """Three locomotives are up before the fourth and fifth card: still all five are turned up first."""
    rules = usa(2)
    state = position(rules, "display=RLLBB", top="L" + "LLLYK" + "YYYYY")
    events = answer(rules, state, "DrawFromDisplay red")
    assert names(events) == (
        ["CardTaken", "CardTurnedUp"] + (["DisplayReset"] + ["CardTurnedUp"] * 5) * 2 + ["DecisionOpened"]
    )
    assert shown(rules, state, "display") == "YYYYY"


@pytest.mark.rule("BASE-19")
@pytest.mark.rule("BASE-17")
def test_the_display_is_discarded_before_five_cards_are_turned_up() -> None:
    """So a reshuffle may bring the same cards back: two cards are left, the other three are old ones."""
    rules = usa(2)
    state = position(rules, "hands=-/P12B11O11W12G12Y11K11R11L11 display=RLLYK", top="LBO")
    events = answer(rules, state, "DrawFromDisplay red", ScriptedChance(0, 0, 0))
    assert names(events)[2:7] == ["DisplayReset", "CardTurnedUp", "CardTurnedUp", "DeckReshuffled", "CardTurnedUp"]
    assert shown(rules, state, "display") == "BOYKL"
    assert (state.parts[CARDS].deck_size, state.parts[CARDS].discard_size) == (2, 0)


@pytest.mark.rule("BASE-20")
def test_d02_the_new_display_is_checked_again() -> None:
    rules = usa(2)
    state = position(rules, "display=RLLBB", top="L" + "LLLYK" + "YYYYY")
    assert count(answer(rules, state, "DrawFromDisplay red"), "DisplayReset") == 2
    assert shown(rules, state, "resets") == "2"


@pytest.mark.rule("BASE-20")
def test_after_three_resets_the_display_stays() -> None:
    rules = usa(2)
    # 14 locomotives: 2 + 1 up, then three each time
    state = position(rules, "display=RLLBB", top="L" + "LLLYK" + "LLLYK" + "LLLYK" + "PB")
    assert count(answer(rules, state, "DrawFromDisplay red"), "DisplayReset") == 3
    assert shown(rules, state, "display") == "LLLYK"
    assert shown(rules, state, "resets") == "3"
    answer(rules, state, "DrawFromDeck")  # a blind card changes no card of the display
    assert shown(rules, state, "display") == "LLLYK"


@pytest.mark.rule("BASE-20")
@pytest.mark.parametrize(
    ("take", "top", "resets", "display"),
    [
        ("yellow", "BBBBBB", "1", "BBBBB"),
        ("locomotive", "BBBBBB", "", "LLYKB"),
        ("locomotive", "LBBBBB", "1", "BBBBB"),
    ],
)
def test_when_a_card_changes_it_is_checked_and_the_count_starts_at_0(
    take: str, top: str, resets: str, display: str
) -> None:
    rules = usa(2)
    state = position(rules, "display=LLLYK resets=3", top=top)
    answer(rules, state, f"DrawFromDisplay {take}")
    assert (shown(rules, state, "resets"), shown(rules, state, "display")) == (resets, display)


@pytest.mark.rule("BASE-20")
def test_no_reset_while_deck_and_discard_pile_are_empty_and_it_is_made_up_later() -> None:
    rules = usa(2)
    state = position(rules, "hands=-/P12B11O12W12G12Y11K12R11L11 display=RLLYB", top="L")
    events = answer(rules, state, "DrawFromDisplay red")
    assert names(events) == ["CardTaken", "CardTurnedUp", "TurnEnded", "TurnStarted"]
    assert shown(rules, state, "display") == "LLYBL"
    # seat 1 pays four cards: at the end of that action the display joins them and five of the nine are turned up
    events = answer(rules, state, "ClaimTrack denver-omaha-purple P4", ScriptedChance(0, 0, 0, 0, 0))
    assert names(events)[:4] == ["TrackClaimed", "TurnEnded", "DisplayReset", "DeckReshuffled"]
    assert names(events)[-1] == "TurnStarted"
    assert shown(rules, state, "display") == "PPPPB"


@pytest.mark.rule("BASE-20")
def test_a_withheld_reset_waits_for_the_discard_pile() -> None:
    rules = usa(2)
    state = position(rules, "hands=-/P12B11O12W12G12Y11K12R12L11 display=LLLYB")
    assert state.parts[CARDS].deck_size == 0
    events = answer(rules, state, "DrawTickets", FastChance(1))
    assert names(events) == ["TicketsOffered", "DecisionOpened"]
    offered = shown(rules, state, "offers").split(",")[0]
    assert "DisplayReset" not in names(answer(rules, state, f"KeepTickets {offered}"))
    assert shown(rules, state, "display") == "LLLYB"


@pytest.mark.rule("BASE-21")
@pytest.mark.rule("BASE-20")
@pytest.mark.parametrize("display", ["LLLY", "LLL"])
def test_d06_gaps_stay_and_three_locomotives_among_fewer_cards_too(display: str) -> None:
    rules = usa(2)
    rest = {"LLLY": "Y11K12R12L11", "LLL": "Y12K12R12L11"}[display]
    state = position(rules, f"hands=-/P12B12O12W12G12{rest} display={display}")
    events = answer(rules, state, "DrawTickets", FastChance(1))
    answer(rules, state, f"KeepTickets {shown(rules, state, 'offers').split(',')[0]}")
    assert shown(rules, state, "display") == display
    assert "CardTurnedUp" not in names(events)


@pytest.mark.rule("BASE-21")
def test_gaps_are_filled_at_the_end_of_an_action_that_discards_and_checked_then() -> None:
    rules = usa(2)
    state = position(rules, "hands=B4/P12B8O12W12G12Y12K12R12L11 display=LLL")
    events = answer(rules, state, "ClaimTrack chicago-omaha-blue B4", FastChance(1))
    assert names(events)[:5] == ["TrackClaimed", "TurnEnded", "DeckReshuffled", "CardTurnedUp", "CardTurnedUp"]
    assert count(events, "DisplayReset") >= 1
    assert len(shown(rules, state, "display")) == 5


@pytest.mark.rule("BASE-21")
def test_as_many_gaps_as_there_are_cards_are_filled() -> None:
    rules = usa(2)
    state = position(rules, "hands=R1/P12B12O12W12G12Y12K12R11L13 display=L")
    answer(rules, state, "ClaimTrack dallas-houston-gray R1")
    assert shown(rules, state, "display") == "LR"


@pytest.mark.parametrize("most", [1, 2])
def test_a_rule_set_says_how_many_resets_may_follow_each_other(most: int) -> None:
    display = {"size": 5, "reset_at": {"locomotive": 3}, "most_resets": most}
    rules = variant(mechanics={**ruleset("usa")["mechanics"], "display": display})
    state = position(rules, "display=RLLBB", top="L" + "LLLYY" + "LLLYY" + "YYYYY")
    assert count(answer(rules, state, "DrawFromDisplay red"), "DisplayReset") == most
    assert shown(rules, state, "display") == "LLLYY"
