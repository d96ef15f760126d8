"""The authorisation matrix: for every route whom it refuses, with which answer, and whom it serves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from tests.game_state import OWNER, GameState, seat_of

STRANGERS = {
    "another platform": "owner:other",
    "a seat of another game": "seat:{other}:0:1",
    "a spectator of another game": "spectator:{other}:1",
    "an unknown bot account": "bot:stranger",
    "the built-in bots, where no bot plays": "bot:builtin",
}
REVOKED = {"a revoked seat": "seat:{game}:0:0", "a revoked spectator": "spectator:{game}:0"}
MEMBERS = {
    "the owner": OWNER,
    "seat 0": "seat:{game}:0:1",
    "seat 1": "seat:{game}:1:1",
    "a spectator": "spectator:{game}:1",
}


@dataclass(frozen=True)
class Route:
    """A route, and which members of the game it serves; the others get `refusal`."""

    method: str
    path: str
    serves: tuple[str, ...]
    status: int
    refusal: tuple[int, str] = (0, "")
    body: Any = None

    def __str__(self) -> str:
        return f"{self.method} {self.path}"


EVERYBODY = tuple(MEMBERS)
NOT_YOURS = (403, "not_your_seat")
OWNER_ONLY = (403, "owner_only")
ROUTES = [
    Route("GET", "", EVERYBODY, 200),
    Route("GET", "/commits", EVERYBODY, 200),
    Route("GET", "/record", EVERYBODY, 409),
    Route("GET", "/decisions/1.0", EVERYBODY, 200),
    Route("PUT", "/decisions/1.0/answer", ("seat 0",), 422, NOT_YOURS, {"move": {"move": "Pass"}}),
    Route("PUT", "/seats/0", ("the owner",), 200, OWNER_ONLY, {"name": "Seat 0"}),
    Route("DELETE", "/seats/0", ("the owner", "seat 0"), 204, NOT_YOURS),
    Route("PUT", "/spectators", ("the owner",), 200, OWNER_ONLY),
    Route("GET", "/seats/0/notes", ("seat 0",), 200, NOT_YOURS),
    Route("PUT", "/seats/0/notes", ("seat 0",), 200, NOT_YOURS, {"notes": "x"}),
]
PATHS = [
    *((route.method, f"/games/{{game}}{route.path}", ("gateway",), route.body) for route in ROUTES),
    ("POST", "/games", ("gateway",), {"owner": "platform", "ruleset": "usa", "seats": [{}, {}]}),
    ("GET", "/games?owner=platform", ("gateway",), None),
    ("GET", "/work", ("gateway",), None),
    ("POST", "/work", ("gateway",), {"most": 1}),
    ("PUT", "/work/held/answer", ("gateway",), {"move": {"move": "Pass"}}),
    ("DELETE", "/work/held", ("gateway",), None),
    ("POST", "/games/{game}/start", ("maintenance",), None),
    ("POST", "/games/{game}/audit", ("maintenance",), None),
    ("POST", "/games/{game}/decisions/1.0/default", ("maintenance",), None),
    ("PUT", "/games/{game}/result", ("scoring",), {"sheet": {}}),
    ("POST", "/games/{game}/projected", ("scoring",), {"version": 1}),
]
UNKNOWN_CALLERS = [
    "", "owner:", "owner", "bot:", "seat:g:0", "seat:g:x:1", "seat:g:-1:1", "spectator:g:", "service:scoring", "me:you",
]  # fmt: skip
SERVICES = ("gateway", "scoring", "maintenance", "rules", "ai", "game_state")
READ_BY_SCORING = ("/games/{game}", "/games/{game}/commits", "/games/{game}/record")


@pytest.fixture
def game(gs: GameState) -> str:
    return gs.started()["game"]


def ask(gs: GameState, route: Route, game: str, caller: str):
    return gs.call(route.method, f"/games/{game}{route.path}", caller=caller, json=route.body)


@pytest.mark.parametrize("route", ROUTES, ids=str)
@pytest.mark.parametrize("who", MEMBERS)
def test_members_are_served_or_told_that_it_is_not_theirs(gs: GameState, game: str, route: Route, who: str):
    """P-13: the seat is the token's, never the request's."""
    response = ask(gs, route, game, MEMBERS[who].format(game=game))
    if who in route.serves:
        assert response.status_code == route.status
    else:
        assert (response.status_code, response.json["code"]) == route.refusal


@pytest.mark.parametrize("route", ROUTES, ids=str)
@pytest.mark.parametrize("who", STRANGERS)
def test_strangers_get_the_answer_of_a_game_that_does_not_exist(gs: GameState, game: str, route: Route, who: str):
    """P-25: nothing tells a game of others from none at all, neither body nor length."""
    caller = STRANGERS[who].format(other=gs.started()["game"])
    refused, unknown = ask(gs, route, game, caller), ask(gs, route, "x" * len(game), caller)
    assert (refused.status_code, refused.json["code"]) == (404, "game_not_found")
    assert _without_request_id(refused) == _without_request_id(unknown)


@pytest.mark.parametrize("route", ROUTES, ids=str)
@pytest.mark.parametrize("who", REVOKED)
def test_revoked_tokens_are_refused(gs: GameState, game: str, route: Route, who: str):
    response = ask(gs, route, game, REVOKED[who].format(game=game))
    assert (response.status_code, response.json["code"]) == (401, "token_revoked")


@pytest.mark.parametrize(("method", "path", "allowed", "body"), PATHS, ids=lambda value: str(value))
@pytest.mark.parametrize("service", SERVICES)
def test_each_route_serves_its_own_services_only(
    gs: GameState, game: str, method: str, path: str, allowed: tuple[str, ...], body: Any, service: str
):
    may = (*allowed, "scoring") if method == "GET" and path in READ_BY_SCORING else allowed
    caller = OWNER if service == "gateway" else None
    response = gs.call(method, path.format(game=game), service=service, caller=caller, json=body)
    if service in may:
        assert response.json is None or response.json.get("code") != "service_not_allowed"
    else:
        assert (response.status_code, response.json["code"]) == (403, "service_not_allowed")


@pytest.mark.parametrize(("method", "path", "allowed", "body"), PATHS, ids=lambda value: str(value))
def test_nobody_comes_in_without_a_service_token(
    gs: GameState, game: str, method: str, path: str, allowed: tuple[str, ...], body: Any
):
    response = gs.app.test_client().open(path.format(game=game), method=method, json=body)
    assert response.status_code == 401


def test_every_route_of_the_service_is_in_this_matrix(gs: GameState):
    known = {(method, path.split("?")[0]) for method, path, *_ in PATHS}
    known = {
        (method, path.format(game="<game>").replace("/seats/0", "/seats/<int:seat>").replace("1.0", "<decision>")
         .replace("/held", "/<held>"))
        for method, path in known
    }
    served = {
        (method, rule.rule)
        for rule in gs.app.url_map.iter_rules()
        if not rule.endpoint.startswith("operations.")
        for method in rule.methods - {"HEAD", "OPTIONS"}
    }
    assert served == known


@pytest.mark.parametrize(("method", "path", "body"), [
    (method, path, body) for method, path, _, body in PATHS if path.startswith("/work")])
@pytest.mark.parametrize("who", [*MEMBERS, "the built-in bots", "the gateway itself"])
def test_work_is_for_external_bots_only(gs: GameState, game: str, method: str, path: str, body: Any, who: str):
    caller = {**MEMBERS, "the built-in bots": "bot:builtin"}.get(who)
    response = gs.call(method, path, caller=caller and caller.format(game=game), json=body)
    assert (response.status_code, response.json["code"]) == (403, "bots_only")


@pytest.mark.parametrize("header", UNKNOWN_CALLERS)
def test_a_caller_that_says_nothing_known_is_refused(gs: GameState, game: str, header: str):
    response = gs.call("GET", f"/games/{game}", caller=header)
    assert (response.status_code, response.json["code"]) == (401, "unknown_caller")


def test_a_service_cannot_speak_for_another_service(gs: GameState, game: str):
    response = gs.call("GET", f"/games/{game}", service="gateway", caller="service:scoring")
    assert response.status_code == 401


def test_the_gateway_itself_sees_no_game(gs: GameState, game: str):
    assert gs.call("GET", f"/games/{game}").status_code == 404


def test_scoring_reads_as_a_spectator_does(gs: GameState, game: str):
    assert gs.call("GET", f"/games/{game}", service="scoring").json == gs.show(game, f"spectator:{game}:1")


@pytest.fixture
def mixed(gs: GameState) -> str:
    """A game of a person and a bot."""
    return gs.create({"name": "Ann"}, {"bot": "greedy"})["game"]


@pytest.mark.rule("VIEW-9")
def test_built_in_bots_act_for_the_seats_that_bots_hold_and_for_no_other(gs: GameState, mixed: str):
    bots = "bot:builtin"

    def get(path: str):
        return gs.call("GET", f"/games/{mixed}{path}", caller=bots)

    assert "legal_moves" in get("/decisions/1.1").json
    assert get("/decisions/1.0").json["code"] == "not_your_seat"
    assert get("").json["viewer"] == "spectator"
    assert get("?seat=1").json["viewer"] == 1
    assert get("?seat=0").json["code"] == "not_your_seat"
    assert get("?seat=9").json["code"] == "not_your_seat"
    assert get("/commits?seat=1").status_code == 200
    assert get("/commits?seat=0").json["code"] == "not_your_seat"
    assert get("/seats/1/notes").json == {"notes": ""}
    assert get("/seats/0/notes").json["code"] == "not_your_seat"


@pytest.mark.rule("VIEW-9")
def test_an_external_bot_acts_for_the_seats_it_holds_and_for_no_other(gs: GameState):
    game = gs.create({"name": "Ann"}, {"bot": "acme.own"}, {"bot": "acme.other"}, {"bot": "greedy"})["game"]

    def get(path: str, caller: str = "bot:acme.own"):
        return gs.call("GET", f"/games/{game}{path}", caller=caller)

    assert "legal_moves" in get("/decisions/1.1").json
    assert (get("").json["viewer"], get("?seat=1").json["viewer"]) == ("spectator", 1)
    assert get("/seats/1/notes").json == {"notes": ""}
    for seat in (0, 2, 3):
        for path in (f"/decisions/1.{seat}", f"?seat={seat}", f"/commits?seat={seat}", f"/seats/{seat}/notes"):
            assert get(path).json["code"] == "not_your_seat"
        move = gs.call("PUT", f"/games/{game}/decisions/1.{seat}/answer", caller="bot:acme.own",
                       json={"move": {"move": "Pass"}})  # fmt: skip
        assert (move.status_code, move.json["code"]) == (403, "not_your_seat")
    for stranger in ("bot:acme.third", "bot:own", "bot:acme", "bot:other.own"):
        assert get("", stranger).json["code"] == "game_not_found"
    assert all("legal_moves" in get(f"/decisions/1.{seat}", "bot:builtin").json for seat in (1, 2, 3)), "it stands in"


def test_a_seat_cannot_look_through_another_seat_by_asking_for_it(gs: GameState, game: str):
    """P-12, P-13: `seat` in the query is for bots; a seat's token decides for itself."""
    shown = gs.call("GET", f"/games/{game}?seat=1", caller=seat_of(game, 0)).json
    assert shown == gs.show(game, seat_of(game, 0))
    assert gs.call("GET", f"/games/{game}?seat=1", caller=OWNER).json["viewer"] == "spectator"


@pytest.mark.rule("VIEW-8")
def test_only_its_own_seat_is_shown_what_a_decision_allows(gs: GameState, game: str):
    for caller in (OWNER, seat_of(game, 1), f"spectator:{game}:1"):
        shown = gs.call("GET", f"/games/{game}/decisions/1.0", caller=caller).json
        assert shown.keys().isdisjoint({"view", "legal_moves", "notes"})
    assert {"view", "legal_moves", "notes"} <= gs.choice(game, {"decision": "1.0", "seat": 0}).keys()


@pytest.mark.rule("VIEW-11")
def test_the_owner_and_spectators_see_no_more_than_other_seats(gs: GameState, game: str):
    """P-10."""
    for caller in (OWNER, f"spectator:{game}:1"):
        position = gs.show(game, caller)["position"]
        assert position["viewer"] == "spectator"
        assert position == gs.show(game, OWNER)["position"]


def _without_request_id(response) -> dict[str, Any]:
    return {key: value for key, value in response.json.items() if key != "request_id"} | {
        "length": response.content_length
    }
