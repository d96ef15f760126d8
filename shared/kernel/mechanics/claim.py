"""Claiming a track (BASE-23 to BASE-30)."""

from __future__ import annotations

from itertools import compress
from typing import TYPE_CHECKING, Any

from shared.kernel import kinds
from shared.kernel.board import GRAY
from shared.kernel.cards import Cards
from shared.kernel.decisions import Decision
from shared.kernel.events import PublicEvent, register
from shared.kernel.fields import Number, Payment, SeatNumber, Track
from shared.kernel.mechanic import Mechanic
from shared.kernel.moves import Move
from shared.kernel.state import Part, State
from shared.kernel.tracks import NOBODY, Tracks
from shared.kernel.violations import MalformedMove, RecountError, RuleViolation

if TYPE_CHECKING:
    from shared.kernel.engine import Play
    from shared.kernel.ruleset import Rules
    from shared.kernel.scoring import ScoreSheet

Cost = tuple[tuple[int, int], ...]  # (kind of card, number)


class ClaimTrack(Move):
    """Claims a track with exactly these cards of the own hand (BASE-24); raises MalformedMove if a kind of card comes
    twice or not at all."""

    __slots__ = ("payment", "track")
    kind = kinds.CLAIM_TRACK
    fields = (("track", Track()), ("payment", Payment()))

    def __init__(self, track: int, payment: Cost) -> None:
        if len(dict(payment)) < len(payment) or min([number for _, number in payment], default=1) < 1:
            raise MalformedMove("/payment", "each kind of card is named once, with a number from 1")
        self.track: int = track
        self.payment: Cost = payment


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
        tracks.claim(rules, seat, self.track)
        state.points[seat] += self.points


register(TrackClaimed)


