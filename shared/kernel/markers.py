"""The part of the state that holds city markers: whose stand where, which are starting cities, and which of them
scored each claimed track."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from shared.kernel import kinds
from shared.kernel.fields import read_by_seat, read_int, read_list, read_name, read_object
from shared.kernel.state import Part, State
from shared.kernel.tracks import NOBODY, Tracks
from shared.kernel.violations import Malformed

if TYPE_CHECKING:
    from shared.kernel.ruleset import Rules

NOWHERE: Final = -1


class Markers(Part):
    """Owners by city, starting cities by seat and, for each claimed track, the marked ends whose owners scored it;
    none if its claimer did (OW-9). All of it is public."""

    __slots__ = ("most", "owners", "scored", "starts")

    def __init__(self, seats: int, cities: int, tracks: int, most: int) -> None:
        self.most: int = most  # markers of each seat, the starting city's included (OW-3)
        self.owners: list[int] = [NOBODY] * cities
        self.starts: list[int] = [NOWHERE] * seats
        self.scored: list[tuple[int, ...] | None] = [None] * tracks

    def copy(self) -> Markers:
        """An independent copy."""
        other = Markers(0, 0, 0, self.most)
        other.owners = self.owners[:]
        other.starts = self.starts[:]
        other.scored = self.scored[:]
        return other

    def left(self, seat: int) -> int:
        """How many markers the seat has not placed."""
        return self.most - self.owners.count(seat)

    def of(self, seat: int) -> list[int]:
        """The cities with a marker of the seat, in the board's order."""
        return [city for city, owner in enumerate(self.owners) if owner == seat]

    def marked_ends(self, rules: Rules, track: int) -> tuple[int, ...]:
        """The ends of the track that have a marker now."""
        return tuple([city for city in rules.board.ends[track] if self.owners[city] != NOBODY])

    def plain(self, rules: Rules) -> dict[str, Any]:
        """The JSON-ready form."""
        cities, tracks = rules.board.cities, rules.board.tracks
        return {
            "starts": [None if city == NOWHERE else cities[city] for city in self.starts],
            "owners": {cities[city]: owner for city, owner in enumerate(self.owners) if owner != NOBODY},
            "scored": {
                tracks[track]: [cities[city] for city in ends]
                for track, ends in enumerate(self.scored)
                if ends is not None
            },
        }

    def load(self, rules: Rules, plain: Any, pointer: str) -> None:
        """Sets it from the plain form; raises Malformed."""
        read_object(plain, ("starts", "owners", "scored"), pointer)
        last = rules.seats - 1
        for name in ("owners", "scored"):
            if not isinstance(plain[name], dict):
                raise Malformed(f"{pointer}/{name}", "an object is needed")
        for city, seat in plain["owners"].items():
            at = f"{pointer}/owners/{city}"
            self.owners[read_name(rules.board.city_of, city, at, "city")] = read_int(seat, 0, last, at)
        for track, ends in plain["scored"].items():
            at = f"{pointer}/scored/{track}"
            named = enumerate(read_list(ends, 0, 2, at))
            scored = tuple([read_name(rules.board.city_of, city, f"{at}/{place}", "city") for place, city in named])
            self.scored[read_name(rules.board.track_of, track, at, "track")] = scored
        for seat, city in enumerate(read_list(plain["starts"], rules.seats, rules.seats, f"{pointer}/starts")):
            if city is not None:
                self.starts[seat] = read_name(rules.board.city_of, city, f"{pointer}/starts/{seat}", "city")

    def show(self, rules: Rules, out: dict[str, str]) -> None:
        """Adds its tokens to a notation."""
        cities, tracks = rules.board.cities, rules.board.tracks
        if any(city != NOWHERE for city in self.starts):
            out["starts"] = "/".join("-" if city == NOWHERE else cities[city] for city in self.starts)
        others = [[city for city in self.of(seat) if city != start] for seat, start in enumerate(self.starts)]
        if any(others):
            out["markers"] = "/".join(",".join(cities[city] for city in own) or "-" for own in others)
        scored = [
            f"{tracks[track]}:{'+'.join(cities[city] for city in ends) or '-'}"
            for track, ends in enumerate(self.scored)
            if ends is not None and ends != self.marked_ends(rules, track)
        ]
        if scored:
            out["scored"] = ",".join(scored)

    def parse(self, rules: Rules, state: State, tokens: dict[str, str]) -> None:
        """Sets it from a notation; a track, if left out, scored as the markers stand now."""
        for name in ("starts", "markers"):
            for seat, part in enumerate(read_by_seat(tokens.pop(name, ""), rules.seats, f"/{name}")):
                for word in part.split(",") if part != "-" else ():
                    city = read_name(rules.board.city_of, word, f"/{name}", f"city as {word[:60]}")
                    if self.owners[city] != NOBODY or (name == "starts" and self.starts[seat] != NOWHERE):
                        raise Malformed(f"/{name}", "one starting city a seat, one marker a city")
                    self.owners[city] = seat
                    if name == "starts":
                        self.starts[seat] = city
        for track, owner in enumerate(state.parts[kinds.TRACKS].owners):
            if owner != NOBODY:
                self.scored[track] = self.marked_ends(rules, track)
        text = tokens.pop("scored", "")
        for entry in text.split(",") if text else ():
            name, _, ends = entry.partition(":")
            track = read_name(rules.board.track_of, name, "/scored", f"track as {name[:60]}")
            self.scored[track] = tuple(
                [
                    read_name(rules.board.city_of, city, "/scored", f"city as {city[:60]}")
                    for city in (ends.split("+") if ends != "-" else ())
                ]
            )

    def verify(self, rules: Rules, state: State, pointer: str) -> None:
        """Raises Malformed unless the markers can stand as they do and each claimed track scored whom it could."""
        tracks: Tracks = state.parts[kinds.TRACKS]
        for city, owner in enumerate(self.owners):
            name = rules.board.cities[city]
            if owner != NOBODY and city in rules.no_markers:
                raise Malformed(f"{pointer}/owners/{name}", "no marker may stand there (OW-8)")
            if owner != NOBODY and city != self.starts[owner] and city not in tracks.cities(rules, owner):
                raise Malformed(f"{pointer}/owners/{name}", "none of the seat's tracks ends there (OW-8)")
        for seat, start in enumerate(self.starts):
            if start != NOWHERE and self.owners[start] != seat:
                raise Malformed(f"{pointer}/starts/{seat}", "the starting city has the seat's marker (OW-5)")
            if self.left(seat) < 0 or (start == NOWHERE and seat in self.owners):
                raise Malformed(f"{pointer}/owners", f"a seat has {self.most} markers, the first at its start (OW-3)")
        for track, ends in enumerate(self.scored):
            claimed = tracks.owners[track] != NOBODY
            if claimed == (ends is None) or (ends is not None and not self._possible(rules, track, ends)):
                raise Malformed(f"{pointer}/scored/{rules.board.tracks[track]}", "no claim can have scored so (OW-9)")
        self._verify_decisions(rules, state)

    def _possible(self, rules: Rules, track: int, ends: tuple[int, ...]) -> bool:
        """Whether these ends can have been the marked ones at the claim: starting cities were, others may have been."""
        marked = self.marked_ends(rules, track)
        starts = [city for city in marked if city in self.starts]
        return ends in ((), marked[:1], marked[1:], marked) and all(city in ends for city in starts)

    def next_to_start(self, state: State) -> int:
        """The seat that must choose its starting city, from the last to play back to the first (OW-5); -1 for none."""
        for back in range(1, state.seats + 1):
            seat = (state.turn - back) % state.seats
            if self.starts[seat] == NOWHERE:
                return seat
        return NOBODY

    def may_mark(self, rules: Rules, tracks: Tracks, seat: int) -> list[int]:
        """The ends of the track claimed last where the seat may put a marker (OW-8)."""
        if self.left(seat) == 0:
            return []
        return [
            city
            for city in rules.board.ends[tracks.last]
            if self.owners[city] == NOBODY and city not in rules.no_markers
        ]

    def _verify_decisions(self, rules: Rules, state: State) -> None:
        """Starting cities come after the tickets and before all else; a marker is offered after a claim."""
        tracks: Tracks = state.parts[kinds.TRACKS]
        to_start = self.next_to_start(state)
        for decision in state.decisions:
            seat = decision.seat
            match decision.kind:
                case kinds.OPENING_TICKETS:
                    fits = not any(city != NOWHERE for city in self.starts)
                case kinds.STARTING_CITY:
                    fits = seat == to_start
                case kinds.MARKER:
                    fits = to_start == NOBODY and bool(self.may_mark(rules, tracks, seat))
                case _:
                    fits = to_start == NOBODY
            if not fits:
                raise Malformed("/decisions", f"seat {seat} cannot be asked for {decision.name} with these markers")
