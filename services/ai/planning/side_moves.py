"""What the planner does with the extras of single rule sets: starting cities, markers, Alvin, passengers."""

from __future__ import annotations

from services.ai.planning.clock import turns_left
from services.ai.planning.network_plan import Plan, Planner
from services.ai.planning.prices import TURN_WORTH
from services.ai.planning.standing import Standing
from services.ai.planning.token_trips import best_trip
from shared.kernel import (
    PASSENGERS,
    TRACKS,
    ChooseStartingCity,
    Move,
    MoveAlvin,
    MovePassenger,
    PlaceMarker,
    PlacePassenger,
    tokens_fetched,
)

CLAIMED = 0.02  # the chance that another seat claims an open track at a city that it does not reach yet
WILD_COST = 2.0  # points that a wild is worth beyond another card
GOOD_TRIP = 12.0  # points that a passenger's trip should bring while there is time for a better one
LATE = 6.0  # turns left with which any trip that pays is good
FIRST_TRIP = 5.0  # points that a passenger should find on the planned tracks


def side_move(planner: Planner, moves: list[Move]) -> Move:
    """The answer to a decision about an extra."""
    kinds = {type(move) for move in moves}
    standing = planner.standing
    if ChooseStartingCity in kinds:
        return max(moves, key=lambda move: _worth_of_start(standing, move.city))
    if MoveAlvin in kinds:
        return min(moves, key=lambda move: (_open_to_others(standing, move.city), move.city))
    plan = planner.best(standing.tickets)
    return max(moves, key=lambda move: _worth_of_extra(standing, plan, move))


def worth_of_trip(planner: Planner, move: MovePassenger) -> float:
    """What it is worth to move a passenger now: the tokens, if they are good or there is no time for better ones."""
    standing = planner.standing
    value = sum(value for _, value in tokens_fetched(standing.rules, standing.state, move))
    waiting = len(standing.state.parts[PASSENGERS].places(standing.seat))
    is_late = planner.turns_left <= LATE + waiting
    return value - move.cards if value >= (TURN_WORTH if is_late else GOOD_TRIP) else 0.0


def _worth_of_start(standing: Standing, city: int) -> float:
    """What the best plan is worth that grows from this city (OW-6)."""
    standing.home = city
    plan = Planner(standing, turns_left(standing.rules, standing.state, standing.seat)).best(standing.tickets)
    standing.home = -1
    return plan.worth + 0.1 * len(standing.atlas.ways[city])


def _worth_of_extra(standing: Standing, plan: Plan, move: Move) -> float:
    """The points that a marker or a passenger brings; 0 for none."""
    if isinstance(move, PlaceMarker):
        wilds = sum(number for kind, number in move.payment if kind == standing.rules.wild)
        return _worth_of_marker(standing, plan, move.city) - TURN_WORTH - WILD_COST * wilds
    if isinstance(move, PlacePassenger):
        return best_trip(standing, plan, move.city) - FIRST_TRIP
    return 0.0


def _worth_of_marker(standing: Standing, plan: Plan, city: int) -> float:
    """Own tracks between two own markers score twice; those that others claim score here, not for them (OW-9)."""
    worth = 0.0
    for other, track in standing.atlas.ways[city]:
        if standing.state.parts[TRACKS].owners[track] >= 0:
            continue
        points = standing.atlas.points[track]
        if track in plan.tracks:
            worth += points if other == standing.home else 0.0
        else:
            worth += 2 * CLAIMED * points
    return worth


def _open_to_others(standing: Standing, city: int) -> int:
    flags = standing.state.parts[TRACKS].open
    others = [seat for seat in range(standing.state.seats) if seat != standing.seat]
    return sum(any(flags[seat][track] for seat in others) for _, track in standing.atlas.ways[city])
