"""The Card Game's set-up and turns (CG-2 to CG-4a)."""

from __future__ import annotations

from itertools import permutations

import pytest

from shared.catalog import rule_text
from shared.kernel import (
    CARDS,
    DecisionNotOpen,
    FastChance,
    KeyedChance,
    Rules,
    RuleViolation,
    State,
    advance,
    legal_moves,
    new_game,
    parse_move,
    print_position,
    view_for,
)
from tests.unit.kernel.play import (
    answer,
    answers,
    card_game,
    count,
    decision_of,
    listed_moves,
    names,
    opened_game,
    position,
    refusal,
    shown,
)


def offer_of(rules: Rules, state: State, seat: int) -> list[str]:
    return shown(rules, state, "offers").split("/")[seat].split(",")


@pytest.mark.rule("CG-2")
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_c13_a_locomotive_each_then_seven_cards_and_a_display_of_five(seats: int) -> None:
    rules = card_game(seats)
    chance = KeyedChance(b"set-up")
    state, events = new_game(rules, chance)
    cards = state.parts[CARDS]
    assert names(events)[1 : 1 + 8 * seats + 5] == (
        ["CardGiven"] * seats + ["CardDrawn"] * 7 * seats + ["CardTurnedUp"] * 5
    )
    assert [event.card for event in events if names([event]) == ["CardGiven"]] == [rules.wild] * seats
    assert (cards.sizes, len(cards.display), cards.deck_size) == ([8] * seats, 5, 96 - 8 * seats - 5)
    drawn = [n for n, _ in chance.outcomes[1 : 1 + 7 * seats + 5]]  # after that of the first seat
    assert drawn == list(range(96 - seats, cards.deck_size, -1)), "only the other locomotives are shuffled"
    assert shown(rules, state, "discard") == ""


@pytest.mark.rule("CG-2")
@pytest.mark.rule("VIEW-1")
def test_the_locomotive_is_known_to_all_the_seven_cards_to_their_owner() -> None:
    rules = card_game(3)
    state, _ = new_game(rules, FastChance(3))
    assert shown(rules, state, "known") == "L1/L1/L1"
    assert shown(rules, view_for(rules, state, None), "hands") == "L1?7/L1?7/L1?7"
    own, *others = shown(rules, view_for(rules, state, 0), "hands").split("/")
    assert "?" not in own
    assert others == ["L1?7", "L1?7"]


@pytest.mark.rule("CG-3")
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_six_tickets_of_which_one_must_be_kept(seats: int) -> None:
    rules = card_game(seats)
    state, events = new_game(rules, FastChance(seats))
    assert count(events, "TicketsOffered") == count(events, "DecisionOpened") == seats
    for seat in range(seats):
        offer = offer_of(rules, state, seat)
        assert len(set(offer)) == 6
        assert len(listed_moves(rules, state, seat)) == 63
        refused = refusal(rules, state, "KeepTickets -", seat)
        assert refused == ("too_few_tickets_kept", "CG-3", {"needed": 1, "came": 0})
    assert sum(state.parts[2].deck_sizes) == 46 - 6 * seats


@pytest.mark.rule("CG-3")
@pytest.mark.parametrize("kept", [1, 6])
def test_one_or_all_may_be_kept_and_the_others_are_shuffled_in(kept: int) -> None:
    rules = card_game(2)
    state, _ = new_game(rules, FastChance(4))
    offers = [offer_of(rules, state, seat) for seat in (0, 1)]
    answer(rules, state, f"KeepTickets {','.join(offers[0][:kept])}", seat=0)
    events = answer(rules, state, f"KeepTickets {','.join(offers[1])}", seat=1)
    back = ["TicketsShuffledIn"] if kept < 6 else []
    assert names(events) == ["TicketsChosen", "TicketsKept", "TicketsKept", *back, "TurnStarted", "RowsMoved"]
    (layer,) = state.parts[2].plain(rules)["deck"]
    assert layer["size"] == 46 - 6 - kept
    assert set(offers[0][kept:]) <= set(layer["tickets"])
    assert layer["known"] == [sorted(offers[0][kept:], key=rules.board.tickets.index), []]


@pytest.mark.rule("CG-3")
@pytest.mark.rule("VIEW-4")
def test_choices_are_secret_and_take_effect_together_in_whatever_order_they_come() -> None:
    rules = card_game(3, first_player=1)
    start, _ = new_game(rules, FastChance(5))
    ends = set()
    for order in permutations(range(3)):
        state = start.copy()
        for seat in order:
            assert decision_of(state, seat).name == "opening_tickets"
            answer(rules, state, f"KeepTickets {','.join(offer_of(rules, state, seat)[: seat + 1])}", seat=seat)
            if state.decisions[0].name == "opening_tickets":
                assert shown(rules, view_for(rules, state, None), "chosen").split("/")[seat] == "?"
        ends.add(print_position(rules, state))
    assert len(ends) == 1
    assert shown(rules, view_for(rules, state, None), "tickets") == "?1/?2/?3"


@pytest.mark.rule("CG-4")
@pytest.mark.rule("OPT-1")
def test_the_first_player_is_chosen_and_play_goes_clockwise() -> None:
    rules = card_game(3, first_player=2)
    state = opened_game(rules)
    seats = []
    for _ in range(6):
        seats.append(decision_of(state).seat)
        answers(rules, state, "DrawFromDeck", "DrawFromDeck")
    assert seats == [2, 0, 1, 2, 0, 1]
    firsts = {new_game(card_game(4), FastChance(seed))[0].turn for seed in range(40)}
    assert firsts == {0, 1, 2, 3}


