"""Four seats play the deck twice (CG-26 to CG-29)."""

from __future__ import annotations

import pytest

from shared.kernel import CARDS, YARDS, Event, FastChance, Rules, State, print_position, view_for
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
    played_log,
    shown,
)

FIRST_HALF = (
    "hands=R3L1/B2/G1/Y4 known=R1L1/B1/-/- display=RRBWK yards=R2L1/-/G2/- stacks=Y2K1/W3/-/R2L1"
    " tickets=chicago-new_york,dallas-miami/seattle-miami/-/new_york-miami"
)


def claim_all(rules: Rules, state: State, seed: int = 1) -> list[Event]:
    """Every seat claims what is suggested to it."""
    events: list[Event] = []
    for seat in range(4):
        events = answer(rules, state, listed_moves(rules, state, seat)[0], FastChance(seed), seat=seat)
    return events


def ends_first_half(text: str = FIRST_HALF, seed: int = 1) -> tuple[Rules, State, list[Event]]:
    rules = card_game(4)
    state = completing(rules, text)
    return rules, state, claim_all(rules, state, seed)


@pytest.mark.rule("CG-26")
def test_all_cards_but_the_hands_become_the_new_deck() -> None:
    rules, state, events = ends_first_half()
    assert names(events)[5] == "SecondHalfStarted"
    for token in ("yards", "stacks", "discard", "open", "last", "claims"):
        assert shown(rules, state, token) == "", token
    cards = state.parts[CARDS]
    held = 4 + 2 + 1 + 4
    assert cards.deck_size == 96 - held - 4 * 4 - 5
    assert sum(cards.sizes) == held + 16
    assert [sum(counts) for counts in zip(*cards.hands, *cards.deck, strict=True)] == [
        number - cards.display.count(kind) for kind, number in enumerate(rules.deck_counts)
    ]
    assert shown(rules, state, "half") == "2"


@pytest.mark.rule("CG-29")
def test_the_second_half_counts_turns_and_passes_anew() -> None:
    _, state, _ = ends_first_half(f"{FIRST_HALF} passes=2")
    assert (state.turns_left, state.passes) == (-1, 0)


@pytest.mark.rule("CG-26")
def test_hands_and_uncompleted_tickets_are_kept_and_cost_nothing_yet() -> None:
    rules, state, _ = ends_first_half()
    assert state.points == [5, 0, 0, 10]
    assert shown(rules, state, "tickets") == "dallas-miami/seattle-miami/-/-"
    assert shown(rules, view_for(rules, state, 2), "tickets") == "?1/?1/-/-"
    for hand, before in zip(state.parts[CARDS].hands, ("R3L1", "B2", "G1", "Y4"), strict=True):
        for letter, number in zip(before[::2], before[1::2], strict=True):
            assert hand[rules.letters.index(letter)] >= int(number)
    assert shown(rules, state, "known") == "R1L1/B1/-/-"


@pytest.mark.rule("CG-27")
@pytest.mark.rule("CG-28")
def test_four_cards_each_one_at_a_time_then_the_display() -> None:
    rules, state, events = ends_first_half()
    drawn = [event.seat for event in events if names([event]) == ["CardDrawn"]]
    assert drawn == [0, 1, 2, 3] * 4
    assert names(events)[6:] == ["CardDrawn"] * 16 + ["CardTurnedUp"] * 5 + ["TurnStarted", "RowsMoved"]
    assert [event.seen_by(rules, state, -1).card for event in events if names([event]) == ["CardDrawn"]] == [-1] * 16
    assert len(state.parts[CARDS].display) == 5


def short_second_half(new_deck: int) -> tuple[Rules, State, list[Event]]:
    """A first half that leaves so many cards out of the hands."""
    rules = card_game(4)
    letters = [letter for letter in "PBOWGYKR" for _ in range(10)] + ["L"] * 16
    hands = [letters[seat : 96 - new_deck : 4] for seat in range(4)]
    texts = ["".join(f"{letter}{hand.count(letter)}" for letter in dict.fromkeys(hand)) for hand in hands]
    state = completing(rules, f"hands={'/'.join(texts)} display=-")
    assert state.parts[CARDS].discard_size == new_deck
    return rules, state, claim_all(rules, state)


