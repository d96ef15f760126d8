"""The OpenAPI document is current, complete and true: schemathesis finds no 5xx and no answer it does not describe."""

from __future__ import annotations

import json
from itertools import count

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from jsonschema import Draft202012Validator
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from services.gateway.docs import FILE
from services.gateway.document import document, render
from services.gateway.tokens import BOT, PLATFORM, SEAT, SPECTATOR
from tests.contract.pact import template

pytestmark = pytest.mark.xdist_group("contract")

CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_headers_conformance,
          response_schema_conformance]  # fmt: skip
EXAMPLES = 20
turns = count()


schema = schemathesis.openapi.from_dict(json.loads(FILE.read_text()))


@schema.parametrize()
@settings(max_examples=EXAMPLES, deadline=None, derandomize=True, database=None,
          suppress_health_check=list(HealthCheck))  # fmt: skip
def test_the_gateway_does_what_it_says(case, stack, waiting, playing, over):
    turn = next(turns)
    game = (playing, over, waiting)[turn % 3]
    if turn % 5 and "game" in case.path_parameters:
        case.path_parameters["game"] = game.id
        if "decision" in case.path_parameters:
            case.path_parameters["decision"] = next((one["decision"] for one in game.show()["decisions"]), "1.0")
        if turn % 2 and "seat" in case.path_parameters:
            case.path_parameters["seat"] = 0
    if case.operation.path.endswith("/stream"):
        case.path_parameters["game"] = over.id
    tokens = {PLATFORM: stack.key, SEAT: game.seats[0], SPECTATOR: game.spectator, BOT: stack.bot}
    token = [*tokens.values(), None][turn % 5] if turn % 4 == 0 else tokens[_wanted(case)]
    case.headers = {**(case.headers or {}), **({"Authorization": f"Bearer {token}"} if token else {})}
    case.call_and_validate(base_url=stack.url, checks=CHECKS, timeout=10)


def _wanted(case) -> str:
    return next((kind for one in case.operation.definition.raw.get("security", []) for kind in one), PLATFORM)


def test_the_committed_document_is_current():
    assert FILE.read_text() == render(document()), "run `make openapi` and look at what changed"


def test_the_document_covers_every_resource(stack):
    described = {f"{method.upper()} {path}" for path, methods in document()["paths"].items()
                 for method in methods if method != "parameters"}  # fmt: skip
    served = {
        f"{method} {template(rule.rule)}"
        for rule in stack.apps["gateway"].url_map.iter_rules() if rule.rule.startswith("/v1/")
        for method in rule.methods - {"HEAD", "OPTIONS"}
    }  # fmt: skip
    assert described == served


def test_the_document_is_complete():
    found = document()
    assert found["openapi"] == "3.1.0"
    assert set(found["components"]["securitySchemes"]) == {PLATFORM, BOT, SEAT, SPECTATOR}
    for path, methods in found["paths"].items():
        for method, operation in methods.items():
            if method == "parameters":
                continue
            where = f"{method} {path}"
            assert operation["operationId"] and operation["summary"] and operation["tags"], where
            statuses = set(operation["responses"])
            assert "security" in operation and {"429", "503"} <= statuses, where
            assert ({"401", "403"} <= statuses) == bool(operation["security"]), where
            assert ({"400", "413", "415", "422"} <= statuses) == ("requestBody" in operation), where
            if "{" in path:
                assert "404" in statuses, where


def test_every_schema_of_the_document_is_a_json_schema():
    for schema in document()["components"]["schemas"].values():
        Draft202012Validator.check_schema(schema)
