"""Bots that platforms bring along: created with a token that is shown once, seated in their platform's games only."""

from __future__ import annotations

import pytest

from services.gateway import external_bots
from services.gateway.tokens import BOT, PLATFORM, Caller
from tests.game_state import fresh_game
from tests.service.gateway.fakes import TURN, Seat

ABOUT = {"about": "Keeps few tickets."}
SEATS = [{"name": "Ann"}, {"bot": "acme.seated"}]


def _new(name: str, **more: object) -> dict[str, object]:
    return {"bot": name, **ABOUT, **more}


def _create(gateway, token: str, name: str, **more: object):
    return gateway.send("POST", "/bots", token, json=_new(name, **more))


def test_a_bot_is_created_with_a_token_that_is_its_own(gateway, platform):
    made = _create(gateway, platform, "first", rulesets=["usa"], concurrency=7)
    shown = {"bot": "acme.first", "rulesets": ["usa"], "concurrency": 7, **ABOUT}
    token = made.json()["token"]
    assert (made.status_code, made.json()) == (201, {**shown, "token": token})
    assert gateway.accounts.find(token) == Caller(BOT, "acme.first")
    assert gateway.get("/bots/me", token).json() == shown


def test_without_rule_sets_it_plays_all(gateway, platform):
    assert {"usa", "card_game"} <= set(_create(gateway, platform, "versatile").json()["rulesets"])


def test_a_bot_that_exists_is_not_created_again_and_keeps_its_token(gateway, platform, stranger):
    token = _create(gateway, platform, "twice").json()["token"]
    again = _create(gateway, platform, "twice", concurrency=9)
    assert (again.status_code, again.json()["code"]) == (409, "bot_exists")
    assert "token" not in again.json()
    assert gateway.get("/bots/me", token).json()["concurrency"] == 4
    assert _create(gateway, stranger, "twice").status_code == 201, "what others call theirs is none of its business"


def test_a_name_never_shadows_a_built_in_bot(gateway, platform):
    _create(gateway, platform, "greedy")
    seats = {bot: gateway.send("POST", "/games", platform, json={"ruleset": "usa", "seats": [{"bot": bot}]})
             for bot in ("greedy", "acme.greedy")}  # fmt: skip
    assert {bot: made.json()["seats"][0]["bot"] for bot, made in seats.items()} == {
        "greedy": "greedy", "acme.greedy": "acme.greedy"}


def test_a_new_token_ends_the_earlier_ones(gateway, platform):
    first = _create(gateway, platform, "renewed").json()["token"]
    renewed = gateway.put("/bots/acme.renewed/token", platform)
    assert (renewed.status_code, renewed.json()["bot"]) == (200, "acme.renewed")
    assert [gateway.get("/bots/me", token).status_code for token in (first, renewed.json()["token"])] == [401, 200]


def test_a_deleted_bot_is_gone_with_its_token_and_can_come_back(gateway, platform):
    token = _create(gateway, platform, "leaving").json()["token"]
    assert gateway.send("DELETE", "/bots/acme.leaving", platform).status_code == 204
    assert gateway.get("/bots/me", token).status_code == 401
    assert gateway.send("DELETE", "/bots/acme.leaving", platform).status_code == 404
    assert gateway.put("/bots/acme.leaving/token", platform).status_code == 404
    assert _create(gateway, platform, "leaving").status_code == 201
    assert gateway.get("/bots/me", token).status_code == 401


def test_the_list_has_the_built_in_bots_and_ones_own(gateway, platform, stranger):
    token = _create(gateway, platform, "listed").json()["token"]
    listed = {who: {bot["bot"] for bot in gateway.get("/bots", who).json()["bots"]}
              for who in (platform, stranger, token, None)}  # fmt: skip
    assert {"greedy", "acme.listed"} <= listed[platform]
    assert all("greedy" in bots and "acme.listed" not in bots for who, bots in listed.items() if who != platform)


def test_nobody_has_more_bots_than_may_be(gateway, monkeypatch):
    monkeypatch.setattr(external_bots, "MOST_BOTS", 2)
    token = gateway.accounts.create(PLATFORM, "collector")
    assert [_create(gateway, token, name).status_code for name in ("one", "two")] == [201, 201]
    refused = _create(gateway, token, "three")
    assert (refused.status_code, refused.json()["code"]) == (409, "too_many_bots")
    assert _create(gateway, token, "two").json()["code"] == "bot_exists"


