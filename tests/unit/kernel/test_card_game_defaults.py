"""The answer made for a seat whose time has run out, in the Card Game (BASE-44 by CG-4a, CG-23)."""

from __future__ import annotations

import pytest

from shared.kernel import FastChance, State, advance, default_move, legal_moves, new_game, print_move, score, view_for
from tests.unit.kernel.play import card_game, completing, decision_of, near_the_end, position, shown


def default(state: State) -> str:
    rules = card_game(2)
    return print_move(rules, default_move(rules, state, decision_of(state, 0)))


@pytest.mark.rule("CG-4a")
@pytest.mark.rule("BASE-44")
def test_opening_tickets_the_first_dealt() -> None:
    rules = card_game(2)
    state, _ = new_game(rules, FastChance(1))
    first = shown(rules, state, "offers").split("/")[0].split(",")[0]
    assert default(state) == f"KeepTickets {first}"


@pytest.mark.rule("CG-4a")
@pytest.mark.rule("BASE-44")
def test_a_turn_two_blind_cards_though_rows_could_be_placed() -> None:
    rules = card_game(2)
    state = position(rules, "hands=R4B1G1/- display=RRBWK")
    assert default(state) == "DrawFromDeck"
    state = position(rules, "display=RRBWK ask=second_card")
    assert default(state) == "DrawFromDeck"


@pytest.mark.rule("CG-4a")
@pytest.mark.rule("BASE-44")
def test_else_from_the_display() -> None:
    rules = card_game(2)
    assert default(near_the_end(rules, "last=1 hands=R4/- display=BRK")) == "DrawFromDisplay blue"
    assert default(near_the_end(rules, "last=1 display=LRK")) == "DrawFromDisplay locomotive"
    assert default(near_the_end(rules, "last=1 display=LRK ask=second_card")) == "DrawFromDisplay red"


@pytest.mark.rule("CG-4a")
@pytest.mark.rule("BASE-44")
def test_else_tickets_keeping_none() -> None:
    rules = card_game(2)
    assert default(near_the_end(rules, "last=1 hands=R4/- display=-")) == "DrawTickets"
    state = position(rules, "display=RRBWK offers=dallas-miami,seattle-denver/- ask=keep_tickets")
    assert default(state) == "KeepTickets -"


@pytest.mark.rule("CG-4a")
@pytest.mark.rule("BASE-44")
def test_else_the_first_legal_move() -> None:
    rules = card_game(2)
    everything = ",".join(rules.board.tickets)
    state = near_the_end(rules, f"last=1 hands=R3B1L1/- display=- tickets=-/{everything}")
    assert default(state) == print_move(rules, legal_moves(rules, state, decision_of(state))[0]) == "PlaceCards B1L1"
    assert default(near_the_end(rules, f"last=1 hands=R1/- display=- tickets=-/{everything}")) == "Pass"


@pytest.mark.rule("CG-23")
def test_tickets_to_complete_the_best_set() -> None:
    rules = card_game(2)
    state = completing(rules, "tickets=chicago-new_york,dallas-miami/- stacks=Y1G1R1/-")
    assert default(state) == "CompleteTickets chicago-new_york,dallas-miami"
    assert default(completing(rules, "tickets=chicago-new_york/-")) == "CompleteTickets -"


@pytest.mark.rule("BASE-44")
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a04_forced_answers_lead_a_whole_game_to_its_end(seats: int) -> None:
    rules = card_game(seats)
    luck = FastChance(seats)
    state, _ = new_game(rules, luck)
    for _ in range(1_000):
        if state.over:
            break
        decision = state.decisions[0]
        move = default_move(rules, state, decision)
        assert default_move(rules, view_for(rules, state, decision.seat), decision) == move
        advance(rules, state, decision, move, luck)
    assert score(rules, state).ranks
