"""Use cases of arenas: create, show, list, cancel, read records."""

from __future__ import annotations

import base64
import hashlib
import json
import logging
import secrets
from datetime import UTC, datetime
from typing import Any, NoReturn

from services.ai.arenas.counting import count, tally_of
from services.ai.arenas.specification import Refused, Specification
from services.ai.arenas.store import Arena, ArenaStore
from shared.contracts.arenas import MOST_SEED
from shared.web import Problem

MOST_LIVE = 5
"""How many arenas of one owner may run at once."""
RETRY_SECONDS = 30
ID_BYTES = 10

Json = dict[str, Any]

log = logging.getLogger(__name__)


def create(store: ArenaStore, request: Json) -> tuple[str, bool]:
    """Creates an arena; gives its id and whether it is new. The same idempotency key and request give the same arena.

    Raises Problem 409 idempotency_conflict, 422 for what cannot be played, 429 too_many_arenas.
    """
    owner, key = request.pop("owner"), request.pop("idempotency_key", None)
    arena = _id_from(owner, key) if key is not None else _encode(secrets.token_bytes(ID_BYTES))
    digest = hashlib.sha256(json.dumps(request, sort_keys=True).encode()).hexdigest()
    known = store.read(arena)
    if known is None:
        try:
            specification = Specification.checked(request, seed=secrets.randbelow(MOST_SEED + 1))
        except Refused as refused:
            raise Problem(422, "invalid_request", "This arena cannot be played.", errors=refused.faults) from None
        if not store.take_room(owner, arena, MOST_LIVE):
            detail = f"At most {MOST_LIVE} of your arenas run at once; wait for one to end or cancel one."
            raise Problem(429, "too_many_arenas", detail, retry_after=RETRY_SECONDS)
        created = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        outcome = store.create(arena, owner, digest=digest, created=created, specification=specification.plain())
        log.info("created an arena", extra={"arena": arena})
    else:
        outcome = "same" if known.digest == digest else "conflict"
    if outcome == "conflict":
        detail = "This idempotency key has already created an arena from another request."
        raise Problem(409, "idempotency_conflict", detail)
    return arena, outcome == "created"


def show(store: ArenaStore, owner: str, arena: str) -> Json:
    """Gives an arena of this owner with what is known of its games so far. Raises Problem 404 arena_not_found."""
    found = count(store, _own(store, owner, arena)) or _not_found()
    return _head(found) | Specification.from_plain(found.specification).shown(tally_of(store, found))


def listing(store: ArenaStore, owner: str, *, cursor: str | None, limit: int) -> Json:
    """Gives a page of an owner's arenas, the newest first; raises Problem 422 for a cursor that is not one."""
    try:
        found, following = store.arenas_of(owner, after=cursor, limit=limit)
    except LookupError:
        fault = {"pointer": "?cursor", "code": "invalid", "detail": "This is not a cursor of your list."}
        raise Problem(422, "invalid_request", "The cursor is not one of this list.", errors=[fault]) from None
    arenas = [_head(arena) | Specification.from_plain(arena.specification).summary() for arena in found]
    return {"arenas": arenas, "next": following}


def cancel(store: ArenaStore, owner: str, arena: str) -> Json:
    """Ends an arena of this owner; what is done stays, and one that has ended stays as it is. Raises Problem 404."""
    _own(store, owner, arena)
    store.cancel(arena)
    return show(store, owner, arena)


def records(store: ArenaStore, owner: str, arena: str, *, after: int, limit: int) -> list[Json]:
    """Gives the records of games that are over, in order, with numbers above `after`.

    Raises Problem 404 arena_not_found, and 409 records_not_kept where they were not asked for.
    """
    found = _own(store, owner, arena)
    if not Specification.from_plain(found.specification).records:
        raise Problem(409, "records_not_kept", "Ask for records when you create the arena.")
    return store.records(arena, after=after, limit=limit)


def _own(store: ArenaStore, owner: str, arena: str) -> Arena:
    found = store.read(arena)
    return found if found is not None and found.owner == owner else _not_found()


def _not_found() -> NoReturn:
    raise Problem(404, "arena_not_found", "There is no such arena, or it is not yours to see.")


def _head(arena: Arena) -> Json:
    return {"arena": arena.id, "status": arena.status, "created": arena.created, "done": arena.done}


def _id_from(owner: str, key: str) -> str:
    return _encode(hashlib.sha256(json.dumps([owner, key]).encode()).digest()[:ID_BYTES])


def _encode(raw: bytes) -> str:
    return base64.b32encode(raw).decode().lower()
