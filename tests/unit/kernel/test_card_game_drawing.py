"""Drawing cards and tickets in the Card Game, passing, and the stalemate (CG-8, CG-9, CG-16 to CG-18a)."""

from __future__ import annotations

import pytest

from shared.kernel import Event, FastChance, Rules, State
from tests.unit.kernel.play import (
    answer,
    answers,
    card_game,
    count,
    decision_of,
    listed_moves,
    names,
    near_the_end,
    opened_game,
    played_log,
    position,
    refusal,
    shown,
)


def all_tickets(rules: Rules, but: int = 0) -> str:
    """All tickets but the first ones of the file."""
    return ",".join(rules.board.tickets[but:])


@pytest.mark.rule("CG-8")
def test_two_cards_each_from_the_deck_or_the_display_which_is_refilled_at_once() -> None:
    rules = card_game(2)
    state = position(rules, "hands=-/- display=RRBWK", top="GYO")
    assert names(answer(rules, state, "DrawFromDisplay red")) == ["CardTaken", "CardTurnedUp", "DecisionOpened"]
    assert shown(rules, state, "display") == "RBWKG"
    data = {"decision": "second_card", "move": "DrawTickets"}
    assert refusal(rules, state, "DrawTickets") == ("second_card_due", "BASE-16", data)
    assert refusal(rules, state, "Pass")[:2] == ("second_card_due", "BASE-16")
    refused = refusal(rules, state, "DrawFromDisplay yellow")
    assert refused[:2] == ("card_not_on_display", "BASE-11")
    assert refused[2]["display"] == ["red", "blue", "white", "black", "green"]
    answer(rules, state, "DrawFromDisplay green")
    assert (shown(rules, state, "hands"), shown(rules, state, "display")) == ("G1R1/-", "RBWKY")
    assert decision_of(state).seat == 1


@pytest.mark.rule("CG-8")
def test_a_locomotive_of_the_display_is_the_only_card() -> None:
    rules = card_game(2)
    state = position(rules, "display=LRBWK", top="G")
    assert "DecisionOpened" not in names(answer(rules, state, "DrawFromDisplay locomotive"))
    assert decision_of(state).seat == 1


@pytest.mark.rule("CG-8")
def test_it_cannot_be_the_second_card_but_a_blind_one_can() -> None:
    rules = card_game(2)
    state = position(rules, "display=LRBWK", top="LL")
    answer(rules, state, "DrawFromDeck")
    refused = refusal(rules, state, "DrawFromDisplay locomotive")
    assert refused == ("locomotive_as_second_card", "BASE-14", {"card": "locomotive"})
    answer(rules, state, "DrawFromDeck")
    assert shown(rules, state, "hands") == "L2/-"


@pytest.mark.rule("CG-8")
def test_any_number_of_locomotives_may_lie_on_the_display() -> None:
    rules = card_game(2)
    state = position(rules, "display=LLLRB", top="LL")
    events = answer(rules, state, "DrawFromDisplay red") + answer(rules, state, "DrawFromDisplay blue")
    assert "DisplayReset" not in names(events)
    assert shown(rules, state, "display") == "LLLLL"
    assert listed_moves(rules, state) == ["DrawFromDeck", "DrawFromDisplay locomotive", "DrawTickets"]


@pytest.mark.rule("CG-9")
@pytest.mark.rule("CG-18a")
def test_an_empty_deck_is_not_replenished() -> None:
    rules = card_game(2)
    state = near_the_end(rules, "last=1 hands=R1/B1 display=RRBWK")
    discarded = 96 - 2 - 5
    refused = refusal(rules, state, "DrawFromDeck")
    assert refused == ("no_train_cards", "CG-9", {"deck": 0, "discard": discarded})
    assert [m for m in listed_moves(rules, state) if m.startswith("Draw")] == [
        "DrawFromDisplay red", "DrawFromDisplay blue", "DrawFromDisplay white", "DrawFromDisplay black", "DrawTickets",
    ]  # fmt: skip
    assert names(answer(rules, state, "DrawFromDisplay red")) == ["CardTaken", "DecisionOpened"]
    assert shown(rules, state, "display") == "RBWK", "the gap stays"
    assert refusal(rules, state, "DrawFromDeck")[:2] == ("no_train_cards", "CG-9")
    answer(rules, state, "DrawFromDisplay red")
    assert shown(rules, state, "display") == "BWK"


