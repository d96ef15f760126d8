"""Every error is problem+json, says what to mend, and nothing else."""

from __future__ import annotations

import json

import pytest

from tests.unit.web.sample import VIOLATION, calling_as, sample_service

ORDERS = "/games/g1/orders"
MEMBERS = {"type", "title", "status", "detail", "code", "request_id", "errors", "violations"}


@pytest.fixture(scope="module")
def gateway():
    return calling_as("gateway", sample_service())


def problem(response, status: int) -> dict:
    assert response.status_code == status, response.text
    assert response.content_type == "application/problem+json"
    assert set(response.json) == MEMBERS
    assert response.json["status"] == status
    assert all(set(error) == {"pointer", "code", "detail"} for error in response.json["errors"])
    assert response.json["request_id"] == response.headers["X-Request-Id"]
    return response.json


def post(client, body: bytes | str, content_type: str = "application/json"):
    return client.post(ORDERS, data=body, content_type=content_type)


def test_good_request_is_answered(gateway) -> None:
    answer = gateway.post(ORDERS, json={"name": "Ann", "parts": [{"count": 2}]})
    assert (answer.status_code, answer.json) == (200, {"game": "g1", "name": "Ann", "parts": [{"count": 2}]})


@pytest.mark.parametrize(("body", "why"), [
    ("{", "line 1, column 2"),
    ("", "none came"),
    ('{"name": NaN}', "NaN"),
    ('{"name": -Infinity}', "NaN and infinite"),
    ('{"name": 1e999}', "NaN and infinite"),
    ('{"name": ' + "9" * 5000 + "}", "too long"),
    ("[" * 60_000, "nested too deeply"),
    ('{"a":' * 10_000 + "1" + "}" * 10_000, "nested too deeply"),
    ('{"name": "\\ud800"}', "UTF-8"),
    (b'{"name": "\xff"}', "UTF-8"),
])
def test_body_that_is_no_json_is_refused_with_the_reason(gateway, body, why: str) -> None:
    found = problem(post(gateway, body), 400)
    assert found["code"] == "malformed_json"
    assert found["errors"][0]["pointer"] == ""
    assert why in found["errors"][0]["detail"]


@pytest.mark.parametrize("content_type", ["text/plain", "application/x-www-form-urlencoded", "application/xml", ""])
def test_other_kinds_of_body_are_refused(gateway, content_type: str) -> None:
    assert problem(post(gateway, "a=1", content_type), 415)["code"] == "unsupported_media_type"


@pytest.mark.parametrize(("body", "pointers"), [
    ({}, ["/name"]),
    ({"name": 3}, ["/name"]),
    ({"name": "Ann", "colour": "red"}, ["/colour"]),
    ({"name": "Ann", "parts": [{"count": 1}, {"count": "2"}]}, ["/parts/1/count"]),
    ({"parts": [{"count": 1.5, "a/b": 1}]}, ["/name", "/parts/0/a~1b", "/parts/0/count"]),
    ([], [""]),
    ("text", [""]),
])
def test_fields_that_do_not_fit_are_pointed_at(gateway, body, pointers: list[str]) -> None:
    found = problem(post(gateway, json.dumps(body)), 422)
    assert found["code"] == "invalid_request"
    assert sorted(error["pointer"] for error in found["errors"]) == pointers


@pytest.mark.parametrize(("query", "pointer"), [("limit=many", "?limit"), ("colour=red", "?colour")])
def test_query_parameters_that_do_not_fit_are_named(query: str, pointer: str) -> None:
    answer = calling_as("scoring", sample_service()).get(ORDERS, query_string=query)
    assert [error["pointer"] for error in problem(answer, 422)["errors"]] == [pointer]


def test_unknown_address(gateway) -> None:
    assert problem(gateway.get("/nowhere"), 404)["code"] == "not_found"


def test_wrong_method_says_which_are_known(gateway) -> None:
    answer = gateway.patch(ORDERS)
    assert problem(answer, 405)["code"] == "method_not_allowed"
    assert {"GET", "POST"} <= set(answer.headers["Allow"].split(", "))


def test_body_over_64_kb_is_refused(gateway) -> None:
    assert problem(post(gateway, json.dumps({"name": "x" * 65_536})), 413)["code"] == "body_too_large"


def test_body_of_just_64_kb_is_read(gateway) -> None:
    body = json.dumps({"name": "x" * (65_536 - len('{"name": ""}'))})
    assert post(gateway, body).status_code == 200


def test_problem_raised_by_a_handler_arrives_whole(gateway) -> None:
    answer = gateway.delete(ORDERS)
    found = problem(answer, 422)
    assert (found["code"], found["violations"]) == ("rule_violation", [VIOLATION])
    assert answer.headers["Retry-After"] == "3"


def test_unforeseen_error_tells_nothing_about_itself(gateway, caplog) -> None:
    answer = gateway.put(ORDERS)
    assert problem(answer, 500)["code"] == "internal_error"
    assert "KeyError" not in answer.text
    assert "secret word" not in answer.text
    assert "KeyError" in caplog.text


def test_head_of_unknown_address_has_no_body(gateway) -> None:
    answer = gateway.head("/nowhere")
    assert (answer.status_code, answer.data) == (404, b"")
