"""Twin games: equal but for what one seat, the watcher, cannot know, and played so that it never comes out.

In the twin two seats have changed places with all they hold, and a third holds a card and a ticket that lie in the deck
in the first game. The draws of both come from the same seed.
"""

from __future__ import annotations

import random
from copy import deepcopy
from dataclasses import dataclass
from itertools import count
from typing import Any

from shared.kernel import (
    TICKETS,
    YARDS,
    Commit,
    Decision,
    KeyedChance,
    MalformedMove,
    Move,
    Rules,
    RuleViolation,
    State,
    advance,
    bits,
    commit_key,
    commit_to_plain,
    decide,
    empty_state,
    events_from_plain,
    events_to_plain,
    fold,
    is_legal,
    legal_moves,
    move_from_plain,
    move_to_plain,
    new_game,
    redact,
    state_to_plain,
    view_for,
)

Json = dict[str, Any]
Pair = tuple[State, State]

WATCHER, SWAPPED, SHIFTED = 0, {1: 2, 2: 1}, 3
SEATS = 4
PAIRS = ("red", "blue")
ROUNDS = 3
DEALT = ("CardDrawn", "TicketsOffered")
NOWHEN = "2026-01-01T00:00:00.000Z"


@dataclass(frozen=True)
class Step:
    """An answer to give in both games; where only its seat sees the move, it may be another one in each."""

    seat: int
    decision: str
    moves: tuple[Json, Json]
    refused: list[Json]
    """What the watcher may not answer instead, because it is against the rules or another's to decide."""


@dataclass(frozen=True)
class Twins:
    """A seed, the start commits of both games, and the answers to give in both."""

    seed: bytes
    starts: tuple[Commit, Commit]
    steps: list[Step]


def twins(rules: Rules, length: int, variety: int) -> Twins:
    """Gives twins that can be played for so many answers, with so many kinds of moves by the watcher and by others."""
    for number in count(1):
        seed = number.to_bytes(32, "big")
        starts = _starts(rules, seed)
        steps = _script(rules, seed, starts, length)
        by_watcher = {step.moves[0]["move"] for step in steps if step.seat == WATCHER}
        by_others = {step.moves[0]["move"] for step in steps if step.seat != WATCHER}
        if len(steps) == length and len(by_watcher) >= variety <= len(by_others):
            return Twins(seed, starts, steps)
    raise AssertionError("unreachable")


def stack_twins(rules: Rules) -> Twins:
    """Gives twins with the same cards in every hand and other ones in two stacks: in its first turn each of two seats
    places a pair, which in the twin is the other one's. After three rounds that is closed history."""
    seed = bytes(32)
    chance = KeyedChance(commit_key(seed, 1))
    plain = events_to_plain(rules, new_game(rules, chance)[1])
    tables = PAIRS, PAIRS[::-1]
    one, other = (_start(_with_pairs(rules, plain, pairs), chance) for pairs in tables)
    games = empty_state(rules), empty_state(rules)
    for game, start in zip(games, (one, other), strict=True):
        fold(rules, game, start)
    steps: list[Step] = []
    turns = 0
    while turns < ROUNDS * SEATS:
        decision = games[0].decisions[0]
        moves = [_next_move(rules, game, decision, pairs) for game, pairs in zip(games, tables, strict=True)]
        for game, move in zip(games, moves, strict=True):
            chance = KeyedChance(commit_key(seed, game.version + 1))
            events = advance(rules, game, decision, move_from_plain(rules, move), chance)
        turns += any(type(event).__name__ == "TurnEnded" for event in events)
        steps.append(Step(decision.seat, decision.id, (moves[0], moves[1]), []))
    for viewer in (*range(SEATS), None):
        seen = [state_to_plain(rules, view_for(rules, game, viewer)) for game in games]
        assert seen[0] == seen[1]
    assert all(games[0].parts[YARDS].stacks[seat] != games[1].parts[YARDS].stacks[seat] for seat in range(len(PAIRS)))
    return Twins(seed, (one, other), steps)


def _with_pairs(rules: Rules, plain: list[Json], pairs: tuple[str, str]) -> list[Any]:
    """The events of a start, with these pairs dealt to the first two seats."""
    dealt = deepcopy(plain)
    for seat, kind in enumerate(pairs):
        for event in _dealt_to(seat, dealt)[:2]:
            event["card"] = kind
    return events_from_plain(rules, dealt)


def _next_move(rules: Rules, game: State, decision: Decision, pairs: tuple[str, str]) -> Json:
    """Places the pair in a seat's first turn, draws from the deck in any other, and keeps the first ticket offered."""
    moves = [move_to_plain(rules, move) for move in legal_moves(rules, game, decision)]
    wanted = [{"move": "DrawFromDeck"}]
    if decision.seat < len(pairs) and not game.parts[YARDS].sizes[decision.seat]:
        wanted.insert(0, {"move": "PlaceCards", "cards": {pairs[decision.seat]: 2}})
    return next((move for move in wanted if move in moves), moves[0])


def _starts(rules: Rules, seed: bytes) -> tuple[Commit, Commit]:
    chance = KeyedChance(commit_key(seed, 1))
    state, events = new_game(rules, chance)
    plain = events_to_plain(rules, events)
    other = _exchanged(rules, state, plain)
    return _start(events, chance), _start(events_from_plain(rules, other), chance)


