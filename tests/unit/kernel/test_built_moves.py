"""Moves that code builds, as a bot's: what could not be sent through the API is no move."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from shared.kernel import (
    AnnounceSplit,
    CompleteTickets,
    FastChance,
    MalformedMove,
    Move,
    PlaceCards,
    PlaceMarker,
    advance,
)
from tests.unit.kernel.play import card_game, decision_of, position, shown

RED, WILD = 7, 8


@pytest.mark.rule("OW-8")
@pytest.mark.rule("CG-10")
@pytest.mark.parametrize("cards", [((WILD, 1), (WILD, 1)), ((RED, 3), (WILD, -1)), ((RED, 2), (WILD, 0))])
@pytest.mark.parametrize("build", [lambda cards: PlaceMarker(0, cards), PlaceCards], ids=["marker", "row"])
def test_one_locomotive_does_not_pay_twice(build: Callable[..., Move], cards: tuple[tuple[int, int], ...]) -> None:
    """Each entry alone is in the hand, and the hand would owe cards afterwards."""
    with pytest.raises(MalformedMove, match="each kind of card is named once"):
        build(cards)


@pytest.mark.rule("CG-12")
def test_locomotives_named_first_lie_in_the_row_of_their_colour() -> None:
    rules = card_game()
    state = position(rules, "hands=R1L1/- display=GGYYK")
    advance(rules, state, decision_of(state), PlaceCards(((WILD, 1), (RED, 1))), FastChance(1))
    assert shown(rules, state, "yards") == "R1L1/-"


@pytest.mark.rule("MK-7")
def test_no_deck_gives_fewer_than_no_tickets() -> None:
    """Six less two are four, yet six would be drawn."""
    with pytest.raises(MalformedMove) as refused:
        AnnounceSplit((6, -2))
    assert refused.value.pointer == "/split"


@pytest.mark.rule("CG-22")
def test_a_ticket_completed_twice_is_no_move() -> None:
    with pytest.raises(MalformedMove) as refused:
        CompleteTickets((3, 3))
    assert refused.value.pointer == "/tickets"