@pytest.mark.rule("CG-9")
def test_c10_a_display_of_five_is_drawn_by_two_two_and_one() -> None:
    rules = card_game(3)
    state = near_the_end(rules, "last=3 hands=R1/B1/G1 display=RRBWK", deck="")
    answers(rules, state, "DrawFromDisplay red", "DrawFromDisplay red", "DrawFromDisplay blue", "DrawFromDisplay white")
    assert decision_of(state).seat == 2
    events = answer(rules, state, "DrawFromDisplay black")
    assert names(events)[:2] == ["CardTaken", "TurnEnded"], "one card was left to draw"
    assert (state.turn, shown(rules, state, "display")) == (0, "-")


@pytest.mark.rule("CG-9")
@pytest.mark.parametrize(("display", "second"), [("RL", False), ("RLL", False), ("R", False), ("RB", True)])
def test_the_action_ends_after_one_card_if_no_second_is_legal(display: str, second: bool) -> None:
    rules = card_game(2)
    state = near_the_end(rules, f"last=1 display={display}")
    answer(rules, state, "DrawFromDisplay red")
    assert (decision_of(state).name == "second_card") == second


@pytest.mark.rule("CG-9")
def test_without_deck_and_display_no_card_can_be_drawn() -> None:
    rules = card_game(2)
    state = near_the_end(rules, "last=1 hands=R1/- display=-")
    for move in ("DrawFromDeck", "DrawFromDisplay red"):
        assert refusal(rules, state, move) == ("no_train_cards", "CG-9", {"deck": 0, "discard": 95})
    assert listed_moves(rules, state) == ["DrawTickets"]


@pytest.mark.rule("CG-9")
@pytest.mark.parametrize("first", ["DrawFromDeck", "DrawFromDisplay red"])
def test_after_the_last_card_of_the_deck_the_second_comes_from_the_display(first: str) -> None:
    rules = card_game(2)
    state = near_the_end(rules, "display=RRBWK", deck="G")
    answer(rules, state, first)
    taken = "DrawFromDisplay green" if first != "DrawFromDeck" else "DrawFromDisplay red"
    assert taken in listed_moves(rules, state)
    assert "DrawFromDeck" not in listed_moves(rules, state)
    assert "DeckReshuffled" not in names(answer(rules, state, taken))
    assert len(state.parts[0].display) == 4


@pytest.mark.rule("CG-16")
@pytest.mark.parametrize(("left", "drawn"), [(46, 4), (5, 4), (4, 4), (3, 3), (1, 1)])
def test_four_tickets_are_drawn_or_all_that_are_left(left: int, drawn: int) -> None:
    rules = card_game(2)
    state = position(rules, f"display=RRBWK tickets=-/{all_tickets(rules, left) or '-'}")
    answer(rules, state, "DrawTickets", FastChance(2))
    assert len(shown(rules, state, "offers").split("/")[0].split(",")) == drawn
    assert len(listed_moves(rules, state)) == 2**drawn


