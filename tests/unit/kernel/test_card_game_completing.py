"""The last turns, and completing tickets with the on-the-track stack (CG-19 to CG-25)."""

from __future__ import annotations

import random
from itertools import combinations

import pytest

from shared.kernel import (
    TICKETS,
    YARDS,
    CompleteTickets,
    Rules,
    State,
    bits,
    default_move,
    is_legal,
    legal_moves,
    view_for,
)
from tests.unit.kernel.play import (
    answer,
    answers,
    card_game,
    completing,
    count,
    decision_of,
    listed_moves,
    names,
    near_the_end,
    refusal,
    shown,
)

LETTERS = "PBOWGYKRL"


def letters_of(counts: list[int]) -> str:
    return "".join(f"{letter}{number}" for letter, number in zip(LETTERS, counts, strict=True) if number) or "-"


@pytest.mark.rule("CG-19")
@pytest.mark.parametrize(
    ("moves", "deck"),
    [
        (["DrawFromDeck", "DrawFromDeck"], "GY"),
        (["DrawFromDeck", "DrawFromDisplay red"], "GY"),
        (["DrawFromDisplay red", "DrawFromDeck"], "GY"),
        (["DrawFromDisplay red", "DrawFromDisplay blue"], "GY"),
        (["DrawFromDeck", "DrawFromDisplay red"], "G"),
        (["DrawFromDisplay red", "DrawFromDisplay red"], "G"),
    ],
)
def test_c09_the_last_card_drawn_or_turned_up_starts_the_last_turns(moves: list[str], deck: str) -> None:
    rules = card_game(3)
    state = near_the_end(rules, "turn=1 hands=-/B1/- display=RRBWK", deck=deck)
    first = answer(rules, state, moves[0])
    assert "LastRoundStarted" not in names(first), "the turn is finished first"
    events = answer(rules, state, moves[1])
    assert names(events)[-4:] == ["TurnEnded", "LastRoundStarted", "TurnStarted", "RowsMoved"]
    seats = []
    while not state.parts[YARDS].open:
        seats.append(state.turn)
        answers(rules, state, "DrawTickets", "KeepTickets -")
    assert seats == [2, 0, 1], "beginning with the next seat, ending with the one whose turn it was"


@pytest.mark.rule("CG-19")
def test_a_face_up_locomotive_may_bring_the_last_card() -> None:
    rules = card_game(2)
    state = near_the_end(rules, "display=LRBWK", deck="G")
    events = answer(rules, state, "DrawFromDisplay locomotive")
    assert names(events)[:4] == ["CardTaken", "CardTurnedUp", "TurnEnded", "LastRoundStarted"]


@pytest.mark.rule("CG-19")
def test_not_while_a_card_is_left() -> None:
    rules = card_game(2)
    state = near_the_end(rules, "display=RRBWK", deck="GYO")
    answers(rules, state, "DrawFromDeck", "DrawFromDeck")
    assert (state.turns_left, state.parts[0].deck_size) == (-1, 1)


@pytest.mark.rule("CG-19")
def test_last_turns_are_full_turns_and_start_once() -> None:
    rules = card_game(2)
    state = near_the_end(rules, "turn=1 hands=-/R2 display=BBWK yards=R2/B1", deck="G")
    answers(rules, state, "DrawFromDeck", "DrawFromDisplay blue")
    assert (state.turns_left, shown(rules, state, "yards"), shown(rules, state, "stacks")) == (1, "R1/B1", "R1/-")
    answers(rules, state, "DrawFromDisplay blue", "DrawFromDisplay white")
    assert (state.turns_left, shown(rules, state, "stacks")) == (0, "R1/B1")
    events = answer(rules, state, "PlaceCards R2")
    assert names(events) == ["CardsPlaced", "RowRobbed", "TurnEnded", "StacksOpened"] + ["DecisionOpened"] * 2
    assert [decision.name for decision in state.decisions] == ["complete_tickets"] * 2


