"""Placing passengers after claims (MK-2, MK-10)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from shared.kernel import kinds
from shared.kernel.decisions import Decision
from shared.kernel.events import PublicEvent, register
from shared.kernel.fields import City, SeatNumber
from shared.kernel.mechanic import Mechanic
from shared.kernel.moves import DECLINE_MOVE, Decline, Move
from shared.kernel.passengers import Passengers
from shared.kernel.state import Part, State
from shared.kernel.tracks import NOBODY, Tracks
from shared.kernel.violations import RuleViolation

if TYPE_CHECKING:
    from shared.kernel.engine import Play
    from shared.kernel.ruleset import Rules


class PlacePassenger(Move):
    """Puts a passenger of the reserve into a city of the track just claimed."""

    __slots__ = ("city",)
    kind = kinds.PLACE_PASSENGER_MOVE
    fields = (("city", City()),)

    def __init__(self, city: int) -> None:
        self.city: int = city


class PassengerPlaced(PublicEvent):
    """A passenger came from the reserve of its seat to a city."""

    __slots__ = ("city", "seat")
    kind = kinds.PASSENGER_PLACED
    fields = (("seat", SeatNumber()), ("city", City()))

    def __init__(self, seat: int, city: int) -> None:
        self.seat: int = seat
        self.city: int = city

    def fold(self, rules: Rules, state: State) -> None:
        passengers: Passengers = state.parts[kinds.PASSENGERS]
        passengers.reserve[self.seat] -= 1
        passengers.standing[self.city] = self.seat


register(PassengerPlaced)


class PassengerRules(Mechanic):
    """Asks after a claim whether a passenger joins, if one can."""

    slot = kinds.PASSENGERS
    lists = (kinds.PLACE_PASSENGER,)
    owns = (PlacePassenger, Decline)
    follows_claims = True

    def __init__(self, rules: Rules, config: dict[str, Any]) -> None:
        super().__init__(rules, config)
        self.number: int = config["number"]

    def part(self, rules: Rules) -> Part:
        return Passengers(rules.seats, rules.board.stacks, self.number)

    def after_claim(self, play: Play) -> bool:
        state = play.state
        passengers: Passengers = state.parts[kinds.PASSENGERS]
        if not passengers.reserve[state.turn]:
            return False
        if not passengers.free_ends(play.rules, state.parts[kinds.TRACKS].last):
            return False
        play.open_decision(state.turn, kinds.PLACE_PASSENGER)
        return True

    def moves(self, rules: Rules, state: State, decision: Decision, out: list[Move]) -> None:
        passengers: Passengers = state.parts[kinds.PASSENGERS]
        out += [PlacePassenger(city) for city in passengers.free_ends(rules, state.parts[kinds.TRACKS].last)]
        out.append(DECLINE_MOVE)

    def check(self, rules: Rules, state: State, decision: Decision, move: Move) -> None:
        if not isinstance(move, PlacePassenger):
            return
        tracks: Tracks = state.parts[kinds.TRACKS]
        passengers: Passengers = state.parts[kinds.PASSENGERS]
        name = rules.board.cities[move.city]
        if move.city not in rules.board.ends[tracks.last]:
            data = {"city": name, "track": rules.board.tracks[tracks.last]}
            raise RuleViolation("city_not_on_track", "MK-10", data)
        if move.city in rules.board.dead_ends:
            raise RuleViolation("country_closed", "MK-10", {"country": name})
        owner = passengers.standing[move.city]
        if owner != NOBODY:
            raise RuleViolation("city_occupied", "MK-10", {"city": name, "owner": owner})

    def play(self, play: Play, decision: Decision, move: Move) -> None:
        if isinstance(move, PlacePassenger):
            play.emit(PassengerPlaced(decision.seat, move.city))
        play.follow_claim(self)

    def default(self, rules: Rules, state: State, decision: Decision) -> Move | None:
        return DECLINE_MOVE
