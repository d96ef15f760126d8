"""The map, the tickets and the tokens of Märklin against figures written down from other sources."""

from __future__ import annotations

import copy
from collections import Counter, defaultdict

import pytest

from shared.catalog import board, ruleset
from shared.kernel import MECHANICS, compile_rules
from tests.unit.kernel.play import maerklin

DOUBLES = """
    augsburg-muenchen augsburg-ulm berlin-hamburg dortmund-muenster erfurt-hannover erfurt-nuernberg frankfurt-kassel
    frankfurt-koeln frankfurt-mainz frankfurt-mannheim frankfurt-wuerzburg hamburg-hannover hamburg-kiel hannover-kassel
    koblenz-koeln koblenz-mainz mainz-mannheim mannheim-stuttgart muenchen-nuernberg nuernberg-wuerzburg stuttgart-ulm
"""
TRIPLES = "dortmund-duesseldorf duesseldorf-koeln"
COUNTRIES = {"daenemark": 2, "frankreich": 3, "niederlande": 3, "oesterreich": 3, "schweiz": 3}
RED = {"duesseldorf", "frankfurt", "hamburg", "koeln", "muenchen", "stuttgart"}


@pytest.fixture(scope="module")
def map_() -> dict:
    return board("maerklin")


def pairs_of(map_: dict) -> Counter[str]:
    return Counter("-".join(sorted(track["cities"])) for track in map_["tracks"])


def shortest(map_: dict, start: str, end: str) -> int:
    """The length of the shortest path that passes through no country."""
    countries = {city["id"] for city in map_["cities"] if city.get("country")}
    steps = defaultdict(list)
    for track in map_["tracks"]:
        a, b = track["cities"]
        steps[a].append((track["length"], b))
        steps[b].append((track["length"], a))
    reached = {start: 0}
    while True:
        onward = [
            (length + steps_long, other)
            for city, length in reached.items()
            if city == start or city not in countries
            for steps_long, other in steps[city]
            if other not in reached
        ]
        length, city = min(onward)
        reached[city] = length
        if city == end:
            return length


@pytest.mark.rule("MK-17")
def test_35_cities_and_5_countries_each_with_a_track(map_: dict) -> None:
    countries = [city["id"] for city in map_["cities"] if city.get("country")]
    assert (len(map_["cities"]), len(countries)) == (40, 5)
    assert {city for track in map_["tracks"] for city in track["cities"]} == {city["id"] for city in map_["cities"]}
    assert Counter(city for track in map_["tracks"] for city in track["cities"] if city in countries) == COUNTRIES


def test_110_tracks_of_313_spaces_between_85_pairs_of_cities(map_: dict) -> None:
    pairs = pairs_of(map_)
    assert len(map_["tracks"]) == len({track["id"] for track in map_["tracks"]}) == 110
    assert (len(pairs), sum(track["length"] for track in map_["tracks"])) == (85, 313)
    assert max(track["length"] for track in map_["tracks"]) == 7


@pytest.mark.rule("BASE-25")
def test_21_doubles_and_2_triples_and_they_are_these(map_: dict) -> None:
    pairs = pairs_of(map_)
    assert {pair for pair, number in pairs.items() if number == 2} == set(DOUBLES.split())
    assert {pair for pair, number in pairs.items() if number == 3} == set(TRIPLES.split())
    assert Counter(pairs.values()) == {1: 62, 2: 21, 3: 2}


def test_parallel_tracks_are_equally_long(map_: dict) -> None:
    lengths = defaultdict(set)
    for track in map_["tracks"]:
        lengths[frozenset(track["cities"])].add(track["length"])
    assert all(len(found) == 1 for found in lengths.values())


