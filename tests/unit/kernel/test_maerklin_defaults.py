"""The answers made in Märklin for a seat whose time has run out (BASE-44)."""

from __future__ import annotations

import pytest

from shared.catalog import board
from shared.kernel import FastChance, advance, default_move, new_game, print_move, score, view_for
from tests.unit.kernel.play import decision_of, maerklin, position

SHORT = [ticket["id"] for ticket in board("maerklin")["tickets"] if ticket["kind"] == "short"]
LONG = [ticket["id"] for ticket in board("maerklin")["tickets"] if ticket["kind"] == "long"]
NO_CARDS = "P11B11O11W11G11Y11K11R11L14F6N10"


def default(text: str) -> str:
    rules = maerklin()
    state = position(rules, text)
    return print_move(rules, default_move(rules, state, decision_of(state)))


@pytest.mark.rule("BASE-44")
def test_the_opening_split_is_2_and_2() -> None:
    rules = maerklin(3)
    state, _ = new_game(rules, FastChance(1))
    for number in range(3):
        decision = decision_of(state)
        move = default_move(rules, state, decision)
        assert print_move(rules, move) == "AnnounceSplit 2short,2long"
        advance(rules, state, decision, move, FastChance(number))
    kept = default_move(rules, state, state.decisions[0])
    offer = state.parts[2].offers[0]
    assert set(kept.tickets) == set(offer[:2]), "the first dealt, to the minimum"


@pytest.mark.rule("BASE-44")
@pytest.mark.rule("MK-7")
@pytest.mark.parametrize(
    ("short", "long", "split"),
    [(1, 22, "1short,3long"), (22, 1, "3short,1long"), (0, 9, "0short,4long"), (1, 1, "1short,1long")],
)
def test_or_what_the_decks_allow(short: int, long: int, split: str) -> None:
    """In a game with fewer tickets; here the others have been drawn by seat 0."""
    offer = ",".join(SHORT[short:] + LONG[long:])
    assert default(f"offers={offer}/- ask=1.1:announce_split") == f"AnnounceSplit {split}"


@pytest.mark.rule("BASE-44")
def test_a_turn_two_blind_cards_whatever_else_is_possible() -> None:
    text = "hands=R9N9/- tracks=berlin-leipzig-orange/- passengers=berlin/- display=RRBBK"
    assert default(text) == "DrawFromDeck"
    assert default(f"{text} ask=second_card") == "DrawFromDeck"


@pytest.mark.rule("BASE-44")
@pytest.mark.parametrize(
    ("short", "long", "split"),
    [(23, 23, "4short,0long"), (3, 9, "3short,1long"), (0, 9, "0short,4long"), (1, 1, "1short,1long")],
)
def test_else_tickets_as_many_short_as_possible(short: int, long: int, split: str) -> None:
    held = ",".join(SHORT[short:] + LONG[long:]) or "-"
    assert default(f"hands=-/{NO_CARDS} tickets=-/{held}") == f"AnnounceSplit {split}"
    payable = NO_CARDS.replace("B11", "B10")
    assert default(f"hands=B1/{payable} tickets=-/{held}") == f"AnnounceSplit {split}", "not the track it could claim"


@pytest.mark.rule("BASE-44")
def test_else_the_first_legal_move() -> None:
    tickets = ",".join(SHORT + LONG)
    text = f"hands=-/{NO_CARDS} tickets=-/{tickets} tracks=berlin-leipzig-orange/- passengers=berlin/-"
    assert default(text) == "MovePassenger berlin berlin-leipzig-orange 0"
    assert default(text.replace(" passengers=berlin/-", "")) == "Pass"


@pytest.mark.rule("BASE-44")
def test_no_passenger() -> None:
    assert default(
        "tracks=berlin-leipzig-orange/- last_claim=berlin-leipzig-orange ask=place_passenger"
    ) == "Decline"  # fmt: skip


@pytest.mark.rule("BASE-9")
def test_a_passenger_that_can_move_forbids_a_pass() -> None:
    rules = maerklin()
    text = f"hands=-/{NO_CARDS} tickets=-/{','.join(SHORT + LONG)} passengers=berlin/-"
    for tracks, move in (
        ("berlin-leipzig-orange/-", "MovePassenger berlin berlin-leipzig-orange 0"),
        ("-/berlin-leipzig-orange", "Pass"),
        ("-/-", "Pass"),
    ):
        state = position(rules, f"{text} tracks={tracks}")
        assert print_move(rules, default_move(rules, state, decision_of(state))) == move


@pytest.mark.rule("BASE-44")
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_forced_answers_lead_a_whole_game_to_its_end(seats: int) -> None:
    rules = maerklin(seats)
    luck = FastChance(seats)
    state, _ = new_game(rules, luck)
    for _ in range(3_000):
        if state.over:
            break
        decision = state.decisions[0]
        move = default_move(rules, view_for(rules, state, decision.seat), decision)
        assert move == default_move(rules, state, decision)
        advance(rules, state, decision, move, luck)
    assert score(rules, state).ranks
