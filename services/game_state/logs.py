"""Use cases of a game's log: commits, the record of a finished game, its result, how far scoring has read."""

from __future__ import annotations

import json
import logging
from typing import Any

from services.game_state import present
from services.game_state.adapters import Adapters
from services.game_state.appending import append
from services.game_state.callers import Caller, viewer_of
from services.game_state.clock import moment, now_ms
from services.game_state.positions import Position, load, position_of
from shared.kernel import Commit, ResultRecorded, first_served, score
from shared.web import Problem

log = logging.getLogger(__name__)

Json = dict[str, Any]


def commits(
    adapters: Adapters, caller: Caller, game_id: str, *, after: int, limit: int, seat: int | None
) -> Json:
    """Gives the commits after a version as the caller may see them now, and the version the game has.

    Where the history would tell what is hidden, older commits than those of the last round are closed (VIEW-7): who
    asks for them gets the view of now and the commits still open. The scoring service, which shows none, reads all.
    Raises what `viewer_of` raises.
    """
    stored = load(adapters, game_id)
    viewer = viewer_of(caller, stored.game, seat)
    if stored.version <= after:
        return {"game": game_id, "version": stored.version, "commits": []}
    position = position_of(adapters, stored)
    version = position.state.version
    first = first_served(position.rules, position.state) if caller.kind != "service" else 1
    found = adapters.store.commits(game_id, after=max(after, first - 1), limit=limit)
    shown = [present.commit(position, text, viewer) for at, text in found if at <= version]
    page = {"game": game_id, "version": version, "commits": shown}
    return page if first <= after + 1 else page | {"position": present.view(position, viewer)}


def record(adapters: Adapters, caller: Caller, game_id: str) -> Json:
    """Gives all that is needed to audit every draw of a game (OPT-4, P-20); raises 409 game_not_over before the end."""
    stored = load(adapters, game_id)
    viewer_of(caller, stored.game)
    _finished(adapters, game_id)
    game = stored.game
    return {
        "game": game.id,
        "ruleset": game.ruleset,
        "options": game.options,
        "seats": len(game.seats),
        "commitment": game.commitment,
        "nonce": stored.secret.nonce.hex(),
        "seed": stored.secret.seed.hex(),
        "commits": [json.loads(text) for _, text in adapters.store.commits(game_id)],
    }


def record_result(adapters: Adapters, game_id: str, sheet: Json) -> tuple[Json, bool]:
    """Records the score sheet of a finished game in its log; gives the version and whether this call made it.

    Raises Problem 409 game_not_over, and 409 result_mismatch for a sheet that is not this position's (BASE-42).
    """
    position = _finished(adapters, game_id)
    if sheet != json.loads(json.dumps(score(position.rules, position.state).plain())):
        log.error("the result does not fit the game", extra={"game": game_id, "version": position.state.version})
        raise Problem(409, "result_mismatch", "This sheet does not belong to the end of the game.")
    if present.result(adapters, position.game, position.state.version) is not None:
        return {"version": position.state.version}, False
    version = position.state.version + 1
    commit = Commit(version, moment(now_ms()), None, None, None, False, [ResultRecorded(sheet)], [])
    if not append(adapters, position.game, position.rules, position.state, commit):
        return record_result(adapters, game_id, sheet)
    log.info("recorded the result", extra={"game": game_id, "version": version})
    return {"version": version}, True


def projected(adapters: Adapters, game_id: str, version: int) -> Json:
    """Notes that scoring has read the game up to a version; tells whether that is all there is."""
    load(adapters, game_id)
    return {"complete": adapters.agenda.projected(game_id, version)}


def _finished(adapters: Adapters, game_id: str) -> Position:
    stored = load(adapters, game_id)
    position = position_of(adapters, stored) if stored.version else None
    if position is None or not position.state.over:
        raise Problem(409, "game_not_over", "This is only to be had when the game is over.")
    return position
