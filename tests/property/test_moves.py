"""What is listed is legal, what is legal by the rules is accepted, and nothing else is."""

from __future__ import annotations

import random

import pytest

from shared.catalog import rule_text
from shared.kernel import (
    CODES,
    Decision,
    MalformedMove,
    Rules,
    RuleViolation,
    State,
    advance,
    check,
    decide,
    default_move,
    is_legal,
    legal_moves,
    move_from_plain,
    move_to_plain,
    view_for,
)
from tests.kernel_games import ALL_RULES, Game, chance_of, play, text_of_state
from tests.property import reference
from tests.property.games import for_every_game
from tests.strange_moves import strange_moves

#: Rule sets all of whose mechanics the second reading knows.
READ_TWICE = [rules for rules in ALL_RULES if reference.is_read(rules)]


def decisions_of(game: Game, number: int, luck: random.Random) -> list[tuple[State, Decision]]:
    """Some of the open decisions of a game."""
    return [(game.states[v], d) for v in game.sample(number, luck) for d in game.states[v].decisions]


@for_every_game()
def test_every_listed_move_is_accepted_and_listed_once(rules: Rules, seed: int) -> None:
    game = play(rules, seed)
    for state, decision in decisions_of(game, 40, random.Random(seed)):
        moves = legal_moves(rules, state, decision)
        assert moves and len(set(moves)) == len(moves)
        for move in moves:
            check(rules, state, decision, move)


@for_every_game(examples=4)
def test_every_listed_move_can_be_played(rules: Rules, seed: int) -> None:
    game = play(rules, seed)
    for state, decision in decisions_of(game, 3, random.Random(seed)):
        before = text_of_state(rules, state)
        for move in legal_moves(rules, state, decision):
            after = state.copy()
            events = advance(rules, after, decision, move, chance_of(seed, state.version + 1))
            assert after.version == state.version + 1
            assert after.decision(decision.id) is None
            assert after.over or after.decisions
            assert decide(rules, state, decision, move, chance_of(seed, state.version + 1)) == events
        assert text_of_state(rules, state) == before, "decide and copies leave the state as it is"


@for_every_game()
def test_the_view_of_a_seat_lists_what_the_state_lists(rules: Rules, seed: int) -> None:
    game = play(rules, seed)
    for state, decision in decisions_of(game, 15, random.Random(seed)):
        view = view_for(rules, state, decision.seat)
        assert legal_moves(rules, view, decision) == legal_moves(rules, state, decision)
        assert default_move(rules, view, decision) == default_move(rules, state, decision)


@for_every_game()
def test_the_default_is_always_legal(rules: Rules, seed: int) -> None:
    game = play(rules, seed)
    for state in game.states:
        for decision in state.decisions:
            check(rules, state, decision, default_move(rules, state, decision))


@for_every_game(examples=3, among=READ_TWICE)
def test_lists_are_those_of_a_second_reading_of_the_rules(rules: Rules, seed: int) -> None:
    game = play(rules, seed)
    for state, decision in decisions_of(game, 12, random.Random(seed)):
        moves = legal_moves(rules, state, decision)
        expected = reference.whole_list(rules, state, decision, moves)
        assert reference.as_counter(moves) == reference.as_counter(expected)


@for_every_game(examples=4, among=READ_TWICE)
def test_check_judges_as_a_second_reading_of_the_rules(rules: Rules, seed: int) -> None:
    game = play(rules, seed)
    luck = random.Random(seed)
    for state, decision in decisions_of(game, 12, luck):
        for move in strange_moves(rules, state, decision, luck):
            expected = reference.is_allowed(rules, state, decision, move)
            assert is_legal(rules, state, decision, move) == expected, (move, decision)


def mutated(plain: dict, rules: Rules, luck: random.Random) -> dict:
    """A move with one value changed for another of its kind, or with another name."""
    board = rules.board
    changed = dict(plain)
    name = luck.choice([name for name in plain if name != "move"] or ["move"])
    value = plain[name]
    if name == "move":
        changed[name] = luck.choice(list(rules.move_classes))
    elif isinstance(value, dict):
        card = luck.choice(rules.kinds)
        changed[name] = {**value, card: max(1, value.get(card, 0) + luck.choice((-1, 1)))}
    elif isinstance(value, list):
        changed[name] = value[1:] if luck.random() < 0.5 else [*value, luck.choice(board.tickets)]
    else:
        changed[name] = luck.choice(board.tracks + board.cities + rules.kinds + board.tickets)
    return changed


@for_every_game()
def test_mutated_moves_are_refused_with_a_rule_and_change_nothing(rules: Rules, seed: int) -> None:
    game = play(rules, seed)
    luck = random.Random(seed)
    for state, decision in decisions_of(game, 12, luck):
        before = text_of_state(rules, state)
        chance = chance_of(seed, 0)
        moves = legal_moves(rules, state, decision)
        for move in luck.sample(moves, min(len(moves), 8)):
            try:
                strange = move_from_plain(rules, mutated(move_to_plain(rules, move), rules, luck))
            except MalformedMove as error:
                assert error.pointer.startswith("/")
                continue
            if is_legal(rules, state, decision, strange):
                continue
            with pytest.raises(RuleViolation) as refused:
                advance(rules, state, decision, strange, chance)
            assert refused.value.code in CODES
            assert rule_text(refused.value.rule)
            assert refused.value.data
        assert chance.outcomes == []
        assert text_of_state(rules, state) == before