@pytest.mark.rule("CG-4")
def test_a_turn_is_step_1_then_step_2() -> None:
    rules = card_game(2)
    state = position(rules, "turn=1 display=RRBWK yards=R2/G2 ask=second_card")
    events = answers(rules, state, "DrawFromDeck")
    assert names(events) == ["CardDrawn", "TurnEnded", "TurnStarted", "RowsMoved"]
    assert (decision_of(state).seat, shown(rules, state, "yards")) == (0, "R1/G2")


@pytest.mark.rule("CG-4")
@pytest.mark.parametrize("move", ["KeepTickets -", "CompleteTickets -"])
def test_nothing_else_is_a_turn(move: str) -> None:
    rules = card_game(2)
    state = position(rules, "display=RRBWK")
    data = {"decision": "turn", "move": move.split()[0]}
    assert refusal(rules, state, move) == ("not_an_action", "CG-4", data)


@pytest.mark.rule("CG-4a")
@pytest.mark.parametrize("move", ["PlaceCards R2", "DrawFromDeck", "DrawTickets", "Pass", "CompleteTickets -"])
def test_an_offer_must_be_answered_before_anything_else(move: str) -> None:
    rules = card_game(2)
    state = position(rules, "hands=R2/- display=RRBWK")
    answer(rules, state, "DrawTickets", FastChance(1))
    data = {"decision": "keep_tickets", "move": move.split()[0]}
    assert refusal(rules, state, move) == ("tickets_due", "BASE-31", data)
    opening, _ = new_game(rules, FastChance(1))
    assert refusal(rules, opening, move, 0)[:2] == ("tickets_due", "CG-3")


@pytest.mark.rule("CG-4a")
@pytest.mark.rule("BASE-31")
def test_only_offered_tickets_can_be_kept() -> None:
    rules = card_game(2)
    state = position(rules, "display=RRBWK offers=dallas-miami,seattle-denver/- ask=keep_tickets")
    refused = refusal(rules, state, "KeepTickets dallas-raleigh")
    assert refused == ("ticket_not_offered", "BASE-31", {"ticket": "dallas-raleigh"})
    view = view_for(rules, state, 1)
    assert shown(rules, view, "offers") == "?2/-", "the offer is secret"


@pytest.mark.rule("CG-4a")
@pytest.mark.rule("BASE-8")
def test_an_answer_out_of_turn_changes_nothing() -> None:
    rules = card_game(2)
    state = position(rules, "v=8 turn=1 hands=R2/B2 display=RRBWK")
    decision = decision_of(state)
    before = print_position(rules, state)
    answer(rules, state.copy(), "PlaceCards B2")
    with pytest.raises(RuleViolation):
        advance(rules, state, decision, parse_move(rules, "PlaceCards R2"), FastChance(1))
    assert print_position(rules, state) == before
    state.decisions.clear()
    with pytest.raises(DecisionNotOpen):
        advance(rules, state, decision, parse_move(rules, "PlaceCards B2"), FastChance(1))


@pytest.mark.rule("CG-4a")
@pytest.mark.rule("BASE-35")
def test_a_kept_ticket_cannot_be_given_back_and_any_number_may_be_held() -> None:
    rules = card_game(2)
    everything = ",".join(rules.board.tickets[4:])
    state = position(rules, f"display=RRBWK tickets={everything}/-")
    assert refusal(rules, state, "KeepTickets -")[:2] == ("not_an_action", "CG-4")
    answer(rules, state, "DrawTickets", FastChance(1))
    answer(rules, state, f"KeepTickets {','.join(rules.board.tickets[:4])}")
    assert state.parts[2].counts == [[46], [0]]
    assert not any(move.startswith("KeepTickets") for move in listed_moves(rules, state))


@pytest.mark.rule("CG-4a")
@pytest.mark.rule("BASE-6")
def test_scores_start_at_0() -> None:
    assert shown(card_game(4), new_game(card_game(4), FastChance(1))[0], "points") == "0/0/0/0"


@pytest.mark.rule("CG-4a")
def test_a_refusal_names_a_rule_of_this_game() -> None:
    """Rules of the board games that hold here are those which CG-4a and CG-8 take over."""
    rules = card_game(2)
    taken = {"BASE-6", "BASE-8", "BASE-31", "BASE-35", "BASE-43", "BASE-44"} | {f"BASE-{n}" for n in range(11, 17)}
    assert all(new.startswith("CG-") and rule_text(old) for old, new in rules.replaces.items())
    assert not taken & set(rules.replaces)
    state = position(rules, "hands=R1/- display=RRBWK")
    tried = ["Pass", "PlaceCards R1", "KeepTickets -", "CompleteTickets -", "DrawFromDisplay purple"]
    for rule in [refusal(rules, state, move)[1] for move in tried]:
        assert rule.startswith("CG-") or rule in taken


@pytest.mark.rule("CG-4a")
def test_moves_are_listed_in_the_published_order() -> None:
    rules = card_game(2)
    state = position(rules, "hands=R2B1G1/- display=RRBWK")
    assert [type(move).__name__ for move in legal_moves(rules, state, decision_of(state))] == (
        ["PlaceCards"] * 2 + ["DrawFromDeck"] + ["DrawFromDisplay"] * 4 + ["DrawTickets"]
    )