@pytest.mark.rule("CG-28")
@pytest.mark.parametrize(
    ("new_deck", "drawn", "display", "over"),
    [(22, 16, 5, False), (21, 16, 5, True), (20, 16, 4, True), (16, 16, 0, True), (6, 6, 0, True), (0, 0, 0, True)],
)
def test_the_new_deck_is_dealt_as_far_as_it_reaches(new_deck: int, drawn: int, display: int, over: bool) -> None:
    rules, state, events = short_second_half(new_deck)
    assert count(events, "CardDrawn") == drawn
    assert len(state.parts[CARDS].display) == display
    assert ("LastRoundStarted" in names(events)) == (state.parts[CARDS].deck_size == 0) == over
    assert names(events)[-2:] == ["TurnStarted", "RowsMoved"]
    dealt = [event.seat for event in events if names([event]) == ["CardDrawn"]]
    assert dealt == [number % 4 for number in range(drawn)], "seat 3 had the last turn"
    if over:
        seats = []
        while not state.parts[YARDS].open:
            seats.append(state.turn)
            answers(rules, state, "DrawTickets", "KeepTickets -")
        assert seats == [0, 1, 2, 3], "the last player of the first half counts as the one whose turn it was"


@pytest.mark.rule("CG-29")
@pytest.mark.parametrize("last", [0, 1, 2, 3])
def test_the_seat_after_the_last_one_goes_on(last: int) -> None:
    rules = card_game(4)
    state = near_the_end(rules, f"last=0 turn={last} display=RRBWK")
    answers(rules, state, "DrawTickets", "KeepTickets -")
    events = claim_all(rules, state)
    assert state.turn == decision_of(state).seat == (last + 1) % 4
    assert [event.seat for event in events if names([event]) == ["CardDrawn"]][0] == (last + 1) % 4


@pytest.mark.rule("CG-29")
@pytest.mark.rule("CG-19")
def test_the_second_half_ends_like_the_first_and_with_it_the_game() -> None:
    rules = card_game(4)
    done = "completed=chicago-new_york/-/-/new_york-miami points=5/0/0/10 half=2"
    state = near_the_end(rules, f"{done} display=RRBWK stacks=G1R1/-/-/- tickets=dallas-miami/-/-/-", deck="G")
    events = answers(rules, state, "DrawFromDeck", "DrawFromDisplay red")
    assert "LastRoundStarted" in names(events)
    seats = []
    while not state.parts[YARDS].open:
        seats.append(state.turn)
        answers(rules, state, "DrawTickets", "KeepTickets -")
    assert seats == [1, 2, 3, 0]
    events = claim_all(rules, state)
    assert state.over
    assert state.points == [14, 0, 0, 10]
    assert count(events, "SecondHalfStarted") == 0


@pytest.mark.rule("CG-29")
@pytest.mark.parametrize("seed", [1, 2])
def test_whole_games_of_four_play_two_halves(seed: int) -> None:
    state, log = played_log(card_game(4), seed)
    events = [event for commit in log for event in commit.events]
    assert state.over
    assert (count(events, "LastRoundStarted"), count(events, "StacksOpened")) == (2, 3)
    assert (count(events, "SecondHalfStarted"), count(events, "TicketsCompleted")) == (1, 8)


@pytest.mark.rule("CG-18")
def test_the_series_of_quiet_turns_starts_anew() -> None:
    rules = card_game(4)
    state = completing(rules, "quiet=11 display=RRBWK")
    claim_all(rules, state)
    assert shown(rules, state, "quiet") == ""
    answers(rules, state, "DrawTickets", "KeepTickets -")
    assert shown(rules, state, "quiet") == "1"


@pytest.mark.rule("CG-26")
def test_the_second_deck_tells_nobody_what_it_holds() -> None:
    rules, state, _ = ends_first_half()
    twin = state.copy()
    layer = twin.parts[CARDS].deck[0]
    high, low = layer.index(max(layer)), layer.index(min(layer))
    layer[high], layer[low] = layer[low], layer[high]
    for viewer in (0, 1, 2, 3, None):
        assert print_position(rules, view_for(rules, state, viewer)) == print_position(
            rules, view_for(rules, twin, viewer)
        )