@pytest.mark.parametrize(("body", "pointer", "code"), [
    ({"bot": "nameless"}, "/about", "required"),
    (ABOUT, "/bot", "required"),
    (_new("acme.first"), "/bot", "malformed"),
    (_new("Loud"), "/bot", "malformed"),
    (_new("x" * 41), "/bot", "malformed"),
    (_new("x", about=7), "/about", "wrong_type"),
    (_new("x", concurrency=0), "/concurrency", "out_of_range"),
    (_new("x", concurrency=65), "/concurrency", "out_of_range"),
    (_new("x", concurrency=True), "/concurrency", "wrong_type"),
    (_new("x", rulesets=[]), "/rulesets", "out_of_range"),
    (_new("x", rulesets=["usa", "chess"]), "/rulesets/1", "unknown_ruleset"),
    (_new("x", rulesets=["usa@99"]), "/rulesets/0", "unknown_ruleset"),
    (_new("x", token="bt_mine"), "/token", "unknown_field"),
])  # fmt: skip
def test_what_is_no_bot_is_refused_with_the_place(gateway, platform, body, pointer, code):
    refused = gateway.send("POST", "/bots", platform, json=body)
    assert refused.status_code == 422
    assert (pointer, code) in [(error["pointer"], error["code"]) for error in refused.json()["errors"]]
    assert "acme.x" not in gateway.get("/bots", platform).text


def test_a_bot_is_seated_in_games_of_its_platform_only(gateway, platform, stranger):
    gateway.external_bot("acme", "seated")
    asked = {"ruleset": "usa", "seats": SEATS}
    made = gateway.send("POST", "/games", platform, json=asked)
    assert (made.status_code, made.json()["seats"][1]["bot"]) == (201, "acme.seated")
    strange = [{}, {"bot": "acme.nobody"}], [{}, {"bot": "seated"}]
    for token, seats in ((stranger, SEATS), *((platform, seats) for seats in strange)):
        refused = gateway.send("POST", "/games", token, json={**asked, "seats": seats})
        [fault] = refused.json()["errors"]
        assert (refused.status_code, fault["pointer"], fault["code"]) == (422, "/seats/1/bot", "unknown_bot")
        assert fault["detail"].startswith("There are: greedy")
        assert ("acme.seated" in fault["detail"]) == (token == platform)


@pytest.mark.parametrize(("plays", "status"), [
    (["usa"], 201), (["usa@1"], 201), (["old_west", "usa"], 201), (["old_west"], 422), (["old_west@1"], 422),
])  # fmt: skip
def test_a_bot_is_seated_only_where_it_knows_the_rules(gateway, platform, plays, status):
    name = "_".join(plays).replace("@", "-")
    gateway.external_bot("acme", name, rulesets=plays)
    made = gateway.send("POST", "/games", platform, json={"ruleset": "usa", "seats": [{"bot": f"acme.{name}"}]})
    assert made.status_code == status
    if status == 422:
        [fault] = made.json()["errors"]
        assert (fault["pointer"], fault["code"]) == ("/seats/0/bot", "not_played")
        assert ", ".join(plays) in fault["detail"]


def test_a_bot_reads_and_answers_for_its_own_seat(gateway, platform):
    token, game = gateway.external_bot("acme", "player"), fresh_game()
    made = gateway.games.add(game, Seat(bot="acme.player"), Seat(bot="acme.mate"))
    mate = gateway.external_bot("acme", "mate")
    assert gateway.get(f"/games/{game}/decisions/1.0", token).json()["legal_moves"]
    for method, path, body in (("GET", "decisions/1.0", None), ("PUT", "decisions/1.0/answer", {"move": TURN}),
                               ("GET", "seats/0/notes", None), ("PUT", "seats/0/notes", {"notes": "x"})):  # fmt: skip
        refused = gateway.send(method, f"/games/{game}/{path}", mate, json=body)
        assert (refused.status_code, refused.json()["code"]) == (403, "not_your_seat")
    assert (made.version, made.notes) == (1, {})
    assert gateway.put(f"/games/{game}/decisions/1.0/answer", token, json={"move": TURN}).status_code == 201


def test_with_its_platform_a_bot_loses_its_token(gateway):
    gateway.accounts.create(PLATFORM, "closing")
    token, other = gateway.external_bot("closing", "one"), gateway.external_bot("closing-not", "one")
    assert gateway.accounts.revoke(PLATFORM, "closing") == 2
    assert [gateway.get("/bots/me", found).status_code for found in (token, other)] == [401, 200]
