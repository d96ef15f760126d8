"""A fast player for games played out in thought: it follows a plan and mends it when others take its tracks.

A decision costs 20 to 50 microseconds. It sees the whole position of a possible world, but uses its own cards only.
"""

from __future__ import annotations

from services.ai.planning.atlas import NO_WAY, atlas_of
from services.ai.planning.prices import CARD_TURNS, TRAIN_WORTH, TURN_WORTH
from shared.kernel import (
    CARDS,
    GRAY,
    KEEP_TICKETS,
    OPENING_TICKETS,
    SECOND_CARD,
    TICKETS,
    TRACKS,
    TURN,
    Cards,
    Chance,
    ClaimTrack,
    Decision,
    DrawFromDeck,
    DrawFromDisplay,
    DrawTickets,
    KeepTickets,
    Move,
    Rules,
    State,
    Tracks,
    bits,
    default_move,
    is_legal,
    legal_moves,
    play_checked,
)

TRAINS_FOR_TICKETS = 14  # own trains left with which more tickets are drawn when all are completed
OTHER_TRAINS_FOR_TICKETS = 12
SURPLUS = 2.0  # points that a ticket kept should bring
SPARE_TRAINS = 3
SHORT = 2  # length of gray tracks that are worth no waiting for spare cards


class Follower:
    """One seat's plan: the tracks wanted, the most urgent first, and for each ticket not completed its way."""

    __slots__ = ("_atlas", "_board", "_rules", "_wild", "need", "seat", "wanted", "ways")

    def __init__(self, rules: Rules, seat: int, wanted: list[int], ways: dict[int, list[int]]) -> None:
        self._rules = rules
        self._board = rules.board
        self._atlas = atlas_of(rules)
        self._wild = rules.wild
        self.seat = seat
        self.wanted = wanted
        self.ways = ways
        self.need = self._needed()

    def copy(self) -> Follower:
        """An independent copy."""
        return Follower(self._rules, self.seat, self.wanted[:], dict(self.ways))

    def answer(self, state: State, decision: Decision) -> Move:
        """What the seat does."""
        kind = decision.kind
        if kind == TURN:
            return self._turn(state, decision)
        if kind == SECOND_CARD:
            return self._card(state, True) or legal_moves(self._rules, state, decision)[0]
        if kind in (KEEP_TICKETS, OPENING_TICKETS):
            return self._kept(state, decision)
        return default_move(self._rules, state, decision)

    def _needed(self) -> list[int]:
        """The cards of each colour that the coloured tracks wanted cost."""
        need = [0] * len(self._rules.kinds)
        for track in self.wanted:
            colour = self._board.colours[track]
            if colour != GRAY:
                need[colour] += self._board.lengths[track]
        return need

    def _turn(self, state: State, decision: Decision) -> Move:
        tracks: Tracks = state.parts[TRACKS]
        if state.turns_left >= 0 or tracks.trains[self.seat] <= self._rules.by_name["last_round"].trains:
            return self._last(state, decision)
        flags = tracks.open[self.seat]
        for track in self.wanted:
            if not flags[track]:
                self._mend(state)
                break
        if not self.wanted:
            if self._wants_tickets(state):
                return DrawTickets()
            self._fill(state)
        claim = self._claim(state, decision)
        return claim or self._card(state, False) or legal_moves(self._rules, state, decision)[0]

    def _claim(self, state: State, decision: Decision) -> Move | None:
        """The first track wanted that the hand can pay for."""
        hand = state.parts[CARDS].hands[self.seat]
        trains = state.parts[TRACKS].trains[self.seat]
        rules, board = self._rules, self._board
        for track in self.wanted:
            length = board.lengths[track]
            if length > trains:
                continue
            colour = board.colours[track]
            if colour == GRAY:
                colour = self._colour_for_gray(hand, length)
                if colour < 0:
                    continue
            payment = _payment(rules, hand, colour, length, board.locomotives[track])
            if payment is None:
                continue
            move = ClaimTrack(track, payment)
            if rules.limits and not is_legal(rules, state, decision, move):
                continue
            self._claimed(track)
            return move
        return None

    def _colour_for_gray(self, hand: list[int], length: int) -> int:
        """The colour to pay a gray track with: one that the other tracks can spare; -1 for none."""
        need = self.need
        best, most = -1, -99
        for colour in range(self._rules.colours):
            spare = hand[colour] - need[colour]
            if spare > most:
                best, most = colour, spare
        if most + hand[self._wild] >= length or (length <= SHORT and hand[best] >= length):
            return best
        return -1

    def _claimed(self, track: int) -> None:
        self.wanted.remove(track)
        colour = self._board.colours[track]
        if colour != GRAY:
            self.need[colour] -= self._board.lengths[track]
        for ticket, way in list(self.ways.items()):
            if track in way:
                left = [other for other in way if other != track]
                if left:
                    self.ways[ticket] = left
                else:
                    del self.ways[ticket]

    def _card(self, state: State, is_second: bool) -> Move | None:
        """A card of the display for the first track that lacks one, else the deck; None if neither is there."""
        cards: Cards = state.parts[CARDS]
        if not cards.deck_size and not cards.discard_size:
            return None
        hand = cards.hands[self.seat]
        display = cards.display
        board = self._board
        need = self.need
        for track in self.wanted:
            colour = board.colours[track]
            if colour == GRAY:
                colour = hand.index(max(hand[: self._rules.colours]))
                if colour in display:
                    return DrawFromDisplay(colour)
            elif hand[colour] < need[colour]:
                if colour in display:
                    return DrawFromDisplay(colour)
                lacking = board.lengths[track] - hand[colour] - hand[self._wild]
                if lacking == 1 and not is_second and self._wild in display:
                    return DrawFromDisplay(self._wild)
        return DrawFromDeck()

    def _last(self, state: State, decision: Decision) -> Move:
        """The claim that brings most, tickets included, when no turn follows."""
        moves = legal_moves(self._rules, state, decision)
        finishing = {way[0]: 0 for way in self.ways.values() if len(way) == 1}
        for ticket, way in self.ways.items():
            if len(way) == 1:
                finishing[way[0]] += 2 * self._board.ticket_points[ticket]
        best, most = moves[0], -1
        for move in moves:
            if isinstance(move, ClaimTrack):
                points = self._atlas.points[move.track] + finishing.get(move.track, 0)
                if points > most:
                    best, most = move, points
        return best

    def _mend(self, state: State) -> None:
        """Leads the ways of tickets round tracks that others took; gives up tickets with no way or too few trains."""
        tracks: Tracks = state.parts[TRACKS]
        flags = tracks.open[self.seat]
        lost = {track for track in self.wanted if not flags[track]}
        self.wanted = [track for track in self.wanted if track not in lost]
        broken = [ticket for ticket, way in self.ways.items() if not lost.isdisjoint(way)]
        if broken:
            weights = self._weights(tracks)
            for ticket in broken:
                del self.ways[ticket]
            kept = {track for way in self.ways.values() for track in way}
            dropped = {track for track in self.wanted if track not in kept}
            self.wanted = [track for track in self.wanted if track in kept]
            trains = tracks.trains[self.seat] - sum(self._board.lengths[track] for track in kept)
            for track in kept:
                weights[track] = 0.0
            for track in dropped:
                weights[track] *= 0.7
            for ticket in sorted(broken, key=lambda ticket: -self._board.ticket_points[ticket]):
                trains = self._join(ticket, weights, trains)
        self.need = self._needed()

    def _join(self, ticket: int, weights: list[float], trains: int) -> int:
        """Adds the way of a ticket if the trains reach; gives the trains left."""
        cost, way = self._atlas.way(weights, *self._board.ticket_ends[ticket])
        new = [track for track in way if weights[track] > 0]
        length = sum(self._board.lengths[track] for track in new)
        if cost >= NO_WAY or length > trains:
            return trains
        for track in new:
            weights[track] = 0.0
        self.wanted += new
        pending = [track for track in way if track in self.wanted]
        if pending:
            self.ways[ticket] = pending
        return trains - length

    def _weights(self, tracks: Tracks) -> list[float]:
        """What each track costs whatever the hand holds; 0 for own ones."""
        flags = tracks.open[self.seat]
        prices = self._atlas.prices
        return [
            0.0 if owner == self.seat else (price if is_open else NO_WAY)
            for owner, is_open, price in zip(tracks.owners, flags, prices, strict=True)
        ]

    def _wants_tickets(self, state: State) -> bool:
        trains = state.parts[TRACKS].trains
        return (
            "draw_tickets" in self._rules.by_name
            and trains[self.seat] >= TRAINS_FOR_TICKETS
            and min(trains) >= OTHER_TRAINS_FOR_TICKETS
            and state.parts[TICKETS].deck_sizes[0] > 0
        )

    def _kept(self, state: State, decision: Decision) -> Move:
        """Takes the best ticket offered into the plan, then the next best, as long as each brings more than it costs;
        at least as many as must be kept."""
        tracks: Tracks = state.parts[TRACKS]
        weights = self._weights(tracks)
        needed = {track for way in self.ways.values() for track in way}
        self.wanted = [track for track in self.wanted if track in needed]
        for track in needed:
            weights[track] = 0.0
        least = len(legal_moves(self._rules, state, decision)[0].tickets)
        trains = tracks.trains[self.seat] - sum(self._board.lengths[track] for track in self.wanted)
        offered = list(state.parts[TICKETS].offers[self.seat])
        kept: list[int] = []
        while offered:
            worth, ticket = max((self._worth(ticket, weights, trains), ticket) for ticket in offered)
            if worth < SURPLUS and len(kept) >= least:
                break
            offered.remove(ticket)
            kept.append(ticket)
            trains = self._join(ticket, weights, trains)
        self.need = self._needed()
        return KeepTickets(tuple(kept))

    def _worth(self, ticket: int, weights: list[float], trains: int) -> float:
        """The points of a ticket less what its way costs; less its points where the trains do not reach."""
        points = self._board.ticket_points[ticket]
        cost, way = self._atlas.way(weights, *self._board.ticket_ends[ticket])
        length = sum(self._board.lengths[track] for track in way if weights[track] > 0)
        return -points if length > trains - SPARE_TRAINS else max(-points, points - cost)

    def _fill(self, state: State) -> None:
        """Wants the track that scores best for the turns that it takes."""
        tracks: Tracks = state.parts[TRACKS]
        hand = state.parts[CARDS].hands[self.seat]
        trains = tracks.trains[self.seat]
        most = max(hand[: self._rules.colours])
        board, points = self._board, self._atlas.points
        best, best_net = -1, -99.0
        for track, is_open in enumerate(tracks.open[self.seat]):
            length = board.lengths[track]
            if is_open and length <= trains:
                colour = board.colours[track]
                lacking = length - (most if colour == GRAY else hand[colour])
                turns = 1 + CARD_TURNS * lacking if lacking > 0 else 1.0
                net = points[track] - TURN_WORTH * turns - TRAIN_WORTH * length
                if net > best_net:
                    best, best_net = track, net
        if best >= 0:
            self.wanted.append(best)
            self.need = self._needed()


