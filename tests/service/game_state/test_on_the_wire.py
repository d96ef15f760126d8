"""What game-state answers: the schemas hold, bad input is refused with a pointer, nothing breaks."""

from __future__ import annotations

from typing import Any

import pytest
from marshmallow import Schema

from shared.contracts.commits import CommitPageSchema, RecordSchema
from shared.contracts.decisions import AnsweredSchema, DecisionSchema
from shared.contracts.games import GamePageSchema, GameSchema
from shared.contracts.internal_games import (
    AuditSchema,
    ClaimSchema,
    EpochSchema,
    ProjectedSchema,
    ResultSchema,
    StartedSchema,
)
from shared.contracts.notes import NotesSchema
from shared.contracts.problems import ProblemSchema
from tests.game_state import NOWHERE, OWNER, GameState, fresh_game, seat_of
from tests.servers import embedded_server

TICKETS = {"move": {"move": "KeepTickets", "tickets": ["atlanta-montreal"]}}
WITH_BODY = [
    ("POST", "/games", {"owner": "platform", "ruleset": "usa", "seats": [{}, {}]}, "gateway", None),
    ("PUT", "/games/{game}/seats/0", {"name": "Ann"}, "gateway", OWNER),
    ("PUT", "/games/{game}/seats/0/notes", {"notes": "x"}, "gateway", "seat:{game}:0:1"),
    ("PUT", "/games/{game}/decisions/1.0/answer", TICKETS, "gateway", "seat:{game}:0:1"),
    ("POST", "/work", {"most": 1}, "gateway", "bot:acme.own"),
    ("PUT", "/work/g.1.0.0/answer", TICKETS, "gateway", "bot:acme.own"),
    ("PUT", "/games/{game}/result", {"sheet": {}}, "scoring", None),
    ("POST", "/games/{game}/projected", {"version": 1}, "scoring", None),
]
ROUTES = [
    *((method, path, service, caller, body) for method, path, body, service, caller in WITH_BODY),
    ("GET", "/games?owner=platform", "gateway", None, None),
    ("GET", "/games/{game}", "gateway", OWNER, None),
    ("DELETE", "/games/{game}/seats/0", "gateway", OWNER, None),
    ("PUT", "/games/{game}/spectators", "gateway", OWNER, None),
    ("GET", "/games/{game}/seats/0/notes", "gateway", "seat:{game}:0:1", None),
    ("GET", "/games/{game}/decisions/1.0", "gateway", "seat:{game}:0:1", None),
    ("GET", "/games/{game}/commits", "gateway", OWNER, None),
    ("GET", "/games/{game}/record", "gateway", OWNER, None),
    ("GET", "/work", "gateway", "bot:acme.own", None),
    ("DELETE", "/work/g.1.0.0", "gateway", "bot:acme.own", None),
    ("POST", "/games/{game}/start", "maintenance", None, None),
    ("POST", "/games/{game}/audit", "maintenance", None, None),
    ("POST", "/games/{game}/decisions/1.0/default", "maintenance", None, None),
]


@pytest.fixture
def game(gs: GameState) -> str:
    return gs.started()["game"]


def holds(schema: type[Schema], body: Any) -> None:
    """Checks a body against its contract."""
    faults = schema().validate(body)
    assert faults == {}


def test_a_game_keeps_its_contract_while_waiting_playing_and_over(gs: GameState):
    waiting = gs.create({}, {}, answer_limit=60)
    holds(GameSchema, waiting)
    for seat in (0, 1):
        gs.call("PUT", f"/games/{waiting['game']}/seats/{seat}", caller=OWNER, json={"name": f"Seat {seat}"})
    game = waiting["game"]
    assert gs.show(game)["status"] == "playing"
    for caller in (OWNER, seat_of(game, 0)):
        holds(GameSchema, gs.show(game, caller))
    gs.play_to_the_end(game)
    for caller in (OWNER, seat_of(game, 0)):
        shown = gs.show(game, caller)
        assert shown["status"] == "over"
        holds(GameSchema, shown)
    holds(RecordSchema, gs.call("GET", f"/games/{game}/record", caller=OWNER).json)
    holds(CommitPageSchema, gs.call("GET", f"/games/{game}/commits", caller=OWNER).json)


