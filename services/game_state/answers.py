"""Use cases of decisions: show one, answer it, answer it for a seat whose time is up. Each is answered exactly once."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

from services.game_state import present
from services.game_state.adapters import Adapters
from services.game_state.appending import append, members_of_decision
from services.game_state.callers import Caller, require_seat, viewer_of
from services.game_state.clock import moment, now_ms
from services.game_state.metrics import REFUSED_MOVES
from services.game_state.positions import Position, load, position_of
from services.game_state.records import Answer, Stored
from services.game_state.replay import digest_of
from shared.kernel import (
    Commit,
    Decision,
    Malformed,
    Move,
    commit_key,
    default_move,
    first_served,
    legal_moves,
    move_from_plain,
    move_to_plain,
    state_to_plain,
    view_for,
)
from shared.web import Problem

log = logging.getLogger(__name__)

TRIES = 8
Json = dict[str, Any]


def show(adapters: Adapters, caller: Caller, game_id: str, decision_id: str) -> Json:
    """Gives a decision, open or answered; its own seat also gets, while it is open, all it needs to choose (VIEW-8).

    Raises Problem 404 decision_not_found, and what `viewer_of` raises.
    """
    stored = load(adapters, game_id, decision_id)
    opened, seat = _parts(decision_id)
    viewer = viewer_of(caller, stored.game, seat)
    position = _position(adapters, stored)
    decision = position.state.decision(decision_id)
    if stored.answer is None and decision is None:
        raise _decision_not_found()
    kind = stored.answer.kind if stored.answer else decision.name
    shown = {
        "decision": decision_id,
        "game": game_id,
        "seat": seat,
        "kind": kind,
        "status": "answered" if stored.answer else "open",
        "opened": opened,
        "deadline": present.deadline(adapters, stored.game, opened),
        "commit": stored.answer.version if stored.answer else None,
    }
    if stored.answer is None and viewer == seat:
        shown |= _choice(adapters, position, decision)
    return shown


def answer(adapters: Adapters, caller: Caller, game_id: str, decision_id: str, given: Json) -> tuple[Json, bool]:
    """Answers a decision with a move; gives the commit as its seat may see it, and whether this call made it.

    The same move again gives the same commit (P-03); late answers count while the decision is open.
    Raises Problem 409 decision_answered for another move, 409 answer_closed for any where the commit is closed
    (VIEW-7), 409 decision_not_open, 422 rule_violation, 404, 401, 403, 503 rules_unavailable (the decision stays open).
    """
    stored = load(adapters, game_id, decision_id)
    _, seat = _parts(decision_id)
    require_seat(caller, stored.game, seat)

    def choose(position: Position, decision: Decision | None) -> Move:
        try:
            return move_from_plain(position.rules, given)
        except Malformed as error:
            fault = {"pointer": f"/move{error.pointer}", "code": "malformed_move", "detail": error.detail}
            raise Problem(422, "invalid_request", "This is not a move of this game.", errors=[fault]) from None

    return _settle(adapters, stored, decision_id, choose, forced=False)


def answer_by_default(adapters: Adapters, game_id: str, decision_id: str) -> Json:
    """Answers a decision for its seat with the default move, marked as forced (BASE-44).

    Raises Problem 409 decision_not_open when it is not open any more, and takes it off the agenda then.
    """
    stored = load(adapters, game_id, decision_id)

    def choose(position: Position, decision: Decision | None) -> Move:
        if decision is None:
            adapters.agenda.remove(game_id, members_of_decision(game_id, decision_id))
            raise _decision_not_open()
        return default_move(position.rules, position.state, decision)

    answered, _ = _settle(adapters, stored, decision_id, choose, forced=True)
    log.warning("answered for a seat", extra={"game": game_id, "version": answered["version"]})
    return answered


def _settle(
    adapters: Adapters,
    stored: Stored,
    decision_id: str,
    choose: Callable[[Position, Decision | None], Move],
    *,
    forced: bool,
) -> tuple[Json, bool]:
    """Carries an answer through, deciding again whenever the game has moved on meanwhile (P-01, P-05)."""
    game_id = stored.game.id
    for _ in range(TRIES):
        position = _position(adapters, stored)
        decision = position.state.decision(decision_id)
        move = choose(position, decision)
        if stored.answer is not None:
            return _given_before(adapters, position, stored.answer, decision_id, move), False
        if decision is None:
            raise _not_open(position, decision_id)
        commit = _decide(adapters, position, decision, move, forced=forced)
        mark = Answer(commit.version, decision.name, digest_of(position.rules, move))
        if append(adapters, position.game, position.rules, position.state, commit, mark):
            log.info("answered", extra={"game": game_id, "version": commit.version})
            return _answered(decision_id, present.shown_commit(position, commit, decision.seat)), True
        stored = load(adapters, game_id, decision_id)
    raise Problem(503, "game_busy", "Too many answers came at once; send yours again.", retry_after=1)


def _decide(adapters: Adapters, position: Position, decision: Decision, move: Move, *, forced: bool) -> Commit:
    version = position.state.version + 1
    key = commit_key(position.secret.seed, version)
    plain_move = move_to_plain(position.rules, move)
    try:
        made = adapters.rules.decide(position.rules, position.plain, decision.id, plain_move, key)
    except Problem as problem:
        for violation in problem.violations:
            REFUSED_MOVES.labels(violation["rule"]).inc()
        raise
    return Commit(version, moment(now_ms()), decision.seat, decision.id, move, forced, made.events, made.chance)


def _given_before(adapters: Adapters, position: Position, mark: Answer, decision_id: str, move: Move) -> Json:
    """The commit again; where it is closed (VIEW-7) not even whether the move is the same can be found out."""
    if mark.version < first_served(position.rules, position.state):
        raise Problem(409, "answer_closed", "The answer to this decision is closed until the game is over (VIEW-7).")
    if digest_of(position.rules, move) != mark.digest:
        raise Problem(409, "decision_answered", "This decision already has another answer.")
    _, seat = _parts(decision_id)
    made = present.commit(position, adapters.store.commit(position.game.id, mark.version), seat)
    return _answered(decision_id, made)


def _answered(decision_id: str, commit: Json) -> Json:
    return {"decision": decision_id, "version": commit["version"], "commit": commit}


def _choice(adapters: Adapters, position: Position, decision: Decision) -> Json:
    view = view_for(position.rules, position.state, decision.seat)
    moves = legal_moves(position.rules, view, decision)
    return {
        "view": state_to_plain(position.rules, view),
        "legal_moves": [move_to_plain(position.rules, move) for move in moves],
        "notes": adapters.store.notes(position.game.id, decision.seat),
    }


def _position(adapters: Adapters, stored: Stored) -> Position:
    if stored.version == 0:
        raise _decision_not_found()
    return position_of(adapters, stored)


def _parts(decision_id: str) -> tuple[int, int]:
    opened, _, seat = decision_id.partition(".")
    if not (opened.isdecimal() and seat.isdecimal() and opened.isascii() and seat.isascii()):
        raise _decision_not_found()
    return int(opened), int(seat)


def _not_open(position: Position, decision_id: str) -> Problem:
    """A version that exists asked this seat nothing; one that does not is no decision at all."""
    opened, _ = _parts(decision_id)
    return _decision_not_open() if 0 < opened <= position.state.version else _decision_not_found()


def _decision_not_open() -> Problem:
    return Problem(409, "decision_not_open", "There is nothing to answer here.")


def _decision_not_found() -> Problem:
    return Problem(404, "decision_not_found", "There is no such decision.")
