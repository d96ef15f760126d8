"""A map compiled into tables: cities, tracks and tickets are small ints inside, ids at the edge."""

from __future__ import annotations

from typing import Any, Final

GRAY: Final = -1


class Board:
    """Tracks are numbered by (colour, length, id), gray last, so that what a hand can pay for is a slice. Ferries,
    which cost locomotives, come after all others."""

    def __init__(self, source: dict[str, Any], colours: list[str]) -> None:
        self.id: str = source["id"]
        self.cities: list[str] = [city["id"] for city in source["cities"]]
        #: cities where every path ends: it may start or end there but never pass through (MK-17)
        self.dead_ends: frozenset[int] = frozenset(
            number for number, city in enumerate(source["cities"]) if city.get("country")
        )
        #: the values of each city's merchandise tokens, the top one first (MK-3)
        self.stacks: list[tuple[int, ...]] = [tuple(city.get("tokens", ())) for city in source["cities"]]
        self.city_of: dict[str, int] = {name: number for number, name in enumerate(self.cities)}
        rank = {colour: number for number, colour in enumerate(colours)}
        rank["gray"] = len(colours)
        tracks = sorted(
            source["tracks"], key=lambda t: (t.get("locomotives", 0) > 0, rank[t["colour"]], t["length"], t["id"])
        )
        self.tracks: list[str] = [t["id"] for t in tracks]
        self.track_of: dict[str, int] = {name: number for number, name in enumerate(self.tracks)}
        self.ends: list[tuple[int, int]] = [
            (self.city_of[t["cities"][0]], self.city_of[t["cities"][1]]) for t in tracks
        ]
        self.lengths: list[int] = [t["length"] for t in tracks]
        self.colours: list[int] = [GRAY if t["colour"] == "gray" else rank[t["colour"]] for t in tracks]
        #: for each city the tracks that end there, as an int with one byte a track, 1 or 0
        self.touching: list[int] = [
            int.from_bytes(bytes([city in ends for ends in self.ends]), "big") for city in range(len(self.cities))
        ]
        #: how many locomotives each track needs at least, and the tracks that need any
        self.locomotives: list[int] = [t.get("locomotives", 0) for t in tracks]
        self.ferries: list[int] = [track for track, needed in enumerate(self.locomotives) if needed]
        #: the other tracks of each track's group (parallel tracks)
        self.parallels: list[list[int]] = [
            [u for u in range(len(tracks)) if u != t and set(self.ends[u]) == set(self.ends[t])]
            for t in range(len(tracks))
        ]
        self.tickets: list[str] = [ticket["id"] for ticket in source["tickets"]]
        self.ticket_of: dict[str, int] = {name: number for number, name in enumerate(self.tickets)}
        self.ticket_ends: list[tuple[int, int]] = [
            (self.city_of[ticket["cities"][0]], self.city_of[ticket["cities"][1]]) for ticket in source["tickets"]
        ]
        self.ticket_points: list[int] = [ticket["points"] for ticket in source["tickets"]]
        #: the cards that a ticket costs by colour, where tickets are paid for (CG-20)
        self.ticket_costs: list[list[int]] = [
            [ticket.get("cards", {}).get(colour, 0) for colour in colours] for ticket in source["tickets"]
        ]
        #: the cities that have a bonus card, and its value (CG-31)
        self.bonus_cards: list[tuple[int, int]] = [
            (self.city_of[bonus["city"]], bonus["points"]) for bonus in source.get("bonus_cards", ())
        ]
        self.ticket_kinds: list[str] = [ticket.get("kind", "tickets") for ticket in source["tickets"]]
        if len(self.track_of) != len(tracks) or len(self.ticket_of) != len(self.tickets):
            raise ValueError(f"board {self.id} has two tracks or two tickets of one id")
        if any(list(stack) != sorted(set(stack), reverse=True) for stack in self.stacks):
            raise ValueError(f"board {self.id} has a stack of tokens that does not go down from the top")
