"""Alvin, who is captured by claiming a track to his city and moved to a city with an own marker (OW-10, OW-11)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from shared.kernel import kinds
from shared.kernel.decisions import Decision
from shared.kernel.events import PublicEvent, register
from shared.kernel.fields import City, Number, SeatNumber, read_int, read_list, read_name, read_object
from shared.kernel.markers import Markers
from shared.kernel.mechanic import Mechanic
from shared.kernel.moves import Move
from shared.kernel.state import Part, State
from shared.kernel.tracks import NOBODY, Tracks
from shared.kernel.violations import Malformed, RuleViolation

if TYPE_CHECKING:
    from shared.kernel.engine import Play
    from shared.kernel.ruleset import Rules
    from shared.kernel.scoring import ScoreSheet


class Whereabouts(Part):
    """Where Alvin is, and his captures in order as (seat, city). All of it is public."""

    __slots__ = ("captures", "city")

    def __init__(self, city: int) -> None:
        self.city: int = city
        self.captures: list[tuple[int, int]] = []

    def copy(self) -> Whereabouts:
        """An independent copy."""
        other = Whereabouts(self.city)
        other.captures = self.captures[:]
        return other

    @property
    def controller(self) -> int:
        """The seat that captured him last, or nobody."""
        return self.captures[-1][0] if self.captures else NOBODY

    def plain(self, rules: Rules) -> dict[str, Any]:
        """The JSON-ready form."""
        cities = rules.board.cities
        captures = [{"seat": seat, "city": cities[city]} for seat, city in self.captures]
        return {"city": cities[self.city], "captures": captures}

    def load(self, rules: Rules, plain: Any, pointer: str) -> None:
        """Sets it from the plain form; raises Malformed."""
        read_object(plain, ("city", "captures"), pointer)
        self.city = read_name(rules.board.city_of, plain["city"], f"{pointer}/city", "city")
        for i, entry in enumerate(read_list(plain["captures"], 0, len(rules.board.tracks), f"{pointer}/captures")):
            at = f"{pointer}/captures/{i}"
            read_object(entry, ("seat", "city"), at)
            seat = read_int(entry["seat"], 0, rules.seats - 1, f"{at}/seat")
            self.captures.append((seat, read_name(rules.board.city_of, entry["city"], f"{at}/city", "city")))

    def show(self, rules: Rules, out: dict[str, str]) -> None:
        """Adds its tokens to a notation."""
        cities = rules.board.cities
        out["alvin"] = cities[self.city]
        if self.captures:
            out["captures"] = ",".join(f"{seat}:{cities[city]}" for seat, city in self.captures)

    def parse(self, rules: Rules, state: State, tokens: dict[str, str]) -> None:
        """Sets it from a notation; Alvin, if left out, is still at his first city."""
        text = tokens.pop("alvin", "")
        if text:
            self.city = read_name(rules.board.city_of, text, "/alvin", f"city as {text[:60]}")
        seats = {str(seat): seat for seat in range(rules.seats)}
        text = tokens.pop("captures", "")
        for entry in text.split(",") if text else ():
            seat, _, city = entry.partition(":")
            by = read_name(seats, seat, "/captures", f"seat as {seat[:60]}")
            self.captures.append((by, read_name(rules.board.city_of, city, "/captures", f"city as {city[:60]}")))

    def verify(self, rules: Rules, state: State, pointer: str) -> None:
        """Raises Malformed unless each capture was possible after the one before, and Alvin is where the last leaves
        him."""
        markers: Markers = state.parts[kinds.MARKERS]
        tracks: Tracks = state.parts[kinds.TRACKS]
        alvin = rules.by_name["alvin"]
        assert isinstance(alvin, Alvin)
        controller = NOBODY
        for place, (seat, city) in enumerate(self.captures):
            stayed = city == alvin.city if controller == NOBODY else markers.owners[city] == controller
            if not stayed or seat == controller or city not in tracks.cities(rules, seat):
                raise Malformed(f"{pointer}/captures/{place}", "this seat cannot have captured him there (OW-10)")
            controller = seat
        if any(decision.kind == kinds.ALVIN_CITY for decision in state.decisions):
            fits = controller == state.turn and self.captures[-1][1] == self.city
            fits = fits and self.city in rules.board.ends[tracks.last]
        else:
            fits = self.city == alvin.city if controller == NOBODY else markers.owners[self.city] == controller
        if not fits:
            raise Malformed(f"{pointer}/city", "Alvin cannot be there (OW-10)")


class MoveAlvin(Move):
    """Moves Alvin, just captured, to a city with an own marker."""

    __slots__ = ("city",)
    kind = kinds.MOVE_ALVIN
    fields = (("city", City()),)

    def __init__(self, city: int) -> None:
        self.city: int = city


class AlvinCaptured(PublicEvent):
    """A seat captured Alvin in his city and scored these points."""

    __slots__ = ("points", "seat")
    kind = kinds.ALVIN_CAPTURED
    fields = (("seat", SeatNumber()), ("points", Number()))

    def __init__(self, seat: int, points: int) -> None:
        self.seat: int = seat
        self.points: int = points

    def fold(self, rules: Rules, state: State) -> None:
        alvin: Whereabouts = state.parts[kinds.ALVIN]
        alvin.captures.append((self.seat, alvin.city))
        state.points[self.seat] += self.points


class AlvinMoved(PublicEvent):
    """Alvin went to this city."""

    __slots__ = ("city",)
    kind = kinds.ALVIN_MOVED
    fields = (("city", City()),)

    def __init__(self, city: int) -> None:
        self.city: int = city

    def fold(self, rules: Rules, state: State) -> None:
        state.parts[kinds.ALVIN].city = self.city


register(AlvinCaptured, AlvinMoved)


class Alvin(Mechanic):
    """Captures after claims, before a marker is placed (OW-10a); no marker may stand in his first city."""

    slot = kinds.ALVIN
    lists = (kinds.ALVIN_CITY,)
    owns = (MoveAlvin,)
    follows_claims = True

    def __init__(self, rules: Rules, config: dict[str, Any]) -> None:
        super().__init__(rules, config)
        self.city: int = rules.board.city_of[config["city"]]
        self.capture_points: int = config["capture"]
        self.end_points: int = config["end"]
        self.moves_to: list[Move] = [MoveAlvin(city) for city in range(len(rules.board.cities))]
        rules.no_markers.add(self.city)

    def part(self, rules: Rules) -> Part:
        return Whereabouts(self.city)

    def after_claim(self, play: Play) -> bool:
        alvin: Whereabouts = play.state.parts[kinds.ALVIN]
        seat = play.state.turn
        ends = play.rules.board.ends[play.state.parts[kinds.TRACKS].last]
        if alvin.city not in ends or alvin.controller == seat:
            return False
        play.emit(AlvinCaptured(seat, self.capture_points))
        play.open_decision(seat, kinds.ALVIN_CITY)
        return True

    def moves(self, rules: Rules, state: State, decision: Decision, out: list[Move]) -> None:
        markers: Markers = state.parts[kinds.MARKERS]
        out += [self.moves_to[city] for city in markers.of(decision.seat)]

    def default(self, rules: Rules, state: State, decision: Decision) -> Move | None:
        markers: Markers = state.parts[kinds.MARKERS]
        return self.moves_to[markers.of(decision.seat)[0]]

    def check(self, rules: Rules, state: State, decision: Decision, move: Move) -> None:
        assert isinstance(move, MoveAlvin)
        if state.parts[kinds.MARKERS].owners[move.city] != decision.seat:
            raise RuleViolation("no_own_marker", "OW-10", {"city": rules.board.cities[move.city]})

    def play(self, play: Play, decision: Decision, move: Move) -> None:
        assert isinstance(move, MoveAlvin)
        play.emit(AlvinMoved(move.city))
        play.follow_claim(self)

    def running(self, rules: Rules, state: State, sheet: ScoreSheet) -> None:
        for seat, city in state.parts[kinds.ALVIN].captures:
            sheet.add(seat, self.capture_points, "capture", "OW-10", {"city": rules.board.cities[city]})

    def score(self, rules: Rules, state: State, sheet: ScoreSheet) -> None:
        alvin: Whereabouts = state.parts[kinds.ALVIN]
        if alvin.controller != NOBODY:
            sheet.add(alvin.controller, self.end_points, "alvin", "OW-11", {"city": rules.board.cities[alvin.city]})