class Claim(Mechanic):
    """Lists, checks and plays claims. Moves are interned: for every colour, number of its cards and number of wilds
    there is one list of claims sorted by length, and a seat's flags of open tracks pick from it."""

    slot = kinds.TRACKS
    lists = (kinds.TURN,)
    owns = (ClaimTrack,)

    def __init__(self, rules: Rules, config: dict[str, Any]) -> None:
        self.trains: int = config["trains"]
        self.points: list[int] = [0] + [config["points"][str(n)] for n in range(1, len(config["points"]) + 1)]
        board = rules.board
        longest = max(board.lengths)
        if longest >= len(self.points):
            raise ValueError(f"{rules.id} has no points for a track of length {longest} (BASE-30)")
        self.longest: int = longest
        # spans[c][k]: tracks of colour c (the last c: gray) up to length k are numbered spans[c][0] .. spans[c][k] - 1
        self.spans: list[list[int]] = []
        start = 0
        for colour in [*range(rules.colours), GRAY]:
            of_colour = [length for length, c in zip(board.lengths, board.colours, strict=True) if c == colour]
            self.spans.append([start + sum(length <= k for length in of_colour) for k in range(longest + 1)])
            start += len(of_colour)
        self.gray: int = rules.colours
        numbers = range(longest + 1)
        self.own: list[list[list[list[Move]]]] = [
            [[self._claims(rules, c, n, w, self.spans[c]) for w in numbers] for n in numbers]
            for c in range(rules.colours)
        ]
        self.on_gray: list[list[list[list[Move]]]] = [
            [[self._claims(rules, c, n, w, self.spans[self.gray]) for w in numbers] for n in numbers]
            for c in range(rules.colours)
        ]

    def _claims(self, rules: Rules, colour: int, number: int, wilds: int, span: list[int]) -> list[Move]:
        """Claims of the span's tracks that so many cards can pay, each with the fewest wilds."""
        claims: list[Move] = []
        for track in range(span[0], span[min(self.longest, number + wilds)]):
            length = rules.board.lengths[track]
            plain = min(number, length)
            pairs = ((colour, plain), (rules.wild, length - plain))
            claims.append(ClaimTrack(track, tuple([pair for pair in pairs if pair[1]])))
        return claims

    def part(self, rules: Rules) -> Part:
        return Tracks(rules.seats, len(rules.board.tracks), self.trains)

    def moves(self, rules: Rules, state: State, decision: Decision, out: list[Move]) -> None:
        seat = decision.seat
        tracks: Tracks = state.parts[kinds.TRACKS]
        cards: Cards = state.parts[kinds.CARDS]
        hand = cards.hands[seat]
        flags = tracks.open[seat]
        most = tracks.trains[seat]
        if most > self.longest:
            most = self.longest
        wilds = hand[rules.wild]
        if wilds > most:
            wilds = most
        spans = self.spans
        gray = spans[self.gray]
        gray_flags = flags[gray[0] :]
        for colour in range(rules.colours):
            number = hand[colour]
            reach = number + wilds
            if reach == 0:
                continue
            if number > self.longest:
                number = self.longest
            if reach > most:
                reach = most
            span = spans[colour]
            out += compress(self.own[colour][number][wilds], flags[span[0] : span[reach]])
            if number:
                # the flags end where the reach ends: `compress` stops with the shorter of the two
                out += compress(self.on_gray[colour][number][wilds], gray_flags[: gray[reach] - gray[0]])
        if wilds:
            out += compress(self.on_gray[0][0][wilds], gray_flags[: gray[wilds] - gray[0]])

    def check(self, rules: Rules, state: State, decision: Decision, move: Move) -> None:
        assert isinstance(move, ClaimTrack)
        seat = decision.seat
        track = move.track
        tracks: Tracks = state.parts[kinds.TRACKS]
        length = rules.board.lengths[track]
        if not tracks.open[seat][track] or tracks.trains[seat] < length:
            self._refuse_track(rules, tracks, seat, track)
        cards: Cards = state.parts[kinds.CARDS]
        hand = cards.hands[seat]
        size = 0
        colour = -1
        for kind, number in move.payment:
            size += number
            if number > hand[kind]:
                data = {"card": rules.kinds[kind], "needed": number, "held": hand[kind]}
                raise RuleViolation("cards_not_held", "BASE-24", data)
            if kind < rules.colours:
                if colour >= 0:
                    data = {"colours": [rules.kinds[colour], rules.kinds[kind]]}
                    raise RuleViolation("mixed_colours", "BASE-24", data)
                colour = kind
        if size != length:
            raise RuleViolation("wrong_payment_size", "BASE-24", {"needed": length, "came": size})
        needed = rules.board.colours[track]
        if colour >= 0 and needed != GRAY and colour != needed:
            data = {"needed": rules.kinds[needed], "came": rules.kinds[colour]}
            raise RuleViolation("wrong_colour", "BASE-24", data)

    def _refuse_track(self, rules: Rules, tracks: Tracks, seat: int, track: int) -> None:
        name = rules.board.tracks[track]
        owner = tracks.owners[track]
        if owner != NOBODY:
            raise RuleViolation("track_claimed", "BASE-23", {"track": name, "owner": owner})
        for parallel in rules.board.parallels[track]:
            if tracks.owners[parallel] == seat:
                data = {"track": name, "owned": rules.board.tracks[parallel]}
                raise RuleViolation("parallel_track_owned", "BASE-23", data)
        if not tracks.open[seat][track]:
            raise RuleViolation("track_locked", "BASE-26", {"track": name, "seats": rules.seats})
        data = {"track": name, "needed": rules.board.lengths[track], "left": tracks.trains[seat]}
        raise RuleViolation("too_few_trains", "BASE-23", data)

    def play(self, play: Play, decision: Decision, move: Move) -> None:
        assert isinstance(move, ClaimTrack)
        points = self.points[play.rules.board.lengths[move.track]]
        play.emit(TrackClaimed(decision.seat, move.track, move.payment, points))
        play.end_turn()

    def running(self, rules: Rules, state: State, sheet: ScoreSheet) -> None:
        tracks: Tracks = state.parts[kinds.TRACKS]
        for track, seat in enumerate(tracks.owners):
            if seat != NOBODY:
                points = self.points[rules.board.lengths[track]]
                sheet.add(seat, points, "track", "BASE-30", {"track": rules.board.tracks[track]})

    def score(self, rules: Rules, state: State, sheet: ScoreSheet) -> None:
        self.running(rules, state, sheet)
        for seat in range(rules.seats):
            if sheet.totals[seat] != state.points[seat]:
                raise RecountError(f"seat {seat}: {state.points[seat]} scored, {sheet.totals[seat]} counted (BASE-42)")
