"""Creating games: once per idempotency key, with a fair seed, started as soon as nobody is missing."""

from __future__ import annotations

import hashlib
import json

import pytest

from services.game_state.agenda import START, member
from services.game_state.keys import game_key, owner_key, shard_key, shard_of
from tests.game_state import NOWHERE, OWNER, GameState, at_once, fresh_game

BOTS = ({"bot": "greedy"}, {"bot": "random"})
SEED = "5eed" * 16


def ask(gs: GameState, **more):
    return gs.call("POST", "/games", json={"owner": "platform", "ruleset": "usa", "seats": [{}, {}]} | more)


def test_the_same_key_and_request_give_the_same_game(gs: GameState):
    """P-03 for creations."""
    key = fresh_game()
    first, again = ask(gs, idempotency_key=key), ask(gs, idempotency_key=key)
    assert (first.status_code, again.status_code) == (201, 200)
    assert again.json == first.json


def test_the_same_key_with_another_request_is_refused(gs: GameState):
    key = fresh_game()
    ask(gs, idempotency_key=key)
    other = ask(gs, idempotency_key=key, seats=[{}, {}, {}])
    assert (other.status_code, other.json["code"]) == (409, "idempotency_conflict")


def test_a_key_belongs_to_its_owner(gs: GameState):
    key = fresh_game()
    games = [ask(gs, owner=owner, idempotency_key=key).json["game"] for owner in ("one", "two")]
    assert games[0] != games[1]


def test_one_key_used_many_times_at_once_makes_one_game(gs: GameState):
    key = fresh_game()
    responses = at_once(*[lambda: ask(gs, idempotency_key=key, seats=list(BOTS))] * 8)
    assert sorted(response.status_code for response in responses) == [200] * 7 + [201]
    [game] = {response.json["game"] for response in responses}
    assert [version for version, _ in gs.adapters.store.commits(game)] == [1]


def test_without_a_key_every_request_makes_a_game(gs: GameState):
    assert ask(gs).json["game"] != ask(gs).json["game"]


@pytest.mark.rule("BASE-1")
@pytest.mark.parametrize("seats", [1, 6, 10])
def test_a_number_of_seats_that_the_rule_set_does_not_take_is_refused(gs: GameState, seats: int):
    response = ask(gs, seats=[{}] * seats)
    assert response.status_code == 422
    assert response.json["errors"][0]["pointer"] == "/seats"


@pytest.mark.rule("OPT-5")
@pytest.mark.parametrize(
    ("more", "pointer"),
    [
        ({"options": {"alvin": True}}, "/options/alvin"),
        ({"options": {"first_player": 7}}, "/options/first_player"),
        ({"ruleset": "chess"}, "/ruleset"),
        ({"ruleset": "usa@999"}, "/ruleset"),
        ({"seats": [{"name": "Ann"}, {"name": "Ann"}]}, "/seats/0/name"),
    ],
)
def test_what_the_rule_set_does_not_have_is_refused_with_a_pointer(gs: GameState, more: dict, pointer: str):
    response = ask(gs, **more)
    assert (response.status_code, response.json["code"]) == (422, "invalid_request")
    assert response.json["errors"][0]["pointer"] == pointer


def test_the_game_pins_the_revision_of_its_rule_set_and_its_options(gs: GameState):
    """P-42: a later rule fix does not touch games that run."""
    game = ask(gs).json
    assert game["ruleset"] == "usa@1"
    assert game["options"] == {"first_player": "random"}


def test_a_game_full_of_bots_starts_within_its_creation(gs: GameState):
    game = gs.create(*BOTS)
    assert (game["status"], game["version"]) == ("playing", 1)
    assert {decision["kind"] for decision in game["decisions"]} == {"opening_tickets"}


def test_a_named_seat_is_taken_from_the_start(gs: GameState):
    game = gs.create({"name": "Ann"}, {})
    assert [seat["taken"] for seat in game["seats"]] == [True, False]
    assert (game["status"], game["position"]) == ("waiting", None)


def test_a_game_that_cannot_start_because_rules_is_down_is_started_later(store_url: str, gs: GameState):
    """Nothing is lost: the game exists, and the agenda has its start."""
    alone = GameState(store_url, NOWHERE)
    game = alone.create(*BOTS)["game"]
    assert alone.show(game)["status"] == "waiting"
    agenda = shard_key(shard_of(game), "agenda")
    assert gs.redis.zscore(agenda, member(START, game)) is not None
    response = gs.call("POST", f"/games/{game}/start", service="maintenance")
    assert (response.status_code, response.json) == (200, {"version": 1})
    assert gs.show(game)["status"] == "playing"
    assert gs.redis.zscore(agenda, member(START, game)) is None


def test_a_start_while_rules_is_down_says_so(store_url: str):
    alone = GameState(store_url, NOWHERE)
    game = alone.create(*BOTS)["game"]
    response = alone.call("POST", f"/games/{game}/start", service="maintenance")
    assert (response.status_code, response.json["code"]) == (503, "rules_unavailable")
    assert response.headers["Retry-After"]