@pytest.mark.rule("CG-16")
@pytest.mark.parametrize("kept", [0, 1, 4])
def test_any_number_is_kept_and_the_others_go_to_the_bottom_in_the_order_drawn(kept: int) -> None:
    rules = card_game(2)
    state = position(rules, f"display=RRBWK tickets=-/{all_tickets(rules, 8)}")
    answer(rules, state, "DrawTickets", FastChance(3))
    offer = shown(rules, state, "offers").split("/")[0].split(",")
    events = answer(rules, state, f"KeepTickets {','.join(offer[:kept]) or '-'}")
    assert names(events)[: 2 if kept < 4 else 1] == ["TicketsKept", "TicketsReturned"][: 2 if kept < 4 else 1]
    assert [layer["tickets"] for layer in state.parts[2].plain(rules)["deck"][1:]] == [[t] for t in offer[kept:]]
    assert sum(state.parts[2].deck_sizes) == 8 - kept
    assert state.turn == 1


@pytest.mark.rule("CG-16")
def test_without_tickets_in_the_deck_none_can_be_drawn() -> None:
    rules = card_game(2)
    state = position(rules, f"display=RRBWK tickets=-/{all_tickets(rules)}")
    assert refusal(rules, state, "DrawTickets") == ("no_tickets_left", "CG-16", {"left": 0})


@pytest.mark.rule("CG-17")
@pytest.mark.parametrize(
    ("left", "legal"),
    [
        ("hands=R1/- display=- tickets=-/ALL", ""),
        ("hands=L3/- display=- tickets=-/ALL", ""),
        ("hands=R1B1/- display=- tickets=-/ALL", ""),
        ("hands=R2/- display=- yards=R1/- tickets=-/ALL", ""),
        ("hands=R2/- display=- yards=-/R2 tickets=-/ALL", ""),
        ("hands=R2/- display=- tickets=-/ALL", "PlaceCards"),
        ("hands=R1L1/- display=- tickets=-/ALL", "PlaceCards"),
        ("hands=R1B1G1/- display=- tickets=-/ALL", "PlaceCards"),
        ("hands=R1/- display=R tickets=-/ALL", "DrawFromDisplay"),
        ("hands=R1/- display=L tickets=-/ALL", "DrawFromDisplay"),
        ("hands=R1/- display=-", "DrawTickets"),
    ],
)
def test_a_pass_only_if_nothing_is_legal(left: str, legal: str) -> None:
    rules = card_game(2)
    state = near_the_end(rules, f"last=1 {left.replace('ALL', all_tickets(rules))}")
    if legal:
        assert refusal(rules, state, "Pass") == ("pass_not_allowed", "CG-17", {"legal": legal})
    else:
        assert listed_moves(rules, state) == ["Pass"]
        assert names(answer(rules, state, "Pass"))[0] == "TurnEnded"


@pytest.mark.rule("CG-17")
def test_a_blind_card_is_legal_while_there_is_a_deck() -> None:
    rules = card_game(2)
    state = near_the_end(rules, f"hands=R1/- display=- tickets=-/{all_tickets(rules)}", deck="G")
    assert refusal(rules, state, "Pass") == ("pass_not_allowed", "CG-17", {"legal": "DrawFromDeck"})


@pytest.mark.rule("CG-17")
def test_passes_do_not_end_the_game_before_its_time() -> None:
    rules = card_game(3)
    state = near_the_end(rules, f"last=2 hands=R1/-/- display=- tickets=-/{all_tickets(rules)}/-")
    answers(rules, state, "Pass", "Pass")
    assert (state.over, state.passes, decision_of(state).name) == (False, 2, "turn")
    events = answer(rules, state, "Pass")
    assert names(events)[:2] == ["TurnEnded", "StacksOpened"]


def keep_none(rules: Rules, state: State) -> list[Event]:
    answer(rules, state, "DrawTickets", FastChance(1))
    return answer(rules, state, "KeepTickets -")


