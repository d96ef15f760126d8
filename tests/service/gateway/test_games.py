"""Games and seats through the gateway: what is passed on, what is added, what may be cached."""

from __future__ import annotations

import json

import pytest

from tests.service.gateway.fakes import AGAINST_THE_RULES, TURN, VIOLATION, Seat

NEW_GAME = {"ruleset": "usa", "seats": [{"name": "Ann"}, {}]}


def test_a_new_game_is_its_platforms_and_can_be_watched(gateway, platform):
    created = gateway.send("POST", "/games", platform, json=NEW_GAME)
    game = created.json()
    assert (created.status_code, created.headers["Location"]) == (201, f"/v1/games/{game['game']}")
    assert gateway.games.games[game["game"]].owner == "acme"
    assert gateway.get(f"/games/{game['game']}", game["spectator_token"]).json()["viewer"] == "spectator"


def test_the_same_idempotency_key_gives_the_same_game(gateway, platform):
    first, again = (gateway.send("POST", "/games", platform, json=NEW_GAME, headers={"Idempotency-Key": "abc:1"})
                    for _ in range(2))  # fmt: skip
    assert (first.status_code, again.status_code) == (201, 200)
    assert first.content == again.content
    other = gateway.send("POST", "/games", platform, json=NEW_GAME, headers={"Idempotency-Key": "no spaces"})
    assert other.status_code == 422
    assert other.json()["errors"][0]["pointer"] == "headers:Idempotency-Key"


def test_the_list_shows_only_ones_own_games(gateway, platform, stranger):
    gateway.games.add("acmes")
    gateway.games.add("others", owner="other")
    own = {game["game"] for game in gateway.get("/games", platform).json()["games"]}
    theirs = {game["game"] for game in gateway.get("/games", stranger).json()["games"]}
    assert "acmes" in own and "others" in theirs
    assert not own & theirs


@pytest.mark.rule("VIEW-9")
def test_everybody_is_shown_their_own_view(gateway, platform, bot):
    gateway.games.add("seen", Seat("Ann", epoch=1), Seat(bot="greedy"))
    viewers = {token: gateway.get("/games/seen", token).json()["position"]["cards"]["hand_of"]
               for token in (gateway.seat("seen", 0), platform, bot)}  # fmt: skip
    assert list(viewers.values()) == [0, "spectator", "spectator"]
    assert gateway.get("/games/seen?seat=1", bot).json()["viewer"] == 1


def test_answers_of_game_state_come_through_byte_by_byte(gateway):
    game = gateway.games.add("bytes")
    answer = gateway.get("/games/bytes", gateway.seat("bytes", 1))
    assert answer.text.strip() == json.dumps(game.shown(1), separators=(",", ":"))


def test_a_view_is_fetched_again_only_when_it_changed(gateway):
    gateway.games.add("tagged")
    first = gateway.get("/games/tagged", gateway.seat("tagged", 0))
    assert first.headers["ETag"] == '"1.0"'
    assert first.headers["Cache-Control"] == "private, no-cache"
    assert "Authorization" in first.headers["Vary"]
    known = {"If-None-Match": first.headers["ETag"]}
    same = gateway.get("/games/tagged", gateway.seat("tagged", 0), headers=known)
    assert (same.status_code, same.content, same.headers["ETag"]) == (304, b"", '"1.0"')
    assert gateway.get("/games/tagged", gateway.seat("tagged", 1), headers=known).status_code == 200
    gateway.games.commit("tagged")
    assert gateway.get("/games/tagged", gateway.seat("tagged", 0), headers=known).status_code == 200


def test_nothing_private_is_kept_by_caches(gateway, platform):
    gateway.games.add("private")
    for path in ("/games", "/games/private/commits", "/games/private/scores", "/games/private/decisions/1.0"):
        answer = gateway.get(path, platform)
        assert answer.headers["Cache-Control"] == "private, no-store"
        assert "Authorization" in answer.headers["Vary"]


def test_a_decision_is_answered_once(gateway):
    gateway.games.add("once")
    ann = gateway.seat("once", 0)
    answer = "/games/once/decisions/1.0/answer"
    asked = gateway.get("/games/once/decisions/1.0", ann).json()
    assert asked["status"] == "open" and asked["legal_moves"] == [TURN]

    refused = gateway.put(answer, ann, json={"move": AGAINST_THE_RULES})
    assert (refused.status_code, refused.json()["code"], refused.json()["violations"]) == (
        422, "rule_violation", [VIOLATION])
    first, again = gateway.put(answer, ann, json={"move": TURN}), gateway.put(answer, ann, json={"move": TURN})
    assert (first.status_code, again.status_code) == (201, 200)
    assert first.content == again.content
    assert first.headers["Location"] == "/v1/games/once/commits?after=1&limit=1"
    located = gateway.send("GET", first.headers["Location"].removeprefix("/v1"), ann).json()
    assert located["commits"] == [first.json()["commit"]]

    other = gateway.put(answer, ann, json={"move": {"move": "DrawTickets"}})
    assert (other.status_code, other.json()["code"]) == (409, "decision_answered")
    closed = gateway.put("/games/once/decisions/9.0/answer", ann, json={"move": TURN})
    assert (closed.status_code, closed.json()["code"]) == (409, "decision_not_open")


def test_a_decision_shows_its_choices_to_its_own_seat_only(gateway, platform):
    gateway.games.add("choices")
    for token in (gateway.seat("choices", 1), platform):
        assert not {"view", "legal_moves", "notes"} & set(gateway.get("/games/choices/decisions/1.0", token).json())


def test_notes_are_kept(gateway):
    gateway.games.add("noted")
    ann, notes = gateway.seat("noted", 0), "saving blue ☃"
    assert gateway.get("/games/noted/seats/0/notes", ann).json() == {"notes": ""}
    assert gateway.put("/games/noted/seats/0/notes", ann, json={"notes": notes}).json() == {"notes": notes}
    assert gateway.get("/games/noted/seats/0/notes", ann).json() == {"notes": notes}


@pytest.mark.parametrize("path", ["/rulesets", "/rulesets/usa", "/boards/usa", "/rules/BASE-24"])
def test_what_anybody_can_look_up_may_be_cached(gateway, path):
    found = gateway.get(path)
    assert found.headers["Cache-Control"] == "public, max-age=300"
    same = gateway.get(path, headers={"If-None-Match": found.headers["ETag"]})
    assert (same.status_code, same.content) == (304, b"")


@pytest.mark.parametrize("path", ["/rulesets/chess", "/boards/mars", "/rules/BASE-99"])
def test_what_cannot_be_looked_up_is_not_there(gateway, path):
    assert gateway.get(path).status_code == 404


def test_a_move_is_judged_on_a_given_position(gateway, platform):
    asked = {"ruleset": "usa@1", "seats": 2, "position": "…", "decision": "1.0"}
    assert gateway.send("POST", "/validations", platform, json={**asked, "move": TURN}).json() == {"legal": True}
    broken = gateway.send("POST", "/validations", platform, json={**asked, "move": AGAINST_THE_RULES})
    assert (broken.status_code, broken.json()) == (200, {"legal": False, "violation": VIOLATION})
