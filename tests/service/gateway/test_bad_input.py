"""Whatever comes in, the answer is a problem with a 4xx, and says where the fault is."""

from __future__ import annotations

import http.client
import json
import logging

import pytest
import requests

from shared.contracts.logs import LineFormatter
from shared.contracts.problems import PROBLEM_TYPE, ProblemSchema
from tests.service.gateway.fakes import TURN

JSON = {"Content-Type": "application/json"}
NESTED = b"[" * 30_000 + b"]" * 30_000

def _claim(payment: dict) -> dict:
    return {"move": {"move": "ClaimTrack", "track": "a-b", "payment": payment}}


MALFORMED = {
    "nothing": b"",
    "half": b'{"move":',
    "not a number": b'{"move": NaN}',
    "infinity": b'{"move": -Infinity}',
    "infinite by size": b'{"move": 1e999}',
    "absurd number": b'{"move": ' + b"9" * 5000 + b"}",
    "deep": b'{"move": ' + NESTED + b"}",
    "deep objects": b'{"a":' * 9000 + b"1" + b"}" * 9000,
    "not UTF-8": b'{"move": "\xff\xfe"}',
    "UTF-16": '{"move": {}}'.encode("utf-16"),
    "half a character": b'{"move": {"move": "\\ud800"}}',
}
FIELDS = {
    "a list": ([], "", "wrong_type"),
    "null": (None, "", "wrong_type"),
    "no move": ({}, "/move", "required"),
    "null move": ({"move": None}, "/move", "wrong_type"),
    "text": ({"move": "Pass"}, "/move", "wrong_type"),
    "unknown move": ({"move": {"move": "Cheat"}}, "/move/move", "unknown_move"),
    "no name": ({"move": {}}, "/move/move", "unknown_move"),
    "list as name": ({"move": {"move": []}}, "/move/move", "unknown_move"),
    "a field too many": ({"move": TURN, "seat": 1}, "/seat", "unknown_field"),
    "a field too many in the move": ({"move": {**TURN, "card": "red"}}, "/move/card", "unknown_field"),
    "a card too odd": ({"move": {"move": "DrawFromDisplay", "card": "Red Card"}}, "/move/card", "malformed"),
    "a bool as number": (_claim({"blue": True}), "/move/payment/blue", "wrong_type"),
    "a float as number": (_claim({"blue": 1.0}), "/move/payment/blue", "wrong_type"),
    "less than one card": (_claim({"blue": 0}), "/move/payment/blue", "out_of_range"),
    "more cards than there are": (_claim({"blue": 10**30}), "/move/payment/blue", "out_of_range"),
    "no cards": (_claim({}), "/move/payment", "out_of_range"),
    "an odd key": (_claim({"b/~": 1}), "/move/payment/b~1~0", "malformed"),
    "a number as ticket": ({"move": {"move": "KeepTickets", "tickets": [1]}}, "/move/tickets/0", "wrong_type"),
    "many tickets": ({"move": {"move": "KeepTickets", "tickets": ["a-b"] * 21}}, "/move/tickets", "out_of_range"),
}
GAMES = {
    "no seats": ({"ruleset": "usa"}, "/seats", "required"),
    "an empty table": ({"ruleset": "usa", "seats": []}, "/seats", "out_of_range"),
    "too many seats": ({"ruleset": "usa", "seats": [{}] * 11}, "/seats", "out_of_range"),
    "a name and a bot": ({"ruleset": "usa", "seats": [{}, {"name": "A", "bot": "b"}]}, "/seats/1", "conflict"),
    "a bot that nobody plays": ({"ruleset": "usa", "seats": [{}, {"bot": "deep"}]}, "/seats/1/bot", "unknown_bot"),
    "a line break in a name": ({"ruleset": "usa", "seats": [{"name": "Ann\n"}]}, "/seats/0/name", "malformed"),
    "a blank name": ({"ruleset": "usa", "seats": [{"name": " "}]}, "/seats/0/name", "malformed"),
    "a name that steers terminals": ({"ruleset": "usa", "seats": [{"name": "a\x9b31m"}]}, "/seats/0/name", "malformed"),
    "a name that runs backwards": ({"ruleset": "usa", "seats": [{"name": "\u202ennA"}]}, "/seats/0/name", "malformed"),
    "a long name": ({"ruleset": "usa", "seats": [{"name": "A" * 41}]}, "/seats/0/name", "malformed"),
    "an odd rule set": ({"ruleset": "usa\n", "seats": [{}]}, "/ruleset", "malformed"),
    "an odd seed": ({"ruleset": "usa", "seats": [{}], "seed": "AB" * 32}, "/seed", "malformed"),
    "a bool as limit": ({"ruleset": "usa", "seats": [{}], "answer_limit": True}, "/answer_limit", "wrong_type"),
    "no time at all": ({"ruleset": "usa", "seats": [{}], "answer_limit": 0}, "/answer_limit", "out_of_range"),
    "more than a week": ({"ruleset": "usa", "seats": [{}], "answer_limit": 604801}, "/answer_limit", "out_of_range"),
    "a list as option": ({"ruleset": "usa", "seats": [{}], "options": {"a": []}}, "/options/a", "wrong_type"),
    "an owner": ({"ruleset": "usa", "seats": [{}], "owner": "other"}, "/owner", "unknown_field"),
}
ADDRESSES = {
    "/games/no%20game": 404, "/games/" + "x" * 65: 404, "/games/a%2Fb": 404, "/games/%00": 404, "/games/%ff": 404,
    "/games/g%0A": 404, "/games/table/decisions/0.0": 404, "/games/table/decisions/1.0%0A": 404,
    "/games/table/decisions/1.10": 404, "/games/table/decisions/" + "9" * 400 + ".0": 404,
    "/games/table/seats/10/notes": 404, "/games/table/seats/-1/notes": 404, "/games/table/seats/one/notes": 404,
    "/games/table/commits?after=-1": 422, "/games/table/commits?after=x": 422, "/games/table/commits?after=1.0": 422,
    "/games/table/commits?after=" + "9" * 400: 422, "/games/table/commits?after=%D9%A1": 422,
    "/games/table/commits?wait=26": 422, "/games/table/commits?limit=0": 422, "/games/table/commits?limit=501": 422,
    "/games/table/commits?since=1": 422, "/games/table?seat=99": 422, "/games/table/stream?after=": 422,
    "/games/": 404, "/": 404, "/nothing": 404, "/../healthz": 404,
}  # fmt: skip


