"""Whatever comes in, it is read or it is Malformed: never another exception, never a hang."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest

from shared.kernel import (
    Malformed,
    MalformedMove,
    Rules,
    State,
    check,
    commit_from_plain,
    commit_to_plain,
    decide,
    events_from_plain,
    legal_moves,
    move_from_plain,
    move_to_plain,
    parse_move,
    parse_position,
    print_move,
    print_position,
    redact,
    running_score,
    state_from_plain,
    state_to_plain,
    view_for,
)
from tests.kernel_games import chance_of, play
from tests.property.games import for_every_game

JUNK: list[Any] = [
    None, True, False, -1, 0, 1, 2, 3, 45, 111, 10**6, 10**30, 1.0, 1.5, float("nan"), float("inf"),
    "", "x", "0", "1.0", "12.1", "turn", "red", "spectator", "\ud800", "é", "²", "1" * 5000,
    [], [[]], [None], [-1], [0] * 300, ["red"] * 5,
    {}, {"red": 1}, {"": None}, {"\ud800": 1}, {"move": "Pass"}, {"event": "GameEnded"},
]  # fmt: skip
NOISE = "/,|:=.-? 0129LRxé²\ud800"


def junk(luck: random.Random) -> Any:
    """Some value that is out of place almost anywhere."""
    return copy.deepcopy(luck.choice(JUNK))


def places(plain: Any) -> list[tuple[Any, Any]]:
    """Every (container, key) inside a plain value."""
    found: list[tuple[Any, Any]] = []
    pairs = plain.items() if isinstance(plain, dict) else enumerate(plain) if isinstance(plain, list) else ()
    for key, value in pairs:
        found.append((plain, key))
        found += places(value)
    return found


def mutate(plain: Any, luck: random.Random) -> Any:
    """A copy with one to three things wrong: replaced by junk or by another part of it, taken out, added, nudged."""
    plain = copy.deepcopy(plain)
    for _ in range(luck.choice((1, 1, 1, 2, 3))):
        everywhere = places(plain)
        if not everywhere:
            return junk(luck)
        container, key = luck.choice(everywhere)
        value = container[key]
        match luck.randrange(6):
            case 0 | 1:
                container[key] = junk(luck)
            case 2:
                other, place = luck.choice(everywhere)
                container[key] = copy.deepcopy(other[place])
            case 3:
                del container[key]
            case 4 if isinstance(container, dict):
                container[luck.choice(("x", "viewer", "red", "chance", "completed", "\ud800"))] = junk(luck)
            case 4:
                container.insert(key, copy.deepcopy(value))
            case _ if type(value) is int:
                container[key] = value + luck.choice((-1, 1))
            case _:
                container[key] = junk(luck)
    return plain


def mutate_text(text: str, luck: random.Random) -> str:
    """A text with a few characters or words lost, doubled, moved or replaced."""
    for _ in range(luck.choice((1, 1, 2, 4))):
        if luck.random() < 0.5:
            place = luck.randrange(len(text) + 1)
            text = text[:place] + luck.choice((luck.choice(NOISE), "")) + text[place + luck.randrange(3) :]
        else:
            words = text.split(" ")
            place = luck.randrange(len(words))
            words[place] = luck.choice((luck.choice(words), "", words[place][::-1], words[place] * 2))
            text = " ".join(words)
    return text


def use(rules: Rules, state: State, seed: int) -> None:
    """An accepted position is whole: it is written and read back, its decisions can be answered and it can be seen."""
    assert state_to_plain(rules, state_from_plain(rules, state_to_plain(rules, state))) == state_to_plain(rules, state)
    running_score(rules, state)
    whole = not state.has_holes()
    for decision in state.decisions:
        if whole or state.viewer == decision.seat:
            moves = legal_moves(rules, state, decision)
            for move in moves:
                check(rules, state, decision, move)
            if whole:
                move = random.Random(seed).choice(moves)
                decide(rules, state, decision, move, chance_of(seed, 1))
    if whole:
        for viewer in (None, *range(rules.seats)):
            view_for(rules, state, viewer)


@for_every_game(examples=4)
def test_mutated_positions_are_malformed_or_whole(rules: Rules, seed: int) -> None:
    game = play(rules, seed)
    luck = random.Random(seed)
    for place in game.sample(3, luck):
        state = game.states[place]
        for position in (state, view_for(rules, state, luck.choice((None, *range(rules.seats))))):
            plain = state_to_plain(rules, position)
            for _ in range(10):
                try:
                    read = state_from_plain(rules, mutate(plain, luck))
                except Malformed as error:
                    assert error.pointer == "" or error.pointer.startswith("/")
                    continue
                use(rules, read, seed)


@for_every_game(examples=4)
def test_mutated_notations_are_malformed_or_whole(rules: Rules, seed: int) -> None:
    game = play(rules, seed)
    luck = random.Random(seed)
    for place in game.sample(3, luck):
        state = game.states[place]
        for position in (state, view_for(rules, state, luck.choice((None, *range(rules.seats))))):
            line = print_position(rules, position)
            for _ in range(10):
                try:
                    read = parse_position(rules, mutate_text(line, luck))
                except Malformed:
                    continue
                use(rules, read, seed)


@for_every_game(examples=4)
def test_mutated_moves_are_malformed_or_judged(rules: Rules, seed: int) -> None:
    game = play(rules, seed)
    luck = random.Random(seed)
    for place in game.sample(10, luck):
        for decision in game.states[place].decisions:
            moves = legal_moves(rules, game.states[place], decision)
            for move in luck.sample(moves, min(5, len(moves))):
                for _ in range(5):
                    try:
                        move_from_plain(rules, mutate(move_to_plain(rules, move), luck))
                    except MalformedMove as error:
                        assert error.pointer == "" or error.pointer.startswith("/")
                    with suppress(Malformed):
                        parse_move(rules, mutate_text(print_move(rules, move), luck))


@for_every_game(examples=4)
def test_mutated_commits_are_malformed_or_read(rules: Rules, seed: int) -> None:
    game = play(rules, seed)
    luck = random.Random(seed)
    for place in game.sample(15, luck):
        commit, head = game.commits[place], game.states[place]
        for seen in (commit, redact(rules, commit, luck.choice((None, 0)), head)):
            plain = commit_to_plain(rules, seen)
            for _ in range(5):
                try:
                    read = commit_from_plain(rules, mutate(plain, luck))
                except Malformed as error:
                    assert error.pointer == "" or error.pointer.startswith("/")
                    continue
                commit_to_plain(rules, read)


def paths(plain: Any, path: str = "") -> list[tuple[str, Any, Any]]:
    """Every place inside a plain value: its JSON pointer, and its container and key."""
    found: list[tuple[str, Any, Any]] = []
    pairs = plain.items() if isinstance(plain, dict) else enumerate(plain) if isinstance(plain, list) else ()
    for key, value in pairs:
        found.append((f"{path}/{key}", plain, key))
        found += paths(value, f"{path}/{key}")
    return found


def pointer_of(read: Callable[[Rules, Any], object], rules: Rules, plain: Any) -> str:
    """Where the reader says the fault is."""
    with pytest.raises(Malformed) as refused:
        read(rules, plain)
    return refused.value.pointer


ELSEWHERE = {"/seats": "/ruleset"}  # together they say which rules are meant
FREE = ("/options", "/completed", "/sheet")  # compared as a whole, derived, or kept as it is


def check_pointers(read: Callable[[Rules, Any], object], rules: Rules, plain: Any) -> None:
    """Puts something wrong in every place, one after the other: the pointer tells which place it was."""
    for path, container, key in paths(plain):
        if any(word in path for word in FREE):
            continue
        value, container[key] = container[key], 1.5
        assert pointer_of(read, rules, plain) == ELSEWHERE.get(path, path)
        container[key] = value
        if isinstance(value, dict):
            value["x"] = 1
            assert pointer_of(read, rules, plain) == f"{path}/x"
            del value["x"]


@for_every_game(examples=1)
def test_the_pointer_says_where_a_position_is_wrong(rules: Rules, seed: int) -> None:
    game = play(rules, seed)
    luck = random.Random(seed)
    for state in (game.states[1], luck.choice(game.states), game.end):
        check_pointers(state_from_plain, rules, state_to_plain(rules, state))
        view = view_for(rules, state, luck.randrange(rules.seats))
        check_pointers(state_from_plain, rules, state_to_plain(rules, view))


@for_every_game(examples=1)
def test_the_pointer_says_where_a_commit_is_wrong(rules: Rules, seed: int) -> None:
    game = play(rules, seed)
    for place in game.sample(30, random.Random(seed))[1:]:
        check_pointers(commit_from_plain, rules, commit_to_plain(rules, game.commits[place]))
    start = commit_to_plain(rules, game.commits[0])
    check_pointers(lambda rules, events: events_from_plain(rules, events, ""), rules, start["events"])


@for_every_game(examples=2)
def test_junk_is_malformed(rules: Rules, seed: int) -> None:
    for junk in JUNK:
        for read in (state_from_plain, commit_from_plain):
            try:
                read(rules, junk)
            except Malformed:
                continue
            raise AssertionError(f"{read.__name__} accepted {junk!r}")

