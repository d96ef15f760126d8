"""Possible worlds against exact counts: on small positions every world comes up as often as it should."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable
from itertools import combinations, permutations
from math import sqrt

import pytest

from shared.catalog import rules_for
from shared.kernel import (
    CARDS,
    TICKETS,
    FastChance,
    Rules,
    State,
    advance,
    bits,
    determinize,
    new_game,
    parse_move,
    parse_position,
    view_for,
)

WORLDS = 6000
A, B, C, D, E, F = UNSEEN = (
    "boston-miami", "calgary-phoenix", "chicago-santa_fe", "dallas-new_york", "denver-el_paso", "duluth-houston",
)  # fmt: skip


def frequencies(rules: Rules, text: str, viewer: int | None, outcome: Callable[[State], Hashable]) -> Counter[Hashable]:
    """How often each outcome comes up in worlds that fit what the viewer sees of the position."""
    view = view_for(rules, parse_position(rules, text), viewer)
    chance = FastChance(20261129)
    return Counter(outcome(determinize(rules, view, chance)) for _ in range(WORLDS))


def assert_as_expected(found: Counter[Hashable], weights: Counter[Hashable]) -> None:
    """Pearson's statistic is near its mean, the number of free outcomes; no outcome of weight 0 ever comes up."""
    assert set(found) <= set(weights), set(found) - set(weights)
    scale = WORLDS / weights.total()
    statistic = sum((found[outcome] - weight * scale) ** 2 / (weight * scale) for outcome, weight in weights.items())
    free = len(weights) - 1
    assert statistic < free + 4 * sqrt(2 * free), statistic


def hands_of(rules: Rules) -> Callable[[State], Hashable]:
    return lambda state: tuple(tuple(hand) for hand in state.parts[CARDS].hands)


def counts(rules: Rules, letters: str) -> tuple[int, ...]:
    return tuple(letters.count(letter) for letter in rules.letters)


ALL_BUT_FIVE = "discard=P12O12W12G12Y12K12R10B10L13"


@pytest.mark.rule("VIEW-9")
def test_unknown_cards_are_dealt_as_from_a_shuffled_pile() -> None:
    rules = rules_for("usa@1", 2)
    found = frequencies(rules, f"usa@1:2 hands=-/R1B1 {ALL_BUT_FIVE}", 0, hands_of(rules))
    dealt = [(counts(rules, ""), counts(rules, "".join(order[:2]))) for order in permutations("RRBBL")]
    assert_as_expected(found, Counter(dealt))


@pytest.mark.rule("VIEW-1")
def test_publicly_known_cards_stay_where_they_are() -> None:
    rules = rules_for("usa@1", 3)
    text = f"usa@1:3 hands=-/R1B1/R1 known=-/R1/- {ALL_BUT_FIVE}"
    dealt = [
        (counts(rules, ""), counts(rules, "R" + order[0]), counts(rules, order[1])) for order in permutations("RBBL")
    ]
    assert_as_expected(frequencies(rules, text, 0, hands_of(rules)), Counter(dealt))


def test_the_rest_of_the_cards_is_the_deck() -> None:
    rules = rules_for("usa@1", 2)
    view = view_for(rules, parse_position(rules, f"usa@1:2 hands=-/R1B1 {ALL_BUT_FIVE}"), 0)
    for seed in range(20):
        cards = determinize(rules, view, FastChance(seed)).parts[CARDS]
        assert [sum(pair) for pair in zip(cards.hands[1], *cards.deck, strict=True)] == list(counts(rules, "RRBBL"))


def tickets_position(rules: Rules, deck: str, hand: str) -> str:
    """Seat 0 holds all tickets but six; `deck` and the hand of seat 1 hold these."""
    rest = ",".join(ticket for ticket in rules.board.tickets if ticket not in UNSEEN)
    return f"usa@1:2 tickets={rest}/{hand} ticket_deck={deck}"


def where(rules: Rules) -> Callable[[State], Hashable]:
    """The tickets of each layer."""

    def layers(state: State) -> Hashable:
        return tuple(
            frozenset(rules.board.tickets[t] for t in bits(layer.tickets)) for layer in state.parts[TICKETS].layers
        )

    return layers


