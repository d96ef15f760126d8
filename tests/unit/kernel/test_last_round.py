"""The last round (BASE-36, BASE-37)."""

from __future__ import annotations

import pytest

from tests.unit.kernel.play import answer, answers, count, decision_of, listed_moves, names, position, shown, usa

DISPLAY = "display=LBBKK"


def trains(left: str) -> str:
    return f"hands={'/'.join(['R2'] * len(left.split('/')))} trains={left} {DISPLAY}"


@pytest.mark.rule("BASE-36")
@pytest.mark.parametrize(("before", "starts"), [(4, False), (3, True), (2, True), (1, True)])
def test_e03_it_begins_when_a_turn_ends_with_two_trains_or_fewer(before: int, starts: bool) -> None:
    rules = usa(2)
    state = position(rules, trains(f"{before}/45"))
    events = answer(rules, state, "ClaimTrack dallas-houston-gray R1")
    assert ("LastRoundStarted" in names(events)) == starts
    assert shown(rules, state, "last") == ("1" if starts else "")
    assert not state.over


@pytest.mark.rule("BASE-36")
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
@pytest.mark.parametrize("trigger", [0, 1])
def test_everybody_takes_exactly_one_more_turn_the_trigger_last(seats: int, trigger: int) -> None:
    rules = usa(seats)
    left = ["45"] * seats
    left[trigger] = "3"
    state = position(rules, f"turn={trigger} {trains('/'.join(left))}")
    answer(rules, state, "ClaimTrack dallas-houston-gray R1")
    asked = []
    while not state.over:
        asked.append(decision_of(state).seat)
        events = answers(rules, state, "DrawFromDeck", "DrawFromDeck")
    assert asked == [turn % seats for turn in range(trigger + 1, trigger + 1 + seats)]
    assert state.decisions == []
    assert {"event": "GameEnded", "reason": "last_round"} in [event.plain(rules, "event") for event in events]


@pytest.mark.rule("BASE-36")
@pytest.mark.parametrize(
    "moves",
    [
        ("DrawFromDeck", "DrawFromDeck"),
        ("DrawFromDisplay locomotive",),
        ("ClaimTrack dallas-houston-gray R1",),
        ("DrawTickets", "KeepTickets {}"),
    ],
)
def test_e04_t13_every_action_is_legal_on_the_last_turn(moves: tuple[str, ...]) -> None:
    rules = usa(2)
    state = position(rules, f"{trains('2/45')} last=0")
    assert not state.over
    for move in moves:
        offered = shown(rules, state, "offers").split("/")[0].split(",")[0]
        answers(rules, state, move.format(offered))
    assert state.over


@pytest.mark.rule("BASE-36")
def test_nobody_moves_after_the_end() -> None:
    rules = usa(2)
    state = position(rules, f"{trains('2/45')} last=0")
    answers(rules, state, "ClaimTrack dallas-houston-gray R1")
    assert (state.over, state.decisions) == (True, [])


@pytest.mark.rule("BASE-36")
def test_the_end_of_the_turn_counts_not_its_first_card() -> None:
    """A seat that has few trains already (set up by hand) triggers it with the end of its turn."""
    rules = usa(2)
    state = position(rules, trains("2/45"))
    assert "LastRoundStarted" not in names(answers(rules, state, "DrawFromDeck"))
    assert "LastRoundStarted" in names(answers(rules, state, "DrawFromDeck"))


@pytest.mark.rule("BASE-37")
def test_others_falling_to_two_trains_change_nothing() -> None:
    rules = usa(3)
    state = position(rules, trains("3/3/3"))
    started = 0
    for track in ("dallas-houston-gray", "portland-seattle-gray", "seattle-vancouver-gray"):
        started += count(answer(rules, state, f"ClaimTrack {track} R1"), "LastRoundStarted")
    assert (started, shown(rules, state, "last"), decision_of(state).seat) == (1, "0", 0)
    assert not state.over
    assert "ClaimTrack kansas_city-omaha-gray R1" in listed_moves(rules, state)
    answer(rules, state, "ClaimTrack kansas_city-omaha-gray R1")
    assert state.over
