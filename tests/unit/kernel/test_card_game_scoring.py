"""The Card Game's final scoring: tickets left in hand, big cities, ties (CG-30 to CG-32)."""

from __future__ import annotations

from typing import Any

import pytest

from shared.catalog import board
from shared.kernel import ScoreSheet, State, running_score, score, view_for
from tests.unit.kernel.play import answer, card_game, completing, position


def over(text: str, seats: int = 2) -> State:
    """A game that is over."""
    return position(card_game(seats), f"over=1 display=RRBWK {text}")


def sheet_of(state: State) -> ScoreSheet:
    return score(card_game(state.seats), state)


def lines(sheet: ScoreSheet, seat: int, reason: str) -> list[tuple[int, str, dict[str, Any]]]:
    return [(line.points, line.rule, line.evidence) for line in sheet.lines[seat] if line.reason == reason]


@pytest.mark.rule("CG-24")
@pytest.mark.rule("CG-22")
def test_each_completed_ticket_shows_the_cards_that_paid_for_it() -> None:
    sheet = sheet_of(over("completed=chicago-dallas:G1L1,los_angeles-pittsburgh:P1B1W1L1/-"))
    assert lines(sheet, 0, "ticket") == [
        (6, "CG-24", {"ticket": "chicago-dallas", "completed": True, "cards": {"green": 1, "locomotive": 1}}),
        (
            18,
            "CG-24",
            {
                "ticket": "los_angeles-pittsburgh",
                "completed": True,
                "cards": {"purple": 1, "blue": 1, "white": 1, "locomotive": 1},
            },
        ),
    ]


@pytest.mark.rule("CG-30")
def test_tickets_left_in_hand_are_subtracted() -> None:
    state = over("completed=chicago-new_york/- tickets=dallas-miami,seattle-miami/new_york-las_vegas")
    sheet = sheet_of(state)
    assert lines(sheet, 0, "ticket")[1:] == [
        (-9, "CG-30", {"ticket": "dallas-miami", "completed": False}),
        (-22, "CG-30", {"ticket": "seattle-miami", "completed": False}),
    ]
    assert lines(sheet, 1, "ticket") == [(-19, "CG-30", {"ticket": "new_york-las_vegas", "completed": False})]
    assert sheet.totals == [5 - 31 + 15 + 12, -19]


@pytest.mark.rule("CG-30")
@pytest.mark.rule("BASE-6")
def test_a_score_may_be_negative() -> None:
    assert sheet_of(over("tickets=seattle-miami/-")).totals == [-22, 0]


@pytest.mark.rule("CG-30")
@pytest.mark.rule("VIEW-2")
def test_before_the_end_they_are_in_no_figure() -> None:
    rules = card_game(2)
    state = completing(rules, "completed=chicago-new_york/- tickets=seattle-miami/- points=5/0")
    for viewer in (0, 1, None):
        assert running_score(rules, view_for(rules, state, viewer)).totals == [5, 0]
    answer(rules, state, "CompleteTickets -", seat=0)
    answer(rules, state, "CompleteTickets -", seat=1)
    assert score(rules, state).totals == [5 - 22 + 15 + 12, 0]


def bonuses(text: str, seats: int = 2) -> list[list[tuple[str, int, int]]]:
    sheet = sheet_of(over(text, seats))
    return [
        [(evidence["city"], evidence["completed"], points) for points, _, evidence in lines(sheet, seat, "big_city")]
        for seat in range(seats)
    ]


@pytest.mark.rule("CG-31")
@pytest.mark.parametrize(
    ("city", "points"),
    [("seattle", 8), ("los_angeles", 12), ("chicago", 12), ("dallas", 10), ("new_york", 15), ("miami", 8)],
)
def test_the_most_completed_tickets_to_a_big_city(city: str, points: int) -> None:
    named = [ticket["id"] for ticket in board("card_game")["tickets"] if city in ticket["cities"]]
    sheet = sheet_of(over(f"completed={named[0]}/{named[1]},{named[2]}"))
    assert (points, "CG-31", {"city": city, "completed": 2}) in lines(sheet, 1, "big_city")
    assert not [evidence for _, _, evidence in lines(sheet, 0, "big_city") if evidence["city"] == city]


