"""Claiming and releasing seats, above all at the same time."""

from __future__ import annotations

from itertools import count

import pytest

from tests.game_state import OWNER, GameState, at_once, seat_of

ROUNDS = 15


def claim(gs: GameState, game: str, seat: int, name: str):
    return gs.call("PUT", f"/games/{game}/seats/{seat}", caller=OWNER, json={"name": name})


def release(gs: GameState, game: str, seat: int, caller: str = OWNER):
    return gs.call("DELETE", f"/games/{game}/seats/{seat}", caller=caller)


def commits(gs: GameState, game: str) -> list[int]:
    return [version for version, _ in gs.adapters.store.commits(game)]


@pytest.mark.parametrize("_", range(ROUNDS))
def test_the_last_seat_claimed_by_two_at_once_has_one_winner_and_the_game_starts_once(gs: GameState, _: int):
    """P-06."""
    game = gs.create({"name": "Ann"}, {})["game"]
    responses = at_once(lambda: claim(gs, game, 1, "Bea"), lambda: claim(gs, game, 1, "Cem"))
    assert sorted(response.status_code for response in responses) == [201, 409]
    assert next(r.json["code"] for r in responses if r.status_code == 409) == "seat_taken"
    assert commits(gs, game) == [1]
    assert gs.show(game)["status"] == "playing"


@pytest.mark.parametrize("_", range(ROUNDS))
def test_the_last_two_seats_claimed_at_once_are_both_taken_and_the_game_starts_once(gs: GameState, _: int):
    game = gs.create({}, {})["game"]
    responses = at_once(lambda: claim(gs, game, 0, "Ann"), lambda: claim(gs, game, 1, "Bea"))
    assert [response.status_code for response in responses] == [201, 201]
    assert commits(gs, game) == [1]


def test_one_name_cannot_take_two_seats_even_at_once(gs: GameState):
    """P-07."""
    for _ in range(ROUNDS):
        game = gs.create({}, {}, {})["game"]
        responses = at_once(lambda game=game: claim(gs, game, 0, "Ann"), lambda game=game: claim(gs, game, 1, "Ann"))
        assert sorted(response.status_code for response in responses) == [201, 409]
        assert next(r.json["code"] for r in responses if r.status_code == 409) == "name_taken"


def test_the_same_name_again_gets_the_same_seat_and_full_view_and_only_the_newest_token_works(gs: GameState):
    """P-08."""
    game = gs.started()["game"]
    before = gs.show(game, seat_of(game, 0))
    again = claim(gs, game, 0, "Seat 0")
    assert (again.status_code, again.json) == (200, {"seat": 0, "name": "Seat 0", "epoch": 2})
    assert gs.show(game, seat_of(game, 0, epoch=2)) == before
    old = gs.call("GET", f"/games/{game}", caller=seat_of(game, 0, epoch=1))
    assert (old.status_code, old.json["code"]) == (401, "token_revoked")


def test_a_taken_seat_is_not_given_to_another_name(gs: GameState):
    game = gs.create({"name": "Ann"}, {"bot": "greedy"}, {})["game"]
    for seat in (0, 1):
        assert claim(gs, game, seat, "Bea").json["code"] == "seat_taken"


def test_a_seat_freed_before_the_start_can_be_claimed_again_and_its_old_token_is_void(gs: GameState):
    game = gs.create({}, {})["game"]
    claim(gs, game, 0, "Ann")
    gs.call("PUT", f"/games/{game}/seats/0/notes", caller=seat_of(game, 0), json={"notes": "mine"})
    assert release(gs, game, 0, caller=seat_of(game, 0)).status_code == 204
    assert gs.show(game)["seats"][0] == {"seat": 0, "name": None, "bot": None, "taken": False}
    claimed = claim(gs, game, 0, "Bea").json
    assert claimed["epoch"] > 1
    assert gs.call("GET", f"/games/{game}", caller=seat_of(game, 0)).json["code"] == "token_revoked"
    notes = gs.call("GET", f"/games/{game}/seats/0/notes", caller=seat_of(game, 0, claimed["epoch"]))
    assert notes.json == {"notes": ""}, "notes leave with their seat"


def test_a_seat_released_after_the_start_stays_with_its_name_but_loses_its_token(gs: GameState):
    game = gs.started()["game"]
    assert release(gs, game, 0).status_code == 204
    assert gs.show(game)["seats"][0]["name"] == "Seat 0"
    assert gs.call("GET", f"/games/{game}", caller=seat_of(game, 0)).status_code == 401
    assert claim(gs, game, 0, "Bea").json["code"] == "seat_taken"
    assert claim(gs, game, 0, "Seat 0").status_code == 200


def test_releasing_a_free_seat_changes_nothing(gs: GameState):
    game = gs.create({}, {})
    assert release(gs, game["game"], 0).status_code == 204
    assert gs.show(game["game"]) == game


def test_a_bot_keeps_its_seat(gs: GameState):
    game = gs.create({"bot": "greedy"}, {})["game"]
    assert release(gs, game, 0).json["code"] == "seat_taken"


def test_claiming_and_releasing_at_once_never_starts_a_game_with_a_free_seat(gs: GameState):
    """Whoever comes first: the game either waits with the seat free, or has started with the seat taken."""
    for _ in range(ROUNDS):
        game = gs.create({"name": "Ann"}, {})["game"]
        at_once(lambda game=game: claim(gs, game, 1, "Bea"), lambda game=game: release(gs, game, 0))
        shown = gs.show(game)
        assert (shown["status"] == "playing") == all(seat["taken"] for seat in shown["seats"])


def test_every_change_of_the_seats_changes_the_etag_while_the_game_waits(gs: GameState):
    game = gs.create({}, {}, {})["game"]
    tags = []

    def remember() -> None:
        tags.append(gs.call("GET", f"/games/{game}", caller=OWNER).headers["ETag"])

    remember()
    for seat, name in zip(count(), ("Ann", "Bea"), strict=False):
        claim(gs, game, seat, name)
        remember()
    release(gs, game, 0)
    remember()
    assert len(set(tags)) == 4


def test_new_spectator_tokens_make_the_old_ones_void(gs: GameState):
    game = gs.started()["game"]
    assert gs.call("GET", f"/games/{game}", caller=f"spectator:{game}:1").status_code == 200
    assert gs.call("PUT", f"/games/{game}/spectators", caller=OWNER).json == {"epoch": 2}
    assert gs.call("GET", f"/games/{game}", caller=f"spectator:{game}:1").json["code"] == "token_revoked"
    assert gs.call("GET", f"/games/{game}", caller=f"spectator:{game}:2").status_code == 200