def test_every_other_answer_keeps_its_contract(gs: GameState, game: str):
    decision = gs.open_decisions(game)[0]
    choice = gs.choice(game, decision)
    holds(DecisionSchema, choice)
    holds(AnsweredSchema, gs.answer(game, decision, choice["legal_moves"][0]).json)
    holds(DecisionSchema, gs.choice(game, decision))
    holds(CommitPageSchema, gs.call("GET", f"/games/{game}/commits", caller=seat_of(game, 1)).json)
    holds(GamePageSchema, gs.call("GET", "/games?owner=platform&limit=3").json)
    holds(EpochSchema, gs.call("PUT", f"/games/{game}/spectators", caller=OWNER).json)
    holds(ClaimSchema, gs.call("PUT", f"/games/{game}/seats/0", caller=OWNER, json={"name": "Seat 0"}).json)
    holds(NotesSchema, gs.call("GET", f"/games/{game}/seats/1/notes", caller=seat_of(game, 1)).json)
    holds(AuditSchema, gs.call("POST", f"/games/{game}/audit", service="maintenance").json)
    holds(StartedSchema, gs.call("POST", f"/games/{game}/start", service="maintenance").json)
    projected = gs.call("POST", f"/games/{game}/projected", service="scoring", json={"version": 1})
    holds(ProjectedSchema, projected.json)
    holds(ResultSchema, {"version": 1})
    holds(ProblemSchema, gs.call("GET", "/games/none", caller=OWNER).json)


def test_an_answered_decision_says_when_and_what_kind_it_was(gs: GameState, game: str):
    decision = gs.open_decisions(game)[0]
    opened = gs.choice(game, decision)
    gs.answer(game, decision, opened["legal_moves"][0])
    answered = gs.choice(game, decision)
    assert (opened["status"], opened["commit"]) == ("open", None)
    assert (answered["status"], answered["commit"], answered["kind"]) == ("answered", 2, "opening_tickets")
    assert answered.keys().isdisjoint({"view", "legal_moves", "notes"})


def test_the_etag_is_version_and_viewer_and_a_known_view_is_not_sent_again(gs: GameState, game: str):
    """P-12: what one viewer knows is never taken for what another may see."""
    tags = {}
    for who, caller in {"spectator": OWNER, "0": seat_of(game, 0), "1": seat_of(game, 1)}.items():
        response = gs.call("GET", f"/games/{game}", caller=caller)
        tags[who] = response.headers["ETag"]
        assert response.headers["Vary"] == "Authorization"
        known = gs.call("GET", f"/games/{game}", caller=caller, headers={"If-None-Match": tags[who]})
        assert (known.status_code, known.data, known.headers["ETag"]) == (304, b"", tags[who])
    assert tags == {"spectator": '"1.spectator"', "0": '"1.0"', "1": '"1.1"'}
    other = gs.call("GET", f"/games/{game}", caller=seat_of(game, 0), headers={"If-None-Match": tags["1"]})
    assert other.status_code == 200
    several = gs.call("GET", f"/games/{game}", caller=OWNER, headers={"If-None-Match": f'"0.0", W/{tags["spectator"]}'})
    assert several.status_code == 304
    gs.choose_tickets(game)
    changed = gs.call("GET", f"/games/{game}", caller=OWNER, headers={"If-None-Match": tags["spectator"]})
    assert (changed.status_code, changed.headers["ETag"]) == (200, '"3.spectator"')


def test_the_location_of_an_answer_is_its_commit(gs: GameState, game: str):
    decision = gs.open_decisions(game)[0]
    response = gs.answer(game, decision, gs.choice(game, decision)["legal_moves"][0])
    found = gs.call("GET", response.headers["Location"], caller=seat_of(game, 0)).json
    assert found["commits"] == [response.json["commit"]]


