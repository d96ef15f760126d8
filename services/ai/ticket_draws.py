"""What it is worth to draw tickets: the expectation over those that may come."""

from __future__ import annotations

from math import comb

from services.ai.network_plan import NO_WAY, Plan, Planner
from shared.kernel import TICKETS, AnnounceSplit, DrawTickets, bits

RISK = 8.0  # points: tickets to come cost more than planned, as others claim too


def worth_of_drawing(planner: Planner, plan: Plan, move: DrawTickets | AnnounceSplit) -> float:
    """The points that the tickets kept bring beside a plan, as expected; one must be kept at least (BASE-31)."""
    rules = planner.standing.rules
    split = move.split if isinstance(move, AnnounceSplit) else (rules.by_name["draw_tickets"].number,)
    worths = _worths(planner, plan)
    gain = -RISK
    misses = 1.0
    least = 0.0
    for deck, number in enumerate(split):
        of_deck = sorted(worth for ticket, worth in worths.items() if rules.deck_of_ticket[ticket] == deck)
        number = min(number, len(of_deck))
        if not number:
            continue
        gain += number * sum(worth for worth in of_deck if worth > 0) / len(of_deck)
        losses = [worth for worth in of_deck if worth <= 0]
        lots = comb(len(of_deck), number)
        misses *= comb(len(losses), number) / lots
        # the best of a draw without a gain is at `place` in so many draws
        least += sum(worth * comb(place, number - 1) for place, worth in enumerate(losses)) / lots
    return gain + (least if len([number for number in split if number]) == 1 else misses * least)


def _worths(planner: Planner, plan: Plan) -> dict[int, float]:
    """What each ticket that may come is worth beside the plan: never less than failing it."""
    standing = planner.standing
    rules = standing.rules
    tickets = standing.state.parts[TICKETS]
    seen = set(standing.tickets)
    for deck in range(len(rules.ticket_decks)):
        layers = [layer for layer in tickets.layers if layer.deck == deck]
        seen.update(ticket for layer in layers[1:] for ticket in bits(layer.known[standing.seat]))
    weights = standing.weights[:]
    for track in plan.tracks:
        weights[track] = 0.0
    worths = {}
    for ticket, value in enumerate(rules.board.ticket_points):
        if ticket in seen:
            continue
        worths[ticket] = float(-value)
        cost, way = planner.way(ticket, weights)
        if cost < NO_WAY:
            new = {track for track in way if weights[track] > 0}
            chance = planner.chance(plan.tracks | new) if new or plan.tracks else 1.0
            worths[ticket] = max(worths[ticket], value * (2 * chance - 1) - cost)
    return worths
