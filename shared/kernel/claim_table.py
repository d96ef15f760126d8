"""Claims as tables: what a hand can pay for, with moves made once and picked by flags of open tracks."""

from __future__ import annotations

from itertools import compress
from typing import TYPE_CHECKING, Final

from shared.kernel.board import GRAY
from shared.kernel.fields import Cost
from shared.kernel.moves import Move

if TYPE_CHECKING:
    from shared.kernel.mechanics.claim import ClaimTrack
    from shared.kernel.ruleset import Rules

BASE: Final = 16  # more than any number of cards that one claim can use


class Band:
    """Lengths, both included, on which the same kinds of wilds may be played; `wilds` starts with the choosiest."""

    __slots__ = ("high", "low", "number", "wilds")

    def __init__(self, number: int, low: int, high: int, wilds: list[int]) -> None:
        self.number: int = number
        self.low: int = low
        self.high: int = high
        self.wilds: list[int] = wilds


class ClaimTable:
    """Canonical claims: for every track and colour held the payment with the fewest wilds, and wilds alone only where
    the track's own colour is not held. Tracks are numbered by colour and length, so a reach is a slice of flags."""

    def __init__(self, rules: Rules, make: type[ClaimTrack]) -> None:
        self.rules: Rules = rules
        self.make: type[ClaimTrack] = make
        board = rules.board
        self.longest: int = max(board.lengths)
        self.gray: int = rules.colours
        #: spans[c][k]: the tracks of colour c (the last c: gray) up to length k are spans[c][0] .. spans[c][k] - 1
        self.spans: list[list[int]] = []
        start = 0
        for colour in [*range(rules.colours), GRAY]:
            of_colour = [
                board.lengths[track]
                for track in range(board.ferries[0] if board.ferries else len(board.tracks))
                if board.colours[track] == colour
            ]
            self.spans.append([start + sum(length <= k for length in of_colour) for k in range(self.longest + 1)])
            start += len(of_colour)
        edges = sorted({1, *[length for length in rules.wild_from.values() if length <= self.longest]})
        self.bands: list[Band] = []
        for low, end in zip(edges, [*edges[1:], self.longest + 1], strict=True):
            playable = [kind for kind, length in rules.wild_from.items() if length <= low]
            wilds = sorted(playable, key=lambda kind: -rules.wild_from[kind])
            self.bands.append(Band(len(self.bands), low, end - 1, wilds))
        self.kept: dict[int, list[Move]] = {}

    def add_claims(self, hand: list[int], trains: int, flags: bytes | bytearray, out: list[Move]) -> None:
        """Adds the claims that the hand can pay with these trains, of the tracks flagged."""
        rules = self.rules
        gray = self.spans[self.gray]
        for band in self.bands:
            low = band.low - 1
            high = band.high if band.high < trains else trains
            if high <= low:
                continue
            wilds = 0
            wild_key = band.number
            for kind in band.wilds:
                number = hand[kind] if hand[kind] < high else high
                wilds += number
                wild_key = wild_key * BASE + number
            for colour in range(rules.colours):
                number = hand[colour]
                if number > high:
                    number = high
                reach = number + wilds
                if reach > high:
                    reach = high
                if reach <= low:
                    continue
                span = self.spans[colour]
                key = ((wild_key * BASE + number) * BASE + colour) * 2
                claims = self.kept.get(key)
                if claims is None:
                    claims = self.build(key, band, hand, high, colour, number, span)
                # the flags end where the reach ends: `compress` stops with the shorter of the two
                out += compress(claims, flags[span[low] : span[reach]])
                if number:
                    claims = self.kept.get(key + 1)
                    if claims is None:
                        claims = self.build(key + 1, band, hand, high, colour, number, gray)
                    out += compress(claims, flags[gray[low] : gray[reach]])
            if wilds > low:
                key = (wild_key * BASE * BASE) * 2 + 1
                claims = self.kept.get(key)
                if claims is None:
                    claims = self.build(key, band, hand, high, 0, 0, gray)
                out += compress(claims, flags[gray[low] : gray[wilds if wilds < high else high]])

    def build(
        self, key: int, band: Band, hand: list[int], most: int, colour: int, number: int, span: list[int]
    ) -> list[Move]:
        """Makes and keeps the claims of the band's tracks in a span, shortest first, as far as these cards reach; of
        each kind of wild at most `most` count, as they do in the key."""
        wilds = [(kind, min(hand[kind], most)) for kind in band.wilds]
        reach = min(band.high, number + sum([held for _, held in wilds]))
        lengths = self.rules.board.lengths
        first = band.low - 1
        claims: list[Move] = [
            self.make(track, cost_of(lengths[track], colour, number, wilds))
            for track in range(span[first], span[max(reach, first)])
        ]
        self.kept[key] = claims
        return claims


def cost_of(length: int, colour: int, number: int, wilds: list[tuple[int, int]]) -> Cost:
    """The payment of a track with the fewest wilds, the choosiest kinds first."""
    plain = min(number, length)
    pairs = [(colour, plain)] if plain else []
    left = length - plain
    for kind, held in wilds:
        used = min(left, held)
        if used:
            pairs.append((kind, used))
            left -= used
    return tuple(sorted(pairs))