def _payment(
    rules: Rules, hand: list[int], colour: int, length: int, locomotives: int
) -> tuple[tuple[int, int], ...] | None:
    """The cards for a track in one colour with the fewest wilds, the choosiest first; None if they do not reach."""
    plain = min(hand[colour], length - locomotives)
    left = length - plain
    if not left:
        return ((colour, plain),)
    payment = [(colour, plain)] if plain else []
    for kind in sorted(rules.wild_from, key=lambda kind: -rules.wild_from[kind]):
        if rules.wild_from[kind] <= length and left and hand[kind]:
            used = min(left, hand[kind])
            payment.append((kind, used))
            left -= used
    if left or (locomotives and hand[rules.wild] < locomotives):
        return None
    return tuple(sorted(payment))


def play_out(rules: Rules, state: State, followers: list[Follower], chance: Chance) -> None:
    """Plays a position to its end in place."""
    while not state.over:
        decision = state.decisions[0]
        move = followers[decision.seat].answer(state, decision)
        play_checked(rules, state, decision, move, chance)


def followed(rules: Rules, state: State, seat: int) -> Follower:
    """A follower with a plan made at once, for the tickets that the seat holds in this position."""
    follower = Follower(rules, seat, [], {})
    tracks: Tracks = state.parts[TRACKS]
    weights = follower._weights(tracks)
    trains = tracks.trains[seat]
    tickets = bits(state.parts[TICKETS].hands[seat])
    for ticket in sorted(tickets, key=lambda ticket: -rules.board.ticket_points[ticket]):
        trains = follower._join(ticket, weights, trains)
    follower.need = follower._needed()
    return follower
