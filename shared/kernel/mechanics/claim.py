"""Claiming a track (BASE-23 to BASE-30)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from shared.kernel import kinds
from shared.kernel.board import GRAY
from shared.kernel.cards import Cards
from shared.kernel.claim_table import ClaimTable
from shared.kernel.decisions import Decision
from shared.kernel.events import PublicEvent, register
from shared.kernel.fields import Cost, Number, Payment, SeatNumber, Track
from shared.kernel.mechanic import Mechanic
from shared.kernel.moves import Move, named_once
from shared.kernel.state import Part, State
from shared.kernel.tracks import NOBODY, Tracks
from shared.kernel.violations import RuleViolation

if TYPE_CHECKING:
    from shared.kernel.engine import Play
    from shared.kernel.ruleset import Rules
    from shared.kernel.scoring import ScoreSheet


def check_payment(rules: Rules, hand: list[int], payment: Cost, size: int, rule: str) -> int:
    """The one colour of a payment, -1 for wilds alone; raises RuleViolation unless it is of that size, of cards of the
    hand, of one colour and of wilds that serve for that size."""
    came = 0
    colour = -1
    for kind, number in payment:
        came += number
        if number > hand[kind]:
            data = {"card": rules.kinds[kind], "needed": number, "held": hand[kind]}
            raise RuleViolation("cards_not_held", rule, data)
        if kind < rules.colours:
            if colour >= 0:
                raise RuleViolation("mixed_colours", rule, {"colours": [rules.kinds[colour], rules.kinds[kind]]})
            colour = kind
        elif kind in rules.no_payment:
            raise RuleViolation("no_payment", rules.card_rules[kind], {"card": rules.kinds[kind]})
        elif rules.wild_from[kind] > size:
            data = {"card": rules.kinds[kind], "needed": rules.wild_from[kind], "length": size}
            raise RuleViolation("track_too_short", rules.card_rules[kind], data)
    if came != size:
        raise RuleViolation("wrong_payment_size", rule, {"needed": size, "came": came})
    return colour


class ClaimTrack(Move):
    """Claims a track with exactly these cards of the own hand (BASE-24); raises MalformedMove if a kind of card comes
    twice or not at all."""

    __slots__ = ("payment", "track")
    kind = kinds.CLAIM_TRACK
    fields = (("track", Track()), ("payment", Payment()))

    def __init__(self, track: int, payment: Cost) -> None:
        self.track: int = track
        self.payment: Cost = named_once(payment, "/payment")


class TrackClaimed(PublicEvent):
    """A track went to a seat for these cards and scored these points (BASE-29)."""

    __slots__ = ("payment", "points", "seat", "track")
    kind = kinds.TRACK_CLAIMED
    fields = (("seat", SeatNumber()), ("track", Track()), ("payment", Payment()), ("points", Number()))

    def __init__(self, seat: int, track: int, payment: Cost, points: int) -> None:
        self.seat: int = seat
        self.track: int = track
        self.payment: Cost = payment
        self.points: int = points

    def fold(self, rules: Rules, state: State) -> None:
        seat = self.seat
        cards: Cards = state.parts[kinds.CARDS]
        for kind, number in self.payment:
            cards.pay(seat, kind, number)
        tracks: Tracks = state.parts[kinds.TRACKS]
        tracks.trains[seat] -= rules.board.lengths[self.track]
        tracks.last = self.track
        tracks.claim(rules, seat, self.track)
        state.points[seat] += self.points


register(TrackClaimed)


class Claim(Mechanic):
    """Lists, checks and plays claims."""

    slot = kinds.TRACKS
    lists = (kinds.TURN,)
    owns = (ClaimTrack,)

    def __init__(self, rules: Rules, config: dict[str, Any]) -> None:
        self.trains: int = config["trains"]
        self.points: list[int] = [0] + [config["points"][str(n)] for n in range(1, len(config["points"]) + 1)]
        self.to_claimer: bool = config["to_claimer"]  # whether the claimer scores the track's points
        longest = max(rules.board.lengths)
        if longest >= len(self.points):
            raise ValueError(f"{rules.id} has no points for a track of length {longest} (BASE-30)")
        self.table: ClaimTable = ClaimTable(rules, ClaimTrack)

    def part(self, rules: Rules) -> Part:
        return Tracks(rules.seats, len(rules.board.tracks), self.trains)

    def moves(self, rules: Rules, state: State, decision: Decision, out: list[Move]) -> None:
        seat = decision.seat
        tracks: Tracks = state.parts[kinds.TRACKS]
        cards: Cards = state.parts[kinds.CARDS]
        hand = cards.hands[seat]
        flags: bytes | bytearray = tracks.open[seat]
        if rules.limits:
            claimable = int.from_bytes(flags, "big")
            for limit in rules.limits:
                claimable &= limit.claimable(rules, state, seat)
            flags = claimable.to_bytes(len(flags), "big")
        self.table.add_claims(hand, tracks.trains[seat], flags, out)
        for track in rules.board.ferries:
            if flags[track] and tracks.trains[seat] >= rules.board.lengths[track]:
                self._list_ferry(rules, hand, track, out)

    def _list_ferry(self, rules: Rules, hand: list[int], track: int, out: list[Move]) -> None:
        """Claims of a ferry, each with the fewest wilds that it needs (OW-7)."""
        length, least = rules.board.lengths[track], rules.board.locomotives[track]
        wilds = hand[rules.wild]
        own = rules.board.colours[track]
        for colour in range(rules.colours) if own == GRAY else (own,):
            plain = min(hand[colour], length - least)
            if plain and plain + wilds >= length:
                out.append(ClaimTrack(track, ((colour, plain), (rules.wild, length - plain))))
        if wilds >= length and (own == GRAY or hand[own] == 0):
            out.append(ClaimTrack(track, ((rules.wild, length),)))

    def check(self, rules: Rules, state: State, decision: Decision, move: Move) -> None:
        assert isinstance(move, ClaimTrack)
        seat = decision.seat
        track = move.track
        tracks: Tracks = state.parts[kinds.TRACKS]
        length = rules.board.lengths[track]
        if not tracks.open[seat][track] or tracks.trains[seat] < length:
            self._refuse_track(rules, tracks, seat, track)
        for limit in rules.limits:
            limit.check_claim(rules, state, seat, track)
        cards: Cards = state.parts[kinds.CARDS]
        colour = check_payment(rules, cards.hands[seat], move.payment, length, "BASE-24")
        needed = rules.board.colours[track]
        if colour >= 0 and needed != GRAY and colour != needed:
            data = {"needed": rules.kinds[needed], "came": rules.kinds[colour]}
            raise RuleViolation("wrong_colour", "BASE-24", data)
        least = rules.board.locomotives[track]
        if least:
            wilds = sum([number for kind, number in move.payment if kind == rules.wild])
            if wilds < least:
                raise RuleViolation("too_few_locomotives", "OW-7", {"needed": least, "came": wilds})

    def _refuse_track(self, rules: Rules, tracks: Tracks, seat: int, track: int) -> None:
        name = rules.board.tracks[track]
        owner = tracks.owners[track]
        if owner != NOBODY:
            raise RuleViolation("track_claimed", "BASE-23", {"track": name, "owner": owner})
        for parallel in rules.board.parallels[track]:
            if tracks.owners[parallel] == seat:
                owned = rules.board.tracks[parallel]
                raise RuleViolation("parallel_track_owned", "BASE-23", {"track": name, "owned": owned})
        if not tracks.open[seat][track]:
            raise RuleViolation("track_locked", "BASE-26", {"track": name, "seats": rules.seats})
        needed, left = rules.board.lengths[track], tracks.trains[seat]
        raise RuleViolation("too_few_trains", "BASE-23", {"track": name, "needed": needed, "left": left})

    def play(self, play: Play, decision: Decision, move: Move) -> None:
        assert isinstance(move, ClaimTrack)
        points = self.points[play.rules.board.lengths[move.track]]
        play.emit(TrackClaimed(decision.seat, move.track, move.payment, points if self.to_claimer else 0))
        play.follow_claim()

    def running(self, rules: Rules, state: State, sheet: ScoreSheet) -> None:
        if not self.to_claimer:
            return
        tracks: Tracks = state.parts[kinds.TRACKS]
        for track, seat in enumerate(tracks.owners):
            if seat != NOBODY:
                points = self.points[rules.board.lengths[track]]
                sheet.add(seat, points, "track", "BASE-30", {"track": rules.board.tracks[track]})