def test_a_game_asked_to_start_many_times_at_once_starts_once(store_url: str, gs: GameState):
    """P-06."""
    game = GameState(store_url, NOWHERE).create(*BOTS)["game"]
    responses = at_once(*[lambda: gs.call("POST", f"/games/{game}/start", service="maintenance")] * 6)
    assert [response.json for response in responses] == [{"version": 1}] * 6
    assert len(gs.adapters.store.commits(game)) == 1


def test_a_game_with_a_free_seat_does_not_start(gs: GameState):
    game = gs.create({"name": "Ann"}, {})["game"]
    assert gs.call("POST", f"/games/{game}/start", service="maintenance").json == {"version": 0}
    assert gs.adapters.store.commits(game) == []


@pytest.mark.rule("OPT-4")
def test_the_seed_is_fresh_and_shown_to_nobody_before_the_end(gs: GameState, caplog: pytest.LogCaptureFixture):
    """P-17: every game has its own strong seed, in no answer and in no log line."""
    caplog.set_level("DEBUG")
    games = [gs.started()["game"] for _ in range(2)]
    secrets = [gs.redis.hgetall(game_key(game, "secret")) for game in games]
    assert secrets[0]["seed"] != secrets[1]["seed"]
    assert all(len(secret["seed"]) == 64 for secret in secrets)
    told = caplog.text
    for caller in (OWNER, f"seat:{games[0]}:0:1"):
        told += json.dumps(gs.show(games[0], caller))
        told += gs.call("GET", f"/games/{games[0]}/commits", caller=caller).text
        told += gs.call("GET", f"/games/{games[0]}/record", caller=caller).text
    assert not any(secret[part] in told for secret in secrets for part in ("seed", "nonce"))


@pytest.mark.rule("OPT-4")
def test_the_commitment_fixes_seed_and_nonce(gs: GameState):
    game = gs.started()
    secret = gs.redis.hgetall(game_key(game["game"], "secret"))
    fixed = hashlib.sha256(bytes.fromhex(secret["nonce"]) + bytes.fromhex(secret["seed"])).hexdigest()
    assert game["commitment"] == fixed
    assert game["seed_by"] == "server"


@pytest.mark.rule("OPT-4")
def test_a_seed_of_the_host_is_shown_as_such_and_gives_the_same_game_again(gs: GameState):
    games = [gs.started(seed=SEED) for _ in range(2)]
    assert [game["seed_by"] for game in games] == ["host", "host"]
    views = [gs.show(game["game"], f"seat:{game['game']}:0:1")["position"] for game in games]
    assert views[0] == views[1]
    assert games[0]["seed"] is None, "not even a seed the host knows is shown to seats"


@pytest.mark.rule("OPT-1")
def test_the_host_may_name_the_first_seat(gs: GameState):
    game = gs.started(seats=3, options={"first_player": 2})["game"]
    gs.choose_tickets(game)
    assert [decision["seat"] for decision in gs.open_decisions(game)] == [2]


def test_the_list_shows_an_owner_its_own_games_newest_first_in_pages(gs: GameState):
    owner = fresh_game()
    made = [ask(gs, owner=owner).json["game"] for _ in range(5)]
    ask(gs, owner=fresh_game())
    pages, cursor = [], None
    while not pages or cursor:
        query = {"owner": owner, "limit": 2} | ({"cursor": cursor} if cursor else {})
        page = gs.call("GET", "/games", query_string=query).json
        pages.append(page["games"])
        cursor = page["next"]
    listed = [game for page in pages for game in page]
    assert [len(page) for page in pages] == [2, 2, 1]
    assert sorted(game["game"] for game in listed) == sorted(made)
    assert [game["created"] for game in listed] == sorted((game["created"] for game in listed), reverse=True)


def test_a_creation_that_broke_off_is_no_game_and_does_not_shorten_the_list(gs: GameState):
    """P-25: the id was listed, then the process died."""
    owner = fresh_game()
    made = [ask(gs, owner=owner).json["game"] for _ in range(2)]
    gs.redis.zadd(owner_key(owner), {fresh_game(): 2e12, fresh_game(): 1})
    pages, cursor = [], None
    while not pages or cursor:
        query = {"owner": owner, "limit": 1} | ({"cursor": cursor} if cursor else {})
        page = gs.call("GET", "/games", query_string=query).json
        pages.append([game["game"] for game in page["games"]])
        cursor = page["next"]
    assert sorted(game for page in pages for game in page) == sorted(made)


def test_a_cursor_of_another_list_is_refused(gs: GameState):
    game = ask(gs, owner=fresh_game()).json["game"]
    response = gs.call("GET", "/games", query_string={"owner": fresh_game(), "cursor": game})
    assert response.status_code == 422
    assert response.json["errors"][0]["pointer"] == "?cursor"