@pytest.mark.parametrize("decision", ["99.0", "1.7", "0.0", "x", "1", "1.0.0", "1.", ".1", "-1.0", "1.-1", "²."])
def test_decisions_that_never_were_are_not_found(gs: GameState, game: str, decision: str):
    for caller in (OWNER, seat_of(game, 0)):
        response = gs.call("GET", f"/games/{game}/decisions/{decision}", caller=caller)
        assert (response.status_code, response.json["code"]) == (404, "decision_not_found")


def test_a_waiting_game_has_no_decisions_and_no_commits(gs: GameState):
    game = gs.create({"name": "Ann"}, {})["game"]
    for method, path, body in (("GET", "", None), ("PUT", "/answer", TICKETS)):
        response = gs.call(method, f"/games/{game}/decisions/1.0{path}", caller=seat_of(game, 0), json=body)
        assert (response.status_code, response.json["code"]) == (404, "decision_not_found")
    page = gs.call("GET", f"/games/{game}/commits", caller=OWNER).json
    assert page == {"game": game, "version": 0, "commits": []}


@pytest.mark.parametrize(
    ("answered", "status", "code"),
    [("1.0", 422, "rule_violation"), ("2.0", 404, "decision_not_found"), ("1.1", 403, "not_your_seat")],
)
def test_answers_to_open_unknown_and_foreign_decisions(
    gs: GameState, game: str, answered: str, status: int, code: str
):
    response = gs.call(
        "PUT", f"/games/{game}/decisions/{answered}/answer", caller=seat_of(game, 0), json={"move": {"move": "Pass"}}
    )
    assert (response.status_code, response.json["code"]) == (status, code)


def test_a_seat_that_does_not_exist_is_not_found(gs: GameState, game: str):
    claim = gs.call("PUT", f"/games/{game}/seats/7", caller=OWNER, json={"name": "Zoe"})
    free = gs.call("DELETE", f"/games/{game}/seats/7", caller=OWNER)
    assert [response.json["code"] for response in (claim, free)] == ["seat_not_found"] * 2


def test_notes_are_kept_for_their_seat_up_to_4096_bytes(gs: GameState, game: str):
    path = f"/games/{game}/seats/0/notes"
    for notes in ("saving blue", "", "é" * 2048):
        assert gs.call("PUT", path, caller=seat_of(game, 0), json={"notes": notes}).json == {"notes": notes}
        assert gs.call("GET", path, caller=seat_of(game, 0)).json == {"notes": notes}
        assert gs.choice(game, {"decision": "1.0", "seat": 0})["notes"] == notes
    refused = gs.call("PUT", path, caller=seat_of(game, 0), json={"notes": "é" * 2049})
    assert (refused.status_code, refused.json["errors"][0]["pointer"]) == (422, "/notes")


@pytest.mark.parametrize(("method", "path", "body", "service", "caller"), WITH_BODY, ids=lambda value: str(value)[:40])
def test_bad_bodies_are_refused_with_a_pointer(
    gs: GameState, game: str, method: str, path: str, body: dict, service: str, caller: str | None
):
    def send(**content: Any):
        who = caller.format(game=game) if caller else None
        return gs.call(method, path.format(game=game), caller=who, service=service, **content)

    unknown = send(json=body | {"surprise": 1})
    assert (unknown.status_code, unknown.json["errors"][0]["pointer"]) == (422, "/surprise")
    for name in body:
        missing = send(json={key: value for key, value in body.items() if key != name})
        assert (missing.status_code, missing.json["errors"][0]["pointer"]) == (422, f"/{name}")
        wrong = send(json=body | {name: 1.5})
        assert (wrong.status_code, wrong.json["errors"][0]["pointer"]) == (422, f"/{name}")
    assert send(data=b"{", content_type="application/json").status_code == 400
    assert send(data=b'{"a": NaN}', content_type="application/json").status_code == 400
    assert send(data=b"[" * 60_000, content_type="application/json").status_code == 400
    assert send(data=b"{}", content_type="text/plain").status_code == 415
    assert send(data=b" " * 70_000, content_type="application/json").status_code == 413