@pytest.mark.rule("MK-17")
def test_each_track_to_a_country_names_the_endpoint_it_leads_to(map_: dict) -> None:
    endpoints = {e["id"]: city["id"] for city in map_["cities"] for e in city.get("endpoints", ())}
    reached = [track["endpoint"] for track in map_["tracks"] if "endpoint" in track]
    assert sorted(reached) == sorted(endpoints)
    for track in map_["tracks"]:
        assert ("endpoint" in track) == any(city in COUNTRIES for city in track["cities"])
        assert "endpoint" not in track or endpoints[track["endpoint"]] in track["cities"]


@pytest.mark.rule("MK-4")
def test_23_short_and_23_long_tickets(map_: dict) -> None:
    values = defaultdict(list)
    for ticket in map_["tickets"]:
        values[ticket["kind"]].append(ticket["points"])
    assert {kind: (len(found), min(found), max(found)) for kind, found in values.items()} == {
        "short": (23, 5, 11),
        "long": (23, 12, 22),
    }
    assert len({frozenset(ticket["cities"]) for ticket in map_["tickets"]}) == 46
    assert [deck.bit_count() for deck in maerklin().ticket_masks] == [23, 23]


@pytest.mark.rule("MK-4")
def test_a_ticket_is_worth_its_shortest_path(map_: dict) -> None:
    """All but one: Kiel to Stuttgart is printed 17."""
    wrong = [t["id"] for t in map_["tickets"] if shortest(map_, *t["cities"]) != t["points"]]
    assert wrong == ["kiel-stuttgart"]


def test_what_is_not_certain_is_said(map_: dict) -> None:
    assert all(ticket["certain"] is False for ticket in map_["tickets"])
    assert any("not certain" in note for note in map_["notes"])
    assert ruleset("maerklin")["notes"]
    assert len(map_["sources"]) >= 2


@pytest.mark.rule("MK-3")
def test_m17_74_tokens_in_35_stacks_and_16_of_them_white(map_: dict) -> None:
    stacks = defaultdict(list)
    for city in map_["cities"]:
        if not city.get("country"):
            stacks[city["token"]].append(city["tokens"])
    assert {colour: len(found) for colour, found in stacks.items()} == {"black": 1, "red": 6, "yellow": 12, "white": 16}
    heights = {"black": [7, 6, 5, 4], "red": [4, 3, 2], "yellow": [3, 2, 1], "white": [2]}
    assert all(stack == heights[colour] for colour, found in stacks.items() for stack in found)
    assert sum(len(stack) for found in stacks.values() for stack in found) == 74


@pytest.mark.rule("MK-3")
def test_the_black_stack_is_berlins_and_countries_have_none(map_: dict) -> None:
    colour = {city["id"]: city.get("token") for city in map_["cities"]}
    assert colour["berlin"] == "black"
    assert {city for city, token in colour.items() if token == "red"} == RED
    assert [colour[country] for country in COUNTRIES] == [None] * 5
    compiled = maerklin().board
    assert compiled.stacks[compiled.city_of["berlin"]] == (7, 6, 5, 4)
    assert all(compiled.stacks[country] == () for country in compiled.dead_ends)


@pytest.mark.rule("BASE-30")
def test_r19_every_length_has_its_points() -> None:
    points = ruleset("maerklin")["mechanics"]["claim"]["points"]
    assert points == {"1": 1, "2": 2, "3": 4, "4": 7, "5": 10, "6": 15, "7": 18}


@pytest.mark.rule("MK-3")
@pytest.mark.parametrize("stack", [[4, 5], [4, 4]])
def test_a_stack_that_does_not_go_down_is_refused_when_loaded(map_: dict, stack: list[int]) -> None:
    wrong = copy.deepcopy(map_)
    wrong["cities"][1]["tokens"] = stack
    with pytest.raises(ValueError, match="go down"):
        compile_rules(ruleset("maerklin"), wrong, 2, {}, MECHANICS)


@pytest.mark.rule("MK-5")
def test_a_split_needs_two_decks(map_: dict) -> None:
    source = {**ruleset("maerklin"), "ticket_decks": ["short", "long", "longer"]}
    with pytest.raises(ValueError, match="two ticket decks"):
        compile_rules(source, map_, 2, {}, MECHANICS)
