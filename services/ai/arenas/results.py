"""What an arena keeps of a game that is over: the figures for its statistics, and its record."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from typing import Any

from services.ai.play import BotGame
from shared.kernel import NOBODY, TRACKS, Commit, ResultRecorded, commit_to_plain, commitment, score

Json = dict[str, Any]


def result_of(game: BotGame, number: int, entrants: Sequence[int]) -> Json:
    """The figures of a game that is over: its number in the arena, and by seat the entrant, rank, points, points by
    reason, tickets held at the end as {ticket: completed}, and what `Held` counts; tracks claimed; its length."""
    sheet = score(game.rules, game.state)
    seats = []
    for seat, (entrant, held) in enumerate(zip(entrants, game.seats, strict=True)):
        reasons: Counter[str] = Counter()
        tickets = {}
        for line in sheet.lines[seat]:
            reasons[line.reason] += line.points
            if "ticket" in line.evidence:
                tickets[line.evidence["ticket"]] = line.evidence["completed"]
        seats.append({
            "entrant": entrant, "rank": sheet.ranks[seat], "points": sheet.totals[seat], "reasons": reasons,
            "tickets": tickets, "decisions": held.decisions, "ms": held.ms, "speeds": held.speeds,
            "failures": held.failures,
        })  # fmt: skip
    tracks = game.state.parts[TRACKS]
    owners = [] if tracks is None else tracks.owners
    return {
        "game": number,
        "seats": seats,
        "tracks": [game.rules.board.tracks[track] for track, seat in enumerate(owners) if seat != NOBODY],
        "decisions": game.decisions,
        "turns": sum(held.turns for held in game.seats),
    }


def record_of(game: BotGame, number: int, entrants: Sequence[int], at: str) -> Json:
    """The record of a game that is over and whose log was kept, in the form that hosted games have, result included;
    `at` is the time of the result."""
    rules = game.rules
    sheet = score(rules, game.state).plain()
    nonce = hashlib.sha256(game.seed).digest()
    result = Commit(game.state.version + 1, at, None, None, None, False, [ResultRecorded(sheet)], [])
    return {
        "number": number,
        "entrants": list(entrants),
        "ruleset": rules.id,
        "options": rules.options,
        "seats": rules.seats,
        "commitment": commitment(nonce, game.seed),
        "nonce": nonce.hex(),
        "seed": game.seed.hex(),
        "commits": [commit_to_plain(rules, commit) for commit in (*game.commits, result)],
    }
