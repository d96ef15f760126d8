"""Use cases of external bots: what they have to do, and holding a decision as work for a while."""

from __future__ import annotations

import logging
from typing import Any

from services.game_state import answers, present
from services.game_state.adapters import Adapters
from services.game_state.agenda import SECOND
from services.game_state.callers import Caller
from services.game_state.clock import moment, now_ms
from services.game_state.positions import load
from services.game_state.records import Stored
from services.game_state.work_store import ABORTED, EXPIRED, HELD, HeldWork, Holding
from shared.contracts.bots import owner_of
from shared.web import Problem

LEASE = 15 * SECOND
"""How long work may be held; longer than any bot that plays with people should think."""
REFUSALS = {
    EXPIRED: ("work_expired", "You have held this work for too long; another answers for you."),
    ABORTED: ("work_aborted", "You have given this work back."),
}

Json = dict[str, Any]

log = logging.getLogger(__name__)


def free(adapters: Adapters, caller: Caller) -> Json:
    """Gives the decisions that a bot has to make and nobody holds, those first that wait longest.

    Raises Problem 403 bots_only.
    """
    return {
        "turns": [
            {"game": game, "decision": work.decision, "seat": _seat(work.decision), "deadline": moment(work.free_until)}
            for game, work in adapters.work.free(_bot(caller))
        ]
    }


def take(adapters: Adapters, caller: Caller, most: int) -> Json | None:
    """Takes the work that has waited longest, for a while; None if there is none.

    Raises Problem 429 too_much_work for a bot that holds as many decisions as it may, 403 bots_only.
    """
    bot = _bot(caller)
    if adapters.work.held(bot) >= most:
        raise _too_much_work(adapters, bot, most)
    for game, work in adapters.work.free(bot):
        try:
            held = adapters.work.take(bot, game, work.decision, lease=LEASE, most=most)
        except LookupError:
            raise _too_much_work(adapters, bot, most) from None
        if held is not None and (question := _question(adapters, caller, held)) is not None:
            return {"work": held.id, "lease": (held.until - now_ms()) // SECOND, "question": question}
    return None


def answer(adapters: Adapters, caller: Caller, work_id: str, move: Json) -> tuple[Json, bool]:
    """Answers with held work; gives the commit as the seat may see it, and whether this call made it.

    An answer is judged by when it came, so the same one again gives the same commit.
    Raises Problem 404 work_not_found, 409 work_expired, work_aborted or work_not_held, and what `answers.answer` does.
    """
    stored, holding, decision, nonce = _find(adapters, caller, work_id)
    _check_held(adapters, stored, holding, nonce)
    answered = answers.answer(adapters, caller, stored.game.id, decision, move)
    adapters.work.let_go(caller.id, work_id)
    return answered


def abort(adapters: Adapters, caller: Caller, work_id: str) -> None:
    """Gives work back: another worker of the bot may take it or, the second time, the fallback answers at once.

    Raises Problem 404 work_not_found, 409 work_expired, work_not_held or decision_answered.
    """
    stored, holding, decision, nonce = _find(adapters, caller, work_id)
    if holding.state(nonce, now_ms()) == ABORTED:
        return
    _check_held(adapters, stored, holding, nonce)
    if stored.answer is not None:
        raise Problem(409, "decision_answered", "This work is done.")
    adapters.work.abort(caller.id, stored.game.id, decision, nonce)
    adapters.work.let_go(caller.id, work_id)
    log.info("gave work back", extra={"game": stored.game.id, "bot": caller.id})


def _question(adapters: Adapters, caller: Caller, held: HeldWork) -> Json | None:
    """What is to be decided; None, and the work is let go, where that cannot be found out or is decided already."""
    try:
        question = answers.show(adapters, caller, held.game, held.decision)
        if question["status"] == "open":
            return question
    except Problem as problem:
        log.warning("work that cannot be done: %s", problem.code, extra={"game": held.game})
    adapters.work.let_go(caller.id, held.id)
    return None


def _find(adapters: Adapters, caller: Caller, work_id: str) -> tuple[Stored, Holding, str, str]:
    """The game of some work, its latest holding, the decision and the nonce of the id."""
    bot = _bot(caller)
    game_id, _, rest = work_id.partition(".")
    decision, _, nonce = rest.rpartition(".")
    try:
        stored = load(adapters, game_id, decision)
        is_own = stored.game.seats[_seat(decision)].bot == bot
    except (Problem, ValueError, IndexError):
        is_own = False
    holding = adapters.work.holding(game_id, decision) if is_own else None
    if holding is None:
        raise Problem(404, "work_not_found", "There is no such work, or it is not yours.")
    return stored, holding, decision, nonce


def _check_held(adapters: Adapters, stored: Stored, holding: Holding, nonce: str) -> None:
    """Refuses work that was not held when its decision was answered or, if it is still open, is not held now."""
    answered = stored.answer and present.time_of(adapters, stored.game, stored.answer.version)
    state = holding.state(nonce, answered or now_ms())
    if state != HELD:
        code, detail = REFUSALS.get(state, ("work_not_held", "Another worker has taken this decision since."))
        raise Problem(409, code, detail)


def _bot(caller: Caller) -> str:
    if caller.kind != "bot" or owner_of(caller.id) is None:
        raise Problem(403, "bots_only", "Only an external bot has work.")
    return caller.id


def _seat(decision: str) -> int:
    return int(decision.rpartition(".")[2])


def _too_much_work(adapters: Adapters, bot: str, most: int) -> Problem:
    detail = f"You hold {adapters.work.held(bot)} decisions of at most {most}; answer or abort one first."
    return Problem(429, "too_much_work", detail, retry_after=1)
