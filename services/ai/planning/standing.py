"""What a seat holds and may still claim, and what tracks are worth to it."""

from __future__ import annotations

from services.ai.planning.atlas import NO_WAY, Atlas, atlas_of
from services.ai.planning.prices import price
from shared.kernel import ALVIN, CARDS, GRAY, MARKERS, NOBODY, TICKETS, TRACKS, Network, Rules, State, bits

BONUS_SHARE = 0.6  # part of the bonus for the most tickets that one more completed is worth
CAPTURE_WORTH = 14.0  # points of capturing Alvin, with the chance to keep him (OW-10, OW-11)


class Standing:
    """One seat's side of a position or of its view."""

    def __init__(self, rules: Rules, state: State, seat: int) -> None:
        tracks = state.parts[TRACKS]
        cards = state.parts[CARDS]
        board = rules.board
        self.rules = rules
        self.state = state
        self.seat = seat
        self.atlas: Atlas = atlas_of(rules)
        self.hand: list[int] = cards.hands[seat]
        self.trains: int = tracks.trains[seat]
        self.tickets: list[int] = bits(state.parts[TICKETS].hands[seat])
        self.own: list[int] = tracks.owned(seat)
        flags = tracks.open[seat]
        self.open: list[int] = [
            track for track, length in enumerate(board.lengths) if flags[track] and length <= self.trains
        ]
        self.network = Network(len(board.cities), tracks.edges(rules, seat), board.dead_ends)
        #: the city that all own tracks must be joined to, where a rule set wants that (OW-6); -1 otherwise
        self.home: int = -1 if state.parts[MARKERS] is None else state.parts[MARKERS].starts[seat]
        #: for each ticket the points of completing it, with a share of the bonus for the most (MK-18, OW-13)
        bonus = BONUS_SHARE * rules.by_name["most_tickets"].points if "most_tickets" in rules.by_name else 0.0
        self.gains: list[float] = [points + bonus for points in board.ticket_points]
        self.points: list[float] = self._points()
        self.weights: list[float] = self._weights()

    def _points(self) -> list[float]:
        """What a claim of each track brings this seat, less its part of what it brings others (OW-9, OW-10)."""
        markers = self.state.parts[MARKERS]
        if markers is None:
            return list(self.atlas.points)
        others = max(1, self.state.seats - 1)
        alvin = self.state.parts[ALVIN]
        out = []
        for points, ends in zip(self.atlas.points, self.rules.board.ends, strict=True):
            owners = [markers.owners[city] for city in ends if markers.owners[city] != NOBODY]
            own = sum(owner == self.seat for owner in owners)
            worth = points * (own - (len(owners) - own) / others) if owners else float(points)
            if alvin is not None and alvin.controller != self.seat and alvin.city in ends:
                worth += CAPTURE_WORTH
            out.append(worth)
        return out

    def _weights(self) -> list[float]:
        """What it takes to claim each track, in points: turns and trains, less what it scores; 0 for own tracks."""
        board = self.rules.board
        weights = [NO_WAY] * len(board.tracks)
        most = max(self.hand[: self.rules.colours])
        for track in self.open:
            length, colour = board.lengths[track], board.colours[track]
            held = most if colour == GRAY else self.hand[colour]
            missing = max(0, length - held) + board.locomotives[track]
            weights[track] = price(self.points[track], length, missing)
        for track in self.own:
            weights[track] = 0.0
        return weights

    def completes(self, ticket: int) -> bool:
        """Whether the own tracks complete the ticket (BASE-38)."""
        return self.network.connected(*self.rules.board.ticket_ends[ticket])

    def reached(self, tracks: set[int]) -> set[int]:
        """The cities where the own network may grow, with these tracks, if it must grow from home (OW-6); else none."""
        if self.home < 0:
            return set()
        return {self.home, *(city for track in (*self.own, *tracks) for city in self.rules.board.ends[track])}
