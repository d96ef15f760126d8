"""Who calls, and what that caller may see and do in a game.

Whoever may not see a game gets the same answer as for a game that does not exist.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NoReturn

from services.game_state.records import Game
from shared.web import Problem

READING_SERVICES = {"scoring", "maintenance"}
BUILT_IN_BOTS = "builtin"


@dataclass(frozen=True)
class Caller:
    """A verified caller: an owner, seat, spectator, bot account or service; `id` is its platform, account or name."""

    kind: str
    id: str = ""
    game: str = ""
    seat: int = -1
    epoch: int = -1


def parse_caller(header: str | None, service: str) -> Caller:
    """Gives the caller a service speaks for; without the header the service speaks for itself.

    Raises Problem 401 for a header that says nothing known, or names another service than the verified one.
    """
    if header is None:
        return Caller("service", service)
    match header.split(":"):
        case ["owner" | "bot" as kind, name] if name:
            return Caller(kind, name)
        case ["seat", game, seat, epoch] if seat.isdecimal() and epoch.isdecimal():
            return Caller("seat", game=game, seat=int(seat), epoch=int(epoch))
        case ["spectator", game, epoch] if epoch.isdecimal():
            return Caller("spectator", game=game, epoch=int(epoch))
        case ["service", name] if name == service:
            return Caller("service", service)
    raise Problem(401, "unknown_caller", "The calling service did not say for whom it calls.")


def game_not_found() -> Problem:
    """Gives the one answer for a game that does not exist or is not the caller's."""
    return Problem(404, "game_not_found", "There is no such game, or it is not yours to see.")


def not_your_seat() -> Problem:
    """Gives the answer for what only another seat may do."""
    return Problem(403, "not_your_seat", "This is another seat's to see or do.")


def viewer_of(caller: Caller, game: Game, seat: int | None = None) -> int | None:
    """Gives the seat whose view a caller gets, None for a spectator's; `seat` is the one a bot asks for.

    Raises Problem 404 for strangers, 401 for a revoked token, 403 for a bot without that seat (P-13, VIEW-11).
    """
    if caller.kind == "owner" and caller.id == game.owner:
        return None
    if caller.kind == "seat" and caller.game == game.id and caller.seat < len(game.seats):
        if caller.epoch != game.seats[caller.seat].epoch:
            _refuse_revoked()
        return caller.seat
    if caller.kind == "spectator" and caller.game == game.id:
        if caller.epoch != game.spectators:
            _refuse_revoked()
        return None
    if caller.kind == "service" and caller.id in READING_SERVICES:
        return None
    if caller.kind == "bot" and (held := _seats_of_bot(caller.id, game)):
        if seat is not None and seat not in held:
            raise not_your_seat()
        return seat
    raise game_not_found()


def require_seat(caller: Caller, game: Game, seat: int) -> None:
    """Raises the Problem that keeps everyone but this seat out: 404, 401 or 403 not_your_seat."""
    if viewer_of(caller, game, seat) != seat:
        raise not_your_seat()


def require_owner(caller: Caller, game: Game) -> None:
    """Raises the Problem that keeps everyone but the game's owner out: 404, 401 or 403 owner_only."""
    viewer_of(caller, game)
    if caller.kind != "owner":
        raise Problem(403, "owner_only", "Only the platform that created the game may do this.")


def require_service(caller: Caller, *names: str) -> None:
    """Raises Problem 403 unless the caller is one of these services speaking for itself."""
    if caller.kind != "service" or caller.id not in names:
        raise Problem(403, "service_only", "Only another service may do this.")


def _seats_of_bot(account: str, game: Game) -> set[int]:
    """The seats a bot account plays: an external bot its own; the built-in bots all, for they stand in for others."""
    return {number for number, seat in enumerate(game.seats)
            if seat.bot is not None and account in (seat.bot, BUILT_IN_BOTS)}


def _refuse_revoked() -> NoReturn:
    raise Problem(401, "token_revoked", "This token has been replaced by a newer one.")
