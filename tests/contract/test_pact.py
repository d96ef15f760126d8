"""Every answer of every service fits its schema and holds nothing that the schema does not know."""

from __future__ import annotations

import json

import pytest

from shared.contracts.work import TurnSchema
from shared.web.service_auth import ServiceToken
from tests.contract.pact import ANSWERS, template
from tests.game_state import SECRET

pytestmark = pytest.mark.xdist_group("contract")

AGAINST_THE_RULES = {"move": "Pass"}
SETUP = {"ruleset": "usa@1", "seats": 2, "options": {}}


@pytest.fixture(scope="module")
def all_answers(stack, waiting, playing, over, others, arena):
    """Has every resource of every service asked at every stage of a game, and in games of every rule set."""
    _ask_the_public_api(stack, waiting, playing, over, *others)
    for method, path in (("GET", "/arenas"), ("DELETE", f"/arenas/{arena}"), ("GET", f"/arenas/{arena}/records"),
                         ("GET", "/arenas/nowhere"), ("DELETE", "/arenas/nowhere")):
        stack.send(method, path)
    _ask_about_bots(stack)
    _ask_what_only_services_ask(stack, waiting, playing, over)
    return stack.pact


def test_every_answer_keeps_the_pact(all_answers):
    assert sorted(set(all_answers.broken)) == []


@pytest.mark.rule("VIEW-7")
def test_closed_history_answers_by_the_pact(all_answers, others):
    [closed] = [game for game in others if "position" in _page(game)]
    [answered] = {(answer.status_code, answer.json()["code"]) for answer in _answered_again(closed)}
    assert answered == (409, "answer_closed")


def _page(game) -> dict:
    return game.stack.send("GET", f"/games/{game.id}/commits?after=0", game.seats[0]).json()


def _answered_again(game) -> list:
    """What repeating the opening answers of both seats gives."""
    return [
        game.stack.send("PUT", f"/games/{game.id}/decisions/1.{seat}/answer", token, json={"move": AGAINST_THE_RULES})
        for seat, token in game.seats.items()
    ]


def test_every_resource_has_answered(all_answers):
    promised = {f"{service} {resource}" for service, resources in ANSWERS.items() for resource in resources}
    assert promised - set(all_answers.kept) == set()
    assert {f"{service} problem" for service in ANSWERS} <= set(all_answers.kept)


def test_every_resource_is_in_the_pact(stack):
    seat = "/games/{game}/seats/{seat}"
    silent = {f"DELETE /v1{seat}", f"DELETE {seat}", "GET /v1/games/{game}/stream", "GET /v1/arenas/{arena}/records",
              "GET /arenas/{arena}/records", "DELETE /v1/bots/{bot}", "GET /v1/bots/me/stream",
              "DELETE /v1/bots/me/work/{held}", "DELETE /work/{held}"}
    for service, app in stack.apps.items():
        served = {
            f"{method} {template(rule.rule)}"
            for rule in app.url_map.iter_rules() if rule.endpoint.split(".")[0] not in ("operations", "docs")
            for method in rule.methods - {"HEAD", "OPTIONS"}
        }  # fmt: skip
        assert served - silent == set(ANSWERS[service]), service


def _ask_the_public_api(stack, *games) -> None:
    for path in ("/rulesets", "/rulesets/usa", "/boards/usa", "/rules/BASE-24", "/bots", "/games"):
        stack.send("GET", path)
    for path in ("/rulesets/chess", "/boards/mars", "/games/nowhere/scores"):
        stack.send("GET", path)
    for game in games:
        path, ann = f"/games/{game.id}", game.seats[0]
        for token in (stack.key, ann, game.spectator):
            for part in ("", "/commits", "/record", "/scores"):
                stack.send("GET", path + part, token)
        stack.send("PUT", f"{path}/seats/0/notes", ann, json={"notes": "blue"})
        stack.send("GET", f"{path}/seats/0/notes", ann)
        for decision in game.show()["decisions"]:
            for token in (ann, stack.key):
                stack.send("GET", f"{path}/decisions/{decision['decision']}", token)
            answer = f"{path}/decisions/{decision['decision']}/answer"
            stack.send("PUT", answer, game.seats[decision["seat"]], json={"move": AGAINST_THE_RULES})
            position = stack.send("GET", path, game.seats[decision["seat"]]).json()["position"]
            setup = {name: position[name] for name in SETUP}
            asked = {**setup, "position": position, "decision": decision["decision"]}
            for move in (AGAINST_THE_RULES, {"move": "DrawFromDeck"}, {"move": "DrawFromDisplay", "card": "mauve"}):
                stack.send("POST", "/validations", json={**asked, "move": move})
        renewed = stack.send("PUT", f"{path}/spectators").json()
        game.spectator = renewed["spectator_token"]


def _ask_about_bots(stack) -> None:
    own_bot = stack.bring_bot()
    own_bot.token = stack.send("PUT", f"/bots/{own_bot.id}/token").json()["token"]
    stack.send("GET", "/bots/me", own_bot.token)
    stack.send("GET", "/bots")
    with stack.send("GET", "/bots/me/stream", own_bot.token, headers={"Accept": "application/x-ndjson"},
                    stream=True) as turns:  # fmt: skip
        turn = next(turns.iter_lines())
    assert TurnSchema().validate(json.loads(turn)) == {}
    held = [stack.send("POST", "/bots/me/work", own_bot.token).json() for _ in range(2)]
    move = {"move": held[0]["question"]["legal_moves"][0]}
    answered = stack.send("PUT", f"/bots/me/work/{held[0]['work']}/answer", own_bot.token, json=move)
    aborted = stack.send("DELETE", f"/bots/me/work/{held[1]['work']}", own_bot.token)
    assert (answered.status_code, aborted.status_code) == (201, 204)


def _ask_what_only_services_ask(stack, waiting, playing, over) -> None:
    def ask(caller: str, callee: str, method: str, path: str, body: object = None) -> None:
        token = ServiceToken(SECRET, caller, callee).header()
        client = stack.apps[callee].test_client()
        assert client.open(path, method=method, json=body, headers={"Authorization": token}).status_code < 400

    decision, seat = playing.show()["decisions"][0]["decision"], playing.show()["decisions"][0]["seat"]
    position = stack.send("GET", f"/games/{playing.id}", playing.seats[seat]).json()["position"]
    ask("gateway", "rules", "POST", "/legal-moves", {**SETUP, "position": position, "decision": decision})
    for game in (waiting, playing):
        ask("maintenance", "game_state", "POST", f"/games/{game.id}/start")
    for game in (waiting, playing, over):
        ask("maintenance", "game_state", "POST", f"/games/{game.id}/audit")
    ask("gateway", "ai", "GET", "/queues")
    ask("scoring", "game_state", "POST", f"/games/{playing.id}/projected", {"version": 1})
    ask("maintenance", "game_state", "POST", f"/games/{playing.id}/decisions/{decision}/default")