@pytest.mark.rule("CG-20")
@pytest.mark.parametrize(
    ("ticket", "stack", "payable"),
    [
        ("chicago-new_york", "Y1", True),
        ("chicago-new_york", "L1", True),
        ("chicago-new_york", "B1", False),
        ("seattle-chicago", "Y2K1", True),
        ("seattle-chicago", "Y1K1", False),
        ("seattle-chicago", "Y1K1L1", True),
        ("seattle-chicago", "L3", True),
        ("seattle-chicago", "L2", False),
        ("seattle-miami", "O1W1K1R2", True),
        ("seattle-miami", "O9W9K9R1", False),
    ],
)
def test_a_ticket_needs_its_colours_and_a_locomotive_stands_for_any(ticket: str, stack: str, payable: bool) -> None:
    rules = card_game(2)
    state = completing(rules, f"tickets={ticket}/- stacks={stack}/-")
    move = f"CompleteTickets {ticket}"
    if payable:
        assert listed_moves(rules, state, 0)[0] == move
    else:
        data = {"tickets": [ticket]}
        assert refusal(rules, state, move, 0) == ("stack_cannot_pay", "CG-22", data)
        assert listed_moves(rules, state, 0) == ["CompleteTickets -"]


@pytest.mark.rule("CG-20")
def test_a_locomotive_serves_whatever_row_it_came_from() -> None:
    rules = card_game(2)
    state = near_the_end(rules, "last=1 display=B yards=R1L1/- tickets=chicago-new_york/- turn=1")
    answers(rules, state, "DrawFromDisplay blue")
    assert (shown(rules, state, "yards"), shown(rules, state, "stacks")) == ("R1/-", "L1/-")
    answers(rules, state, "DrawTickets", "KeepTickets -")
    assert listed_moves(rules, state, 0)[0] == "CompleteTickets chicago-new_york"


@pytest.mark.rule("CG-20")
def test_each_card_serves_one_ticket() -> None:
    rules = card_game(2)
    both = "chicago-new_york,chicago-dallas"
    for stack, payable in (("Y1G1", False), ("Y2G1", True), ("Y1G1L1", True), ("G1L2", True), ("G1L1", False)):
        state = completing(rules, f"tickets={both}/- stacks={stack}/-")
        if payable:
            answer(rules, state, f"CompleteTickets {both}", seat=0)
        else:
            refused = refusal(rules, state, f"CompleteTickets {both}", 0)
            assert refused == ("stack_cannot_pay", "CG-22", {"tickets": both.split(",")})


@pytest.mark.rule("CG-20")
def test_only_tickets_in_hand() -> None:
    rules = card_game(2)
    state = completing(rules, "tickets=dallas-miami/chicago-new_york completed=chicago-dallas/- stacks=Y2G2/-")
    for ticket in ("chicago-new_york", "seattle-miami", "chicago-dallas"):
        refused = refusal(rules, state, f"CompleteTickets {ticket}", 0)
        assert refused == ("ticket_not_held", "CG-20", {"ticket": ticket})


@pytest.mark.rule("CG-21")
def test_cards_in_hand_and_yard_do_not_count() -> None:
    rules = card_game(2)
    state = completing(rules, "hands=Y3/- yards=Y2L1/- stacks=-/Y3 tickets=chicago-new_york/-")
    assert refusal(rules, state, "CompleteTickets chicago-new_york", 0)[0] == "stack_cannot_pay"


@pytest.mark.rule("CG-22")
@pytest.mark.parametrize("move", ["Pass", "DrawFromDeck", "DrawTickets", "KeepTickets -", "PlaceCards R2"])
def test_tickets_are_claimed_before_anything_else(move: str) -> None:
    rules = card_game(2)
    state = completing(rules, "hands=R2/- display=RRBWK")
    data = {"decision": "complete_tickets", "move": move.split()[0]}
    assert refusal(rules, state, move, 1) == ("claim_due", "CG-22", data)


@pytest.mark.rule("CG-22")
def test_a_claim_that_cannot_be_paid_may_be_made_again_and_an_empty_one_is_valid() -> None:
    rules = card_game(2)
    state = completing(rules, "tickets=chicago-new_york,dallas-miami/- stacks=Y1/-")
    assert refusal(rules, state, "CompleteTickets dallas-miami", 0)[0] == "stack_cannot_pay"
    answer(rules, state, "CompleteTickets chicago-new_york", seat=0)
    state = completing(rules, "tickets=chicago-new_york,dallas-miami/- stacks=Y1/-")
    answer(rules, state, "CompleteTickets -", seat=0)
    assert shown(rules, state, "claims") == "none/-"


