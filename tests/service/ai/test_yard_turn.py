"""How the planner plays the Card Game: positions with one sensible answer."""

from __future__ import annotations

import json

from services.ai.bots import BOTS
from shared.catalog import rules_for
from shared.client import Question
from shared.kernel import FastChance, legal_moves, parse_position, print_move, view_for

RULES = rules_for("card_game@1", 2)
NEITHER = "chicago-calgary,dallas-winnipeg"


def chosen(position: str, stack: str = "") -> str:
    """What the planner does in a position, in notation; it remembers that its stack holds these cards, one a letter."""
    state = parse_position(RULES, f"card_game@1:2 v=9 turn=0 {position}")
    decision = state.decisions[0]
    view = view_for(RULES, state, decision.seat)
    counts = [stack.count(letter) for letter in RULES.letters]
    notes = json.dumps({"stack": counts, "rows": [], "half": 1})
    question = Question(RULES, view, decision, legal_moves(RULES, view, decision), notes, FastChance(1))
    return print_move(RULES, BOTS["planner"].choose(question))


def test_places_the_cards_that_its_tickets_lack_while_there_is_time() -> None:
    """Chicago-Dallas takes a green and a yellow card, Chicago-Charleston a yellow and a red one."""
    tickets = "tickets=chicago-dallas,chicago-charleston/-"
    hurry = "discard=P7B10O8W9G8Y5R8K9L16"
    assert chosen(f"hands=G1Y1R1P1W1/- display=PPOOK {hurry} {tickets}") == "PlaceCards G1Y1R1"


def test_robs_a_long_row_before_it_moves() -> None:
    assert chosen("hands=G5Y1/- display=PPOOK yards=-/G4 tickets=chicago-new_york/-") == "PlaceCards G5"


def test_draws_what_it_lacks_from_the_display() -> None:
    assert chosen("hands=-/- display=YPPOO tickets=chicago-charleston,chicago-new_york/-") == "DrawFromDisplay yellow"


def test_places_nothing_with_its_last_turn() -> None:
    position = "hands=G2Y2R2/- display=PPOOK last=1 tickets=chicago-dallas/-"
    assert not chosen(position).startswith("PlaceCards")


def test_takes_tickets_with_its_last_turn_if_its_stack_is_rich() -> None:
    position = "hands=-/- display=PPOOK last=1 tickets=-/-"
    assert chosen(position, stack="BBYYGGRRKKWWLL") == "DrawTickets"


def test_keeps_what_its_stack_can_pay_and_no_more() -> None:
    position = f"hands=-/- display=PPOOK last=1 offers=chicago-dallas,{NEITHER},seattle-miami/- ask=keep_tickets"
    assert chosen(position, stack="GY") == "KeepTickets chicago-dallas"
    assert chosen(position) == "KeepTickets -"
