"""Bots that can hold a seat: built-in ones, and those that platforms bring along."""

from __future__ import annotations

from typing import Any

from flask import Response, g, jsonify

from services.gateway.callers import anybody, fails, missing, only
from services.gateway.external_bots import MOST_BOTS, TooMany, full_name
from services.gateway.parts import parts
from services.gateway.tokens import BOT, PLATFORM
from shared.catalog import UnknownId, ruleset
from shared.contracts.bots import BotListSchema, BotSchema, BotTokenSchema, CreatedBotSchema, NewBotSchema, owner_of
from shared.web import Blueprint, Problem

Json = dict[str, Any]

bots = Blueprint("bots", __name__, description="Who can hold a seat; bots of your own.")


@bots.get("/bots")
@anybody
@bots.response(200, BotListSchema, description="The built-in bots and, with a platform's key, its own.")
def list_bots() -> Response:
    """List the bots"""
    is_platform = g.caller is not None and g.caller.kind == PLATFORM
    return jsonify(bots=parts().roster.listing(g.caller.id if is_platform else None))


@bots.post("/bots")
@only(PLATFORM)
@fails(400, 409, 413, 415)
@bots.arguments(NewBotSchema)
@bots.response(201, CreatedBotSchema, description="Created; the token is shown this once.")
def create_bot(about: Json) -> Response:
    """Create a bot of your own

    It runs wherever you like, with its token, and can hold seats in your games only. 409: it exists
    (`bot_exists`; renew its token if it is lost), or you have as many as you may (`too_many_bots`).
    """
    _check_rulesets(about.get("rulesets", []))
    try:
        token = parts().external_bots.create(g.caller.id, about)
    except TooMany:
        detail = f"You have {MOST_BOTS} bots, as many as you may; delete one first."
        raise Problem(409, "too_many_bots", detail) from None
    bot = full_name(g.caller.id, about["bot"])
    if token is None:
        raise Problem(409, "bot_exists", f"There is a bot {bot} already.")
    response = jsonify({**parts().external_bots.find(bot), "token": token})
    response.status_code = 201
    return response


@bots.put("/bots/<bot:bot>/token")
@only(PLATFORM)
@fails(404)
@bots.response(200, BotTokenSchema, description="The new token; earlier ones are void.")
def renew_bot_token(bot: str) -> Response:
    """Renew the token of your bot"""
    _check_own(bot)
    return jsonify(bot=bot, token=parts().external_bots.renew_token(bot))


@bots.delete("/bots/<bot:bot>")
@only(PLATFORM)
@fails(404)
@bots.response(204, description="Gone, and its tokens void.")
def delete_bot(bot: str) -> Response:
    """Delete your bot

    Seats that it holds stay its own; legal moves of a fallback are made for it. Created again it plays on.
    """
    _check_own(bot)
    parts().external_bots.delete(bot)
    return Response(status=204)


@bots.get("/bots/me")
@only(BOT)
@fails(404)
@bots.response(200, BotSchema, description="The bot whose token this is.")
def show_own_bot() -> Response:
    """See yourself, as a bot"""
    return jsonify(own_bot())


def own_bot() -> Json:
    """Gives the external bot that calls. Raises Problem 404 for an account that is none."""
    return parts().external_bots.find(g.caller.id) or _not_found()


def _check_own(bot: str) -> None:
    if owner_of(bot) != g.caller.id or parts().external_bots.find(bot) is None:
        _not_found()


def _check_rulesets(named: list[str]) -> None:
    errors = []
    for number, name in enumerate(named):
        try:
            ruleset(name)
        except UnknownId:
            fault = {"code": "unknown_ruleset", "detail": "There is no such rule set."}
            errors.append({"pointer": f"/rulesets/{number}", **fault})
    if errors:
        raise Problem(422, "invalid_request", "A bot can play only rule sets that there are.", errors=errors)


def _not_found() -> Any:
    raise missing("bot_not_found")
