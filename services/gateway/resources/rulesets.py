"""What anybody can look up: rule sets, boards, rules."""

from __future__ import annotations

from flask import Response, request

from services.gateway.callers import anybody, fails
from services.gateway.neighbours import relay
from services.gateway.parts import parts
from shared.contracts.rulesets import BoardSchema, RuleSchema, RulesetListSchema, RulesetSchema
from shared.web import Blueprint

FRESH_SECONDS = 300
CACHED = {"ETag": {"schema": {"type": "string"}}, "Cache-Control": {"schema": {"type": "string"}}}

rulesets = Blueprint("rulesets", __name__, description="Rule sets, boards, rules: for anybody.")


@rulesets.get("/rulesets")
@anybody
@rulesets.response(200, RulesetListSchema, headers=CACHED, description="All rule sets.")
def list_rulesets() -> Response:
    """List the rule sets"""
    return look_up("/rulesets")


@rulesets.get("/rulesets/<ruleset:ruleset>")
@anybody
@fails(404)
@rulesets.response(200, RulesetSchema, headers=CACHED, description="The rule set.")
def show_ruleset(ruleset: str) -> Response:
    """See a rule set"""
    return look_up(f"/rulesets/{ruleset}")


@rulesets.get("/boards/<name:board>")
@anybody
@fails(404)
@rulesets.response(200, BoardSchema, headers=CACHED, description="The board.")
def show_board(board: str) -> Response:
    """See a board: cities, tracks, tickets"""
    return look_up(f"/boards/{board}")


@rulesets.get("/rules/<rule:rule>")
@anybody
@fails(404)
@rulesets.response(200, RuleSchema, headers=CACHED, description="The rule.")
def show_rule(rule: str) -> Response:
    """Read a rule by its id"""
    return look_up(f"/rules/{rule}")


def look_up(path: str) -> Response:
    """Gives what the rules service says, for anybody to cache."""
    response = relay(parts().rules.ask("GET", path))
    response.headers["Cache-Control"] = f"public, max-age={FRESH_SECONDS}"
    response.add_etag()
    return response.make_conditional(request)
