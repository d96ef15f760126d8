"""The OpenAPI document is current, complete and true: schemathesis finds no 5xx and no answer it does not describe."""

from __future__ import annotations

import json

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from schemathesis import GenerationMode
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
EXAMPLES = 40
OPERATIONS = [found.ok() for found in schemathesis.openapi.from_dict(json.loads(FILE.read_text())).get_all_operations()]


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.label)
def test_the_gateway_does_what_it_says(operation, stack, waiting, playing, over, arena):
    bot = stack.bring_bot()
    games = (over,) if operation.path.endswith("/stream") else (playing, over, waiting)
    cases = [operation.as_strategy(mode, path_parameters=_known(operation, game, arena, bot.id)) for game in games
             for mode in _modes(operation)]  # fmt: skip
    if "/stream" not in operation.path:
        cases.append(operation.as_strategy())
    tokens = [token for game in games for token in (game.seats[0], game.seats[0], game.spectator)]
    tokens += [stack.bot, *[bot.token] * _share(operation, len(tokens))]

    @settings(max_examples=EXAMPLES, deadline=None, derandomize=True, database=None,
              suppress_health_check=list(HealthCheck))  # fmt: skip
    @given(case=st.one_of(cases), token=st.sampled_from([stack.key, stack.key, *tokens, "st_forged"]))
    def check(case, token):
        case.headers = {**(case.headers or {}), "Authorization": f"Bearer {token}"}
        case.call_and_validate(base_url=stack.url, checks=CHECKS, timeout=10)

    check()


def _share(operation, others: int) -> int:
    """How often the bot's own token is tried: often where it is needed, but not on the stream, which would not end."""
    if operation.path.endswith("/bots/me/stream"):
        return 0
    return others if "/bots/me" in operation.path else 1


def _modes(operation) -> list[GenerationMode]:
    """Whether there is anything that a request could get wrong."""
    return list(GenerationMode) if operation.body or operation.query else [GenerationMode.POSITIVE]


def _known(operation, game, arena, bot) -> dict[str, str | int]:
    """Path parameters that lead somewhere."""
    decision = next((found["decision"] for found in game.show()["decisions"]), "1.0")
    known = {"game": game.id, "decision": decision, "seat": 0, "ruleset": "usa", "board": "usa", "rule": "BASE-24",
             "arena": arena, "bot": bot, "held": f"{game.id}.{decision}.{'0' * 16}"}  # fmt: skip
    return {parameter.name: known[parameter.name] for parameter in operation.path_parameters}


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
            kinds = [kind for named in operation["security"] for kind in named]
            assert kinds == [kind for kind in found["components"]["securitySchemes"] if kind in kinds], where
            assert ({"400", "413", "415", "422"} <= statuses) == ("requestBody" in operation), where
            if "{" in path:
                assert "404" in statuses, where


def test_every_schema_of_the_document_is_a_json_schema():
    for schema in document()["components"]["schemas"].values():
        Draft202012Validator.check_schema(schema)


def test_every_example_of_a_request_fits_its_schema():
    found = document()
    operations = [operation for methods in found["paths"].values() for operation in methods.values()]
    bodies = [content for operation in operations if "requestBody" in operation
              for content in operation["requestBody"]["content"].values() if "examples" in content]  # fmt: skip
    assert bodies
    for content in bodies:
        schema = {**content["schema"], "components": found["components"]}
        for example in content["examples"].values():
            Draft202012Validator(schema).validate(example["value"])


@pytest.mark.parametrize(("path", "status"), [("/games", 201), ("/validations", 200)])
def test_the_examples_of_a_platforms_requests_are_accepted_as_they_stand(stack, path, status):
    """What the page at /docs fills in for the reader."""
    [content] = document()["paths"][f"/v1{path}"]["post"]["requestBody"]["content"].values()
    answers = {name: stack.send("POST", path, json=example["value"]) for name, example in content["examples"].items()}
    assert {name: answer.status_code for name, answer in answers.items()} == dict.fromkeys(content["examples"], status)
    if path == "/validations":
        judged = {name: answer.json() for name, answer in answers.items()}
        assert judged["legal"] == {"legal": True}
        assert judged["too_cheap"]["violation"]["rule"] == "BASE-24"
