"""What the greedy bot does with the extras of single rule sets: starting cities, markers, Alvin, passengers, splits."""

from __future__ import annotations

from collections.abc import Callable

from services.ai.planning.survey import Survey
from shared import kernel
from shared.client import Question
from shared.kernel import (
    TRACKS,
    AnnounceSplit,
    Cost,
    Decline,
    Move,
    MovePassenger,
    PlaceMarker,
    PlacePassenger,
    Tracks,
    tokens_fetched,
)

NEAR_CITIES = 12  # starting cities that are looked at closely
FAR = 200  # what it counts for when there is no way to a city of a ticket
MARKER_WORTH = 10  # points that the open tracks of a city must promise at least
MARKER_PRICE = 1  # that the plan may pay for it, as cards that it then lacks
OPENING_SHORT = 2  # of the tickets announced; later, with fewer trains, more of them
LATER_SHORT = 3
TRACKS_FOR_PASSENGER = 2
GOOD_TOKENS = 18  # the value that a passenger waits for while there is time
LATE_TOKENS = 6
LATE_TRAINS = 10  # of any seat

Price = Callable[[Cost], float]


def extra_move(question: Question, survey: Survey, tickets: list[int], price: Price) -> Move | None:
    """The answer to a decision about an extra; None where the decision is another one.

    `price` tells what a payment, or none, leaves the seat lacking for the tracks that it wants.
    """
    moves = question.legal_moves
    match question.decision.kind:
        case kernel.STARTING_CITY:
            return starting_city(survey, tickets, moves)
        case kernel.MARKER:
            return marker(survey, moves, price)
        case kernel.ALVIN_CITY:
            return min(moves, key=lambda move: _open_points(survey, move.city))
        case kernel.PLACE_PASSENGER:
            return passenger_place(survey, moves)
        case kernel.ANNOUNCE_SPLIT:
            return split(moves, OPENING_SHORT)
    return None


def starting_city(survey: Survey, tickets: list[int], legal_moves: list[Move]) -> Move:
    """Of the cities near those of the tickets the one with the best plan, and with much that others may claim there."""
    near = sorted(legal_moves, key=lambda move: _distance(survey, tickets, move.city))[:NEAR_CITIES]
    return max(near, key=lambda move: survey.worth_of_start(move.city, tickets) + _open_points(survey, move.city))


def split(legal_moves: list[Move], short: int = LATER_SHORT) -> AnnounceSplit | None:
    """The split nearest to so many short tickets; None where no split may be announced."""
    splits = [move for move in legal_moves if isinstance(move, AnnounceSplit)]
    return min(splits, key=lambda move: abs(move.split[0] - short), default=None)


def marker(survey: Survey, legal_moves: list[Move], price: Price) -> Move:
    """A marker where others may still claim much, for cards that can be spared; otherwise none."""
    declined = next(move for move in legal_moves if isinstance(move, Decline))
    most = price(()) + MARKER_PRICE
    markers = [move for move in legal_moves if isinstance(move, PlaceMarker) and price(move.payment) <= most]
    best = max(markers, key=lambda move: (_open_points(survey, move.city), -price(move.payment)), default=None)
    return best if best and _open_points(survey, best.city) >= MARKER_WORTH else declined


def passenger_place(survey: Survey, legal_moves: list[Move]) -> Move:
    """A passenger where own tracks meet; otherwise none."""
    declined = next(move for move in legal_moves if isinstance(move, Decline))
    places = [move for move in legal_moves if isinstance(move, PlacePassenger)]
    best = max(places, key=lambda move: _own_tracks(survey, move.city))
    return best if _own_tracks(survey, best.city) >= TRACKS_FOR_PASSENGER else declined


def tokens(survey: Survey, move: MovePassenger) -> int:
    """The value of the tokens that a passenger's path fetches (MK-15)."""
    return sum(value for _, value in tokens_fetched(survey.rules, survey.view, move))


def passenger_path(survey: Survey, legal_moves: list[Move]) -> MovePassenger | None:
    """A path that fetches what is worth a turn: much while there is time, less when some seat's trains run out."""
    paths = [move for move in legal_moves if isinstance(move, MovePassenger)]
    best = max(paths, key=lambda move: (tokens(survey, move), -move.cards), default=None)
    least = GOOD_TOKENS if min(survey.view.parts[TRACKS].trains) > LATE_TRAINS else LATE_TOKENS
    return best if best and tokens(survey, best) >= least else None


def _distance(survey: Survey, tickets: list[int], start: int) -> int:
    """How far the cities of the tickets are from a starting city, all together."""
    total = 0
    for ticket in tickets:
        for city in survey.rules.board.ticket_ends[ticket]:
            found = survey.path(start, city, set())
            total += FAR if found is None else found[0]
    return total


def _open_points(survey: Survey, city: int) -> int:
    """The points of the tracks to a city that another seat could still claim; of parallel ones that of the best."""
    board, points = survey.rules.board, survey.rules.by_name["claim"].points
    tracks: Tracks = survey.view.parts[TRACKS]
    others = [seat for seat in range(survey.rules.seats) if seat != survey.seat]
    best: dict[int, int] = {}
    for track, ends in enumerate(board.ends):
        length = board.lengths[track]
        if city in ends and any(tracks.open[seat][track] and length <= tracks.trains[seat] for seat in others):
            other_end = sum(ends) - city
            best[other_end] = max(best.get(other_end, 0), points[length])
    return sum(best.values())


def _own_tracks(survey: Survey, city: int) -> int:
    return sum(city in survey.rules.board.ends[track] for track in survey.own)