@pytest.mark.rule("CG-31")
def test_c12_all_tied_score_it_and_nobody_without_a_ticket() -> None:
    found = bonuses("completed=chicago-charleston,chicago-santa_fe/chicago-montreal,chicago-calgary/-", seats=3)
    assert found == [[("chicago", 2, 12)], [("chicago", 2, 12)], []]
    assert bonuses("completed=-/-") == [[], []]
    assert bonuses("tickets=chicago-charleston/-") == [[], []], "only completed tickets count"


@pytest.mark.rule("CG-31")
def test_c12_a_ticket_with_two_big_cities_counts_for_both() -> None:
    assert bonuses("completed=chicago-new_york/-") == [[("chicago", 1, 12), ("new_york", 1, 15)], []]
    assert bonuses("completed=chicago-new_york/chicago-charleston") == [
        [("chicago", 1, 12), ("new_york", 1, 15)],
        [("chicago", 1, 12)],
    ]


@pytest.mark.rule("CG-31")
def test_tickets_of_both_halves_count() -> None:
    rules = card_game(4)
    state = completing(
        rules,
        "half=2 points=7/7/0/0 completed=chicago-charleston/chicago-montreal/-/-"
        " tickets=chicago-santa_fe/-/-/- stacks=Y1G1/-/-/-",
    )
    for seat, claim in enumerate(("chicago-santa_fe", "-", "-", "-")):
        answer(rules, state, f"CompleteTickets {claim}", seat=seat)
    sheet = score(rules, state)
    assert [len(lines(sheet, seat, "big_city")) for seat in range(4)] == [1, 0, 0, 0]
    assert lines(sheet, 0, "big_city") == [(12, "CG-31", {"city": "chicago", "completed": 2})]
    assert sheet.totals == [7 + 9 + 12, 7, 0, 0]


@pytest.mark.rule("CG-32")
@pytest.mark.rule("CG-4a")
@pytest.mark.rule("BASE-43")
def test_the_highest_score_wins() -> None:
    sheet = sheet_of(over("completed=chicago-charleston/chicago-santa_fe/seattle-denver", seats=3))
    assert (sheet.totals, sheet.ranks, sheet.winners()) == ([19, 21, 18], [2, 1, 3], [1])


@pytest.mark.rule("CG-32")
@pytest.mark.parametrize(
    ("text", "total", "tickets", "cards", "ranks"),
    [
        # the most completed tickets, even with fewer bonus cards
        ("seattle-saint_louis,seattle-toronto/los_angeles-chicago", 39, [2, 1], [1, 2], [1, 2]),
        ("los_angeles-miami/chicago-miami,chicago-santa_fe", 39, [1, 2], [2, 2], [2, 1]),
        # then the most bonus cards, of which Seattle's is shared and counts for both
        ("seattle-phoenix,seattle-new_york/seattle-dallas,seattle-los_angeles", 55, [2, 2], [2, 3], [2, 1]),
        # then the victory is shared
        ("new_york-new_orleans/seattle-toronto", 25, [1, 1], [1, 1], [1, 1]),
    ],
)
def test_ties(text: str, total: int, tickets: list[int], cards: list[int], ranks: list[int]) -> None:
    sheet = sheet_of(over(f"completed={text}"))
    assert sheet.totals == [total, total]
    assert sheet.ties == [{"tickets": t, "big_cities": c} for t, c in zip(tickets, cards, strict=True)]
    assert sheet.ranks == ranks
    assert sheet.winners() == [seat for seat, rank in enumerate(ranks) if rank == 1]


@pytest.mark.rule("CG-32")
def test_a_shared_victory_leaves_the_next_rank_out() -> None:
    sheet = sheet_of(over("completed=new_york-new_orleans/-/seattle-toronto", seats=3))
    assert sheet.ranks == [1, 3, 1]
