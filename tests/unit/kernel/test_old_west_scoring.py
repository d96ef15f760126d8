"""Tickets, end and final scoring of Old West (OW-12 to OW-14, BASE-31 to BASE-43)."""

from __future__ import annotations

import pytest

from shared.kernel import FastChance, RecountError, State, score
from tests.unit.kernel.play import (
    answer,
    names,
    old_west,
    played_log,
    position,
    refusal,
    shown,
)

# Denver to Pueblo to Santa Fe to Albuquerque
CHAIN = "denver-pueblo-orange,pueblo-santa_fe-black,albuquerque-santa_fe-green"
START = "starts=denver/boise"


def over(text: str, seats: int = 2) -> State:
    return position(old_west(seats), f"over=1 {text}")


def lines(state: State, seat: int, reason: str) -> list[tuple[int, str, dict]]:
    sheet = score(old_west(state.seats), state)
    return [(line.points, line.rule, line.evidence) for line in sheet.lines[seat] if line.reason == reason]


@pytest.mark.rule("OW-12")
@pytest.mark.rule("BASE-31")
def test_t01_four_tickets_are_drawn_and_one_kept_at_least() -> None:
    rules = old_west(2)
    state = position(rules, f"{START} display=RRBBK")
    answer(rules, state, "DrawTickets", FastChance(1))
    offer = shown(rules, state, "offers").split("/")[0].split(",")
    assert len(offer) == 4
    assert refusal(rules, state, "KeepTickets -") == ("too_few_tickets_kept", "OW-12", {"needed": 1, "came": 0})
    events = answer(rules, state, f"KeepTickets {offer[2]}")
    assert names(events) == ["TicketsKept", "TicketsReturned", "TurnEnded", "TurnStarted"]
    assert shown(rules, state, "tickets") == f"{offer[2]}/-"


@pytest.mark.rule("OW-12")
@pytest.mark.rule("BASE-32")
def test_t06_the_others_go_to_the_bottom_in_the_order_drawn() -> None:
    rules = old_west(2)
    state = position(rules, f"{START} display=RRBBK")
    answer(rules, state, "DrawTickets", FastChance(1))
    offer = shown(rules, state, "offers").split("/")[0].split(",")
    answer(rules, state, f"KeepTickets {offer[1]}")
    layers = [rules.board.tickets[layer.tickets.bit_length() - 1] for layer in state.parts[2].layers[1:]]
    assert layers == [offer[0], *offer[2:]]


@pytest.mark.rule("OW-12")
@pytest.mark.rule("BASE-33")
@pytest.mark.rule("BASE-34")
@pytest.mark.parametrize("left", [3, 1, 0])
def test_t03_t05_fewer_tickets_left(left: int) -> None:
    rules = old_west(2)
    taken = ",".join(rules.board.tickets[left:])
    state = position(rules, f"{START} display=RRBBK tickets={taken}/-")
    if left == 0:
        assert refusal(rules, state, "DrawTickets") == ("no_tickets_left", "BASE-34", {"left": 0})
        return
    answer(rules, state, "DrawTickets", FastChance(1))
    assert len(shown(rules, state, "offers").split("/")[0].split(",")) == left
    assert refusal(rules, state, "KeepTickets -")[:2] == ("too_few_tickets_kept", "OW-12")


@pytest.mark.rule("BASE-36")
@pytest.mark.parametrize(("trains", "begins"), [(4, False), (3, True), (2, True)])
def test_the_last_round_begins_with_two_trains_or_fewer_once_the_marker_is_settled(trains: int, begins: bool) -> None:
    rules = old_west(2)
    state = position(rules, f"{START} hands=O1L2/- trains={trains}/40 display=RRBBK")
    answer(rules, state, "ClaimTrack denver-pueblo-orange O1")
    assert state.turns_left == -1
    events = answer(rules, state, "PlaceMarker pueblo L2")
    assert ("LastRoundStarted" in names(events)) == begins
    assert state.turns_left == (1 if begins else -1)


@pytest.mark.rule("BASE-38")
@pytest.mark.rule("BASE-39")
def test_tickets_count_for_and_against() -> None:
    state = over(f"{START} tracks={CHAIN}/- tickets=bend-las_vegas/-")
    assert lines(state, 0, "ticket") == [(-10, "BASE-39", {"ticket": "bend-las_vegas", "completed": False})]
    state = over("starts=salt_lake_city/boise tracks=green_river-salt_lake_city-gray,cheyenne-green_river-red/-"
                 " tickets=salt_lake_city-cheyenne/-")  # fmt: skip
    ((points, _, evidence),) = lines(state, 0, "ticket")
    assert (points, evidence["completed"]) == (5, True)
    assert evidence["tracks"] == ["green_river-salt_lake_city-gray", "cheyenne-green_river-red"]


