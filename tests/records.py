"""Records of finished games, as game-state serves them."""

from __future__ import annotations

import json
from typing import Any

from shared.kernel import Commit, ResultRecorded, commit_to_plain, commitment, score
from tests.kernel_games import AT, Game

NONCE = bytes(range(32))
Json = dict[str, Any]


def seed_of(seed: int) -> bytes:
    """The secret of a game that `tests.kernel_games.play` played with this seed."""
    return seed.to_bytes(32, "big")


def record_of(game: Game, seed: int) -> Json:
    """The record of a finished game with its result."""
    sheet = json.loads(json.dumps(score(game.rules, game.end).plain()))
    result = Commit(game.end.version + 1, AT, None, None, None, False, [ResultRecorded(sheet)], [])
    plain = {
        "game": f"game{seed}", "ruleset": game.rules.id, "options": game.rules.options, "seats": game.rules.seats,
        "commitment": commitment(NONCE, seed_of(seed)), "nonce": NONCE.hex(), "seed": seed_of(seed).hex(),
        "commits": [commit_to_plain(game.rules, commit) for commit in [*game.commits, result]],
    }  # fmt: skip
    return json.loads(json.dumps(plain))
