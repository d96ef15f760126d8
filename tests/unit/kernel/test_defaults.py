"""The answer made for a seat whose time has run out (BASE-44)."""

from __future__ import annotations

import pytest

from shared.kernel import (
    FastChance,
    State,
    advance,
    default_move,
    legal_moves,
    new_game,
    print_move,
    score,
    view_for,
)
from tests.unit.kernel.play import ALL_CARDS, ALL_TICKETS, answer, decision_of, position, usa


def default(text: str) -> str:
    rules = usa(2)
    state = position(rules, text)
    return print_move(rules, default_move(rules, state, decision_of(state, 0)))


@pytest.mark.rule("BASE-44")
def test_opening_tickets_the_first_dealt_to_the_minimum() -> None:
    assert default(
        "offers=miami-toronto,denver-el_paso,boston-miami/duluth-houston,calgary-phoenix,dallas-new_york"
        " ask=1.0:opening_tickets,1.1:opening_tickets"
    ) == "KeepTickets denver-el_paso,miami-toronto"  # fmt: skip


@pytest.mark.rule("BASE-44")
@pytest.mark.parametrize("offer", ["miami-toronto,denver-el_paso,boston-miami", "miami-toronto"])
def test_p21_drawn_tickets_the_first_drawn(offer: str) -> None:
    assert default(f"offers={offer}/- ask=keep_tickets") == "KeepTickets miami-toronto"


@pytest.mark.rule("BASE-44")
def test_p21_a_second_card_blind() -> None:
    assert default("display=RRBBK hands=R6/- ask=second_card") == "DrawFromDeck"


@pytest.mark.rule("BASE-44")
def test_a_turn_two_blind_cards() -> None:
    rules = usa(2)
    state = position(rules, "display=RRBBK hands=R6/-", top="GG")
    for _ in range(2):
        decision = decision_of(state)
        move = default_move(rules, state, decision)
        assert print_move(rules, move) == "DrawFromDeck"
        advance(rules, state, decision, move, FastChance(1))
    assert decision_of(state).seat == 1


@pytest.mark.rule("BASE-44")
def test_else_tickets_even_where_a_track_could_be_claimed() -> None:
    assert default(f"hands=R1/{ALL_CARDS.replace('R12', 'R11')}") == "DrawTickets"


@pytest.mark.rule("BASE-44")
def test_else_the_first_legal_move_of_the_published_order() -> None:
    text = f"hands=R1B2/{ALL_CARDS.replace('R12', 'R11').replace('B12', 'B10')} tickets=-/{ALL_TICKETS}"
    rules = usa(2)
    state = position(rules, text)
    first = print_move(rules, legal_moves(rules, state, decision_of(state))[0])
    assert default(text) == first
    assert first.startswith("ClaimTrack")


@pytest.mark.rule("BASE-44")
@pytest.mark.rule("BASE-9")
def test_a01_else_the_pass() -> None:
    assert default(f"hands=-/{ALL_CARDS} tickets=-/{ALL_TICKETS}") == "Pass"


def to_the_end(seats: int, seed: int) -> State:
    rules = usa(seats)
    luck = FastChance(seed)
    state, _ = new_game(rules, luck)
    for _ in range(2_000):
        if state.over:
            return state
        decision = state.decisions[0]
        own = view_for(rules, state, decision.seat)
        move = default_move(rules, own, decision)
        assert move == default_move(rules, state, decision)
        advance(rules, state, decision, move, luck)
    raise AssertionError("no end in sight")


@pytest.mark.rule("BASE-44")
@pytest.mark.parametrize("seats", [2, 3, 5])
def test_a04_forced_answers_lead_a_whole_game_to_its_end(seats: int) -> None:
    """A-04: in every kind of decision, and from the seat's own view as well."""
    state = to_the_end(seats, seed=seats)
    assert score(usa(seats), state).ranks


@pytest.mark.rule("BASE-44")
def test_a_forced_answer_is_open_to_every_seat_of_an_opening_choice() -> None:
    rules = usa(3)
    state, _ = new_game(rules, FastChance(9))
    for seat in (2, 0, 1):
        move = default_move(rules, state, decision_of(state, seat))
        answer(rules, state, print_move(rules, move), seat=seat)
    assert decision_of(state).name == "turn"
