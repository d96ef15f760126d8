"""Moves of every kind for a decision, most of them against a rule."""

from __future__ import annotations

import random

from shared.kernel import (
    CARDS,
    ClaimTrack,
    Decision,
    DrawFromDeck,
    DrawFromDisplay,
    DrawTickets,
    KeepTickets,
    Move,
    Pass,
    Rules,
    State,
    legal_moves,
)


def strange_moves(rules: Rules, state: State, decision: Decision, luck: random.Random) -> list[Move]:
    """All simple moves, and claims and choices of every kind."""
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
        pairs = {colour: size - wilds, rules.wild: wilds}
        if luck.random() < 0.2:
            pairs = {other: 1, colour: size - 1, rules.wild: 0}
        payment = tuple(sorted((kind, number) for kind, number in pairs.items() if number > 0))
        moves.append(ClaimTrack(track, payment))
    for move in legal_moves(rules, state, decision):
        if isinstance(move, KeepTickets):
            moves += [KeepTickets(move.tickets[1:]), KeepTickets(tuple({*move.tickets, luck.choice(tickets)}))]
    return moves
