"""Use cases of whole games: create, start, show, list."""

from __future__ import annotations

import base64
import hashlib
import json
import logging
import secrets
from typing import Any

from services.game_state import present
from services.game_state.adapters import Adapters
from services.game_state.agenda import SECOND
from services.game_state.appending import append
from services.game_state.callers import Caller, viewer_of
from services.game_state.clock import moment, now_ms
from services.game_state.positions import load, position_of, rules_of
from services.game_state.records import Game, Seat, Secret
from services.game_state.replay import digest_of_plain
from shared import catalog
from shared.kernel import Commit, Malformed, Rules, commit_key, commitment, empty_state
from shared.web import Problem

log = logging.getLogger(__name__)

SEED_BYTES = 32
ID_BYTES = 10


def create(adapters: Adapters, request: dict[str, Any]) -> tuple[str, bool]:
    """Creates a game; gives its id and whether it is new. The same idempotency key and request give the same game.

    The seed is the server's own unless the host gives one (OPT-4); a game whose seats are all taken starts at once.
    Raises Problem 409 idempotency_conflict, and 422 for what the rule set does not allow (BASE-1, OPT-5).
    """
    key = request.pop("idempotency_key", None)
    game_id = _id_from(request["owner"], key) if key is not None else _encode(secrets.token_bytes(ID_BYTES))
    digest = digest_of_plain(request)
    rules = _rules_for(request)
    now = now_ms()
    host_seed = request.get("seed")
    secret = Secret(
        seed=bytes.fromhex(host_seed) if host_seed else secrets.token_bytes(SEED_BYTES),
        nonce=secrets.token_bytes(SEED_BYTES),
    )
    game = Game(
        id=game_id,
        owner=request["owner"],
        ruleset=rules.id,
        options=rules.options,
        created=moment(now),
        answer_limit=request.get("answer_limit"),
        commitment=commitment(secret.nonce, secret.seed),
        seed_by="host" if host_seed else "server",
        seats=_seats_of(request),
        spectators=1,
        revision=0,
        quarantined=None,
    )
    outcome = adapters.store.create(game, secret, digest=digest, now=now, start_due=now + SECOND)
    if outcome == "conflict":
        detail = "This idempotency key has already created a game from another request."
        raise Problem(409, "idempotency_conflict", detail)
    if outcome == "created":
        log.info("created a game", extra={"game": game_id})
        if game.is_full:
            start_or_leave(adapters, game_id)
    return game_id, outcome == "created"


def start(adapters: Adapters, game_id: str) -> int:
    """Starts a game all of whose seats are taken, once (P-06); gives its version, 0 while seats are free.

    Raises Problem 503 rules_unavailable; then the agenda sees to it.
    """
    stored = load(adapters, game_id)
    if stored.version > 0 or not stored.game.is_full:
        return stored.version
    rules = rules_of(stored.game)
    made = adapters.rules.start(rules, commit_key(stored.secret.seed, 1))
    commit = Commit(1, moment(now_ms()), None, None, None, False, made.events, made.chance)
    if append(adapters, stored.game, rules, empty_state(rules), commit):
        log.info("started a game", extra={"game": game_id, "version": 1})
    return 1


def start_or_leave(adapters: Adapters, game_id: str) -> None:
    """Starts a game that has just filled up; if that cannot be now, the agenda has it already."""
    try:
        start(adapters, game_id)
    except Problem as problem:
        log.warning("left the start to the agenda: %s", problem.code, extra={"game": game_id})


def show(
    adapters: Adapters, caller: Caller, game_id: str, *, seat: int | None = None, known: str | None = None
) -> tuple[dict[str, Any] | None, str]:
    """Gives a game as its caller may see it, and its ETag; None for the game if the caller knows that ETag already.

    Raises Problem 404, 401 or 403 as `viewer_of`, and 503 game_quarantined.
    """
    stored = load(adapters, game_id)
    viewer = viewer_of(caller, stored.game, seat)
    tag = present.etag(stored, viewer)
    if known is not None and tag in [part.strip().removeprefix("W/") for part in known.split(",")]:
        return None, tag
    position = position_of(adapters, stored) if stored.version else None
    return present.game(adapters, stored, position, viewer), tag


def listing(adapters: Adapters, owner: str, *, cursor: str | None, limit: int) -> dict[str, Any]:
    """Gives a page of an owner's games, the newest first; raises Problem 422 for a cursor that is not one."""
    try:
        found, following = adapters.store.games_of(owner, after=cursor, limit=limit)
    except LookupError:
        fault = {"pointer": "?cursor", "code": "invalid", "detail": "This is not a cursor of your list."}
        raise Problem(422, "invalid_request", "The cursor is not one of this list.", errors=[fault]) from None
    return {"games": [present.summary(stored) for stored in found], "next": following}


def _id_from(owner: str, key: str) -> str:
    return _encode(hashlib.sha256(json.dumps([owner, key]).encode()).digest()[:ID_BYTES])


def _encode(raw: bytes) -> str:
    return base64.b32encode(raw).decode().lower()


def _rules_for(request: dict[str, Any]) -> Rules:
    """Gives the rule set, which fixes its revision for this game and fills in the options."""
    try:
        return catalog.rules_for(request["ruleset"], seats=len(request["seats"]), options=request["options"])
    except catalog.UnknownId:
        fault = {"pointer": "/ruleset", "code": "unknown_ruleset", "detail": "There is no such rule set."}
    except Malformed as error:
        fault = {"pointer": error.pointer, "code": "not_allowed", "detail": error.detail}
    raise Problem(422, "invalid_request", "The rule set does not allow this game.", errors=[fault])


def _seats_of(request: dict[str, Any]) -> tuple[Seat, ...]:
    names = [seat["name"] for seat in request["seats"] if "name" in seat]
    for number, seat in enumerate(request["seats"]):
        if names.count(seat.get("name")) > 1:
            fault = {"pointer": f"/seats/{number}/name", "code": "name_taken", "detail": "Two seats have this name."}
            raise Problem(422, "invalid_request", "Each seat needs its own name.", errors=[fault])
    return tuple(
        Seat(seat.get("name"), seat.get("bot"), 1 if "name" in seat else 0) for seat in request["seats"]
    )
