"""Moves of every kind for a decision, most of them against a rule."""

from __future__ import annotations

import random

from shared.kernel import (
    CARDS,
    NOBODY,
    PASSENGERS,
    TICKETS,
    TRACKS,
    AnnounceSplit,
    ChooseStartingCity,
    ClaimTrack,
    CompleteTickets,
    Decision,
    Decline,
    DrawFromDeck,
    DrawFromDisplay,
    DrawTickets,
    KeepTickets,
    Move,
    MoveAlvin,
    MovePassenger,
    Pass,
    PlaceCards,
    PlaceMarker,
    PlacePassenger,
    Rules,
    State,
    bits,
    legal_moves,
)


def with_cities(rules: Rules, decision: Decision, hand: list[int], luck: random.Random) -> list[Move]:
    """Choices of cities, and markers with all sorts of payments."""
    if decision.name not in ("starting_city", "alvin_city", "marker"):
        return [Decline(), ChooseStartingCity(0), MoveAlvin(0), PlaceMarker(0, ((rules.wild, 2),))]
    cities = range(len(rules.board.cities))
    moves: list[Move] = [Decline(), *map(ChooseStartingCity, cities), *map(MoveAlvin, cities)]
    kinds = [kind for kind in range(len(rules.kinds)) if hand[kind] or luck.random() < 0.2]
    pairs = [{one: 2} if one == other else {one: 1, other: 1} for one in kinds for other in kinds]
    pairs += [{kind: number} for kind in kinds for number in (1, 3)]
    return moves + [PlaceMarker(city, tuple(sorted(pair.items()))) for city in cities for pair in pairs]


def journeys(rules: Rules, state: State, seat: int, luck: random.Random) -> list[Move]:
    """Walks of passengers, most of them wrong somewhere."""
    owners = state.parts[TRACKS].owners
    standing = [city for city, owner in enumerate(state.parts[PASSENGERS].standing) if owner != NOBODY]
    moves: list[Move] = []
    for _ in range(30):
        start = at = luck.choice(standing or [0])
        path: list[int] = []
        for _ in range(luck.randrange(6)):
            near = [t for t, ends in enumerate(rules.board.ends) if at in ends and owners[t] != NOBODY]
            path.append(luck.choice(near if near and luck.random() < 0.95 else range(len(owners))))
            at = next((city for city in rules.board.ends[path[-1]] if city != at), at)
        cost = sum(owners[track] not in (seat, NOBODY) for track in path)
        moves.append(MovePassenger(start, tuple(path), max(0, cost + luck.choice((0, 0, 0, -1, 1)))))
    return moves


def placements(rules: Rules, hand: list[int], luck: random.Random) -> list[Move]:
    """Rows and sets of colours, some with cards that are not held or do not go together."""
    moves: list[Move] = []
    kinds = [kind for kind, number in enumerate(hand) for _ in range(number)] or [0]
    for _ in range(60):
        placed = dict.fromkeys(luck.sample(range(rules.colours), 3), 1)
        if luck.random() < 0.7:
            chosen = [luck.choice(kinds) for _ in range(luck.choice((1, 1, 1, 2)))] + [rules.wild] * luck.randrange(2)
            placed = {kind: luck.randint(1, max(1, hand[kind])) for kind in chosen}
        moves.append(PlaceCards(tuple(sorted(placed.items()))))
    return moves


def strange_moves(rules: Rules, state: State, decision: Decision, luck: random.Random) -> list[Move]:
    """All simple moves, and claims and choices of every kind, most of them against a rule."""
    kinds = range(len(rules.kinds))
    hand = state.parts[CARDS].hands[decision.seat]
    moves: list[Move] = [Pass(), DrawFromDeck(), DrawTickets(), *map(DrawFromDisplay, kinds)]
    tickets = range(len(rules.board.tickets))
    moves += [KeepTickets(tuple(luck.sample(tickets, luck.randrange(4)))) for _ in range(5)]
    for track, length in enumerate(rules.board.lengths):
        colour = luck.choice([kind for kind in kinds if hand[kind]] or list(kinds))
        other = luck.choice(list(kinds))
        wilds = luck.randrange(length + 1)
        size = length + luck.choice((0, 0, 0, 0, -1, 1))
        pairs = {colour: size - wilds, luck.choice([rules.wild, *rules.wild_from]): wilds}
        if luck.random() < 0.2:
            pairs = {other: 1, colour: size - 1, rules.wild: 0}
        payment = tuple(sorted((kind, number) for kind, number in pairs.items() if number > 0))
        moves.append(ClaimTrack(track, payment))
    moves += with_cities(rules, decision, hand, luck)
    if "merchandise" in rules.by_name:
        moves += map(PlacePassenger, range(len(rules.board.cities)))
        moves += [AnnounceSplit((luck.randrange(6), luck.randrange(6))) for _ in range(20)]
        moves += journeys(rules, state, decision.seat, luck)
    if "yard" in rules.by_name:
        moves += placements(rules, hand, luck)
        held = [*bits(state.parts[TICKETS].hands[decision.seat]), luck.choice(tickets)]
        claims = [luck.sample(held, luck.randint(0, min(len(held), 5))) for _ in range(20)]
        moves += [CompleteTickets(tuple(sorted(set(claim)))) for claim in claims]
    for move in legal_moves(rules, state, decision):
        if isinstance(move, KeepTickets):
            moves += [KeepTickets(move.tickets[1:]), KeepTickets(tuple({*move.tickets, luck.choice(tickets)}))]
    return [move for move in moves if type(move).__name__ in rules.move_classes]
