"""A game is its log: it folds to the head, and the same seed and answers give the same log."""

from __future__ import annotations

import random

import pytest

from shared.kernel import Move, Rules, commitment, empty_state, fold, fold_log, legal_moves, verify_draws
from tests.kernel_games import Game, always_default, answer, chance_of, play, start, text_of_state
from tests.property.games import for_every_game


@for_every_game()
def test_folding_the_log_gives_every_head(rules: Rules, seed: int) -> None:
    game = play(rules, seed)
    state = empty_state(rules)
    for version, (commit, head) in enumerate(zip(game.commits, game.states, strict=True), start=1):
        fold(rules, state, commit)
        assert state.version == head.version == commit.version == version
        if version % 7 == 0 or head.over:
            assert text_of_state(rules, state) == text_of_state(rules, head)
    assert text_of_state(rules, fold_log(rules, game.commits)) == text_of_state(rules, game.end)


@for_every_game(examples=3)
def test_a_log_with_a_gap_does_not_fold(rules: Rules, seed: int) -> None:
    commits = play(rules, seed, most=12).commits
    place = random.Random(seed).randrange(len(commits) - 1)
    with pytest.raises(ValueError, match="does not follow"):
        fold_log(rules, commits[:place] + commits[place + 1 :])


@for_every_game(examples=3)
def test_the_same_seed_and_answers_give_the_same_game(rules: Rules, seed: int) -> None:
    first, second = play(rules, seed), play(rules, seed)
    assert [c.events for c in first.commits] == [c.events for c in second.commits]
    assert [c.chance for c in first.commits] == [c.chance for c in second.commits]
    other = play(rules, seed + 1)
    assert [c.chance for c in other.commits] != [c.chance for c in first.commits]


@for_every_game(examples=3)
def test_every_draw_of_a_game_can_be_audited(rules: Rules, seed: int) -> None:
    game = play(rules, seed)
    secret, nonce = seed.to_bytes(32, "big"), b"n" * 16
    published = commitment(nonce, secret)
    assert verify_draws(nonce, secret, published, game.commits) == []
    assert verify_draws(nonce, (seed + 1).to_bytes(32, "big"), published, game.commits) == [0]
    drawn = random.Random(seed).choice([c for c in game.commits if any(n > 1 for n, _ in c.chance)])
    place = next(i for i, (n, _) in enumerate(drawn.chance) if n > 1)
    n, result = drawn.chance[place]
    drawn.chance[place] = (n, (result + 1) % n)
    assert verify_draws(nonce, secret, published, game.commits) == [drawn.version]


def answer_together(game: Game, seed: int, moves: dict[int, Move], order: list[int]) -> None:
    """Answers the decisions open at once in this order of seats."""
    for seat in order:
        (decision,) = [decision for decision in game.end.decisions if decision.seat == seat]
        answer(game, seed, decision, moves[seat])


@for_every_game()
def test_the_order_of_simultaneous_choices_has_no_influence(rules: Rules, seed: int) -> None:
    luck = random.Random(seed)
    games = [start(rules, seed), start(rules, seed)]
    for game in games:
        while game.end.decisions[0].name == "announce_split":
            answer(game, seed, game.end.decisions[0], legal_moves(rules, game.end, game.end.decisions[0])[0])
    opened = games[0].end.decisions
    if len(opened) < 2:
        return
    moves = {d.seat: luck.choice(legal_moves(rules, games[0].end, d)) for d in opened}
    for game in games:
        answer_together(game, seed, moves, luck.sample(sorted(moves), len(moves)))
    first, second = games
    assert text_of_state(rules, first.end) == text_of_state(rules, second.end)
    assert first.commits[-1].events[1:] == second.commits[-1].events[1:], "after the last choice itself"
    decision = first.end.decisions[0]
    move = luck.choice(legal_moves(rules, first.end, decision))
    assert answer(first, seed, decision, move).events == answer(second, seed, decision, move).events


@for_every_game(examples=2)
def test_a_game_of_forced_answers_ends(rules: Rules, seed: int) -> None:
    assert play(rules, seed, always_default(rules)).end.over


@for_every_game()
def test_games_end_and_nothing_is_asked_after(rules: Rules, seed: int) -> None:
    game = play(rules, seed)
    assert game.end.over
    assert game.end.decisions == []
    assert all(state.decisions and not state.over for state in game.states[:-1])
    asked = [decision.id for state in game.states for decision in state.decisions]
    answered = [commit.decision for commit in game.commits if commit.decision]
    assert set(asked) == set(answered)
    assert len(answered) == len(set(answered)), "each decision is answered once"


@for_every_game(examples=3)
def test_a_commit_uses_no_luck_when_refused_and_records_all_it_used(rules: Rules, seed: int) -> None:
    game = play(rules, seed, most=40)
    for commit in game.commits:
        chance = chance_of(seed, commit.version)
        for n, result in commit.chance:
            assert 0 <= result < n
            assert chance.below(n) == result

