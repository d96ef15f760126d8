"""Whatever the kernel writes it reads back as the same: JSON and notation of positions, views, moves and commits."""

from __future__ import annotations

import json
import random

from shared.kernel import (
    Rules,
    State,
    commit_from_plain,
    commit_to_plain,
    events_from_plain,
    events_to_plain,
    fold,
    legal_moves,
    move_from_plain,
    move_to_plain,
    parse_move,
    parse_position,
    print_move,
    print_position,
    redact,
    state_from_plain,
    view_for,
)
from tests.kernel_games import Game, play, text_of, text_of_state
from tests.property.games import for_every_game


def some_positions(game: Game, number: int, luck: random.Random) -> list[State]:
    """Some states of the game, each also as every viewer sees it."""
    rules = game.rules
    chosen = [game.states[place] for place in game.sample(number, luck)]
    return chosen + [view_for(rules, state, viewer) for state in chosen for viewer in (None, *range(rules.seats))]


@for_every_game(examples=4)
def test_positions_and_views_survive_json(rules: Rules, seed: int) -> None:
    game = play(rules, seed)
    for position in some_positions(game, 3, random.Random(seed)):
        text = text_of_state(rules, position)
        back = state_from_plain(rules, json.loads(text))
        assert type(back) is type(position)
        assert text_of_state(rules, back) == text
        for decision in position.decisions if type(position) is State else ():
            assert legal_moves(rules, back, decision) == legal_moves(rules, position, decision)


@for_every_game(examples=4)
def test_positions_and_views_survive_notation(rules: Rules, seed: int) -> None:
    game = play(rules, seed)
    for position in some_positions(game, 3, random.Random(seed)):
        line = print_position(rules, position)
        assert "\n" not in line
        back = parse_position(rules, line)
        assert type(back) is type(position)
        assert print_position(rules, back) == line
        assert text_of_state(rules, back) == text_of_state(rules, position)


@for_every_game(examples=4)
def test_moves_survive_json_and_notation(rules: Rules, seed: int) -> None:
    game = play(rules, seed)
    for place in game.sample(20, random.Random(seed)):
        state = game.states[place]
        for decision in state.decisions:
            for move in legal_moves(rules, state, decision):
                assert move_from_plain(rules, json.loads(text_of(move_to_plain(rules, move)))) == move
                assert parse_move(rules, print_move(rules, move)) == move


@for_every_game(examples=3)
def test_commits_survive_json_whole_and_redacted(rules: Rules, seed: int) -> None:
    game = play(rules, seed)
    for commit, head in zip(game.commits, game.states, strict=True):
        text = text_of(commit_to_plain(rules, commit))
        back = commit_from_plain(rules, json.loads(text))
        assert text_of(commit_to_plain(rules, back)) == text
        assert back.events == commit.events and back.move == commit.move
        viewer = random.Random(text).choice([None, *range(rules.seats)])
        seen = redact(rules, commit, viewer, head)
        text = text_of(commit_to_plain(rules, seen))
        assert ("chance" in json.loads(text)) == head.over
        assert text_of(commit_to_plain(rules, commit_from_plain(rules, json.loads(text)))) == text


@for_every_game(examples=3)
def test_a_state_read_back_goes_on_like_the_one_written(rules: Rules, seed: int) -> None:
    game = play(rules, seed)
    place = random.Random(seed).randrange(len(game.states) - 1)
    state = parse_position(rules, print_position(rules, game.states[place]))
    for commit in game.commits[place + 1 :]:
        fold(rules, state, commit)
    assert text_of_state(rules, state) == text_of_state(rules, game.end)


@for_every_game(examples=3)
def test_events_survive_json(rules: Rules, seed: int) -> None:
    for commit in play(rules, seed).commits:
        assert events_from_plain(rules, json.loads(text_of(events_to_plain(rules, commit.events)))) == commit.events
