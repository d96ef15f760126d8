"""What callers see while a part of the system is away."""

from __future__ import annotations

import pytest

from tests.service.gateway.fakes import TURN

NOWHERE = "http://127.0.0.1:9"
NO_STORE = "redis://127.0.0.1:9"
CALLS = {
    "game_state": ("PUT", "/games/held/decisions/1.0/answer", {"move": TURN}),
    "rules": ("GET", "/rulesets", None),
    "scoring": ("GET", "/games/held/scores", None),
    "ai": ("GET", "/bots", None),
}


@pytest.mark.parametrize("name", CALLS)
def test_what_needs_a_service_that_is_away_comes_back_later(make_gateway, name):
    with make_gateway(**{f"{name}_url": NOWHERE}) as gateway:
        gateway.games.add("held")
        method, path, body = CALLS[name]
        answer = gateway.send(method, path, gateway.seat("held", 0), json=body)
        assert (answer.status_code, answer.json()["code"]) == (503, f"{name}_unavailable")
        assert int(answer.headers["Retry-After"]) >= 1
        others = {other: gateway.send(*call[:2], gateway.seat("held", 0), json=call[2]).status_code
                  for other, call in CALLS.items() if other != name}  # fmt: skip
        assert set(others.values()) <= {200, 201}


def test_without_the_store_keys_cannot_be_checked_and_nothing_is_accepted(make_gateway, platform):
    with make_gateway(store_url=NO_STORE) as gateway:
        answer = gateway.get("/games", platform)
        assert (answer.status_code, answer.json()["code"]) == (503, "store_unavailable")
        assert int(answer.headers["Retry-After"]) >= 1
        ready = gateway.get("/../readyz")
        assert (ready.status_code, ready.json()["failing"]) == (503, ["store"])
        assert gateway.get("/../healthz", platform).status_code == 200


def test_readiness_names_what_is_missing(make_gateway, gateway):
    assert gateway.get("/../readyz").json() == {"ready": True, "failing": []}
    with make_gateway(game_state_url=NOWHERE) as lame:
        assert lame.get("/../readyz").json()["failing"] == ["game_state"]


def test_a_neighbour_that_does_not_trust_us_is_not_our_callers_fault(make_gateway):
    with make_gateway(service_secret="another secret than the services share") as gateway:
        gateway.games.add("trusted")
        answer = gateway.get("/games/trusted", gateway.seat("trusted", 0))
        assert (answer.status_code, answer.json()["code"]) == (503, "game_state_unavailable")


def test_metrics_count_requests_by_route(gateway):
    gateway.get("/rulesets")
    metrics = gateway.get("/../metrics").text
    assert 'route="/v1/rulesets"' in metrics
    assert "whistlestop_held_requests" in metrics


def test_games_with_bots_wait_for_the_bots_only_until_their_names_are_known(make_gateway, gateway, platform):
    asked = {"ruleset": "usa", "seats": [{}, {"bot": "greedy"}]}
    with make_gateway(ai_url=NOWHERE) as lame:
        assert lame.send("POST", "/games", platform, json=asked).json()["code"] == "ai_unavailable"
        assert lame.send("POST", "/games", platform, json={"ruleset": "usa", "seats": [{}, {}]}).status_code == 201
    assert gateway.send("POST", "/games", platform, json=asked).status_code == 201
