"""Drawing and keeping tickets (BASE-31 to BASE-35, USA-3)."""

from __future__ import annotations

import pytest

from shared.kernel import TICKETS, KeepTickets, MalformedMove, bits
from tests.unit.kernel.play import (
    ALL_TICKETS,
    ScriptedChance,
    answer,
    answers,
    decision_of,
    listed_moves,
    names,
    opened_game,
    position,
    refusal,
    shown,
    usa,
)

#: seat 0 has drawn three tickets and must choose
OFFER = "offers=duluth-houston,boston-miami,denver-el_paso/- ask=keep_tickets display=RRBBK"


def with_deck(*layers: str) -> str:
    """A ticket deck of these single tickets, the top one first; seat 1 holds all the others."""
    held = [ticket for ticket in ALL_TICKETS.split(",") if ticket not in layers]
    deck = "|".join(f"{ticket}:-/-:1/1" for ticket in layers) or "-"
    return f"ticket_deck={deck} tickets=-/{','.join(held)} display=RRBBK"


def deck_order(state: object) -> list[list[int]]:
    return [bits(layer.tickets) for layer in state.parts[TICKETS].layers]  # type: ignore[attr-defined]


@pytest.mark.rule("BASE-31")
@pytest.mark.rule("USA-3")
def test_three_are_drawn_from_the_top_and_one_must_be_kept() -> None:
    rules = usa(2)
    state = position(rules, with_deck("dallas-new_york", "boston-miami", "calgary-phoenix", "miami-toronto"))
    assert names(answer(rules, state, "DrawTickets")) == ["TicketsOffered", "DecisionOpened"]
    assert shown(rules, state, "offers") == "dallas-new_york,boston-miami,calgary-phoenix/-"
    assert (decision_of(state).seat, decision_of(state).name) == (0, "keep_tickets")
    assert len(listed_moves(rules, state)) == 7
    expected = ("too_few_tickets_kept", "BASE-31", {"needed": 1, "came": 0})
    assert refusal(rules, state, "KeepTickets -") == expected


def test_a_ticket_kept_twice_is_no_move() -> None:
    """It would count as two towards the least number."""
    with pytest.raises(MalformedMove) as refused:
        KeepTickets((3, 3))
    assert refused.value.pointer == "/tickets"


@pytest.mark.rule("BASE-31")
@pytest.mark.rule("USA-3")
@pytest.mark.parametrize("kept", [1, 2, 3])
def test_t01_one_two_or_all_may_be_kept_and_the_turn_ends(kept: int) -> None:
    rules = usa(2)
    state = position(rules, OFFER)
    chosen = ["denver-el_paso", "boston-miami", "duluth-houston"][:kept]
    events = answer(rules, state, f"KeepTickets {','.join(chosen)}")
    assert names(events) == ["TicketsKept"] + ["TicketsReturned"] * (kept < 3) + ["TurnEnded", "TurnStarted"]
    assert shown(rules, state, "tickets").split("/")[0].split(",") == sorted(chosen)
    assert state.parts[TICKETS].deck_sizes == [30 - kept]
    assert decision_of(state).seat == 1


@pytest.mark.rule("BASE-31")
@pytest.mark.parametrize("move", ["Pass", "DrawFromDeck", "DrawFromDisplay red", "DrawTickets",
                                  "ClaimTrack dallas-houston-gray R1"])  # fmt: skip
def test_t05_nothing_else_is_legal_until_the_choice_is_made(move: str) -> None:
    rules = usa(2)
    state = position(rules, f"hands=R1/- {OFFER}")
    data = {"decision": "keep_tickets", "move": move.split()[0]}
    assert refusal(rules, state, move) == ("tickets_due", "BASE-31", data)


@pytest.mark.rule("BASE-31")
def test_only_drawn_tickets_can_be_kept() -> None:
    rules = usa(2)
    state = position(rules, OFFER)
    expected = ("ticket_not_offered", "BASE-31", {"ticket": "dallas-new_york"})
    assert refusal(rules, state, "KeepTickets boston-miami,dallas-new_york") == expected


@pytest.mark.rule("BASE-32")
def test_t06_tickets_not_kept_go_to_the_bottom_in_the_order_drawn() -> None:
    rules = usa(2)
    state = position(rules, OFFER)
    answer(rules, state, "KeepTickets boston-miami")
    first, second = rules.board.ticket_of["duluth-houston"], rules.board.ticket_of["denver-el_paso"]
    assert deck_order(state)[1:] == [[first], [second]]
    assert state.parts[TICKETS].deck_sizes == [29]


