"""City markers: starting cities, who scores a claim, and markers placed after claims (OW-3, OW-5, OW-8, OW-9)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from shared.kernel import kinds
from shared.kernel.claim_table import cost_of
from shared.kernel.decisions import Decision
from shared.kernel.events import Event, PublicEvent, register
from shared.kernel.fields import City, Cost, Number, Payment, SeatNumber, Track
from shared.kernel.markers import NOWHERE, Markers
from shared.kernel.mechanic import Mechanic
from shared.kernel.mechanics.claim import Claim, TrackClaimed, check_payment
from shared.kernel.moves import DECLINE_MOVE, Decline, Move, named_once, refuse_kind
from shared.kernel.state import Part, State
from shared.kernel.tracks import NOBODY, Tracks
from shared.kernel.violations import RuleViolation

if TYPE_CHECKING:
    from shared.kernel.engine import Play
    from shared.kernel.ruleset import Rules
    from shared.kernel.scoring import ScoreSheet

COST: Final = 2  # cards that placing a marker takes (OW-8)


class ChooseStartingCity(Move):
    """Puts the first marker on a city, from where the own network grows."""

    __slots__ = ("city",)
    kind = kinds.CHOOSE_STARTING_CITY
    fields = (("city", City()),)

    def __init__(self, city: int) -> None:
        self.city: int = city


class PlaceMarker(Move):
    """Puts a marker on an end of the track just claimed, for two more cards; raises MalformedMove if a kind of card
    comes twice or not at all."""

    __slots__ = ("city", "payment")
    kind = kinds.PLACE_MARKER
    fields = (("city", City()), ("payment", Payment()))

    def __init__(self, city: int, payment: Cost) -> None:
        self.city: int = city
        self.payment: Cost = named_once(payment, "/payment")


class StartingCityChosen(PublicEvent):
    """A seat put its first marker on its starting city (OW-5)."""

    __slots__ = ("city", "seat")
    kind = kinds.STARTING_CITY_CHOSEN
    fields = (("seat", SeatNumber()), ("city", City()))

    def __init__(self, seat: int, city: int) -> None:
        self.seat: int = seat
        self.city: int = city

    def fold(self, rules: Rules, state: State) -> None:
        markers: Markers = state.parts[kinds.MARKERS]
        markers.starts[self.seat] = self.city
        markers.owners[self.city] = self.seat


class TrackScored(PublicEvent):
    """A seat scored a track just claimed: by its marker on this end, or as the claimer where no end has one (OW-9)."""

    __slots__ = ("marker", "points", "seat", "track")
    kind = kinds.TRACK_SCORED
    fields = (("seat", SeatNumber()), ("track", Track()), ("marker", City(optional=True)), ("points", Number()))

    def __init__(self, seat: int, track: int, marker: int, points: int) -> None:
        self.seat: int = seat
        self.track: int = track
        self.marker: int = marker
        self.points: int = points

    def fold(self, rules: Rules, state: State) -> None:
        scored: list[tuple[int, ...] | None] = state.parts[kinds.MARKERS].scored
        ends = () if self.marker == NOWHERE else (self.marker,)
        scored[self.track] = (scored[self.track] or ()) + ends
        state.points[self.seat] += self.points


class MarkerPlaced(PublicEvent):
    """A seat paid for a marker on this city (OW-8)."""

    __slots__ = ("city", "payment", "seat")
    kind = kinds.MARKER_PLACED
    fields = (("seat", SeatNumber()), ("city", City()), ("payment", Payment()))

    def __init__(self, seat: int, city: int, payment: Cost) -> None:
        self.seat: int = seat
        self.city: int = city
        self.payment: Cost = payment

    def fold(self, rules: Rules, state: State) -> None:
        for kind, number in self.payment:
            state.parts[kinds.CARDS].pay(self.seat, kind, number)
        state.parts[kinds.MARKERS].owners[self.city] = self.seat


register(StartingCityChosen, TrackScored, MarkerPlaced)


class CityMarkers(Mechanic):
    """Asks for starting cities, scores claims in place of their claimers, and offers a marker after each claim."""

    slot = kinds.MARKERS
    lists = (kinds.STARTING_CITY, kinds.MARKER)
    owns = (ChooseStartingCity, PlaceMarker, Decline)
    reacts = (kinds.TRACK_CLAIMED,)
    follows_claims = True

    def __init__(self, rules: Rules, config: dict[str, Any]) -> None:
        super().__init__(rules, config)
        self.number: int = config["number"]
        claim = rules.by_name["claim"]
        assert isinstance(claim, Claim)
        self.points: list[int] = [claim.points[length] for length in rules.board.lengths]
        self.starts: list[Move] = [ChooseStartingCity(city) for city in range(len(rules.board.cities))]

    def part(self, rules: Rules) -> Part:
        return Markers(rules.seats, len(rules.board.cities), len(rules.board.tracks), self.number)

    def before_turns(self, play: Play) -> bool:
        seat = play.state.parts[kinds.MARKERS].next_to_start(play.state)
        if seat == NOBODY:
            return False
        play.open_decision(seat, kinds.STARTING_CITY)
        return True

    def react(self, play: Play, event: Event) -> None:
        """The claim is scored by the markers as they stand (OW-9, OW-9a)."""
        assert isinstance(event, TrackClaimed)
        points = self.points[event.track]
        markers: Markers = play.state.parts[kinds.MARKERS]
        ends = markers.marked_ends(play.rules, event.track)
        for city in ends:
            play.emit(TrackScored(markers.owners[city], event.track, city, points))
        if not ends:
            play.emit(TrackScored(event.seat, event.track, NOWHERE, points))

    def after_claim(self, play: Play) -> bool:
        """Offers a marker, whatever the hand holds (VIEW-12)."""
        markers: Markers = play.state.parts[kinds.MARKERS]
        if not markers.may_mark(play.rules, play.state.parts[kinds.TRACKS], play.state.turn):
            return False
        play.open_decision(play.state.turn, kinds.MARKER)
        return True

    def moves(self, rules: Rules, state: State, decision: Decision, out: list[Move]) -> None:
        markers: Markers = state.parts[kinds.MARKERS]
        if decision.kind == kinds.STARTING_CITY:
            out += [
                self.starts[city]
                for city, owner in enumerate(markers.owners)
                if owner == NOBODY and city not in rules.no_markers
            ]
            return
        out.append(DECLINE_MOVE)
        payments = marker_payments(rules, state.parts[kinds.CARDS].hands[decision.seat])
        for city in markers.may_mark(rules, state.parts[kinds.TRACKS], decision.seat):
            out += [PlaceMarker(city, payment) for payment in payments]

    def default(self, rules: Rules, state: State, decision: Decision) -> Move | None:
        """The first free city in the board's order, and no marker: the first of the list."""
        legal: list[Move] = []
        self.moves(rules, state, decision, legal)
        return legal[0]

    def check(self, rules: Rules, state: State, decision: Decision, move: Move) -> None:
        if (decision.kind == kinds.STARTING_CITY) != isinstance(move, ChooseStartingCity):
            refuse_kind(decision, move)
        if isinstance(move, ChooseStartingCity):
            check_city(rules, state, move.city, "OW-5")
        elif isinstance(move, PlaceMarker):
            tracks: Tracks = state.parts[kinds.TRACKS]
            if move.city not in rules.board.ends[tracks.last]:
                data = {"city": rules.board.cities[move.city], "track": rules.board.tracks[tracks.last]}
                raise RuleViolation("city_not_on_track", "OW-8", data)
            check_city(rules, state, move.city, "OW-8")
            check_payment(rules, state.parts[kinds.CARDS].hands[decision.seat], move.payment, COST, "OW-8")

    def play(self, play: Play, decision: Decision, move: Move) -> None:
        if isinstance(move, ChooseStartingCity):
            play.emit(StartingCityChosen(decision.seat, move.city))
            play.start_turns()
            return
        if isinstance(move, PlaceMarker):
            play.emit(MarkerPlaced(decision.seat, move.city, move.payment))
        play.follow_claim(self)

    def running(self, rules: Rules, state: State, sheet: ScoreSheet) -> None:
        markers: Markers = state.parts[kinds.MARKERS]
        tracks: Tracks = state.parts[kinds.TRACKS]
        for track, claimer in enumerate(tracks.owners):
            if claimer == NOBODY:
                continue
            evidence: dict[str, Any] = {"track": rules.board.tracks[track], "claimed_by": claimer}
            ends = markers.scored[track]
            for city in ends or ():
                by_marker = {**evidence, "marker": rules.board.cities[city]}
                sheet.add(markers.owners[city], self.points[track], "track", "OW-9", by_marker)
            if not ends:
                sheet.add(claimer, self.points[track], "track", "OW-9", evidence)


def marker_payments(rules: Rules, hand: list[int]) -> list[Cost]:
    """The payments for a marker that are listed: of each colour held with the fewest wilds, and wilds alone."""
    wilds = hand[rules.wild]
    colours = [colour for colour in range(rules.colours) if hand[colour] and hand[colour] + wilds >= COST]
    found = [cost_of(COST, colour, hand[colour], [(rules.wild, wilds)]) for colour in colours]
    return [*found, ((rules.wild, COST),)] if wilds >= COST else found


def check_city(rules: Rules, state: State, city: int, rule: str) -> None:
    """Raises RuleViolation if no marker can be put on the city."""
    name = rules.board.cities[city]
    if city in rules.no_markers:
        raise RuleViolation("city_closed", rule, {"city": name})
    owner = state.parts[kinds.MARKERS].owners[city]
    if owner != NOBODY:
        raise RuleViolation("city_marked", rule, {"city": name, "owner": owner})
