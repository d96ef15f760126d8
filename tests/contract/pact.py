"""The pact between the services: which schema each answer of each resource fits, and a watch on every answer given."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

from flask import Flask, Response, request
from marshmallow import Schema, ValidationError

from shared.contracts.arenas import ArenaPageSchema, ArenaSchema, QueuesSchema
from shared.contracts.bots import BotListSchema, BotSchema, BotTokenSchema, CreatedBotSchema
from shared.contracts.commits import CommitPageSchema, RecordSchema
from shared.contracts.decisions import AnsweredSchema, DecisionSchema
from shared.contracts.games import CreatedGameSchema, GamePageSchema, GameSchema, SpectatorsSchema
from shared.contracts.internal_games import (
    AuditSchema,
    ClaimSchema,
    EpochSchema,
    ProjectedSchema,
    ResultSchema,
    StartedSchema,
)
from shared.contracts.notes import NotesSchema
from shared.contracts.problems import PROBLEM_TYPE, ProblemSchema
from shared.contracts.rulesets import BoardSchema, RuleSchema, RulesetListSchema, RulesetSchema
from shared.contracts.rulings import DecidedSchema, LegalMovesSchema
from shared.contracts.scores import ScoresSchema
from shared.contracts.seats import ClaimedSeatSchema
from shared.contracts.validations import ValidationSchema
from shared.contracts.work import FreeWorkSchema, WorkSchema

ANSWERS: dict[str, dict[str, type[Schema]]] = {
    "gateway": {
        "POST /v1/games": CreatedGameSchema,
        "GET /v1/games": GamePageSchema,
        "GET /v1/games/{game}": GameSchema,
        "PUT /v1/games/{game}/spectators": SpectatorsSchema,
        "PUT /v1/games/{game}/seats/{seat}": ClaimedSeatSchema,
        "GET /v1/games/{game}/seats/{seat}/notes": NotesSchema,
        "PUT /v1/games/{game}/seats/{seat}/notes": NotesSchema,
        "GET /v1/games/{game}/decisions/{decision}": DecisionSchema,
        "PUT /v1/games/{game}/decisions/{decision}/answer": AnsweredSchema,
        "GET /v1/games/{game}/commits": CommitPageSchema,
        "GET /v1/games/{game}/record": RecordSchema,
        "GET /v1/games/{game}/scores": ScoresSchema,
        "GET /v1/rulesets": RulesetListSchema,
        "GET /v1/rulesets/{ruleset}": RulesetSchema,
        "GET /v1/boards/{board}": BoardSchema,
        "GET /v1/rules/{rule}": RuleSchema,
        "GET /v1/bots": BotListSchema,
        "POST /v1/bots": CreatedBotSchema,
        "PUT /v1/bots/{bot}/token": BotTokenSchema,
        "GET /v1/bots/me": BotSchema,
        "POST /v1/bots/me/work": WorkSchema,
        "PUT /v1/bots/me/work/{held}/answer": AnsweredSchema,
        "POST /v1/arenas": ArenaSchema,
        "GET /v1/arenas": ArenaPageSchema,
        "GET /v1/arenas/{arena}": ArenaSchema,
        "DELETE /v1/arenas/{arena}": ArenaSchema,
        "POST /v1/validations": ValidationSchema,
    },
    "game_state": {
        "POST /games": GameSchema,
        "GET /games": GamePageSchema,
        "GET /games/{game}": GameSchema,
        "PUT /games/{game}/spectators": EpochSchema,
        "PUT /games/{game}/seats/{seat}": ClaimSchema,
        "GET /games/{game}/seats/{seat}/notes": NotesSchema,
        "PUT /games/{game}/seats/{seat}/notes": NotesSchema,
        "GET /games/{game}/decisions/{decision}": DecisionSchema,
        "PUT /games/{game}/decisions/{decision}/answer": AnsweredSchema,
        "POST /games/{game}/decisions/{decision}/default": AnsweredSchema,
        "GET /work": FreeWorkSchema,
        "POST /work": WorkSchema,
        "PUT /work/{held}/answer": AnsweredSchema,
        "GET /games/{game}/commits": CommitPageSchema,
        "GET /games/{game}/record": RecordSchema,
        "PUT /games/{game}/result": ResultSchema,
        "POST /games/{game}/projected": ProjectedSchema,
        "POST /games/{game}/start": StartedSchema,
        "POST /games/{game}/audit": AuditSchema,
    },
    "rules": {
        "POST /start": DecidedSchema,
        "POST /decide": DecidedSchema,
        "POST /legal-moves": LegalMovesSchema,
        "POST /validations": ValidationSchema,
        "GET /rulesets": RulesetListSchema,
        "GET /rulesets/{ruleset}": RulesetSchema,
        "GET /boards/{board}": BoardSchema,
        "GET /rules/{rule}": RuleSchema,
    },
    "scoring": {"GET /scores/{game}": ScoresSchema},
    "ai": {
        "GET /bots": BotListSchema,
        "POST /arenas": ArenaSchema,
        "GET /arenas": ArenaPageSchema,
        "GET /arenas/{arena}": ArenaSchema,
        "DELETE /arenas/{arena}": ArenaSchema,
        "GET /queues": QueuesSchema,
    },
}
"""Resources that are missing here answer without a JSON body: 204, or a stream."""


class Pact:
    """Compares every answer of the apps it watches with the pact."""

    def __init__(self) -> None:
        self.broken: list[str] = []
        self.kept: Counter[str] = Counter()

    def watch(self, app: Flask, service: str) -> None:
        """Has every answer of a service checked from now on."""

        @app.after_request
        def check(response: Response) -> Response:
            if response.mimetype in ("application/json", PROBLEM_TYPE) and not _is_elsewhere(app):
                self._check(service, response)
            return response

    def _check(self, service: str, response: Response) -> None:
        if response.status_code >= 400:
            resource, schema = f"{service} problem", ProblemSchema
        else:
            name = f"{request.method} {template(request.url_rule.rule)}"
            resource, schema = f"{service} {name}", ANSWERS[service].get(name)
        if response.status_code == 304:
            return
        fault = "is in no pact" if schema is None else faults(schema, response.get_data())
        if fault:
            self.broken.append(f"{resource} {response.status_code}: {fault}")
        self.kept[resource] += 1


def faults(schema: type[Schema], body: bytes) -> str:
    """Says how a body breaks its schema: what is wrong, or that it holds something the schema does not know."""
    sent = json.loads(body)
    try:
        read = json.loads(json.dumps(schema().load(sent)))
    except ValidationError as error:
        return str(error.messages)
    unknown = sorted(_paths(sent) - _paths(read))
    return f"{schema.__name__} does not know {', '.join(unknown)}" if unknown else ""


def _paths(value: Any, path: str = "") -> set[str]:
    """Gives the path of every field in a body, list positions left out."""
    if isinstance(value, dict):
        return {path}.union(*(_paths(inner, f"{path}/{key}") for key, inner in value.items()))
    if isinstance(value, list):
        return {path}.union(*(_paths(inner, f"{path}/*") for inner in value))
    return {path}


def template(rule: str) -> str:
    """Gives a Flask rule as a template: /games/<game> as /games/{game}."""
    parts = rule.replace("<", "{").replace(">", "}").split("{")
    return parts[0] + "".join("{" + part[part.find(":", 0, part.find("}")) + 1:] for part in parts[1:])


def _is_elsewhere(app: Flask) -> bool:
    """Whether the request is for what every service has, or for an address that does not exist."""
    return request.blueprint in ("operations", "docs")
