"""The tickets, cities and cards of the Card Game against the figures of its data file (CG-1)."""

from __future__ import annotations

import heapq
from collections import Counter, defaultdict

import pytest

from shared.catalog import board, rules_for
from shared.kernel import Malformed
from tests.unit.kernel.play import card_game

COLOURS = {
    "seattle": "black", "los_angeles": "white", "chicago": "yellow", "dallas": "green", "new_york": "blue",
    "miami": "red",
}  # fmt: skip
BONUSES = {"seattle": 8, "los_angeles": 12, "chicago": 12, "dallas": 10, "new_york": 15, "miami": 8}


@pytest.fixture(scope="module")
def tickets() -> list[dict]:
    return board("card_game")["tickets"]


def distances(start: str) -> dict[str, int]:
    """The spaces of the shortest path to every city on the map of USA."""
    near = defaultdict(set)
    for track in board("usa")["tracks"]:
        a, b = track["cities"]
        near[a].add((b, track["length"]))
        near[b].add((a, track["length"]))
    found: dict[str, int] = {}
    open_ends = [(0, start)]
    while open_ends:
        length, city = heapq.heappop(open_ends)
        if city not in found:
            found[city] = length
            for other, spaces in near[city]:
                heapq.heappush(open_ends, (length + spaces, other))
    return found


@pytest.mark.rule("CG-1")
def test_96_cards() -> None:
    rules = card_game()
    assert dict(zip(rules.kinds, rules.deck_counts, strict=True)) == dict.fromkeys(
        ("purple", "blue", "orange", "white", "green", "yellow", "black", "red"), 10
    ) | {"locomotive": 16}


@pytest.mark.rule("CG-1")
@pytest.mark.parametrize("seats", [1, 5])
def test_2_to_4_seats(seats: int) -> None:
    for allowed in (2, 3, 4):
        assert card_game(allowed).seats == allowed
    with pytest.raises(Malformed, match="CG-1") as refused:
        rules_for("card_game", seats)
    assert refused.value.pointer == "/seats"


@pytest.mark.rule("CG-1")
def test_34_cities_of_which_6_are_big() -> None:
    cities = board("card_game")["cities"]
    assert len({city["id"] for city in cities}) == len({city["name"] for city in cities}) == 34
    assert {city["id"] for city in cities if city["big_city"]} == set(BONUSES)
    assert board("card_game")["tracks"] == []


@pytest.mark.rule("CG-1")
def test_6_bonus_cards() -> None:
    rules = card_game()
    assert {rules.board.cities[city]: points for city, points in rules.board.bonus_cards} == BONUSES
    assert sum(BONUSES.values()) == 65
    assert {bonus["city"]: bonus["colour"] for bonus in board("card_game")["bonus_cards"]} == COLOURS


@pytest.mark.rule("CG-1")
def test_46_tickets_each_to_a_big_city(tickets: list[dict]) -> None:
    assert len({ticket["id"] for ticket in tickets}) == 46
    assert all(ticket["id"] == "-".join(ticket["cities"]) and ticket["certain"] for ticket in tickets)
    big = [sum(city in BONUSES for city in ticket["cities"]) for ticket in tickets]
    assert Counter(big) == {1: 30, 2: 16}
    assert Counter(city for ticket in tickets for city in ticket["cities"] if city in BONUSES) == {
        "chicago": 11, "new_york": 11, "seattle": 10, "los_angeles": 10, "dallas": 10, "miami": 10,
    }  # fmt: skip
    assert {city for ticket in tickets for city in ticket["cities"]} == {c["id"] for c in board("card_game")["cities"]}


@pytest.mark.rule("CG-1")
def test_a_ticket_is_worth_the_shortest_way_on_the_map(tickets: list[dict]) -> None:
    away = {city: distances(city) for city in BONUSES}
    for ticket in tickets:
        a, b = ticket["cities"]
        assert ticket["points"] == (away[a][b] if a in away else away[b][a]), ticket["id"]
    assert sum(ticket["points"] for ticket in tickets) == 581


@pytest.mark.rule("CG-1")
def test_a_ticket_costs_a_card_for_every_5_points_begun(tickets: list[dict]) -> None:
    for ticket in tickets:
        assert sum(ticket["cards"].values()) == -(-ticket["points"] // 5), ticket["id"]
        assert max(ticket["cards"].values()) <= 2
    asked = sum([Counter(ticket["cards"]) for ticket in tickets], Counter())
    assert asked == {
        "blue": 18, "yellow": 17, "white": 17, "purple": 16, "orange": 16, "green": 16, "black": 16, "red": 16,
    }  # fmt: skip
    assert asked.total() == 132


@pytest.mark.rule("CG-1")
def test_a_ticket_costs_the_colours_of_its_big_cities(tickets: list[dict]) -> None:
    pair = {"chicago-new_york": {"yellow": 1}, "new_york-chicago": {"blue": 1}}
    for ticket in tickets:
        colours = {COLOURS[city] for city in ticket["cities"] if city in COLOURS}
        assert ticket["cards"] == pair.get(ticket["id"], ticket["cards"])
        assert ticket["id"] in pair or colours <= set(ticket["cards"])


@pytest.mark.rule("CG-1")
def test_los_angeles_to_pittsburgh_is_paid_with_four_cards(tickets: list[dict]) -> None:
    """The one ticket that the rulebook shows."""
    (ticket,) = [ticket for ticket in tickets if ticket["id"] == "los_angeles-pittsburgh"]
    assert ticket["cards"] == {"purple": 1, "blue": 2, "white": 1}