@pytest.mark.rule("CG-18")
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_stalemate_after_three_rounds_in_which_nothing_moved(seats: int) -> None:
    rules = card_game(seats, first_player=1)
    state = opened_game(rules)
    deck = state.parts[0].deck_size
    for number in range(1, 3 * seats):
        events = keep_none(rules, state)
        assert shown(rules, state, "quiet") == str(number)
        assert "DeckDiscarded" not in names(events)
    assert (state.parts[0].deck_size, state.turns_left) == (deck, -1)
    last = state.turn
    events = keep_none(rules, state)
    ending = ["TurnEnded", "QuietTurnsCounted", "DeckDiscarded", "LastRoundStarted", "TurnStarted", "RowsMoved"]
    assert names(events) == ["TicketsKept", "TicketsReturned", *ending]
    assert (state.parts[0].deck_size, state.parts[0].discard_size) == (0, deck)
    seen = []
    while not state.parts[6].open:
        seen.append(state.turn)
        keep_none(rules, state)
    assert seen == [(last + 1 + number) % seats for number in range(seats)], "CG-19 from the turn just finished"


@pytest.mark.rule("CG-18")
@pytest.mark.parametrize(("quiet", "ends"), [(5, True), (4, False)])
def test_exactly_at_the_limit(quiet: int, ends: bool) -> None:
    rules = card_game(2)
    state = position(rules, f"display=RRBWK discard=P2 quiet={quiet}")
    assert ("DeckDiscarded" in names(keep_none(rules, state))) == ends
    assert (state.turns_left >= 0) == ends
    assert shown(rules, state, "discard") == ("P10B9O10W9G10Y10K9R8L16" if ends else "P2")
    assert sum(map(sum, state.parts[0].deck)) == state.parts[0].deck_size == (0 if ends else 89)


@pytest.mark.rule("CG-18")
@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("", ["DrawFromDeck", "DrawFromDeck"]),
        ("", ["DrawFromDisplay red", "DrawFromDeck"]),
        ("display=LRRBW", ["DrawFromDisplay locomotive"]),
        ("hands=R2/-", ["PlaceCards R2"]),
        ("", ["DrawTickets", "KEEP ONE"]),
        ("moved=1", ["DrawTickets", "KeepTickets -"]),
    ],
)
def test_whatever_moves_breaks_the_series(text: str, moves: list[str]) -> None:
    rules = card_game(2)
    state = position(rules, f"quiet=5 {'' if 'display' in text else 'display=RRBWK'} {text}")
    for number, move in enumerate(moves):
        offered = shown(rules, state, "offers").split("/")[0].split(",")[0]
        events = answer(rules, state, move.replace("KEEP ONE", f"KeepTickets {offered}"), FastChance(number))
    assert "DeckDiscarded" not in names(events)
    assert (shown(rules, state, "quiet"), state.turns_left) == ("", -1)


@pytest.mark.rule("CG-18")
def test_a_card_that_moves_in_step_1_keeps_its_turn_from_counting() -> None:
    rules = card_game(2)
    state = position(rules, "turn=1 display=RRBWK quiet=3 yards=R1/-")
    keep_none(rules, state)
    assert shown(rules, state, "quiet") == "4"
    keep_none(rules, state)
    assert shown(rules, state, "quiet") == "", "the red card moved when this turn began"
    keep_none(rules, state)
    assert shown(rules, state, "quiet") == "1"


@pytest.mark.rule("CG-18")
def test_last_turns_are_not_counted() -> None:
    rules = card_game(2)
    state = near_the_end(rules, "last=1 display=RRBWK quiet=5")
    assert count(keep_none(rules, state), "QuietTurnsCounted") == 0
    assert shown(rules, state, "quiet") == "5"


@pytest.mark.rule("CG-18a")
def test_hands_have_no_limit_and_discarded_cards_stay_so() -> None:
    rules = card_game(2)
    state = near_the_end(rules, "hands=R9B9G9Y9K9W9O9P8/- display=RBKWP", deck="GY")
    answers(rules, state, "DrawFromDeck", "DrawFromDeck")
    assert state.parts[0].sizes[0] == 73
    for seed in range(3):
        _, log = played_log(card_game(3), seed)
        assert not any(count(commit.events, "DeckReshuffled") for commit in log)
