"""The map and the tickets of USA against figures written down from other sources (E-14, E-15)."""

from __future__ import annotations

from collections import Counter

import pytest

from shared.catalog import board
from tests.unit.kernel.play import usa

#: by value, as printed in lists of the base game's tickets; E-14: a value needs two sources
TICKETS = {
    4: ["Denver, El Paso"],
    5: ["Kansas City, Houston"],
    6: ["New York, Atlanta"],
    7: ["Calgary, Salt Lake City", "Chicago, New Orleans"],
    8: ["Duluth, Houston", "Helena, Los Angeles", "Sault St. Marie, Nashville"],
    9: ["Chicago, Santa Fe", "Montréal, Atlanta", "Sault St. Marie, Oklahoma City", "Seattle, Los Angeles"],
    10: ["Duluth, El Paso", "Toronto, Miami"],
    11: ["Dallas, New York", "Denver, Pittsburgh", "Portland, Phoenix", "Winnipeg, Little Rock"],
    12: ["Boston, Miami", "Winnipeg, Houston"],
    13: ["Calgary, Phoenix", "Montréal, New Orleans", "Vancouver, Santa Fe"],
    16: ["Los Angeles, Chicago"],
    17: ["Portland, Nashville", "San Francisco, Atlanta"],
    20: ["Los Angeles, Miami", "Vancouver, Montréal"],
    21: ["Los Angeles, New York"],
    22: ["Seattle, New York"],
}

DOUBLES = """
    Atlanta-New Orleans Atlanta-Raleigh Boston-Montréal Boston-New York Chicago-Pittsburgh Chicago-Saint Louis
    Dallas-Houston Dallas-Oklahoma City Denver-Kansas City Denver-Salt Lake City Duluth-Omaha
    Kansas City-Oklahoma City Kansas City-Omaha Kansas City-Saint Louis Los Angeles-San Francisco New York-Pittsburgh
    New York-Washington Portland-San Francisco Portland-Seattle Raleigh-Washington Salt Lake City-San Francisco
    Seattle-Vancouver
"""


@pytest.fixture(scope="module")
def usa_board() -> dict:
    return board("usa")


@pytest.fixture(scope="module")
def names(usa_board: dict) -> dict[str, str]:
    return {city["id"]: city["name"] for city in usa_board["cities"]}


@pytest.mark.rule("USA-1")
def test_36_cities_each_with_a_track(usa_board: dict, names: dict[str, str]) -> None:
    assert len(usa_board["cities"]) == len(names) == len(set(names.values())) == 36
    assert {city for track in usa_board["tracks"] for city in track["cities"]} == set(names)
    assert all(-125 < city["lon"] < -65 and 25 < city["lat"] < 52 for city in usa_board["cities"])


@pytest.mark.rule("USA-1")
def test_100_tracks_of_309_spaces_between_78_pairs_of_cities(usa_board: dict) -> None:
    tracks = usa_board["tracks"]
    pairs = Counter(frozenset(track["cities"]) for track in tracks)
    assert len(tracks) == len({track["id"] for track in tracks}) == 100
    assert len(pairs) == 78
    assert sum(track["length"] for track in tracks) == 309
    assert Counter(pairs.values()) == {1: 56, 2: 22}
    assert all(len(pair) == 2 for pair in pairs)


@pytest.mark.rule("USA-1")
def test_the_22_doubles_are_these(usa_board: dict, names: dict[str, str]) -> None:
    pairs = Counter("-".join(sorted(names[city] for city in track["cities"])) for track in usa_board["tracks"])
    doubles = {pair for pair, number in pairs.items() if number == 2}
    listed = " ".join(DOUBLES.split())
    assert len(doubles) == 22
    for pair in doubles:
        assert pair in listed
        listed = listed.replace(pair, "", 1)
    assert listed.strip() == ""


@pytest.mark.rule("USA-1")
def test_seven_tracks_of_each_colour_and_44_gray(usa_board: dict) -> None:
    colours = ("purple", "blue", "orange", "white", "green", "yellow", "black", "red")
    assert Counter(track["colour"] for track in usa_board["tracks"]) == {**dict.fromkeys(colours, 7), "gray": 44}


@pytest.mark.rule("USA-1")
def test_lengths_from_one_to_six(usa_board: dict) -> None:
    lengths = Counter(track["length"] for track in usa_board["tracks"])
    assert sorted(lengths) == [1, 2, 3, 4, 5, 6]
    assert lengths == {1: 9, 2: 36, 3: 20, 4: 16, 5: 10, 6: 9}


@pytest.mark.rule("USA-1")
def test_both_tracks_of_a_double_are_equally_long(usa_board: dict) -> None:
    lengths: dict[frozenset[str], set[int]] = {}
    for track in usa_board["tracks"]:
        lengths.setdefault(frozenset(track["cities"]), set()).add(track["length"])
    assert all(len(found) == 1 for found in lengths.values())


@pytest.mark.rule("USA-1")
def test_e14_e15_the_30_tickets_and_their_values(usa_board: dict, names: dict[str, str]) -> None:
    listed = {frozenset(pair.split(", ")): value for value, pairs in TICKETS.items() for pair in pairs}
    held = {frozenset(names[city] for city in t["cities"]): t["points"] for t in usa_board["tickets"]}
    assert held == listed
    assert (len(usa_board["tickets"]), len({t["id"] for t in usa_board["tickets"]})) == (30, 30)
    assert sum(held.values()) == 349


def test_e14_the_board_names_its_sources(usa_board: dict) -> None:
    assert len(usa_board["sources"]) >= 2


@pytest.mark.rule("USA-1")
def test_no_ticket_joins_neighbours(usa_board: dict) -> None:
    pairs = {frozenset(track["cities"]) for track in usa_board["tracks"]}
    assert not [t["id"] for t in usa_board["tickets"] if frozenset(t["cities"]) in pairs]


def test_r05_r18_the_compiled_board_keeps_every_track_apart() -> None:
    """R-05, R-18: parallel tracks are entries of their own, addressed by id."""
    compiled = usa(2).board
    assert sorted(compiled.tracks) == sorted(track["id"] for track in board("usa")["tracks"])
    for source in board("usa")["tracks"]:
        track = compiled.track_of[source["id"]]
        assert [compiled.cities[city] for city in compiled.ends[track]] == source["cities"]
        assert compiled.lengths[track] == source["length"]
        colour = compiled.colours[track]
        assert source["colour"] == ("gray" if colour < 0 else usa(2).kinds[colour])
        assert [set(compiled.ends[other]) for other in compiled.parallels[track]] in ([], [set(compiled.ends[track])])