def test_tickets_nobody_has_put_back_are_dealt_evenly() -> None:
    rules = rules_for("usa@1", 2)
    text = tickets_position(rules, f"{A},{B}:-/-:2/2", f"{C},{D},{E},{F}")
    expected = Counter((frozenset(pair),) for pair in combinations(UNSEEN, 2))
    assert_as_expected(frequencies(rules, text, 0, where(rules)), expected)


def test_own_returned_tickets_are_still_there_as_often_as_others_left_them() -> None:
    """The layer held four: A and B, put there by seat 0, and two more. Seat 1 drew two of these four, put one ticket
    under the deck and holds three."""
    rules = rules_for("usa@1", 2)
    text = tickets_position(rules, f"{A},{C}:{A},{B}/-:4/2|{D}:-/{D}:1/1", f"{B},{E},{F}")
    histories: Counter[Hashable] = Counter()
    for others in combinations((C, D, E, F), 2):  # which two were there beside A and B
        for left in combinations((A, B, *others), 2):
            elsewhere = [ticket for ticket in UNSEEN if ticket not in left]
            for under in elsewhere:
                histories[frozenset(left), frozenset([under])] += 1
    assert_as_expected(frequencies(rules, text, 0, where(rules)), histories)


def test_three_own_tickets_in_a_layer_that_others_drew_two_from() -> None:
    """The layer held five: A, B and C, put there by seat 0, and two more. Seat 1 drew two and holds three tickets."""
    rules = rules_for("usa@1", 2)
    text = tickets_position(rules, f"{A},{D},{E}:{A},{B},{C}/-:5/3", f"{B},{C},{F}")
    histories: Counter[Hashable] = Counter()
    for others in combinations((D, E, F), 2):
        for left in combinations((A, B, C, *others), 3):
            histories[(frozenset(left),)] += 1
    assert_as_expected(frequencies(rules, text, 0, where(rules)), histories)


def test_own_returned_tickets_in_a_layer_nobody_drew_from_are_there_for_certain() -> None:
    rules = rules_for("usa@1", 2)
    text = tickets_position(rules, f"{B}:-/-:1/1|{A}:{A}/-:1/1|{C},{D}:{C}/{D}:2/2", f"{E},{F}")
    expected: Counter[Hashable] = Counter()
    for top, beside in permutations((B, D, E, F), 2):
        expected[frozenset([top]), frozenset([A]), frozenset([C, beside])] += 1
    assert_as_expected(frequencies(rules, text, 0, where(rules)), expected)


def test_a_spectator_knows_of_no_ticket_where_it_is() -> None:
    rules = rules_for("usa@1", 2)
    text = tickets_position(rules, f"{A}:{A}/-:1/1|{B}:-/{B}:1/1", f"{C},{D},{E},{F}")
    expected = Counter((frozenset([top]), frozenset([under])) for top, under in permutations(rules.board.tickets, 2))
    assert_as_expected(frequencies(rules, text, None, where(rules)), expected)


def test_held_opening_choices_of_others_are_some_legal_choice() -> None:
    rules = rules_for("usa@1", 3)
    state, _ = new_game(rules, FastChance(4))
    kept = ",".join(rules.board.tickets[ticket] for ticket in state.parts[TICKETS].offers[1])
    advance(rules, state, state.decisions[1], parse_move(rules, f"KeepTickets {kept}"), FastChance(0))
    view = view_for(rules, state, 0)
    sizes = Counter()
    for seed in range(200):
        tickets = determinize(rules, view, FastChance(seed)).parts[TICKETS]
        assert set(bits(tickets.chosen[1])) <= set(tickets.offers[1])
        sizes[tickets.chosen[1].bit_count()] += 1
    assert set(sizes) == {2, 3}


def test_whole_positions_are_refused() -> None:
    rules = rules_for("usa@1", 2)
    state, _ = new_game(rules, FastChance(1))
    with pytest.raises(TypeError, match="(?i)view"):
        determinize(rules, state, FastChance(1))
