"""Moving passengers to fetch merchandise tokens (MK-3, MK-11 to MK-16)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from shared.kernel import kinds
from shared.kernel.cards import Cards
from shared.kernel.decisions import Decision
from shared.kernel.events import PublicEvent, register
from shared.kernel.fields import City, Cost, Field, Number, Payment, SeatNumber, TrackList, read_int, read_name
from shared.kernel.mechanic import Mechanic
from shared.kernel.moves import Move
from shared.kernel.passenger_paths import good_paths, path_of, steps_from
from shared.kernel.passengers import Passengers
from shared.kernel.state import State
from shared.kernel.tracks import NOBODY, Tracks
from shared.kernel.violations import Malformed, RuleViolation

if TYPE_CHECKING:
    from shared.kernel.engine import Play
    from shared.kernel.ruleset import Rules
    from shared.kernel.scoring import ScoreSheet


class MovePassenger(Move):
    """Moves the own passenger that stands in `city` along a path of tracks, for so many passenger cards."""

    __slots__ = ("cards", "city", "path")
    kind = kinds.MOVE_PASSENGER
    fields = (("city", City()), ("path", TrackList()), ("cards", Number()))

    def __init__(self, city: int, path: tuple[int, ...], cards: int) -> None:
        self.city: int = city
        self.path: tuple[int, ...] = path
        self.cards: int = cards


Tokens = tuple[tuple[int, int], ...]  # (city, value)


class TokenValues(Field):
    """The value of a token of each city named, as a tuple of (city, value) in the order of the cities."""

    def out(self, rules: Rules, value: Any) -> dict[str, int]:
        return {rules.board.cities[city]: worth for city, worth in value}

    def read(self, rules: Rules, value: Any, pointer: str) -> Tokens:
        if not isinstance(value, dict):
            raise Malformed(pointer, "an object of cities and the values of their tokens is needed")
        pairs = []
        for name, worth in value.items():
            city = read_name(rules.board.city_of, name, f"{pointer}/{name}", "city")
            pairs.append((city, read_int(worth, 0, 100, f"{pointer}/{name}")))
        return tuple(sorted(pairs))


class PassengerMoved(PublicEvent):
    """A passenger took its path, fetched these tokens and left the game (MK-15, MK-16)."""

    __slots__ = ("city", "path", "payment", "points", "seat", "tokens")
    kind = kinds.PASSENGER_MOVED
    fields = (
        ("seat", SeatNumber()),
        ("city", City()),
        ("path", TrackList()),
        ("payment", Payment(may_be_empty=True)),
        ("tokens", TokenValues()),
        ("points", Number()),
    )

    def __init__(self, seat: int, city: int, path: tuple[int, ...], payment: Cost, tokens: Tokens, points: int) -> None:
        self.seat: int = seat
        self.city: int = city
        self.path: tuple[int, ...] = path
        self.payment: Cost = payment
        self.tokens: Tokens = tokens
        self.points: int = points

    def fold(self, rules: Rules, state: State) -> None:
        cards: Cards = state.parts[kinds.CARDS]
        for kind, number in self.payment:
            cards.pay(self.seat, kind, number)
        passengers: Passengers = state.parts[kinds.PASSENGERS]
        passengers.standing[self.city] = NOBODY
        for city, _ in self.tokens:
            passengers.take(rules, self.seat, city)
        state.points[self.seat] += self.points


register(PassengerMoved)


class Merchandise(Mechanic):
    """Lists good passenger moves, checks and plays any, and scores the tokens."""

    lists = (kinds.TURN,)
    owns = (MovePassenger,)

    def __init__(self, rules: Rules, config: dict[str, Any]) -> None:
        super().__init__(rules, config)
        board = rules.board
        self.card: int = rules.kind_of[config["card"]]
        self.steps = steps_from(board.ends, len(board.cities), board.dead_ends)

    def moves(self, rules: Rules, state: State, decision: Decision, out: list[Move]) -> None:
        seat = decision.seat
        passengers: Passengers = state.parts[kinds.PASSENGERS]
        if seat not in passengers.standing:
            return
        tracks: Tracks = state.parts[kinds.TRACKS]
        cards: Cards = state.parts[kinds.CARDS]
        held = cards.hands[seat][self.card]
        for city in passengers.places(seat):
            paths = good_paths(self.steps, tracks.owners, passengers.tops, seat, city, held)
            out += [MovePassenger(city, path_of(label), label[2]) for label in paths]

    def check(self, rules: Rules, state: State, decision: Decision, move: Move) -> None:
        assert isinstance(move, MovePassenger)
        board = rules.board
        seat = decision.seat
        passengers: Passengers = state.parts[kinds.PASSENGERS]
        tracks: Tracks = state.parts[kinds.TRACKS]
        if passengers.standing[move.city] != seat:
            raise RuleViolation("no_own_passenger", "MK-11", {"city": board.cities[move.city]})
        if not move.path:
            raise RuleViolation("path_empty", "MK-11", {"needed": 1, "came": 0})
        at = move.city
        for place, track in enumerate(move.path):
            name = board.tracks[track]
            if tracks.owners[track] == NOBODY:
                raise RuleViolation("track_unclaimed", "MK-12", {"track": name})
            if track in move.path[:place]:
                raise RuleViolation("track_used_twice", "MK-12", {"track": name})
            if at not in board.ends[track]:
                raise RuleViolation("path_broken", "MK-11", {"track": name, "city": board.cities[at]})
            at = other_end(board.ends[track], at)
            if at in board.dead_ends:
                raise RuleViolation("country_closed", "MK-14", {"country": board.cities[at], "track": name})
        needed = sum([tracks.owners[track] != seat for track in move.path])
        if move.cards != needed:
            raise RuleViolation("wrong_passenger_cards", "MK-13", {"needed": needed, "came": move.cards})
        held = state.parts[kinds.CARDS].hands[seat][self.card]
        if needed > held:
            data = {"card": rules.kinds[self.card], "needed": needed, "held": held}
            raise RuleViolation("cards_not_held", "MK-13", data)

    def play(self, play: Play, decision: Decision, move: Move) -> None:
        assert isinstance(move, MovePassenger)
        tokens = tokens_fetched(play.rules, play.state, move)
        payment = ((self.card, move.cards),) if move.cards else ()
        points = sum([value for _, value in tokens])
        play.emit(PassengerMoved(decision.seat, move.city, move.path, payment, tokens, points))
        play.end_turn()

    def running(self, rules: Rules, state: State, sheet: ScoreSheet) -> None:
        passengers: Passengers = state.parts[kinds.PASSENGERS]
        for seat in range(rules.seats):
            for city, value in passengers.tokens(rules, seat):
                sheet.add(seat, value, "token", "MK-16", {"city": rules.board.cities[city]})

    def rank(self, rules: Rules, state: State, sheet: ScoreSheet, seat: int) -> int:
        """The number of tokens, not their value (MK-19)."""
        return len(state.parts[kinds.PASSENGERS].tokens(rules, seat))


def tokens_fetched(rules: Rules, state: State, move: MovePassenger) -> Tokens:
    """The tokens that a legal move takes, as (city, value): the top one of each city entered but the first (MK-15)."""
    passengers: Passengers = state.parts[kinds.PASSENGERS]
    at = move.city
    entered = set()
    for track in move.path:
        at = other_end(rules.board.ends[track], at)
        entered.add(at)
    return tuple([(city, passengers.tops[city]) for city in sorted(entered - {move.city}) if passengers.tops[city]])


def other_end(ends: tuple[int, int], city: int) -> int:
    """The end of a track that is not this one."""
    return ends[1] if ends[0] == city else ends[0]