@pytest.mark.rule("CG-22")
def test_payment_goes_ticket_by_ticket_in_the_files_order_own_colours_first() -> None:
    """Both cost yellow: the one that comes first in the file gets the yellow card, however they are named."""
    rules = card_game(2)
    state = completing(rules, "tickets=chicago-dallas,chicago-new_york,seattle-denver/- stacks=G3Y1K1L3/-")
    answer(rules, state, "CompleteTickets seattle-denver,chicago-dallas,chicago-new_york", seat=0)
    events = answer(rules, state, "CompleteTickets -", seat=1)
    assert events[1].plain(rules, "event") == {
        "event": "TicketsCompleted",
        "seat": 0,
        "payments": {
            "chicago-new_york": {"yellow": 1},
            "chicago-dallas": {"green": 1, "locomotive": 1},
            "seattle-denver": {"green": 1, "black": 1},
        },
        "points": 21,
    }
    assert shown(rules, state, "completed") == "chicago-new_york,chicago-dallas:G1L1,seattle-denver/-"


@pytest.mark.rule("CG-22")
@pytest.mark.rule("VIEW-4")
def test_claims_are_made_in_secret_and_shown_together() -> None:
    rules = card_game(3)
    text = "tickets=chicago-new_york/dallas-miami/- stacks=Y1/G1R1/B2"
    state = completing(rules, text)
    events = answer(rules, state, "CompleteTickets dallas-miami", seat=1)
    assert names(events) == ["TicketsClaimed"]
    assert shown(rules, view_for(rules, state, 1), "claims") == "-/dallas-miami/-"
    for viewer in (0, 2, None):
        assert shown(rules, view_for(rules, state, viewer), "claims") == "-/?/-"
        assert events[0].seen_by(rules, state, -1 if viewer is None else viewer).tickets is None
        assert state.points == [0, 0, 0]
    answer(rules, state, "CompleteTickets -", seat=2)
    events = answer(rules, state, "CompleteTickets chicago-new_york", seat=0)
    assert names(events)[:4] == ["TicketsClaimed"] + ["TicketsCompleted"] * 3
    assert [event.seen_by(rules, state, -1) is event for event in events[1:4]] == [True] * 3
    assert [event.seat for event in events[1:4]] == [0, 1, 2]


@pytest.mark.rule("CG-22")
def test_the_order_in_which_claims_arrive_does_not_matter() -> None:
    rules = card_game(2)
    ends = []
    for order in ((0, 1), (1, 0)):
        state = completing(rules, "tickets=chicago-new_york/dallas-miami stacks=Y1/G1R1 display=RRBWK")
        for seat in order:
            answer(rules, state, listed_moves(rules, state, seat)[0], seat=seat)
        ends.append((state.points, shown(rules, state, "completed")))
    assert ends[0] == ends[1] == ([5, 9], "chicago-new_york/dallas-miami")


def best_of_all(rules: Rules, state: State, seat: int) -> tuple[int, ...]:
    """CG-23 by trying every set of tickets in hand."""
    held = bits(state.parts[TICKETS].hands[seat])
    decision = decision_of(state, seat)
    valid = [
        claim
        for number in range(len(held) + 1)
        for claim in combinations(held, number)
        if is_legal(rules, state, decision, CompleteTickets(claim))
    ]
    return min(valid, key=lambda claim: (-sum(rules.board.ticket_points[t] for t in claim), -len(claim), claim))


@pytest.mark.rule("CG-23")
@pytest.mark.parametrize("seed", range(60))
def test_the_suggestion_is_the_best_of_all_sets(seed: int) -> None:
    rules = card_game(2)
    luck = random.Random(seed)
    held = luck.sample(rules.board.tickets, luck.randint(1, 9))
    deck = [kind for kind, number in enumerate(rules.deck_counts) for _ in range(number)]
    cards = luck.sample(deck, luck.randint(0, 14))
    stack = [cards.count(kind) for kind in range(9)]
    state = completing(rules, f"tickets={','.join(held)}/- stacks={letters_of(stack)}/-")
    best = CompleteTickets(best_of_all(rules, state, 0))
    decision = decision_of(state, 0)
    assert legal_moves(rules, state, decision)[0] == best
    assert default_move(rules, state, decision) == best
    own = view_for(rules, state, 0)
    assert legal_moves(rules, own, decision)[0] == best, "the seat's view is enough"


