"""Use cases of seats: claim, release, spectators, notes."""

from __future__ import annotations

import logging
from typing import Any

from services.game_state.adapters import Adapters
from services.game_state.agenda import SECOND
from services.game_state.callers import Caller, require_owner, require_seat, viewer_of
from services.game_state.clock import now_ms
from services.game_state.games import start_or_leave
from services.game_state.positions import load
from services.game_state.records import Game
from shared.web import Problem

log = logging.getLogger(__name__)


def claim(adapters: Adapters, caller: Caller, game_id: str, seat: int, name: str) -> tuple[dict[str, Any], bool]:
    """Claims a seat for a name; gives the claim and whether it is new. The last claim starts the game (P-06).

    The same name again gets the same seat with a new epoch, so only its newest token works (P-08).
    Raises Problem 404 seat_not_found, 409 seat_taken or name_taken (P-07), and what `require_owner` raises.
    """
    game = load(adapters, game_id).game
    require_owner(caller, game)
    _check_exists(game, seat)
    outcome, epoch, fills = adapters.store.claim_seat(game_id, seat, name, start_due=now_ms() + SECOND)
    if outcome == "seat_taken":
        raise Problem(409, "seat_taken", "This seat is already taken.")
    if outcome == "name_taken":
        raise Problem(409, "name_taken", "This name already has a seat in the game.")
    log.info("%s a seat", outcome, extra={"game": game_id, "seat": seat})
    if fills:
        start_or_leave(adapters, game_id)
    return {"seat": seat, "name": name, "epoch": epoch}, outcome == "claimed"


def release(adapters: Adapters, caller: Caller, game_id: str, seat: int) -> None:
    """Frees a seat before the start; afterwards only revokes its token, for the seat stays with its name.

    Raises Problem 404 seat_not_found, 403 not_your_seat, 409 seat_taken for a bot's seat.
    """
    game = load(adapters, game_id).game
    _allow_owner_or_seat(caller, game, seat)
    if adapters.store.release_seat(game_id, seat) == "bot":
        raise Problem(409, "seat_taken", "A bot holds this seat for the whole game.")
    log.info("released a seat", extra={"game": game_id, "seat": seat})


def renew_spectators(adapters: Adapters, caller: Caller, game_id: str) -> dict[str, Any]:
    """Revokes all spectator tokens; gives the epoch of new ones. Raises what `require_owner` raises."""
    require_owner(caller, load(adapters, game_id).game)
    return {"epoch": adapters.store.raise_spectators(game_id)}


def notes(adapters: Adapters, caller: Caller, game_id: str, seat: int) -> dict[str, Any]:
    """Gives the private notes of a seat, to that seat only; raises what `require_seat` raises."""
    _allow_seat(caller, load(adapters, game_id).game, seat)
    return {"notes": adapters.store.notes(game_id, seat)}


def keep_notes(adapters: Adapters, caller: Caller, game_id: str, seat: int, text: str) -> dict[str, Any]:
    """Keeps private notes for a seat; raises what `require_seat` raises."""
    _allow_seat(caller, load(adapters, game_id).game, seat)
    adapters.store.set_notes(game_id, seat, text)
    return {"notes": text}


def _allow_owner_or_seat(caller: Caller, game: Game, seat: int) -> None:
    if viewer_of(caller, game) == seat:
        return
    if caller.kind != "owner":
        require_seat(caller, game, seat)
    _check_exists(game, seat)


def _allow_seat(caller: Caller, game: Game, seat: int) -> None:
    require_seat(caller, game, seat)
    _check_exists(game, seat)


def _check_exists(game: Game, seat: int) -> None:
    if seat >= len(game.seats):
        raise Problem(404, "seat_not_found", "This game has no such seat.")
