"""Luck that can be audited (OPT-4), and that no two games share."""

from __future__ import annotations

import hashlib
import hmac

import pytest

from shared.kernel import (
    Commit,
    FastChance,
    KeyedChance,
    State,
    advance,
    commit_key,
    commit_to_plain,
    commitment,
    fold_log,
    legal_moves,
    new_game,
    print_position,
    verify_draws,
)
from tests.unit.kernel.play import usa

SEED, NONCE = bytes(range(32)), b"nonce"
GOLDEN_KEY = "9b2f13feb37a47b6758cf13a247b27329aba4610f208504fe9e23e55bfebd6b1"
GOLDEN_DRAWS = [3, 20, 16, 0, 0]


def keyed_log(seed: bytes, moves: int = 60) -> tuple[State, list[Commit]]:
    """A game whose answers are fixed and whose luck comes from the seed."""
    rules = usa(3)
    chance = KeyedChance(commit_key(seed, 1))
    state, events = new_game(rules, chance)
    log = [Commit(1, "", None, None, None, False, events, chance.outcomes)]
    answers = FastChance(7)
    for version in range(2, moves):
        decision = state.decisions[0]
        legal = legal_moves(rules, state, decision)
        move = legal[answers.below(len(legal))]
        chance = KeyedChance(commit_key(seed, version))
        events = advance(rules, state, decision, move, chance)
        log.append(Commit(version, "", decision.seat, decision.id, move, False, events, chance.outcomes))
    return state, log


@pytest.mark.rule("OPT-4")
def test_p18_the_same_seed_and_moves_give_the_same_game() -> None:
    rules = usa(3)
    (state, log), (again, log_again) = keyed_log(SEED), keyed_log(SEED)
    assert print_position(rules, state) == print_position(rules, again)
    assert [commit_to_plain(rules, c) for c in log] == [commit_to_plain(rules, c) for c in log_again]


@pytest.mark.rule("OPT-4")
def test_p17_another_seed_gives_another_game() -> None:
    starts = {print_position(usa(3), keyed_log(bytes([n]) * 32, moves=2)[0]) for n in range(20)}
    assert len(starts) == 20


@pytest.mark.rule("OPT-4")
def test_p18_replaying_the_log_needs_no_luck() -> None:
    state, log = keyed_log(SEED)
    assert print_position(usa(3), fold_log(usa(3), log)) == print_position(usa(3), state)


@pytest.mark.rule("OPT-4")
def test_the_commitment_is_the_hash_of_nonce_and_seed() -> None:
    assert commitment(NONCE, SEED) == hashlib.sha256(NONCE + SEED).hexdigest()


@pytest.mark.rule("OPT-4")
def test_every_draw_can_be_audited_against_the_seed() -> None:
    _, log = keyed_log(SEED)
    published = commitment(NONCE, SEED)
    assert verify_draws(NONCE, SEED, published, log) == []
    assert verify_draws(NONCE, bytes(32), published, log) == [0]
    assert verify_draws(b"other", SEED, published, log) == [0]
    n, result = log[0].chance[3]
    log[0].chance[3] = (n, (result + 1) % n)
    log[4].chance = None
    assert verify_draws(NONCE, SEED, published, log) == [1, 5]


@pytest.mark.rule("OPT-4")
@pytest.mark.parametrize("outcome", [(0, 0), (-3, 0), (6, 6), (2**64, 0)])
def test_an_impossible_draw_is_found_out(outcome: tuple[int, int]) -> None:
    log = [Commit(1, "", None, None, None, False, [], [outcome])]
    assert verify_draws(NONCE, SEED, commitment(NONCE, SEED), log) == [1]


@pytest.mark.rule("OPT-4")
def test_draws_are_fixed_for_ever() -> None:
    """HMAC-SHA256 of a counter, eight bytes, by rejection: old games must stay auditable."""
    key = hmac.digest(SEED, b"commit:12", "sha256")
    assert commit_key(SEED, 12) == key
    assert key.hex() == GOLDEN_KEY
    chance = KeyedChance(key)
    assert [chance.below(n) for n in (110, 109, 30, 2, 1)] == GOLDEN_DRAWS
    assert chance.outcomes == list(zip((110, 109, 30, 2, 1), GOLDEN_DRAWS, strict=True))


def test_numbers_beyond_the_last_whole_span_are_drawn_anew() -> None:
    n = 2**63 + 1  # nearly half of all numbers lie beyond
    key = bytes(32)
    blocks = [hmac.digest(key, counter.to_bytes(8, "big"), "sha256")[:8] for counter in range(40)]
    expected = [value for value in (int.from_bytes(block, "big") for block in blocks) if value < n][:10]
    chance = KeyedChance(key)
    assert [chance.below(n) for _ in range(10)] == expected
    assert chance.counter > 10


@pytest.mark.parametrize("chance", [FastChance(1), KeyedChance(bytes(32))])
def test_every_outcome_comes_up_about_equally_often(chance: FastChance | KeyedChance) -> None:
    counts = [0] * 6
    for _ in range(6_000):
        counts[chance.below(6)] += 1
    assert all(850 < count < 1150 for count in counts)


def test_small_seeds_do_not_begin_alike() -> None:
    """The first outcome of every seed below 44,000 was once 0, so that seat 0 began every simulated game."""
    first = [FastChance(seed).below(4) for seed in range(400)]
    assert all(70 < first.count(outcome) < 130 for outcome in range(4))
    assert FastChance(7).below(10**6) == FastChance(7).below(10**6)
