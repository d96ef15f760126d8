"""One time slice of an arena's games, as a worker plays it."""

from __future__ import annotations

import logging
import time
from functools import lru_cache

import redis
from celery.exceptions import SoftTimeLimitExceeded
from prometheus_client import Counter

from services.ai.arenas.results import record_of, result_of
from services.ai.arenas.specification import Specification
from services.ai.arenas.store import KEPT, ArenaStore, Claim
from services.ai.failures import FAILURES
from services.ai.guard import Guard
from services.ai.play import Endless, Held

SLICE_SECONDS = 0.5
"""How long a worker plays before it looks whether there is something more urgent."""
MOST_LOSSES = 3
LOST, ENDLESS, BROKEN = "lost", "endless", "broken"
"""Why a game is given up: its worker died of it again and again, it would not end, or its rules failed."""

GAMES = Counter("whistlestop_arena_games_total", "Games of arenas, by what became of them.", ["outcome"])
SLICES = Counter("whistlestop_arena_slices_total", "Time slices in which games of arenas were played.")
THINKING = Counter("whistlestop_arena_thinking_seconds_total", "CPU time of decisions in arenas.", ["bot"])
DECISIONS = Counter("whistlestop_arena_decisions_total", "Decisions in arenas.", ["bot"])

log = logging.getLogger(__name__)


def play_slice(store: ArenaStore) -> bool:
    """Plays games of the arena whose turn it is until the time is up; tells whether there was any.

    A game that is not over by then is put aside. Raises redis.RedisError, SoftTimeLimitExceeded and MemoryError: then
    the lease of the game that was played runs out and another worker takes it up where it was put aside last.
    """
    until = time.monotonic() + SLICE_SECONDS
    for arena in store.turns():
        if claim := store.claim(arena):
            break
    else:
        return False
    specification, created = _arena(store, arena)
    with Guard() as guard:
        while claim:
            _play(store, arena, specification, created, claim, guard, until)
            claim = store.claim(arena) if time.monotonic() < until else None
    SLICES.inc()
    return True


@lru_cache(maxsize=32)
def _arena(store: ArenaStore, arena: str) -> tuple[Specification, str]:
    found = store.read(arena)
    assert found is not None
    return Specification.from_plain(found.specification), found.created


def _play(
    store: ArenaStore, arena: str, specification: Specification, created: str, claim: Claim, guard: Guard, until: float
) -> None:
    number, record = claim.game, None
    if claim.losses >= MOST_LOSSES:
        _give_up(store, arena, number, LOST)
        return
    try:
        entrants = specification.schedule.seated(number)
        game = specification.game(number, at=created if specification.records else None, aside=claim.aside)
        if not game.play(until, guard):
            store.put_aside(arena, claim, game.plain())
            return
        result = result_of(game, number, entrants)
        if specification.records:
            record = record_of(game, number, entrants, created)
    except (redis.RedisError, SoftTimeLimitExceeded, MemoryError):
        raise
    except Exception as error:
        log.exception("a game of an arena was given up", extra={"arena": arena, "number": number})
        _give_up(store, arena, number, ENDLESS if isinstance(error, Endless) else BROKEN)
        return
    if store.finish(arena, result, record) == KEPT:
        GAMES.labels("played").inc()
        for entrant, held in zip(entrants, game.seats, strict=True):
            _measure(specification.entrants[entrant], held)


def _give_up(store: ArenaStore, arena: str, number: int, reason: str) -> None:
    if store.finish(arena, {"game": number, "abandoned": reason}) == KEPT:
        GAMES.labels(reason).inc()


def _measure(bot: str, held: Held) -> None:
    THINKING.labels(bot).inc(held.ms / 1000)
    DECISIONS.labels(bot).inc(held.decisions)
    for reason, number in held.failures.items():
        FAILURES.labels(bot, reason).inc(number)
