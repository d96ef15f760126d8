"""How many tokens a passenger may fetch over the tracks that its seat owns and plans (MK-11 to MK-16)."""

from __future__ import annotations

from services.ai.planning.network_plan import Plan
from services.ai.planning.standing import Standing
from shared.kernel import PASSENGERS

MOST_STEPS = 3000


def best_trip(standing: Standing, plan: Plan, start: int) -> int:
    """The most that a trip from a city is worth, as far as a search of limited length finds."""
    board = standing.rules.board
    tops = standing.state.parts[PASSENGERS].tops
    ways: dict[int, list[tuple[int, int]]] = {}
    for track in (*standing.own, *plan.tracks):
        one, other = board.ends[track]
        if one not in board.dead_ends and other not in board.dead_ends:
            ways.setdefault(one, []).append((other, 1 << track))
            ways.setdefault(other, []).append((one, 1 << track))
    best = 0
    stack = [(start, 0, 1 << start, 0)]
    for _ in range(MOST_STEPS):
        if not stack:
            break
        city, used, seen, value = stack.pop()
        best = max(best, value)
        for other, bit in ways.get(city, ()):
            if not used & bit:
                fetched = 0 if seen >> other & 1 else tops[other]
                stack.append((other, used | bit, seen | 1 << other, value + fetched))
    return best