@pytest.fixture
def ann(gateway) -> str:
    gateway.games.add("table")
    return gateway.seat("table", 0)


def _checked(answer: requests.Response) -> dict:
    assert answer.headers["Content-Type"] == PROBLEM_TYPE
    found = answer.json()
    assert ProblemSchema().load(found)["status"] == answer.status_code
    assert found["request_id"] == answer.headers["X-Request-Id"]
    return found


@pytest.mark.parametrize("body", MALFORMED.values(), ids=MALFORMED)
def test_what_is_not_json_is_refused(gateway, ann, body):
    answer = gateway.put("/games/table/decisions/1.0/answer", ann, data=body, headers=JSON)
    assert (answer.status_code, _checked(answer)["code"]) == (400, "malformed_json")


@pytest.mark.parametrize(("body", "pointer", "code"), FIELDS.values(), ids=FIELDS)
def test_a_fault_in_an_answer_is_pointed_at(gateway, ann, body, pointer, code):
    answer = gateway.put("/games/table/decisions/1.0/answer", ann, data=json.dumps(body), headers=JSON)
    assert answer.status_code == 422
    assert (pointer, code) in [(error["pointer"], error["code"]) for error in _checked(answer)["errors"]]
    assert gateway.games.games["table"].version == 1


@pytest.mark.parametrize(("body", "pointer", "code"), GAMES.values(), ids=GAMES)
def test_a_fault_in_a_new_game_is_pointed_at(gateway, platform, body, pointer, code):
    answer = gateway.send("POST", "/games", platform, json=body)
    assert answer.status_code == 422
    assert [(error["pointer"], error["code"]) for error in _checked(answer)["errors"]] == [(pointer, code)]


@pytest.mark.parametrize(("path", "status"), ADDRESSES.items())
def test_an_odd_address_is_refused(gateway, ann, path, status):
    connection = http.client.HTTPConnection(gateway.url.removeprefix("http://"))
    connection.request("GET", f"/v1{path}", headers={"Authorization": f"Bearer {ann}"})
    answer = connection.getresponse()
    found = json.loads(answer.read())
    assert (answer.status, found["status"]) == (status, status)
    assert answer.headers["Content-Type"] == PROBLEM_TYPE
    if status == 422:
        assert found["errors"][0]["pointer"].startswith("?")


def test_notes_beyond_4_kb_are_refused(gateway, ann):
    for notes, status in (("é" * 2048, 200), ("é" * 2048 + "x", 422)):
        assert gateway.put("/games/table/seats/0/notes", ann, json={"notes": notes}).status_code == status


def test_a_body_beyond_64_kb_is_refused(gateway, ann):
    answer = gateway.put("/games/table/seats/0/notes", ann, json={"notes": "x" * 65_536})
    assert (answer.status_code, _checked(answer)["code"]) == (413, "body_too_large")


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", None])
def test_another_kind_of_body_is_refused(gateway, ann, kind):
    answer = gateway.put("/games/table/seats/0/notes", ann, data=b'{"notes": ""}', headers={"Content-Type": kind})
    assert (answer.status_code, _checked(answer)["code"]) == (415, "unsupported_media_type")


def test_another_method_is_refused(gateway, ann):
    answer = gateway.send("DELETE", "/games/table", ann)
    assert (answer.status_code, _checked(answer)["code"]) == (405, "method_not_allowed")
    assert "GET" in answer.headers["Allow"]


def test_another_representation_is_refused(gateway, ann):
    answer = gateway.get("/games/table/stream", ann, headers={"Accept": "text/html"})
    assert (answer.status_code, _checked(answer)["code"]) == (406, "not_acceptable")


def test_no_log_line_holds_what_was_sent(gateway, ann, caplog):
    caplog.set_level(logging.DEBUG)
    gateway.put("/games/table/decisions/1.0/answer", ann, json={"move": {"move": "Pass", "token": "st_secret-of-ann"}})
    lines = [LineFormatter("gateway").format(record) for record in caplog.records]
    assert any("/answer" in line for line in lines)
    assert not [line for line in lines if ann in line or "secret-of-ann" in line or "Pass" in line]