@pytest.mark.parametrize(
    "query", ["after=-1", "after=x", "limit=0", "limit=501", "limit=1e9", "surprise=1", "wait=1", "seat=99"]
)
def test_bad_queries_are_refused_with_a_pointer(gs: GameState, game: str, query: str):
    response = gs.call("GET", f"/games/{game}/commits?{query}", caller=OWNER)
    assert response.status_code == 422
    assert response.json["errors"][0]["pointer"] == f"?{query.split('=')[0]}"


@pytest.mark.parametrize(("method", "path", "service", "caller", "body"), ROUTES, ids=lambda value: str(value)[:40])
def test_without_its_store_every_route_answers_503_and_accepts_nothing(
    rules_url: str, method: str, path: str, service: str, caller: str | None, body: Any
):
    gs = GameState("redis://127.0.0.1:9/0", rules_url)
    who = caller.format(game="g") if caller else None
    response = gs.call(method, path.format(game="g"), caller=who, service=service, json=body)
    assert (response.status_code, response.json["code"]) == (503, "store_unavailable")
    assert int(response.headers["Retry-After"]) > 0


def test_a_store_that_is_full_accepts_nothing_and_loses_nothing(rules_url: str):
    with embedded_server() as url:
        gs = GameState(url, rules_url)
        game = gs.started()["game"]
        decision = gs.open_decisions(game)[0]
        move = gs.choice(game, decision)["legal_moves"][0]
        gs.redis.config_set("maxmemory", 1)
        for response in (gs.answer(game, decision, move), gs.call("PUT", f"/games/{game}/spectators", caller=OWNER)):
            assert (response.status_code, response.json["code"]) == (503, "store_unavailable")
        gs.redis.config_set("maxmemory", 0)
        assert gs.call("POST", f"/games/{game}/audit", service="maintenance").json == {"repaired": []}
        assert gs.answer(game, decision, move).status_code == 201


def test_health_needs_nothing_and_readiness_the_store(store_url: str, rules_url: str):
    ready = GameState(store_url, rules_url).app.test_client()
    alone = GameState("redis://127.0.0.1:9/0", NOWHERE).app.test_client()
    assert [client.get("/healthz").status_code for client in (ready, alone)] == [200, 200]
    assert ready.get("/readyz").status_code == 200
    assert alone.get("/readyz").json == {"ready": False, "failing": ["store"]}


def test_the_metrics_count_commits_refused_moves_live_games_and_the_agenda(gs: GameState, game: str):
    gs.choose_tickets(game)
    [turn] = gs.open_decisions(game)
    gs.answer(game, turn, {"move": "Pass"})
    gs.call("POST", f"/games/{game}/decisions/{turn['decision']}/default", service="maintenance")
    told = gs.app.test_client().get("/metrics").text
    for sample in (
        'whistlestop_commits_total{kind="start"}',
        'whistlestop_commits_total{kind="answer"}',
        'whistlestop_commits_total{kind="forced"}',
        'whistlestop_refused_moves_total{rule="BASE-9"}',
        "whistlestop_live_games",
        "whistlestop_agenda_lag_seconds",
    ):
        assert sample in told
    assert gs.adapters.store.live_games() >= 1


def test_metrics_are_served_without_the_store(rules_url: str):
    assert GameState("redis://127.0.0.1:9/0", rules_url).app.test_client().get("/metrics").status_code == 200


def test_an_unknown_task_target_is_not_found(gs: GameState):
    game = fresh_game()
    for path in ("/start", "/audit", "/decisions/1.0/default"):
        response = gs.call("POST", f"/games/{game}{path}", service="maintenance")
        assert (response.status_code, response.json["code"]) == (404, "game_not_found")
