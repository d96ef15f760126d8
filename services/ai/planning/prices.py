"""What turns, trains and cards are worth, in points."""

from __future__ import annotations

TURN_WORTH = 3.0  # what a long track brings for each turn that it takes
TRAIN_WORTH = 0.6  # what a train is worth beyond that
CARD_TURNS = 0.55  # turns for a card that is missing
CLAIM_RISK = 1.0  # points lost, as expected, because others may take a planned track first
LEAST_PRICE = 0.2  # so that ways do not wander


def price(points: float, length: int, missing: int) -> float:
    """What it takes to claim a track of these points and length for which so many cards are missing: turns, trains and
    risk, less the points."""
    turns = 1 + CARD_TURNS * missing
    return max(LEAST_PRICE, TURN_WORTH * turns + TRAIN_WORTH * length + CLAIM_RISK - points)
