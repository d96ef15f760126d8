"""How likely others are to take a track before the seat moves again."""

from __future__ import annotations

from services.ai.planning.standing import Standing
from shared.kernel import CARDS, GRAY, TRACKS

CLAIMS_A_TURN = 1.0
TOUCHING = 3.0  # how much likelier a track at an own city is


def threats(standing: Standing) -> list[float]:
    """For each track the chance that it is closed to the seat within one round."""
    rules, state, seat = standing.rules, standing.state, standing.seat
    board, tracks, cards = rules.board, state.parts[TRACKS], state.parts[CARDS]
    out = [0.0] * len(board.tracks)
    for other in range(state.seats):
        if other == seat:
            continue
        cities = tracks.cities(rules, other)
        known = cards.hands[other]
        hidden = cards.sizes[other] - sum(known)
        held = [number + hidden * 0.11 for number in known]
        wilds = min(2.0, held[rules.wild])
        best = max(held[: rules.colours])
        likely = []
        for track, is_open in enumerate(tracks.open[other]):
            length, colour = board.lengths[track], board.colours[track]
            if not is_open or length > tracks.trains[other]:
                continue
            lacks = length - (best if colour == GRAY else held[colour]) - wilds
            weight = (1.0 + standing.atlas.points[track]) * (0.6 ** max(0.0, lacks))
            one, two = board.ends[track]
            if one in cities or two in cities:
                weight *= TOUCHING
            likely.append((track, weight))
        total = sum(weight for _, weight in likely) or 1.0
        for track, weight in likely:
            chance = CLAIMS_A_TURN * weight / total
            out[track] += chance
            for closed in rules.closes[track]:
                if closed != track:
                    out[closed] += chance
    return out
