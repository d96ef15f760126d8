"""How games, decisions and commits look on the wire; what a viewer may not see is left out by the kernel."""

from __future__ import annotations

import json
from typing import Any

from services.game_state.adapters import Adapters
from services.game_state.agenda import SECOND
from services.game_state.clock import moment, parse_moment
from services.game_state.positions import Position
from services.game_state.records import Game, Stored
from shared.kernel import Commit, Decision, commit_from_plain, commit_to_plain, redact, state_to_plain, view_for

Json = dict[str, Any]


def etag(stored: Stored, viewer: int | None) -> str:
    """Gives the ETag of a game for a viewer; while seats are claimed it also counts their changes (P-12)."""
    seats = f".{stored.game.revision}" if stored.version == 0 else ""
    return f'"{stored.version}.{_viewer(viewer)}{seats}"'


def summary(stored: Stored) -> Json:
    """Gives what a list shows of a game."""
    game = stored.game
    return {
        "game": game.id,
        "status": stored.status,
        "ruleset": game.ruleset,
        "created": game.created,
        "version": stored.version,
        "seats": [
            {"seat": number, "name": seat.name, "bot": seat.bot, "taken": seat.is_taken}
            for number, seat in enumerate(game.seats)
        ],
    }


def game(adapters: Adapters, stored: Stored, position: Position | None, viewer: int | None) -> Json:
    """Gives a game with the viewer's position; seed and nonce once it is over (OPT-4, VIEW-10)."""
    held = stored.game
    shown = summary(stored) | {
        "options": held.options,
        "answer_limit": held.answer_limit,
        "commitment": held.commitment,
        "seed_by": held.seed_by,
        "nonce": None,
        "seed": None,
        "viewer": _viewer(viewer),
        "decisions": [],
        "position": None,
        "result": None,
    }
    if position is None:
        return shown
    shown |= {
        "status": "over" if position.state.over else "playing",
        "version": position.state.version,
        "decisions": decisions(adapters, held, position.state.decisions),
        "position": view(position, viewer),
    }
    if position.state.over:
        shown |= {
            "nonce": position.secret.nonce.hex(),
            "seed": position.secret.seed.hex(),
            "result": result(adapters, held, position.state.version),
        }
    return shown


def view(position: Position, viewer: int | None) -> Json:
    """Gives the position as the viewer may see it."""
    return state_to_plain(position.rules, view_for(position.rules, position.state, viewer))


def decisions(adapters: Adapters, held: Game, opened: list[Decision]) -> list[Json]:
    """Gives open decisions with their deadlines, which are public (P-21)."""
    return [
        {"decision": one.id, "seat": one.seat, "kind": one.name, "deadline": deadline(adapters, held, one.opened)}
        for one in opened
    ]


def deadline(adapters: Adapters, held: Game, opened: int) -> str | None:
    """Gives when a decision that a version opened is answered for its seat; None without a limit."""
    if held.answer_limit is None:
        return None
    return moment(time_of(adapters, held, opened) + held.answer_limit * SECOND)


def time_of(adapters: Adapters, held: Game, version: int) -> int:
    """Gives the time of a commit in milliseconds."""
    return parse_moment(_stored_commit(adapters, held, version)["at"])


def result(adapters: Adapters, held: Game, version: int) -> Json | None:
    """Gives the score sheet recorded in the last commit of a finished game; None while there is none."""
    events = _stored_commit(adapters, held, version)["events"]
    return next((event["sheet"] for event in events if event["event"] == "ResultRecorded"), None)


def commit(position: Position, text: str, viewer: int | None) -> Json:
    """Gives a stored commit as the viewer may see it now."""
    whole = commit_from_plain(position.rules, json.loads(text))
    return shown_commit(position, whole, viewer)


def shown_commit(position: Position, whole: Commit, viewer: int | None) -> Json:
    """Gives a commit as the viewer may see it now."""
    return commit_to_plain(position.rules, redact(position.rules, whole, viewer, position.state))


def _stored_commit(adapters: Adapters, held: Game, version: int) -> Json:
    return json.loads(adapters.store.commit(held.id, version))


def _viewer(viewer: int | None) -> int | str:
    return "spectator" if viewer is None else viewer
