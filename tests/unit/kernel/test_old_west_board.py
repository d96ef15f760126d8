"""The map and the tickets of Old West against figures written down from other sources (OW-1, O-15)."""

from __future__ import annotations

from collections import Counter, defaultdict
from heapq import heappop, heappush

import pytest

from shared.catalog import board, ruleset
from tests.unit.kernel.play import old_west

MAP = board("old_west")
FERRY = "los_angeles-san_francisco-gray"
TRIPLES = {
    "ashland-eugene", "ashland-redding", "bakersfield-fresno", "bakersfield-los_angeles", "eugene-portland",
    "fresno-sacramento", "los_angeles-san_diego", "portland-seattle", "redding-sacramento", "seattle-spokane",
}  # fmt: skip
#: one ticket is worth other than the shortest way, as printed
NOT_THE_SHORTEST = {"seattle-great_falls": 9}


def shortest(start: str) -> dict[str, int]:
    """The spaces of the shortest ways from a city to all."""
    neighbours = defaultdict(list)
    for track in MAP["tracks"]:
        a, b = track["cities"]
        neighbours[a].append((b, track["length"]))
        neighbours[b].append((a, track["length"]))
    found: dict[str, int] = {}
    queue = [(0, start)]
    while queue:
        distance, city = heappop(queue)
        if city not in found:
            found[city] = distance
            for other, length in neighbours[city]:
                heappush(queue, (distance + length, other))
    return found


@pytest.mark.rule("OW-1")
def test_41_cities_each_with_a_track() -> None:
    names = {city["name"] for city in MAP["cities"]}
    ids = {city["id"] for city in MAP["cities"]}
    assert len(MAP["cities"]) == len(names) == len(ids) == 41
    assert {city for track in MAP["tracks"] for city in track["cities"]} == ids
    assert all(-125 < city["lon"] < -103 and 31 < city["lat"] < 49 for city in MAP["cities"])


@pytest.mark.rule("OW-1")
def test_139_tracks_and_their_lengths() -> None:
    tracks = MAP["tracks"]
    assert len(tracks) == len({track["id"] for track in tracks}) == 139
    assert sum(track["length"] for track in tracks) == 364
    assert Counter(track["length"] for track in tracks) == {1: 41, 2: 38, 3: 22, 4: 20, 5: 10, 6: 5, 7: 3}
    colours = Counter(track["colour"] for track in tracks)
    thirteen = dict.fromkeys(("purple", "blue", "orange", "white", "yellow", "black"), 13)
    assert colours == {**thirteen, "green": 14, "red": 14, "gray": 33}


@pytest.mark.rule("OW-1")
def test_groups_are_single_double_or_triple_and_equally_long() -> None:
    groups = defaultdict(list)
    for track in MAP["tracks"]:
        groups["-".join(sorted(track["cities"]))].append(track["length"])
    assert Counter(len(lengths) for lengths in groups.values()) == {1: 37, 2: 36, 3: 10}
    assert {group for group, lengths in groups.items() if len(lengths) == 3} == TRIPLES
    assert all(len(set(lengths)) == 1 for lengths in groups.values())


@pytest.mark.rule("OW-7")
def test_o12_the_one_ferry() -> None:
    (ferry,) = [track for track in MAP["tracks"] if "locomotives" in track]
    assert (ferry["id"], ferry["length"], ferry["locomotives"], ferry["colour"]) == (FERRY, 7, 3, "gray")
    compiled = old_west().board
    assert [compiled.tracks[track] for track in compiled.ferries] == [FERRY]
    assert compiled.locomotives == [0] * 138 + [3]


@pytest.mark.rule("OW-1")
def test_o15_the_50_tickets_and_their_values() -> None:
    tickets = MAP["tickets"]
    pairs = {frozenset(ticket["cities"]) for ticket in tickets}
    assert len(tickets) == len(pairs) == len({ticket["id"] for ticket in tickets}) == 50
    assert all(ticket["id"] == "-".join(ticket["cities"]) for ticket in tickets)
    for ticket in tickets:
        start, end = ticket["cities"]
        assert ticket["points"] == NOT_THE_SHORTEST.get(ticket["id"], shortest(start)[end]), ticket["id"]
    assert shortest("seattle")["great_falls"] == 8


@pytest.mark.rule("OW-1")
def test_o15_what_is_not_certain_is_marked_and_named() -> None:
    doubtful = [entry["id"] for part in ("tracks", "tickets") for entry in MAP[part] if "certain" in entry]
    assert doubtful == ["albuquerque-durango-white", "seattle-denver", "seattle-great_falls"]
    assert any("51 tickets" in note for note in MAP["notes"])
    assert len(MAP["sources"]) >= 2


@pytest.mark.rule("OW-1")
def test_two_bonuses_and_no_longest_path() -> None:
    assert {"alvin", "most_tickets"} <= set(ruleset("old_west")["mechanics"])
    assert "longest_path" not in ruleset("old_west")["mechanics"]


@pytest.mark.rule("BASE-3")
def test_the_deck_is_that_of_usa() -> None:
    assert ruleset("old_west")["cards"] == ruleset("usa")["cards"]
    assert sum(card["count"] for card in ruleset("old_west")["cards"]) == 110
