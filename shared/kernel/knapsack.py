"""Paying for tickets together with colour cards and wilds: which cards pay for which, and the best set that can be paid
(CG-20, CG-22, CG-23)."""

from __future__ import annotations

from typing import Final

SCALE: Final = 1024  # of points, so that the number of members can follow them in one number
STEP: Final = 48 * SCALE
NOTHING: Final = (-1, 0)


def is_payable(need: list[int], stack: list[int], wild: int) -> bool:
    """Whether the stack can pay for this need alone (CG-22)."""
    return sum([number - have for number, have in zip(need, stack, strict=False) if number > have]) <= stack[wild]


def payments_for(needs: list[list[int]], stack: list[int], wild: int) -> list[list[int]] | None:
    """For each need the cards, by kind, that pay for it: one need after the other, each colour first with cards of that
    colour, then with wilds. None if the stack cannot pay for all (CG-22)."""
    left = stack[:]
    payments: list[list[int]] = []
    for need in needs:
        own = [min(number, left[colour]) for colour, number in enumerate(need)]
        payment = [*own, sum(need) - sum(own)]
        left = [have - number for have, number in zip(left, payment, strict=True)]
        payments.append(payment)
    return payments if left[wild] >= 0 else None


def best_set(needs: list[list[int]], points: list[int], stack: list[int], wild: int) -> list[int]:
    """The positions of the payable set with the highest total; among equals the one with more members, then the
    smallest ascending list (CG-23). Exact: branch and bound over the positions, with a bound from prices for cards."""
    places = [place for place, need in enumerate(needs) if is_payable(need, stack, wild)]
    needs = [needs[place] for place in places]
    if payments_for(needs, stack, wild) is not None:
        return places
    values = [points[place] * SCALE + 1 for place in places]
    cards = [[colour for colour in range(wild) for _ in range(need[colour])] for need in needs]
    prices = _prices(values, cards, stack, wild)
    gains = _gains(values, cards, prices)
    order = sorted(range(len(needs)), key=lambda number: -abs(gains[number]))  # the clear cases first
    open_needs, open_gains = [[0] * wild], [0]  # by depth: what all members still to be decided need and gain
    for number in reversed(order):
        open_needs.append([a + b for a, b in zip(open_needs[-1], needs[number], strict=True)])
        open_gains.append(open_gains[-1] + max(0, gains[number]))
    open_needs.reverse()
    open_gains.reverse()
    best = NOTHING  # value, and the members as a mask, the first one its highest bit
    seen: dict[tuple[int, ...], tuple[int, int]] = {}

    def search(depth: int, left: list[int], wilds: int, found: tuple[int, int]) -> None:
        """Tries every way to go on from `found`, unless none can be better than the best."""
        nonlocal best
        if depth == len(order):
            best = max(best, found)
            return
        left = [have if have < need else need for have, need in zip(left, open_needs[depth], strict=True)]
        wilds = min(wilds, sum(open_needs[depth]))
        if found[0] + open_gains[depth] + _worth([*left, wilds], prices) < best[0]:
            return
        key = (depth, wilds, *left)
        if seen.get(key, NOTHING) >= found:
            return
        seen[key] = found
        number = order[depth]
        rest = left[:]
        short = 0
        for colour in cards[number]:
            if rest[colour]:
                rest[colour] -= 1
            else:
                short += 1
        taken = (found[0] + values[number], found[1] | 1 << len(order) - number)
        ways = [(rest, wilds - short, taken)] if short <= wilds else []
        ways.insert(len(ways) if gains[number] >= 0 else 0, (left, wilds, found))  # the likely one first
        for way in ways:
            search(depth + 1, *way)

    search(0, stack[:wild], stack[wild], (0, 0))
    return [place for number, place in enumerate(places) if best[1] >> len(order) - number & 1]


def _worth(stack: list[int], prices: list[int]) -> int:
    return sum([number * price for number, price in zip(stack, prices, strict=True)])


def _gains(values: list[int], cards: list[list[int]], prices: list[int]) -> list[int]:
    """What each value is above the price of its cards, perhaps less than 0."""
    return [value - sum([prices[colour] for colour in need]) for value, need in zip(values, cards, strict=True)]


def _prices(values: list[int], cards: list[list[int]], stack: list[int], wild: int) -> list[int]:
    """Prices by kind of card, none above that of a wild, at which what sells is about what there is. Any such prices
    bound what a stack can be worth: its price, and for each need what its value is above its cost. These make the bound
    low (Lagrange multipliers, by subgradients)."""
    wanted = [sum(values) // sum(map(len, cards))] * (wild + 1)
    lowest: int | None = None
    prices = wanted
    for number in range(len(cards)):
        now = [min(price, wanted[wild]) for price in wanted]
        gains = _gains(values, cards, now)
        bound = _worth(stack, now) + sum([gain for gain in gains if gain > 0])
        if lowest is None or bound < lowest:
            lowest, prices = bound, now
        surplus = stack[:]
        for need, gain in zip(cards, gains, strict=True):
            if gain > 0:
                for colour in need:
                    surplus[colour] -= 1
        surplus[wild] += sum([have for colour, have in enumerate(surplus[:wild]) if wanted[colour] > wanted[wild]])
        slowness = (8 + number) * max(1, sum(map(abs, surplus)))  # ever finer steps
        wanted = [max(0, price - STEP * have // slowness) for price, have in zip(wanted, surplus, strict=True)]
    return prices