def _start(events: list[Any], chance: KeyedChance) -> Commit:
    return Commit(1, NOWHEN, None, None, None, False, events, chance.outcomes)


def _exchanged(rules: Rules, state: State, plain: list[Json]) -> list[Json]:
    """The events of the start, dealt otherwise. From the deck come neighbours in the order of draws, so that few later
    draws differ."""
    other = deepcopy(plain)
    for seat, source in SWAPPED.items():
        for mine, theirs in zip(_dealt_to(seat, other), _dealt_to(source, plain), strict=True):
            mine.update(theirs, seat=seat)
    card, *rest = _dealt_to(SHIFTED, other)
    card["card"] = rules.kinds[(rules.kinds.index(card["card"]) + 1) % len(rules.kinds)]
    names = rules.board.tickets
    undealt = [names[ticket] for layer in state.parts[TICKETS].layers for ticket in bits(layer.tickets)]
    for offer in rest:
        if "tickets" in offer:
            place = names.index(offer["tickets"][0])
            offer["tickets"][0] = min(undealt, key=lambda name: abs(names.index(name) - place))
    return other


def _dealt_to(seat: int, plain: list[Json]) -> list[Json]:
    return [event for event in plain if event["event"] in DEALT and event["seat"] == seat]


def _script(rules: Rules, seed: bytes, starts: tuple[Commit, Commit], length: int) -> list[Step]:
    """Answers that are legal in both games and after which the watcher still cannot tell them apart."""
    luck = random.Random(seed)
    games = empty_state(rules), empty_state(rules)
    for game, start in zip(games, starts, strict=True):
        fold(rules, game, start)
    steps: list[Step] = []
    while len(steps) < length and _look_alike(rules, games):
        decision = luck.choice(games[0].decisions)
        tried = (_taken(rules, seed, games, decision, moves) for moves in _common_moves(rules, games, decision, luck))
        step = next(filter(None, tried), None)
        if step is None:
            break
        steps.append(step)
    return steps


def _common_moves(rules: Rules, games: Pair, decision: Decision, luck: random.Random) -> list[tuple[Move, Move]]:
    """What both games allow; tickets are kept by their place in the offer, for those of others differ."""
    first, second = ([move_to_plain(rules, move) for move in legal_moves(rules, game, decision)] for game in games)
    if first[0]["move"] == "KeepTickets":
        offers = [game.parts[TICKETS].offers[decision.seat] for game in games]
        names = rules.board.tickets
        twin_of = {names[one]: names[other] for one, other in zip(*offers, strict=True)}
        pairs = [(move, {**move, "tickets": [twin_of[name] for name in move["tickets"]]}) for move in first]
    else:
        pairs = [(move, move) for move in first if move in second]
    luck.shuffle(pairs)
    order = {"ClaimTrack": luck.random() * 0.6, "DrawTickets": luck.random() * 4, "DrawFromDeck": luck.random()}
    pairs.sort(key=lambda pair: order.get(pair[0]["move"], 0.5))
    return [(move_from_plain(rules, one), move_from_plain(rules, other)) for one, other in pairs]


def _taken(rules: Rules, seed: bytes, games: Pair, decision: Decision, moves: tuple[Move, Move]) -> Step | None:
    """Plays an answer in both games if the watcher sees the same happen; leaves both as they are otherwise."""
    refused = _refused(rules, games[0], decision)
    after, seen = [], []
    for game, move in zip(games, moves, strict=True):
        chance = KeyedChance(commit_key(seed, game.version + 1))
        try:
            events = decide(rules, game, decision, move, chance)
        except RuleViolation:
            return None
        commit = Commit(game.version + 1, NOWHEN, decision.seat, decision.id, move, False, events, chance.outcomes)
        following = game.copy()
        fold(rules, following, commit)
        after.append((game, commit))
        seen.append((following.over, commit_to_plain(rules, redact(rules, commit, WATCHER, following))))
    if seen[0] != seen[1] or seen[0][0]:
        return None
    for game, commit in after:
        fold(rules, game, commit)
    one, other = (move_to_plain(rules, move) for move in moves)
    return Step(decision.seat, decision.id, (one, other), refused)


def _refused(rules: Rules, game: State, decision: Decision) -> list[Json]:
    """A few moves that are no answer for the watcher."""
    board, kinds = rules.board, rules.kinds
    place = game.version
    moves = [
        {"move": "Pass"},
        {"move": "DrawTickets"},
        {"move": "DrawFromDisplay", "card": kinds[place % len(kinds)]},
        {"move": "KeepTickets", "tickets": [board.tickets[place % len(board.tickets)]]},
    ]
    if board.tracks:
        track = place % len(board.tracks)
        payment = {kinds[-1]: board.lengths[track]}
        moves.append({"move": "ClaimTrack", "track": board.tracks[track], "payment": payment})
    if decision.seat != WATCHER:
        return moves
    return [move for move in moves if not _is_answer(rules, game, decision, move)]


def _is_answer(rules: Rules, game: State, decision: Decision, move: Json) -> bool:
    try:
        return is_legal(rules, game, decision, move_from_plain(rules, move))
    except MalformedMove:
        return False


def _look_alike(rules: Rules, games: Pair) -> bool:
    one, other = (state_to_plain(rules, view_for(rules, game, WATCHER)) for game in games)
    assert one == other
    return state_to_plain(rules, games[0]) != state_to_plain(rules, games[1])
