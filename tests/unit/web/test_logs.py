"""Log lines: one JSON object each, with the fields to find a request by, and never a token."""

from __future__ import annotations

import io
import json
import logging

import pytest

from shared.contracts.logs import LineFormatter, bind, bound_request_id, log_config, unbind
from tests.unit.web.sample import calling_as, sample_service

ORDERS = "/games/g1/orders"


def line(message: str, **extra) -> dict:
    record = logging.LogRecord("here", logging.INFO, __file__, 1, message, (), None)
    vars(record).update(extra)
    text = LineFormatter("rules").format(record)
    assert "\n" not in text
    return json.loads(text)


@pytest.fixture
def lines():
    client = calling_as("gateway", sample_service())
    written = io.StringIO()
    handler = logging.StreamHandler(written)
    handler.setFormatter(LineFormatter("rules"))

    def request(**options) -> list[dict]:
        client.post(ORDERS, **options)
        return [json.loads(text) for text in written.getvalue().splitlines()]

    logging.getLogger().addHandler(handler)
    yield request
    logging.getLogger().removeHandler(handler)


def test_line_has_the_fixed_fields() -> None:
    found = line("hello")
    assert found["time"].endswith("Z")
    assert (found["level"], found["service"], found["message"]) == ("info", "rules", "hello")


def test_what_is_bound_is_in_every_line_until_unbound() -> None:
    bind(request_id="r1")
    bind(game="g1", version=7)
    assert bound_request_id() == "r1"
    found = line("hello", extra_field=1)
    assert (found["request_id"], found["game"], found["version"], found["extra_field"]) == ("r1", "g1", 7, 1)
    unbind()
    assert bound_request_id() is None
    assert "request_id" not in line("hello")


@pytest.mark.parametrize("token", ["pk_a1-B2", "bt_a1.B2", "st_eyJ.x_y-z", "sp_q", "Service gateway>rules.ab.cd",
                                   "Bearer xyz"])
def test_tokens_are_blotted_out(token: str) -> None:
    text = json.dumps(line(f"called with '{token}'", header=token))
    assert token not in text
    assert "***" in text


def test_errors_show_where_they_happened_and_not_what_they_say() -> None:
    secret = "the red card"
    try:
        raise ValueError(secret)
    except ValueError as error:
        found = line("failed", exc_info=(type(error), error, error.__traceback__))
    assert "ValueError" in found["exc_info"]
    assert "test_logs.py" in found["exc_info"]
    assert secret not in json.dumps(found)


def test_every_answer_leaves_a_line_with_its_request_id(lines) -> None:
    (found,) = lines(json={"name": "Ann"}, headers={"X-Request-Id": "abc-1"})
    assert (found["request_id"], found["game"], found["method"], found["status"]) == ("abc-1", "g1", "POST", 200)
    assert found["route"] == "/games/<game>/orders"
    assert found["ms"] >= 0


@pytest.mark.parametrize("given", ["", "x" * 65, "a b", "<script>", "a\tb"])
def test_odd_request_ids_are_replaced(lines, given: str) -> None:
    (found,) = lines(json={"name": "Ann"}, headers={"X-Request-Id": given})
    assert found["request_id"] != given
    assert len(found["request_id"]) == 16


def test_lines_hold_neither_body_nor_query_nor_token(lines) -> None:
    found = lines(json={"name": "secret-name"}, query_string="word=secret-word",
                  headers={"Whistlestop-Caller": "seat:x"})
    assert found
    text = json.dumps(found)
    for word in ("secret-name", "secret-word", "seat:x", "Service"):
        assert word not in text


def test_configuration_is_for_one_service_and_level() -> None:
    config = log_config("rules", "warning")
    assert (config["root"]["level"], config["formatters"]["line"]["service"]) == ("WARNING", "rules")
