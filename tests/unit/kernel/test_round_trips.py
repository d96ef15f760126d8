"""Positions set up by hand survive notation and plain form, token by token; games alone never reach some of these."""

from __future__ import annotations

import json

import pytest

from shared.kernel import Malformed, parse_position, print_position, state_from_plain, state_to_plain
from tests.unit.kernel.play import ALL_CARDS, ALL_TICKETS, usa

BUT_RED = "P12B12O12W12G12Y12K12L14"


@pytest.mark.parametrize(
    "text",
    [
        "usa@1:2 v=1 turn=0 points=0/0 hands=-/- display=- trains=45/45 ask=1.0:turn",
        f"usa@1:2 v=1 turn=0 points=0/0 hands=-/- display=- discard={ALL_CARDS} trains=45/45 ask=1.0:turn",
        f"usa@1:2 v=1 turn=0 points=0/0 hands=-/- display=- deck=R1|R11|{BUT_RED} trains=45/45 ask=1.0:turn",
        f"usa@1:2 v=1 turn=0 points=0/0 hands=-/- display=- deck=R12|{BUT_RED} trains=45/45 ask=1.0:turn",
        "usa@1:2 v=7 turn=1 passes=1 last=2 points=-3/12 hands=P1R2/L3 known=-/L2 display=PBOWG discard=Y1K2 resets=2"
        " trains=45/2 ask=6.1:second_card",
        "usa@1:2 v=9 turn=0 viewer=1 points=0/0 hands=?3/R1 display=- trains=45/45 tickets=?2/boston-miami"
        " ask=9.0:turn",
        "usa@1:2 v=9 turn=0 viewer=spectator points=0/0 hands=R1?3/?2 known=R1/- display=- trains=45/45 ask=9.0:turn",
        "usa@1:2 v=2 turn=1 viewer=0 points=0/0 hands=-/- display=- trains=45/45"
        " offers=boston-miami,denver-el_paso/?3 chosen=-/? ask=1.0:opening_tickets",
        f"usa@1:2 v=1 turn=0 points=0/0 hands=-/- display=- trains=45/45 tickets={ALL_TICKETS}/- ticket_deck=-"
        " ask=1.0:turn",
        "usa@1:2 v=9 turn=0 viewer=0 points=0/0 hands=-/- display=- trains=45/45 tickets=boston-miami/?3"
        " ticket_deck=?20:-/-:21/23|?1:denver-el_paso/-:1/1|?5:calgary-phoenix/-:5/5 ask=9.0:turn",
        "usa@1:2 v=9 turn=0 over=1 points=1/0 hands=-/- display=- tracks=dallas-houston-gray/- trains=44/45 ask=-",
    ],
)
def test_a_position_is_printed_as_it_was_written(text: str) -> None:
    rules = usa(2)
    state = parse_position(rules, text)
    assert print_position(rules, state) == text
    plain = json.loads(json.dumps(state_to_plain(rules, state)))
    assert print_position(rules, state_from_plain(rules, plain)) == text


def test_a_ticket_deck_left_out_is_empty_where_all_tickets_are_held() -> None:
    rules = usa(2)
    state = parse_position(rules, f"usa@1:2 tickets={ALL_TICKETS}/-")
    assert print_position(rules, state).split("ticket_deck=")[1] == "- ask=1.0:turn"


@pytest.mark.parametrize(
    ("text", "pointer"),
    [
        ("hands=R1?1/-", "/cards/sizes/0"),
        ("tickets=boston-miami,?1/-", "/tickets"),
        ("offers=boston-miami,?2/- ask=keep_tickets", "/tickets"),
        ("offers=denver-el_paso/boston-miami,?2 chosen=?/- ask=1.1:opening_tickets", "/tickets/chosen/0"),
    ],
)
def test_a_view_hides_nothing_that_its_own_seat_holds(text: str, pointer: str) -> None:
    """Such views once were read, and their seat was offered choices that are none."""
    with pytest.raises(Malformed) as refused:
        parse_position(usa(2), f"usa@1:2 viewer=0 {text}")
    assert refused.value.pointer == pointer


def test_a_second_card_may_be_due_while_the_deck_is_as_large_as_the_discard_pile() -> None:
    rules = usa(2)
    held = "hands=P12B12O12W12G12Y12K12R12/- discard=L7"
    state = parse_position(rules, f"usa@1:2 {held} deck=L7 ask=second_card")
    assert len(state.decisions) == 1


@pytest.mark.parametrize(
    "layer",
    ["nowhere:-/-:1/1", "?:-/-:1/1", "?30:nowhere/-:30/30", "?30:-:30/30", "?30:-/-:30", "?30:-/-:30/x", "?30:-/-"],
)
def test_a_faulty_layer_of_the_ticket_deck_is_refused(layer: str) -> None:
    with pytest.raises(Malformed) as refused:
        parse_position(usa(2), f"usa@1:2 viewer=0 ticket_deck={layer}")
    assert refused.value.pointer == "/ticket_deck"
