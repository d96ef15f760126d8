"""From what is stored to what the kernel works with."""

from __future__ import annotations

import json
import logging
from dataclasses import dataclass
from typing import Any

from services.game_state.adapters import Adapters
from services.game_state.callers import game_not_found
from services.game_state.metrics import QUARANTINED_GAMES, REPAIRED_GAMES
from services.game_state.records import Game, Secret, Stored
from services.game_state.replay import CorruptLog, head_at, replay
from shared import catalog
from shared.kernel import Malformed, Rules, State, state_from_plain, state_to_plain
from shared.web import Problem

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Position:
    """A started game at its head, ready for the kernel; `plain` is the state in JSON-ready form."""

    game: Game
    secret: Secret
    rules: Rules
    state: State
    plain: dict[str, Any]


def load(adapters: Adapters, game: str, decision: str | None = None) -> Stored:
    """Gives a game as stored; raises Problem 404 if there is none."""
    stored = adapters.store.read(game, decision)
    if stored is None:
        raise game_not_found()
    return stored


def rules_of(game: Game) -> Rules:
    """Gives the compiled rule set a game is played by."""
    return catalog.rules_for(game.ruleset, seats=len(game.seats), options=game.options)


def position_of(adapters: Adapters, stored: Stored) -> Position:
    """Gives the position of a started game; a head that is missing, behind or unreadable is folded from the log again.

    Raises Problem 503 game_quarantined if the log itself is corrupt.
    """
    if stored.game.quarantined is not None:
        raise game_quarantined()
    rules = rules_of(stored.game)
    if stored.head is not None and stored.head.version == stored.version:
        try:
            plain = json.loads(stored.head.state)
            return Position(stored.game, stored.secret, rules, state_from_plain(rules, plain), plain)
        except (ValueError, Malformed):
            log.error("the head cannot be read", extra={"game": stored.game.id, "version": stored.version})
    state = rebuild(adapters, stored.game)
    return Position(stored.game, stored.secret, rules, state, state_to_plain(rules, state))


def rebuild(adapters: Adapters, game: Game) -> State:
    """Folds the head from the log and keeps it; raises Problem 503 game_quarantined if the log is corrupt."""
    rules = rules_of(game)
    try:
        state, _ = replay(rules, adapters.store.log(game.id))
    except CorruptLog as error:
        quarantine(adapters, game, error)
        raise game_quarantined() from error
    adapters.store.set_head(game.id, head_at(rules, state))
    REPAIRED_GAMES.inc()
    log.error("rebuilt the head from the log", extra={"game": game.id, "version": state.version})
    return state


def quarantine(adapters: Adapters, game: Game, error: CorruptLog) -> None:
    """Takes one game out of service, so that nothing is built on a corrupt log."""
    adapters.store.set_quarantine(game.id, str(error))
    QUARANTINED_GAMES.inc()
    log.error("quarantined a game with a corrupt log", extra={"game": game.id, "version": error.version})


def game_quarantined() -> Problem:
    """Gives the answer for a game whose log is corrupt."""
    detail = "This game is out of service until its log is repaired."
    return Problem(503, "game_quarantined", detail, retry_after=60)
