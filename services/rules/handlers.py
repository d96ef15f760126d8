"""What the rules service can do: everything follows from the request alone."""

from __future__ import annotations

from typing import Any

from prometheus_client import Counter

from shared import catalog, kernel
from shared.web import Problem

Json = dict[str, Any]

SUMMARY = ("name", "about", "board", "seats", "options")
DECIDES = Counter("whistlestop_decides_total", "Moves decided on, by outcome.", ["outcome"])


def start(asked: Json) -> Json:
    """The events of a game's first commit (BASE-4) and the outcomes of its draws."""
    chance = kernel.KeyedChance(bytes.fromhex(asked["key"]))
    rules = _rules(asked)
    _, events = kernel.new_game(rules, chance)
    return {"events": kernel.events_to_plain(rules, events), "chance": chance.outcomes}


def decide(asked: Json) -> Json:
    """The events that the move causes and the outcomes of its draws.

    Raises Problem 422 `rule_violation` for a move against a rule (BASE-8): then no chance was used.
    """
    rules = _rules(asked)
    state = _position(rules, asked["position"])
    if isinstance(state, kernel.View):
        raise _malformed("/position/viewer", "a full position is needed, not a view")
    decision = _decision(state, asked["decision"])
    move = _move(rules, asked["move"])
    chance = kernel.KeyedChance(bytes.fromhex(asked["key"]))
    try:
        events = kernel.advance(rules, state, decision, move, chance)
    except kernel.RuleViolation as violation:
        DECIDES.labels("refused").inc()
        raise Problem(
            422, "rule_violation", "The move is against the rules.", violations=[_violation(violation)]
        ) from None
    DECIDES.labels("accepted").inc()
    return {"events": kernel.events_to_plain(rules, events), "chance": chance.outcomes}


def legal_moves(asked: Json) -> Json:
    """The legal answers to the decision, payments canonical."""
    rules = _rules(asked)
    state = _position(rules, asked["position"])
    moves = kernel.legal_moves(rules, state, _own_decision(state, asked["decision"]))
    return {"legal_moves": [kernel.move_to_plain(rules, move) for move in moves]}


def validate(asked: Json) -> Json:
    """Whether the move is a legal answer, and if not, the rule it breaks."""
    rules = _rules(asked)
    state = _position(rules, asked["position"])
    decision = _own_decision(state, asked["decision"])
    try:
        kernel.check(rules, state, decision, _move(rules, asked["move"]))
    except kernel.RuleViolation as violation:
        return {"legal": False, "violation": _violation(violation)}
    return {"legal": True}


def rulesets() -> Json:
    """Every rule set a game can be created with, in short."""
    return {"rulesets": [_shown(catalog.ruleset(name), *SUMMARY) for name in catalog.rulesets()]}


def ruleset(name: str) -> Json:
    """A rule set with all that it is made of. Raises Problem 404."""
    try:
        source = catalog.ruleset(name)
    except catalog.UnknownId:
        raise Problem(404, "ruleset_not_found", "There is no such rule set.") from None
    return _shown(source, *(field for field in source if field not in ("id", "revision")))


def board(name: str) -> Json:
    """One board. Raises Problem 404."""
    try:
        return catalog.board(name)
    except catalog.UnknownId:
        raise Problem(404, "board_not_found", "There is no such board.") from None


def rule(name: str) -> Json:
    """The text of a rule. Raises Problem 404."""
    try:
        return {"rule": name, "text": catalog.rule_text(name)}
    except catalog.UnknownId:
        raise Problem(404, "rule_not_found", "There is no such rule.") from None


def _shown(source: Json, *fields: str) -> Json:
    return {"ruleset": f"{source['id']}@{source['revision']}", **{field: source[field] for field in fields}}


def _rules(asked: Json) -> kernel.Rules:
    try:
        return catalog.rules_for(asked["ruleset"], seats=asked["seats"], options=asked["options"])
    except catalog.UnknownId:
        raise _malformed("/ruleset", "there is no such rule set", "unknown_ruleset") from None
    except kernel.Malformed as error:
        raise _malformed(error.pointer, error.detail) from None


def _position(rules: kernel.Rules, given: str | Json) -> kernel.State:
    try:
        if isinstance(given, str):
            return kernel.parse_position(rules, given)
        return kernel.state_from_plain(rules, given)
    except kernel.Malformed as error:
        raise _malformed(f"/position{error.pointer}", error.detail) from None


def _move(rules: kernel.Rules, given: Json) -> kernel.Move:
    try:
        return kernel.move_from_plain(rules, given)
    except kernel.Malformed as error:
        raise _malformed(f"/move{error.pointer}", error.detail) from None


def _decision(state: kernel.State, name: str) -> kernel.Decision:
    decision = state.decision(name)
    if decision is None:
        raise _malformed("/decision", "this decision is not open in this position", "decision_not_open")
    return decision


def _own_decision(state: kernel.State, name: str) -> kernel.Decision:
    """The open decision; from a view only the viewer's own, for nothing else can be judged from it (VIEW-8)."""
    decision = _decision(state, name)
    if isinstance(state, kernel.View) and state.viewer != decision.seat:
        raise _malformed("/decision", "this view does not show what the decision's seat holds", "not_your_seat")
    return decision


def _malformed(pointer: str, detail: str, code: str = "malformed") -> Problem:
    return Problem(422, "invalid_request", errors=[{"pointer": pointer, "code": code, "detail": detail}])


def _violation(violation: kernel.RuleViolation) -> Json:
    return {
        "code": violation.code,
        "rule": violation.rule,
        "text": catalog.rule_text(violation.rule),
        "data": violation.data,
    }
