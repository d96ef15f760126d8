"""The SDK: what it sends, what it tries again, what it raises."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from flask import Response

from shared.client import ApiProblem, Client, Conflict, RuleBroken, Unreachable
from shared.web import Problem
from tests.unit.client.conftest import Script

BUSY = Problem(503, "rules_unavailable", retry_after=0)
MOVE = {"move": "DrawFromDeck"}
GAME = {"game": "g", "version": 3, "result": None}
Json = dict[str, Any]


def commit(version: int, event: str = "CardDrawn") -> Json:
    """A commit of a stream."""
    return {"version": version, "events": [{"event": event}]}


def lines(*items: Json | str) -> Response:
    """A stream that ends after these lines; a text is sent as it is."""

    def write() -> Iterator[str]:
        for item in items:
            yield item if isinstance(item, str) else json.dumps(item) + "\n"

    return Response(write(), mimetype="application/x-ndjson")


def test_each_method_asks_for_its_resource(script: Script, client: Client) -> None:
    script.replies = [{"rulesets": [], "bots": [], "notes": "n", "game": "g", "version": 1, "token": "st_x"}]
    client.rulesets()
    client.bots()
    client.rule("BASE-1")
    client.create_game("usa", [{}, {"bot": "greedy"}], options={"first_player": 0}, seed="ab", answer_limit=5, key="k")
    client.claim_seat("g", 1, "Ann")
    client.view("g")
    client.decision("g", "1.0")
    client.answer("g", "1.0", MOVE)
    assert client.notes("g", 1) == "n"
    client.keep_notes("g", 1, "mine")
    client.commits("g", 4)
    client.commits("g", 4, wait=1)
    client.scores("g")
    client.record("g")
    assert script.paths == [
        "GET /rulesets", "GET /bots", "GET /rules/BASE-1", "POST /games", "PUT /games/g/seats/1", "GET /games/g",
        "GET /games/g/decisions/1.0", "PUT /games/g/decisions/1.0/answer", "GET /games/g/seats/1/notes",
        "PUT /games/g/seats/1/notes", "GET /games/g/commits?after=4", "GET /games/g/commits?after=4&wait=1",
        "GET /games/g/scores", "GET /games/g/record",
    ]  # fmt: skip
    _, _, body, headers = script.requests[3]
    assert headers["Idempotency-Key"] == "k" and headers["Authorization"] == "Bearer st_ann"
    assert body == {"ruleset": "usa", "seats": [{}, {"bot": "greedy"}], "options": {"first_player": 0}, "seed": "ab",
                    "answer_limit": 5}
    assert [body for _, _, body, _ in script.requests[4:10] if body] == [{"name": "Ann"}, {"move": MOVE},
                                                                         {"notes": "mine"}]


def test_what_may_be_repeated_is_until_it_works(script: Script, client: Client) -> None:
    script.replies = [BUSY, Problem(429, "too_many_requests", retry_after=0), {"version": 4}]
    assert client.answer("g", "1.0", MOVE)["version"] == 4
    assert len(script.requests) == 3


def test_a_creation_is_repeated_with_the_same_key_and_each_has_its_own(script: Script, client: Client) -> None:
    script.replies = [BUSY, ({"game": "g"}, 201), ({"game": "h"}, 201)]
    client.create_game("usa", [{}, {}])
    client.create_game("usa", [{}, {}])
    first, again, other = (headers["Idempotency-Key"] for _, _, _, headers in script.requests)
    assert first == again != other


@pytest.mark.parametrize(
    ("problem", "kind"),
    [(Problem(404, "game_not_found"), ApiProblem), (Problem(409, "decision_answered"), Conflict),
     (Problem(401, "token_invalid"), ApiProblem), (Problem(422, "invalid_request"), ApiProblem),
     (Problem(500, "internal_error"), ApiProblem)],
    ids=lambda value: getattr(value, "code", None),
)
def test_a_refusal_is_raised_with_its_problem_and_not_repeated(
    script: Script, client: Client, problem: Problem, kind: type[ApiProblem]
) -> None:
    script.replies = [problem]
    with pytest.raises(ApiProblem) as raised:
        client.view("g")
    assert type(raised.value) is kind and len(script.requests) == 1
    assert (raised.value.status, raised.value.code) == (problem.status, problem.code)
    assert raised.value.request_id == raised.value.problem["request_id"] != ""


def test_a_broken_rule_says_which(script: Script, client: Client) -> None:
    broken = {"code": "wrong_payment_size", "rule": "BASE-24", "text": "The payment is ...", "data": {"needed": 5}}
    script.replies = [Problem(422, "rule_violation", violations=[broken])]
    with pytest.raises(RuleBroken) as raised:
        client.answer("g", "1.0", MOVE)
    assert raised.value.violations == [broken] and raised.value.errors == []


def test_what_stays_away_is_given_up_in_time(script: Script, url: str) -> None:
    script.replies = [BUSY]
    with pytest.raises(ApiProblem) as raised:
        Client(url, patience=0.5).view("g")
    assert raised.value.status == 503 and len(script.requests) > 1
    with pytest.raises(Unreachable, match=r"127\.0\.0\.1:9"):
        Client("http://127.0.0.1:9", patience=0.3).view("g")


def test_an_answer_that_is_no_problem_is_an_error_too(script: Script, client: Client) -> None:
    script.replies = [Response("<h1>Bad Gateway</h1>", 502)]
    with pytest.raises(ApiProblem) as raised:
        client.view("g")
    assert (raised.value.status, raised.value.code) == (502, "not_a_problem")


def test_an_answer_tells_whether_it_was_the_first(script: Script, client: Client) -> None:
    script.replies = [({"version": 4}, 201), ({"version": 4}, 200)]
    assert client.answer("g", "1.0", MOVE)["first"] is True
    assert client.answer("g", "1.0", MOVE)["first"] is False


def test_a_stream_gives_the_game_then_commits_until_the_result(script: Script, client: Client) -> None:
    items = [GAME, commit(4), commit(5, "ResultRecorded")]
    script.replies = [lines(GAME, "\n", *items[1:], commit(6))]
    assert list(client.stream("g")) == items
    assert script.requests[0][3]["Accept"] == "application/x-ndjson"


def test_a_broken_stream_is_taken_up_after_the_last_whole_line(script: Script, client: Client) -> None:
    script.replies = [
        lines(GAME, commit(4)), BUSY, lines(commit(5), '{"version": 6, "eve'), lines(commit(6, "ResultRecorded")),
    ]  # fmt: skip
    assert [item["version"] for item in client.stream("g")] == [3, 4, 5, 6]
    assert [headers.get("Last-Event-Id") for _, _, _, headers in script.requests] == [None, "4", "4", "5"]


def test_a_stream_ends_where_nothing_can_follow(script: Script, client: Client) -> None:
    script.replies = [lines({**GAME, "result": {"seats": []}})]
    assert len(list(client.stream("g"))) == 1
    script.replies = [Response(status=204)]
    assert list(client.stream("g", after=7)) == []


def test_a_stream_that_is_refused_or_stays_away_is_raised(script: Script, url: str) -> None:
    script.replies = [lines(GAME), Problem(401, "token_revoked")]
    with pytest.raises(ApiProblem):
        list(Client(url, patience=1).stream("g"))
    script.replies = [BUSY]
    with pytest.raises(Unreachable):
        list(Client(url, patience=0.3).stream("g"))


def test_what_is_to_do_comes_again_when_its_stream_breaks_without_signs_of_life(script: Script, client: Client) -> None:
    first, second = ({"game": game, "decision": "1.0"} for game in "ab")
    script.replies = [lines(first, "\n", '{"game": "b'), BUSY, lines("\n", first, second)]
    turns = client.turns()
    assert [next(turns) for _ in range(3)] == [first, first, second]
    assert set(script.paths) == {"GET /bots/me/stream"}
    assert script.requests[0][3]["Accept"] == "application/x-ndjson"


def test_a_stream_of_turns_that_is_refused_or_stays_away_is_raised(script: Script, url: str) -> None:
    impatient = Client(url, "bt_x", patience=0.2)
    for reply, error in ((Problem(401, "token_revoked"), ApiProblem), (BUSY, Unreachable)):
        script.replies = [reply]
        with pytest.raises(error):
            next(impatient.turns())


def test_work_is_taken_answered_and_given_back(script: Script, client: Client) -> None:
    held = {"work": "g.1.0.0f", "lease": 15, "question": {}}
    script.replies = [Response(status=204), (held, 201), ({"version": 2}, 201), {"version": 2}, Response(status=204)]
    assert (client.take_work(), client.take_work(wait=9)) == (None, held)
    assert [client.answer_work("g.1.0.0f", MOVE)["first"] for _ in range(2)] == [True, False]
    client.abort_work("g.1.0.0f")
    assert script.paths == [
        "POST /bots/me/work", "POST /bots/me/work?wait=9", *["PUT /bots/me/work/g.1.0.0f/answer"] * 2,
        "DELETE /bots/me/work/g.1.0.0f",
    ]  # fmt: skip


def test_bots_of_ones_own_are_made_renewed_and_deleted(script: Script, client: Client) -> None:
    script.replies = [({"bot": "acme.x", "token": "bt_1"}, 201), {"bot": "acme.x", "token": "bt_2"}, {"bot": "acme.x"},
                      Response(status=204)]  # fmt: skip
    assert client.create_bot({"bot": "x", "about": "Of a test."})["token"] == "bt_1"
    assert client.renew_bot_token("acme.x") == "bt_2"
    assert client.own_bot() == {"bot": "acme.x"}
    client.delete_bot("acme.x")
    assert script.paths == ["POST /bots", "PUT /bots/acme.x/token", "GET /bots/me", "DELETE /bots/acme.x"]


def test_another_patience_is_another_client_of_the_same_caller(url: str) -> None:
    patient = Client(url, "bt_x", patience=1).patient(9)
    assert (patient.base_url, patient.token, patient.patience) == (url, "bt_x", 9)