@pytest.mark.rule("CG-23")
@pytest.mark.parametrize(
    ("held", "stack", "best"),
    [
        # the highest total, not the most tickets
        ("chicago-new_york,chicago-dallas,seattle-miami", "O1W1K1R2", "seattle-miami"),
        # taking the dearest first would leave the other two unpaid
        ("seattle-chicago,chicago-dallas,chicago-montreal", "Y2B1G1", "chicago-dallas,chicago-montreal"),
        # 10 by one ticket or by two: the two
        ("chicago-new_york,new_york-chicago,dallas-helena", "L2", "chicago-new_york,new_york-chicago"),
        # equal in points and number: the first in the file
        ("dallas-helena,seattle-denver", "G1K1", "seattle-denver"),
        ("new_york-chicago,chicago-new_york", "L1", "chicago-new_york"),
        ("los_angeles-vancouver,dallas-helena,new_york-miami,chicago-miami", "R1L2", "chicago-miami"),
    ],
)
def test_ties_go_to_more_tickets_then_to_the_files_order(held: str, stack: str, best: str) -> None:
    rules = card_game(2)
    state = completing(rules, f"tickets={held}/- stacks={stack}/-")
    assert listed_moves(rules, state, 0)[0] == f"CompleteTickets {best}"


@pytest.mark.rule("CG-23")
def test_listed_are_the_suggestion_each_ticket_alone_and_none() -> None:
    rules = card_game(2)
    state = completing(rules, "tickets=chicago-dallas,chicago-new_york,seattle-miami/- stacks=Y2G1/-")
    assert listed_moves(rules, state, 0) == [
        "CompleteTickets chicago-new_york,chicago-dallas",
        "CompleteTickets chicago-new_york",
        "CompleteTickets chicago-dallas",
        "CompleteTickets -",
    ]
    assert listed_moves(rules, state, 1) == ["CompleteTickets -"]


@pytest.mark.rule("CG-23")
@pytest.mark.parametrize("wilds", [0, 4, 16])
def test_all_tickets_in_hand_and_a_stack_of_40_leave_no_ticket_that_could_be_paid_too(wilds: int) -> None:
    rules = card_game(2)
    for seed in range(6):
        luck = random.Random(seed)
        colours = luck.sample([kind for kind in range(8) for _ in range(10)], 40 - wilds)
        stack = letters_of([colours.count(kind) for kind in range(8)] + [wilds])
        state = completing(rules, f"tickets={','.join(rules.board.tickets)}/- stacks={stack}/-")
        move = default_move(rules, state, decision_of(state, 0))
        assert is_legal(rules, state, decision_of(state, 0), move)
        rest = [ticket for ticket in range(46) if ticket not in move.tickets]
        more = [CompleteTickets((*move.tickets, ticket)) for ticket in rest]
        assert not any(is_legal(rules, state, decision_of(state, 0), claim) for claim in more)


@pytest.mark.rule("CG-24")
def test_values_are_added_and_the_tickets_set_aside() -> None:
    rules = card_game(2)
    text = "points=14/-3 completed=seattle-saint_louis/- tickets=chicago-new_york,dallas-miami/seattle-miami"
    state = completing(rules, f"{text} stacks=Y1G1R1/-")
    answer(rules, state, "CompleteTickets chicago-new_york,dallas-miami", seat=0)
    answer(rules, state, "CompleteTickets -", seat=1)
    assert state.points == [14 + 5 + 9, -3]
    assert shown(rules, state, "completed") == "chicago-new_york,dallas-miami,seattle-saint_louis/-"
    assert shown(rules, state, "tickets") == "-/seattle-miami"
    assert state.parts[TICKETS].counts == [[0], [1]]


@pytest.mark.rule("CG-25")
@pytest.mark.parametrize("seats", [2, 3])
def test_with_2_or_3_seats_the_game_is_over(seats: int) -> None:
    rules = card_game(seats)
    state = completing(rules, "display=RRBWK")
    for seat in range(seats):
        events = answer(rules, state, "CompleteTickets -", seat=seat)
    assert (state.over, state.decisions) == (True, [])
    assert names(events)[-4:] == ["GameEnded", "StacksOpened", "HandsRevealed", "TicketsRevealed"]
    assert count(events, "SecondHalfStarted") == 0