COMPLETED = {  # tickets that these tracks complete
    "salt_lake_city-cheyenne": "green_river-salt_lake_city-gray,cheyenne-green_river-red",
    "phoenix-pueblo": "flagstaff-phoenix-gray,durango-flagstaff-purple,durango-pueblo-red",
}
A, B = COMPLETED
WORTH_28 = "boise-seattle-gray,boise-missoula-orange,helena-missoula-black,missoula-spokane-purple"  # 18 + 7 + 1 + 2


@pytest.mark.rule("OW-13")
@pytest.mark.rule("BASE-40")
def test_o13_globetrotter_for_the_most_completed_tickets() -> None:
    """The tickets not completed do not matter for it."""
    tickets = f"{A},bend-las_vegas,boise-san_diego/bend-los_angeles"
    state = over(f"starts=salt_lake_city/phoenix tracks={COMPLETED[A]}/{COMPLETED[B]} tickets={tickets}")
    assert lines(state, 0, "globetrotter") == [(15, "OW-13", {"completed": 1})]
    assert lines(state, 1, "globetrotter") == []


@pytest.mark.rule("OW-13")
@pytest.mark.rule("BASE-41")
def test_o13_all_tied_seats_score_it_in_full() -> None:
    state = over(f"starts=salt_lake_city/phoenix/boise tracks={COMPLETED[A]}/{COMPLETED[B]}/- tickets={A}/{B}/-", 3)
    assert [[points for points, _, _ in lines(state, seat, "globetrotter")] for seat in range(3)] == [[15], [15], []]


@pytest.mark.rule("OW-13")
@pytest.mark.rule("BASE-41")
def test_o13_nobody_scores_it_with_no_ticket_completed() -> None:
    state = over(f"{START} tickets={A}/{B}")
    assert [lines(state, seat, "globetrotter") for seat in (0, 1)] == [[], []]


@pytest.mark.rule("OW-1")
@pytest.mark.rule("OW-13")
def test_o13_there_is_no_other_bonus() -> None:
    rules = old_west(3)
    reasons: set[str] = set()
    for seed in range(10):
        state, _ = played_log(rules, seed)
        reasons |= {line.reason for own in score(rules, state).lines for line in own}
    assert reasons <= {"track", "capture", "ticket", "globetrotter", "alvin"}


@pytest.mark.rule("OW-14")
@pytest.mark.rule("BASE-43")
def test_the_most_completed_tickets_break_a_tie() -> None:
    """Both total 28: 8 points of tracks, a ticket of 5 and the bonus of 15 against tracks alone."""
    state = over(f"starts=salt_lake_city/phoenix/boise tracks={COMPLETED[A]}/-/{WORTH_28} tickets={A}/-/-", 3)
    sheet = score(old_west(3), state)
    assert sheet.totals == [28, 0, 28]
    assert (sheet.ranks, sheet.winners()) == ([1, 3, 2], [0])
    assert sheet.ties == [{"tickets": 1}, {"tickets": 0}, {"tickets": 0}]


@pytest.mark.rule("OW-14")
@pytest.mark.rule("BASE-43")
def test_seats_still_tied_share_the_victory() -> None:
    state = over("starts=denver/bend tracks=denver-pueblo-orange/bend-eugene-gray")
    sheet = score(old_west(2), state)
    assert (sheet.totals, sheet.ranks, sheet.winners()) == ([1, 1], [1, 1], [0, 1])


@pytest.mark.rule("BASE-42")
def test_a_difference_between_play_and_recount_is_an_error() -> None:
    rules = old_west(2)
    state = over(f"{START} tracks={CHAIN}/-")
    state.points[0] += 1
    with pytest.raises(RecountError):
        score(rules, state)


@pytest.mark.rule("BASE-42")
@pytest.mark.parametrize("seats", [2, 4, 6])
@pytest.mark.parametrize("alvin", [True, False])
def test_points_recount_at_the_end_of_whole_games(seats: int, alvin: bool) -> None:
    rules = old_west(seats, alvin=alvin)
    for seed in range(5):
        state, _ = played_log(rules, seed)
        sheet = score(rules, state)
        openly = [[line.points for line in own if line.reason in ("track", "capture")] for own in sheet.lines]
        assert [sum(points) for points in openly] == state.points


@pytest.mark.rule("BASE-10")
def test_all_passing_in_a_row_ends_the_game() -> None:
    rules = old_west(2, alvin=False)
    roswell = "albuquerque-roswell-red,las_cruces-roswell-green,roswell-santa_fe-yellow"
    tickets = ",".join(rules.board.tickets)
    hands = "hands=R5/P12B12O12W12G12Y12K12R7L14"
    state = position(rules, f"starts=roswell/albuquerque tracks=-/{roswell} trains=40/0 tickets=-/{tickets} {hands}")
    answer(rules, state, "Pass")
    events = answer(rules, state, "Pass")
    assert names(events)[:2] == ["TurnEnded", "GameEnded"]
    assert state.over
