"""Setting up, and the opening choice of tickets (BASE-1 to BASE-6, USA-1, USA-2)."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest

from shared.catalog import board, ruleset
from shared.kernel import FastChance, Malformed, new_game, print_position, running_score, score, view_for
from tests.unit.kernel.play import (
    ALL_TICKETS,
    answer,
    decision_of,
    listed_moves,
    names,
    position,
    refusal,
    shown,
    usa,
)

OFFERS = (
    "v=1 turn=1 offers=boston-miami,denver-el_paso,dallas-new_york/duluth-houston,calgary-phoenix,miami-toronto"
    "/helena-los_angeles,santa_fe-vancouver,phoenix-portland"
    " ask=1.0:opening_tickets,1.1:opening_tickets,1.2:opening_tickets"
)
CHOICES = {
    0: "KeepTickets denver-el_paso,dallas-new_york",
    1: "KeepTickets duluth-houston,calgary-phoenix,miami-toronto",
    2: "KeepTickets santa_fe-vancouver,helena-los_angeles",
}


@pytest.mark.rule("BASE-1")
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_two_to_five_seats_can_start(seats: int) -> None:
    state, _ = new_game(usa(seats), FastChance(1))
    assert [(d.seat, d.name) for d in state.decisions] == [(seat, "opening_tickets") for seat in range(seats)]


@pytest.mark.rule("BASE-1")
@pytest.mark.parametrize("seats", [-1, 0, 1, 6, 1_000_000, 2.0, True, "2", None])
def test_no_other_number_of_seats_can_start(seats: Any) -> None:
    """2.0 was once taken for 2 as soon as somebody had asked for 2."""
    usa(2)
    with pytest.raises(Malformed, match="2 to 5 seats .BASE-1.") as error:
        usa(seats)
    assert error.value.pointer == "/seats"


@pytest.mark.rule("BASE-2")
def test_everybody_starts_with_45_trains() -> None:
    rules = usa(5)
    state, _ = new_game(rules, FastChance(1))
    assert shown(rules, state, "trains") == "45/45/45/45/45"


@pytest.mark.rule("BASE-3")
@pytest.mark.rule("USA-1")
def test_d20_e15_the_deck_has_110_cards_and_30_tickets() -> None:
    cards = {card["kind"]: card["count"] for card in ruleset("usa")["cards"]}
    colours = ("purple", "blue", "orange", "white", "green", "yellow", "black", "red")
    assert cards == {**dict.fromkeys(colours, 12), "locomotive": 14}
    assert sum(cards.values()) == 110
    assert ruleset("usa")["board"] == "usa"
    assert len(board("usa")["tickets"]) == 30


@pytest.mark.rule("BASE-4")
@pytest.mark.parametrize("seats", [2, 5])
def test_t17_first_seat_then_hands_then_display_then_tickets(seats: int) -> None:
    """T-17: the display lies before tickets are chosen."""
    _, events = new_game(usa(seats), FastChance(3))
    assert names(events) == (
        ["FirstSeatChosen"] + ["CardDrawn"] * 4 * seats + ["CardTurnedUp"] * 5
        + ["TicketsOffered"] * seats + ["DecisionOpened"] * seats
    )  # fmt: skip


@pytest.mark.rule("BASE-4")
def test_everybody_has_four_cards_and_three_tickets_to_choose_from() -> None:
    state, _ = new_game(usa(4), FastChance(3))
    cards, tickets = state.parts[0], state.parts[2]
    assert [sum(hand) for hand in cards.hands] == cards.sizes == [4] * 4
    assert (len(cards.display), cards.deck_size, cards.discard_size) == (5, 110 - 16 - 5, 0)
    assert [len(offer) for offer in tickets.offers] == [3] * 4
    assert tickets.deck_sizes == [30 - 12]


@pytest.mark.rule("USA-1")
@pytest.mark.parametrize("seed", range(5))
def test_t14_no_ticket_is_dealt_twice(seed: int) -> None:
    rules = usa(5)
    state, _ = new_game(rules, FastChance(seed))
    offered = shown(rules, state, "offers").replace("/", ",").split(",")
    assert len(offered) == len(set(offered)) == 15


@pytest.mark.rule("BASE-5")
@pytest.mark.rule("USA-2")
def test_t01_t02_at_least_two_opening_tickets_are_kept() -> None:
    rules = usa(3)
    state = position(rules, OFFERS)
    assert len(listed_moves(rules, state, 0)) == 4  # three pairs and all three
    for choice in ("boston-miami", "-"):
        expected = ("too_few_tickets_kept", "USA-2", {"needed": 2, "came": 0 if choice == "-" else 1})
        assert refusal(rules, state, f"KeepTickets {choice}", seat=0) == expected
    answer(rules, state, "KeepTickets boston-miami,denver-el_paso,dallas-new_york", seat=0)


@pytest.mark.rule("BASE-5")
def test_only_offered_tickets_can_be_kept() -> None:
    rules = usa(3)
    expected = ("ticket_not_offered", "BASE-31", {"ticket": "duluth-houston"})
    assert refusal(rules, position(rules, OFFERS), "KeepTickets boston-miami,duluth-houston", seat=0) == expected


@pytest.mark.rule("BASE-5")
@pytest.mark.parametrize("move", ["Pass", "DrawFromDeck", "DrawFromDisplay red", "DrawTickets"])
def test_t08_t09_no_turn_before_everybody_has_chosen(move: str) -> None:
    rules = usa(3)
    state = position(rules, OFFERS + " display=RRRRR")
    answer(rules, state, CHOICES[1], seat=1)
    answer(rules, state, CHOICES[2], seat=2)
    assert [d.name for d in state.decisions] == ["opening_tickets"]
    data = {"decision": "opening_tickets", "move": move.split()[0]}
    assert refusal(rules, state, move) == ("tickets_due", "BASE-5", data)


@pytest.mark.rule("BASE-5")
def test_choices_are_held_and_take_effect_together_in_seat_order() -> None:
    rules = usa(3)
    state = position(rules, OFFERS)
    for seat in (2, 0):
        assert names(answer(rules, state, CHOICES[seat], seat=seat)) == ["TicketsChosen"]
        assert shown(rules, state, "tickets") == ""
    events = answer(rules, state, CHOICES[1], seat=1)
    assert names(events) == ["TicketsChosen"] + ["TicketsKept"] * 3 + ["TicketsShuffledUnder", "TurnStarted"]
    assert [event.seat for event in events[1:4]] == [0, 1, 2]
    assert shown(rules, state, "tickets") == (
        "dallas-new_york,denver-el_paso/calgary-phoenix,duluth-houston,miami-toronto"
        "/helena-los_angeles,santa_fe-vancouver"
    )
    assert (shown(rules, state, "offers"), shown(rules, state, "chosen")) == ("", "")
    assert (decision_of(state).seat, decision_of(state).name) == (1, "turn")


@pytest.mark.rule("BASE-5")
@pytest.mark.rule("OPT-4")
def test_p05_the_order_in_which_choices_arrive_has_no_influence() -> None:
    rules = usa(3)
    ends = set()
    for order in permutations(range(3)):
        state = position(rules, OFFERS)
        for seat in order:
            answer(rules, state, CHOICES[seat], seat=seat)
        ends.add(print_position(rules, state))
    assert len(ends) == 1


@pytest.mark.rule("USA-2")
def test_t06_opening_tickets_given_back_lie_shuffled_together_under_the_deck() -> None:
    rules = usa(3)
    state = position(rules, OFFERS)
    for seat, choice in CHOICES.items():
        answer(rules, state, choice, seat=seat)
    top, under = state.parts[2].layers
    assert top.size == 21
    assert {rules.board.tickets[t] for t in range(30) if under.tickets >> t & 1} == {"boston-miami", "phoenix-portland"}
    assert state.parts[2].deck_sizes == [23]


@pytest.mark.rule("USA-2")
def test_nothing_goes_under_the_deck_when_everybody_keeps_all() -> None:
    rules = usa(2)
    state = position(
        rules,
        "offers=boston-miami,denver-el_paso,dallas-new_york/duluth-houston,calgary-phoenix,miami-toronto"
        " ask=1.0:opening_tickets,1.1:opening_tickets",
    )
    answer(rules, state, "KeepTickets boston-miami,denver-el_paso,dallas-new_york", seat=0)
    events = answer(rules, state, CHOICES[1], seat=1)
    assert "TicketsShuffledUnder" not in names(events)
    assert [layer.size for layer in state.parts[2].layers] == [24]


@pytest.mark.rule("BASE-6")
def test_scores_start_at_0() -> None:
    rules = usa(4)
    state, _ = new_game(rules, FastChance(1))
    assert state.points == running_score(rules, state).totals == [0] * 4
    assert view_for(rules, state, None).points == [0] * 4


@pytest.mark.rule("BASE-6")
def test_e11_a_score_can_be_negative() -> None:
    rules = usa(2)
    state = position(rules, f"over=1 tickets={ALL_TICKETS}/-")
    assert score(rules, state).totals == [-349, 0]


@pytest.mark.rule("BASE-6")
def test_a_score_has_no_upper_bound() -> None:
    rules = usa(2)
    state = position(rules, "points=999999/0 hands=L1/- display=RRRRR")
    answer(rules, state, "ClaimTrack dallas-houston-gray L1")
    assert state.points == [1_000_000, 0]
