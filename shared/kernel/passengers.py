"""The part of the state that holds passengers, on the board and in reserve, and merchandise tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from shared.kernel.fields import read_by_seat, read_digits, read_int, read_list, read_name, read_object
from shared.kernel.kinds import PLACE_PASSENGER, TRACKS
from shared.kernel.state import Part, State
from shared.kernel.tracks import NOBODY
from shared.kernel.violations import Malformed

if TYPE_CHECKING:
    from shared.kernel.ruleset import Rules


class Passengers(Part):
    """Passengers in reserve by seat, the seat of the one standing in each city, and for each city the seats that took
    its tokens from the top down. What is left of a stack follows from that; the value of its top token, 0 where none is
    left, is kept in `tops`."""

    __slots__ = ("number", "reserve", "standing", "takers", "tops")

    def __init__(self, seats: int, stacks: list[tuple[int, ...]], number: int) -> None:
        self.number: int = number  # of passengers that each seat has (MK-2)
        self.reserve: list[int] = [number] * seats
        self.standing: list[int] = [NOBODY] * len(stacks)
        self.takers: list[tuple[int, ...]] = [()] * len(stacks)
        self.tops: list[int] = [stack[0] if stack else 0 for stack in stacks]

    def copy(self) -> Passengers:
        """An independent copy."""
        other = Passengers(0, [], self.number)
        other.reserve = self.reserve[:]
        other.standing = self.standing[:]
        other.takers = self.takers[:]
        other.tops = self.tops[:]
        return other

    def places(self, seat: int) -> list[int]:
        """The cities where the seat's passengers stand."""
        return [city for city, owner in enumerate(self.standing) if owner == seat]

    def free_ends(self, rules: Rules, track: int) -> list[int]:
        """The cities of a track where a passenger may be placed (MK-10)."""
        dead_ends = rules.board.dead_ends
        return [city for city in rules.board.ends[track] if self.standing[city] == NOBODY and city not in dead_ends]

    def take(self, rules: Rules, seat: int, city: int) -> None:
        """The seat takes the top token of a city."""
        self.takers[city] += (seat,)
        stack, taken = rules.board.stacks[city], len(self.takers[city])
        self.tops[city] = stack[taken] if taken < len(stack) else 0

    def tokens(self, rules: Rules, seat: int) -> list[tuple[int, int]]:
        """The tokens of a seat as (city, value)."""
        return [
            (city, rules.board.stacks[city][place])
            for city, takers in enumerate(self.takers)
            for place, taker in enumerate(takers)
            if taker == seat
        ]

    def plain(self, rules: Rules) -> dict[str, Any]:
        """The JSON-ready form; each stack is what lies there, the top token first."""
        names = rules.board.cities
        tokens: list[dict[str, list[int]]] = [{} for _ in range(rules.seats)]
        for seat, by_city in enumerate(tokens):
            for city, value in self.tokens(rules, seat):
                by_city.setdefault(names[city], []).append(value)
        return {
            "reserve": self.reserve[:],
            "standing": {names[city]: seat for city, seat in enumerate(self.standing) if seat != NOBODY},
            "stacks": self._plain_stacks(rules),
            "tokens": tokens,
        }

    def _plain_stacks(self, rules: Rules) -> dict[str, list[int]]:
        board = rules.board
        rest = [stack[len(takers) :] for stack, takers in zip(board.stacks, self.takers, strict=True)]
        return {board.cities[city]: list(left) for city, left in enumerate(rest) if board.stacks[city]}

    def load(self, rules: Rules, plain: Any, pointer: str) -> None:
        """Sets it from the plain form; raises Malformed."""
        read_object(plain, ("reserve", "standing", "stacks", "tokens"), pointer)
        seats, city_of = rules.seats, rules.board.city_of
        reserve = read_list(plain["reserve"], seats, seats, f"{pointer}/reserve")
        self.reserve = [read_int(left, 0, self.reserve[i], f"{pointer}/reserve/{i}") for i, left in enumerate(reserve)]
        if not isinstance(plain["standing"], dict):
            raise Malformed(f"{pointer}/standing", "an object of cities and their seats is needed")
        for name, seat in plain["standing"].items():
            at = f"{pointer}/standing/{name}"
            self.standing[read_name(city_of, name, at, "city")] = read_int(seat, 0, seats - 1, at)
        taken: list[tuple[int, int, int]] = []
        for seat, by_city in enumerate(read_list(plain["tokens"], seats, seats, f"{pointer}/tokens")):
            at = f"{pointer}/tokens/{seat}"
            if not isinstance(by_city, dict):
                raise Malformed(at, "an object of cities and their tokens is needed")
            for name, values in by_city.items():
                city = read_name(city_of, name, f"{at}/{name}", "city")
                values = read_list(values, 1, len(rules.board.stacks[city]), f"{at}/{name}")
                for place, value in enumerate(values):
                    taken.append((city, read_int(value, 0, 100, f"{at}/{name}/{place}"), seat))
        self._take(rules, taken, f"{pointer}/tokens")
        left = self._plain_stacks(rules)
        stacks = read_object(plain["stacks"], tuple(left), f"{pointer}/stacks")
        for name, values in left.items():
            at = f"{pointer}/stacks/{name}"
            for place, value in enumerate(read_list(stacks[name], len(values), len(values), at)):
                if type(value) is not int or value != values[place]:
                    raise Malformed(f"{at}/{place}", "this is not the token that those taken leave here")

    def show(self, rules: Rules, out: dict[str, str]) -> None:
        """Adds its tokens to a notation."""
        names = rules.board.cities
        seats = range(rules.seats)
        places = [self.places(seat) for seat in seats]
        if any(places):
            out["passengers"] = "/".join(",".join(names[city] for city in cities) or "-" for cities in places)
        if any(left + len(cities) != self.number for left, cities in zip(self.reserve, places, strict=True)):
            out["reserve"] = "/".join(str(left) for left in self.reserve)
        if any(self.takers):
            tokens = [[f"{names[city]}:{value}" for city, value in self.tokens(rules, seat)] for seat in seats]
            out["tokens"] = "/".join(",".join(held) or "-" for held in tokens)

    def parse(self, rules: Rules, state: State, tokens: dict[str, str]) -> None:
        """Sets it from a notation; what is left out of the reserve is what stands on the board."""
        city_of = rules.board.city_of
        for seat, cities in enumerate(_parts(rules, tokens, "passengers")):
            for name in cities:
                city = read_name(city_of, name, "/passengers", f"city as {name[:60]}")
                if self.standing[city] != NOBODY:
                    raise Malformed("/passengers", f"two passengers stand in {name}")
                self.standing[city] = seat
                self.reserve[seat] -= 1
        reserve = tokens.pop("reserve", "")
        if reserve:
            given = read_list(reserve.split("/"), rules.seats, rules.seats, "/reserve")
            self.reserve = [read_digits(left, "/reserve") for left in given]
        taken = []
        for seat, held in enumerate(_parts(rules, tokens, "tokens")):
            for token in held:
                name, _, value = token.partition(":")
                city = read_name(city_of, name, "/tokens", f"city as {name[:60]}")
                taken.append((city, read_digits(value, "/tokens"), seat))
        self._take(rules, taken, "/tokens")

    def _take(self, rules: Rules, taken: list[tuple[int, int, int]], pointer: str) -> None:
        """Takes tokens, given as (city, value, seat), from the stacks; raises Malformed unless they lie on top."""
        for city, value, seat in sorted(taken, key=lambda token: -token[1]):
            place = len(self.takers[city])
            if rules.board.stacks[city][place : place + 1] != (value,):
                raise Malformed(pointer, f"{rules.board.cities[city]} has no such token, or one above it")
            self.take(rules, seat, city)

    def verify(self, rules: Rules, state: State, pointer: str) -> None:
        """Raises Malformed for too many passengers, one in a country, or one asked for that cannot be placed."""
        for seat, left in enumerate(self.reserve):
            if not 0 <= left <= self.number - len(self.places(seat)):
                raise Malformed(f"{pointer}/reserve/{seat}", f"a seat has {self.number} passengers")
        if any(self.standing[country] != NOBODY for country in rules.board.dead_ends):
            raise Malformed(f"{pointer}/standing", "no passenger stands in a country (MK-10)")
        tracks = state.parts[TRACKS]
        for decision in state.decisions:
            if decision.kind == PLACE_PASSENGER and not (
                self.reserve[decision.seat] and self.free_ends(rules, tracks.last)
            ):
                raise Malformed("/decisions", "a passenger is asked for only where one can be placed (MK-10)")


def _parts(rules: Rules, tokens: dict[str, str], name: str) -> list[list[str]]:
    """The entries of each seat in a token of a notation."""
    parts = read_by_seat(tokens.pop(name, ""), rules.seats, f"/{name}")
    return [part.split(",") if part != "-" else [] for part in parts]
