"""What external bots have to do: told as it comes up, or taken as work by one worker at a time."""

from __future__ import annotations

from contextlib import ExitStack
from typing import Any

import redis
from flask import Response, g, request

from services.gateway.callers import fails, only, token_of_request
from services.gateway.following import follow_turns, wait_for
from services.gateway.neighbours import relay
from services.gateway.parts import Parts, parts
from services.gateway.resources.bots import own_bot
from services.gateway.resources.decisions import EXAMPLES, LOCATION, relay_answered
from services.gateway.resources.streams import EVENTS, LINES, accepted_type, streamed, take_place
from services.gateway.tokens import BOT
from shared.contracts.decisions import AnsweredSchema, AnswerSchema
from shared.contracts.work import TakeWorkQuerySchema, TurnSchema, WorkSchema
from shared.web import Blueprint, Problem
from shared.web.client import Answer

Json = dict[str, Any]

EVENT = {
    "type": "object",
    "properties": {"event": {"const": "your_turn"}, "data": {"type": "string", "description": "A Turn as JSON."}},
    "required": ["event", "data"],
}
SHAPES = "`your_turn` events, or a line each."

work = Blueprint("work", __name__, description="What your bot has to do, told or taken.")


@work.get("/bots/me/stream")
@only(BOT)
@fails(404, 406)
@work.response(200, EVENT, content_type=EVENTS, description=SHAPES)
@work.alt_response(200, schema=TurnSchema, content_type=LINES, description=SHAPES)
def stream_turns() -> Response:
    """Follow what your bot has to do

    As server-sent events or, by `Accept`, as lines of JSON: every decision that is open for the bot and held by none of
    its workers, then each as it comes up. See the decision, and answer it before its deadline; else another does, for
    that decision only. A comment or an empty line shows now and then that the stream lives. 503: too many streams;
    taking work still goes.
    """
    media_type, bot, found = accepted_type(), own_bot()["bot"], parts()

    token = token_of_request()

    def turns() -> list[Json]:
        if not _is_good(found, token):
            raise Problem(401, "token_revoked")
        return found.game_state.ask("GET", "/work").json()["turns"]

    with ExitStack() as held:
        take_place(held)
        items = follow_turns(bot, turns, found.hub, heartbeat=found.tuning.heartbeat)
        return streamed(items, media_type, held, bot=bot)


@work.post("/bots/me/work")
@only(BOT)
@fails(404)
@work.arguments(TakeWorkQuerySchema, location="query")
@work.response(201, WorkSchema, description="Yours until the lease ends, with all that is needed to choose.")
@work.alt_response(204, success=True, description="There is nothing to do.")
def take_work(query: Json) -> Response:
    """Take a decision as work

    The one that has waited longest; no other worker of the bot gets it while the lease lasts. When that ends without an
    answer another answers for the bot, for that decision only. With `wait` it comes as soon as there is something to
    do, or nothing when the time is up; when too many are waiting already, at once. 429 `too_much_work`: the bot holds
    as many decisions as it may.
    """
    bot, found = own_bot(), parts()

    def ask() -> Answer:
        return found.game_state.ask("POST", "/work", json={"most": bot["concurrency"]})

    if not query["wait"]:
        return relay(ask())
    with found.waits.take(g.caller.account) as refusal:
        return relay(wait_for(ask, _is_work, found.hub, bot["bot"], 0 if refusal else query["wait"]))


@work.put("/bots/me/work/<work:held>/answer")
@only(BOT)
@fails(400, 404, 409, 413, 415)
@work.arguments(AnswerSchema, examples=EXAMPLES)
@work.response(201, AnsweredSchema, headers=LOCATION, description="Accepted.")
@work.alt_response(200, schema=AnsweredSchema, headers=LOCATION, success=True,
                   description="Accepted before: the same answer again.")
def answer_work(_: Json, held: str) -> Response:
    """Answer with your work

    As answering the decision itself, but only while you hold it. 409 besides: the lease has ended (`work_expired`), you
    have given it back (`work_aborted`), or another worker has it now (`work_not_held`); then nothing has changed.
    """
    return relay_answered(parts().game_state.ask("PUT", f"/work/{held}/answer", data=request.get_data()))


@work.delete("/bots/me/work/<work:held>")
@only(BOT)
@fails(404, 409)
@work.response(204, description="Given back.")
def abort_work(held: str) -> Response:
    """Give work back

    Another worker of the bot may take it at once; the second time another answers for the bot. 409: the lease has ended
    (`work_expired`), another worker has it (`work_not_held`), or it is done (`decision_answered`).
    """
    parts().game_state.ask("DELETE", f"/work/{held}", safe=True)
    return Response(status=204)


def _is_good(found: Parts, token: str) -> bool:
    """Whether the token has not been revoked meanwhile. Raises Problem 503 where that cannot be found out."""
    try:
        return found.accounts.find(token) is not None
    except redis.RedisError:
        raise Problem(503, "store_unavailable") from None


def _is_work(answer: Answer) -> bool:
    return answer.status_code == 201
