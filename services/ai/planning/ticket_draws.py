"""What it is worth to draw tickets: the expectation over those that may come."""

from __future__ import annotations

from math import comb

from services.ai.planning.atlas import NO_WAY
from services.ai.planning.network_plan import Plan, Planner
from services.ai.planning.standing import Standing
from shared.kernel import TICKETS, AnnounceSplit, DrawTickets, bits

RISK = 2.0  # points: tickets to come cost more than planned, as others claim too
SECOND = 0.5  # what the second ticket of a draw counts for: both want the same trains and turns


def worth_of_drawing(planner: Planner, plan: Plan, move: DrawTickets | AnnounceSplit) -> float:
    """The points that the tickets kept bring beside a plan, as expected; one must be kept at least (BASE-31)."""
    rules = planner.standing.rules
    split = move.split if isinstance(move, AnnounceSplit) else (rules.by_name["draw_tickets"].number,)
    drawn: list[float] = []
    for deck, number in enumerate(split):
        for candidates, taken in _candidates(planner.standing, deck, number):
            worths = sorted(_worth_of_ticket(planner, plan, ticket) for ticket in candidates)
            drawn += _best_two(worths, min(taken, len(worths)))
    best, *others = sorted(drawn, reverse=True)
    return best + SECOND * max(0.0, *others, 0.0) - RISK


def _candidates(standing: Standing, deck: int, number: int) -> list[tuple[list[int], int]]:
    """What may come when so many tickets are drawn of a deck: for each layer concerned its tickets, as far as the seat
    can tell, and how many of them are drawn."""
    layers = [layer for layer in standing.state.parts[TICKETS].layers if layer.deck == deck]
    unseen = standing.rules.ticket_masks[deck]
    for ticket in standing.tickets:
        unseen &= ~(1 << ticket)
    for layer in layers[1:]:
        unseen &= ~layer.known[standing.seat]
    found = []
    for place, layer in enumerate(layers):
        taken = min(number, layer.size)
        number -= taken
        if taken:
            found.append((bits(place and layer.known[standing.seat] or unseen), taken))
    return found


def _best_two(worths: list[float], number: int) -> list[float]:
    """The best and the second best of so many drawn from these, as expected; fewer if fewer are drawn."""
    total = len(worths)
    lots = comb(total, number)
    found = []
    if number > 0:
        found.append(sum(worth * comb(below, number - 1) for below, worth in enumerate(worths)) / lots)
    if number > 1:
        pairs = sum(worth * (total - 1 - below) * comb(below, number - 2) for below, worth in enumerate(worths))
        found.append(pairs / lots)
    return found


def _worth_of_ticket(planner: Planner, plan: Plan, ticket: int) -> float:
    """What it is worth to keep a ticket beside the plan: never less than failing it."""
    weights = planner.standing.weights[:]
    for track in plan.tracks:
        weights[track] = 0.0
    value = planner.values[ticket]
    cost, way = planner.way(ticket, weights)
    if cost >= NO_WAY:
        return -value
    new = {track for track in way if weights[track] > 0}
    chance = planner.chance(plan.tracks | new, 1)
    stakes = sum(planner.gains[ticket] + planner.values[ticket] for ticket in plan.tickets)
    gain = (planner.gains[ticket] + value) * (chance if new else 1.0) - cost
    return max(0.0, gain + stakes * (chance - planner.chance(plan.tracks, 0))) - value
