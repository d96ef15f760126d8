"""What the greedy bot does with the extras of single rule sets: starting cities, markers, Alvin, passengers, splits."""

from __future__ import annotations

from services.ai.survey import Survey
from shared.kernel import (
    TRACKS,
    AnnounceSplit,
    ChooseStartingCity,
    Decline,
    Move,
    MoveAlvin,
    MovePassenger,
    PlaceMarker,
    PlacePassenger,
    Rules,
    View,
    tokens_fetched,
)

FAR = 200  # what it counts for when there is no way to a city of a ticket
OPEN_TRACKS_FOR_MARKER = 3
TRACKS_FOR_PASSENGER = 2
GOOD_TOKENS = 8


def extra_move(rules: Rules, view: View, survey: Survey, tickets: list[int], legal_moves: list[Move]) -> Move | None:
    """The answer to a decision about an extra; None where the decision is another one."""
    first = legal_moves[0]
    if isinstance(first, ChooseStartingCity):
        return min(legal_moves, key=lambda move: _distance(rules, survey, tickets, move))
    if isinstance(first, MoveAlvin):
        return min(legal_moves, key=lambda move: _open_tracks(rules, view, move.city))
    if isinstance(first, AnnounceSplit):
        return min(legal_moves, key=lambda move: max(move.split) - min(move.split))
    if any(isinstance(move, Decline) for move in legal_moves):
        return _optional(rules, view, survey, legal_moves)
    return None


def passenger_move(rules: Rules, view: View, moves: list[Move]) -> MovePassenger | None:
    """A passenger's path that fetches tokens of good value, or of any in the last round."""
    paths = [move for move in moves if isinstance(move, MovePassenger)]
    if not paths:
        return None
    best = max(paths, key=lambda move: (_tokens(rules, view, move), -move.cards))
    least = 1 if view.turns_left >= 0 else GOOD_TOKENS
    return best if _tokens(rules, view, best) >= least else None


def _tokens(rules: Rules, view: View, move: MovePassenger) -> int:
    return sum(value for _, value in tokens_fetched(rules, view, move))


def _distance(rules: Rules, survey: Survey, tickets: list[int], move: ChooseStartingCity) -> int:
    """How far the cities of the tickets are from a starting city, all together."""
    total = 0
    for ticket in tickets:
        for city in rules.board.ticket_ends[ticket]:
            found = survey.path(move.city, city, set())
            total += FAR if found is None else found[0]
    return total


def _optional(rules: Rules, view: View, survey: Survey, legal_moves: list[Move]) -> Move:
    """A marker where many tracks are still open, paid without wilds; a passenger where own tracks meet."""
    declined = next(move for move in legal_moves if isinstance(move, Decline))
    markers = [move for move in legal_moves if isinstance(move, PlaceMarker)]
    if markers:
        best = min(markers, key=lambda move: (-_open_tracks(rules, view, move.city), _wilds(rules, move)))
        worth_it = _open_tracks(rules, view, best.city) >= OPEN_TRACKS_FOR_MARKER and not _wilds(rules, best)
        return best if worth_it else declined
    places = [move for move in legal_moves if isinstance(move, PlacePassenger)]
    if places:
        best_place = max(places, key=lambda move: _own_tracks(rules, survey, move.city))
        return best_place if _own_tracks(rules, survey, best_place.city) >= TRACKS_FOR_PASSENGER else declined
    return declined


def _open_tracks(rules: Rules, view: View, city: int) -> int:
    owners = view.parts[TRACKS].owners
    return sum(owners[track] < 0 for track, ends in enumerate(rules.board.ends) if city in ends)


def _own_tracks(rules: Rules, survey: Survey, city: int) -> int:
    return sum(city in rules.board.ends[track] for track in survey.own)


def _wilds(rules: Rules, move: PlaceMarker) -> int:
    return sum(number for kind, number in move.payment if kind == rules.wild)

