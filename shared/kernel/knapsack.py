"""Paying for tickets together with colour cards and wilds: whether a set can be paid, and the best set that can."""

from __future__ import annotations

Cost = tuple[tuple[int, int], ...]


def payment_for(needs: list[list[int]], stack: list[int], wild: int) -> list[int] | None:
    """The cards, by kind, that pay for all needs, each colour first with cards of that colour, then with wilds; None if
    the stack cannot pay for them together (CG-22)."""
    total = [sum(column) for column in zip(*needs, strict=True)] if needs else [0] * wild
    used = [min(need, stack[colour]) for colour, need in enumerate(total)]
    wilds = sum(total) - sum(used)
    return [*used, wilds] if wilds <= stack[wild] else None


def best_set(needs: list[list[int]], points: list[int], stack: list[int], wild: int) -> list[int]:
    """The positions of the payable set with the highest total; among equals the one with more members, then the
    smallest ascending list (CG-23). Exact: positions are decided in order, and equal rests of the stack, as far as the
    open needs could use them, are solved once."""
    count = len(needs)
    open_needs = [[0] * wild]  # open_needs[i]: what positions i .. end need together
    for need in reversed(needs):
        open_needs.append([a + b for a, b in zip(open_needs[-1], need, strict=True)])
    open_needs.reverse()
    solved: dict[tuple[int, ...], tuple[int, int, tuple[int, ...]]] = {}

    def solve(place: int, left: tuple[int, ...], wilds: int) -> tuple[int, int, tuple[int, ...]]:
        """Total, number and positions of the best set from here on."""
        if place == count:
            return (0, 0, ())
        clipped = tuple([min(a, b) for a, b in zip(left, open_needs[place], strict=True)])
        wilds = min(wilds, sum(open_needs[place]))
        key = (place, wilds, *clipped)
        found = solved.get(key)
        if found is not None:
            return found
        best = solve(place + 1, clipped, wilds)
        short = 0
        rest: list[int] = []
        for have, need in zip(clipped, needs[place], strict=True):
            short += need - have if need > have else 0
            rest.append(have - need if have > need else 0)
        if short <= wilds:
            total, number, members = solve(place + 1, tuple(rest), wilds - short)
            if (total + points[place], number + 1) >= best[:2]:  # an equal set that has this position comes first
                best = (total + points[place], number + 1, (place, *members))
        solved[key] = best
        return best

    return list(solve(0, tuple(stack[:wild]), stack[wild])[2])