@pytest.mark.rule("BASE-32")
def test_the_first_drawn_of_them_comes_up_first() -> None:
    rules = usa(2)
    state = position(rules, with_deck("dallas-new_york", "boston-miami", "calgary-phoenix"))
    answers(rules, state, "DrawTickets", "KeepTickets boston-miami", "DrawTickets")
    assert shown(rules, state, "offers") == "-/dallas-new_york,calgary-phoenix"


@pytest.mark.rule("BASE-31")
def test_the_deck_is_drawn_before_what_was_put_under_it() -> None:
    rules = usa(2)
    state = position(rules, with_deck("dallas-new_york", "boston-miami", "calgary-phoenix", "miami-toronto"))
    answers(rules, state, "DrawTickets", "KeepTickets boston-miami", "DrawTickets")
    assert shown(rules, state, "offers") == "-/miami-toronto,dallas-new_york,calgary-phoenix"


@pytest.mark.rule("BASE-31")
def test_every_ticket_of_a_shuffled_deck_can_come_up() -> None:
    rules = usa(2)
    state = position(rules, "display=RRBBK")
    answer(rules, state, "DrawTickets", ScriptedChance(29, 0, 27))
    all_ = rules.board.tickets
    assert shown(rules, state, "offers") == f"{all_[29]},{all_[0]},{all_[28]}/-"


@pytest.mark.rule("BASE-33")
@pytest.mark.parametrize("left", [1, 2])
def test_t03_fewer_tickets_are_all_drawn(left: int) -> None:
    rules = usa(2)
    layers = ("dallas-new_york", "boston-miami")[:left]
    state = position(rules, with_deck(*layers))
    answer(rules, state, "DrawTickets")
    assert shown(rules, state, "offers") == f"{','.join(layers)}/-"
    assert state.parts[TICKETS].deck_sizes == [0]
    assert len(listed_moves(rules, state)) == {1: 1, 2: 3}[left]


@pytest.mark.rule("BASE-33")
def test_t04_a_single_one_must_be_kept() -> None:
    rules = usa(2)
    state = position(rules, with_deck("dallas-new_york"))
    answer(rules, state, "DrawTickets")
    expected = ("too_few_tickets_kept", "BASE-31", {"needed": 1, "came": 0})
    assert refusal(rules, state, "KeepTickets -") == expected
    assert listed_moves(rules, state) == ["KeepTickets dallas-new_york"]
    answer(rules, state, "KeepTickets dallas-new_york")
    assert shown(rules, state, "ticket_deck") == "-"


@pytest.mark.rule("BASE-34")
def test_t05_without_tickets_in_the_deck_the_action_is_refused_before_it_starts() -> None:
    rules = usa(2)
    state = position(rules, with_deck())
    assert refusal(rules, state, "DrawTickets") == ("no_tickets_left", "BASE-34", {"left": 0})
    assert state.parts[TICKETS].deck_sizes == [0]


@pytest.mark.rule("BASE-34")
def test_with_one_ticket_left_it_is_legal() -> None:
    rules = usa(2)
    assert "DrawTickets" in listed_moves(rules, position(rules, with_deck("boston-miami")))


@pytest.mark.rule("BASE-35")
def test_p16_no_move_gives_a_kept_ticket_back() -> None:
    """P-16: what was drawn stays drawn."""
    rules = usa(2)
    state = opened_game(rules)
    held = shown(rules, state, "tickets").split("/")[state.turn].split(",")
    offer = "DrawTickets"
    answers(rules, state, offer)
    assert refusal(rules, state, f"KeepTickets {held[0]}")[0] == "ticket_not_offered"
    drawn = shown(rules, state, "offers").split("/")[decision_of(state).seat].split(",")
    seat = decision_of(state).seat
    answer(rules, state, f"KeepTickets {drawn[0]}")
    assert shown(rules, state, "tickets").split("/")[seat].split(",") == sorted([*held, drawn[0]])


@pytest.mark.rule("BASE-35")
def test_a_seat_may_hold_any_number_of_tickets() -> None:
    rules = usa(2)
    state = position(rules, with_deck("dallas-new_york") + " turn=1")
    answers(rules, state, "DrawTickets", "KeepTickets dallas-new_york")
    assert state.parts[TICKETS].counts == [[0], [30]]


@pytest.mark.rule("BASE-31")
def test_t15_the_number_of_tickets_left_is_one_count() -> None:
    rules = usa(3)
    state = opened_game(rules)
    assert state.parts[TICKETS].deck_sizes == [30 - 6] == [sum(layer.size for layer in state.parts[TICKETS].layers)]
