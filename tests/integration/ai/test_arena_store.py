"""The arenas in a real store: every game to one holder at a time, one result each, each counted once."""

from __future__ import annotations

import json
import re
import threading
from collections import Counter

import pytest

from deploy.local.processes import free_ports
from services.ai.arenas import keeper
from services.ai.arenas import store as arena_store
from services.ai.arenas.counting import count, tally_of
from services.ai.arenas.slices import play_slice
from services.ai.arenas.store import CLOSED, KEPT, KNOWN, LEASE_MS, OPEN, SCRIPTS, Claim
from tests.arenas import Arenas, arenas
from tests.game_state import at_once
from tests.polling import until
from tests.servers import embedded_server

__all__ = ["arenas"]

NOW = 1_000_000
Json = dict


def result(game: int) -> Json:
    """A result of two seats, made up."""
    seats = [{"entrant": entrant, "rank": entrant + 1, "points": game, "reasons": {"track": game}, "tickets": {},
              "decisions": 1, "ms": 1.0, "speeds": {0: 1}, "failures": {}} for entrant in (0, 1)]  # fmt: skip
    return {"game": game, "seats": seats, "tracks": [], "decisions": 2, "turns": 2}


def test_each_game_is_claimed_by_one(arenas: Arenas) -> None:
    arena = arenas.create(games=40)
    claimed = at_once(*[lambda: [arenas.store.claim(arena) for _ in range(5)]] * 8)
    assert sorted(claim.game for claims in claimed for claim in claims) == list(range(40))
    assert arenas.store.claim(arena) is None and arenas.store.claimable(arena) == 0


def test_a_game_put_aside_is_claimed_next_and_goes_on_from_there(arenas: Arenas) -> None:
    arena = arenas.create(games=10)
    first, second = arenas.store.claim(arena), arenas.store.claim(arena)
    assert arenas.store.put_aside(arena, first, {"position": 1})
    assert arenas.store.claimable(arena) == 9
    again = arenas.store.claim(arena)
    assert (again.game, again.aside, again.losses, first.aside) == (0, {"position": 1}, 0, None)
    assert again.holder != first.holder and second.game == 1


def test_a_lease_that_runs_out_gives_the_game_to_another_and_its_last_holder_cannot_put_it_aside(
    arenas: Arenas,
) -> None:
    arena = arenas.create(games=1)
    lost = arenas.store.claim(arena, now=NOW)
    assert arenas.store.claim(arena, now=NOW + LEASE_MS - 1) is None
    assert arenas.store.claimable(arena, now=NOW + LEASE_MS - 1) == 0
    assert arenas.store.claimable(arena, now=NOW + LEASE_MS) == 1
    taken = arenas.store.claim(arena, now=NOW + LEASE_MS)
    assert (taken.game, taken.losses) == (0, 1)
    assert not arenas.store.put_aside(arena, lost, {"position": "old"})
    assert arenas.store.put_aside(arena, taken, {"position": "new"})
    after = arenas.store.claim(arena, now=NOW + LEASE_MS)
    assert (after.aside, after.losses) == ({"position": "new"}, 0), "put aside, it is no longer a game that is lost"


def test_only_the_first_result_of_a_game_counts_whoever_brings_it(arenas: Arenas) -> None:
    arena = arenas.create(games=2)
    lost = arenas.store.claim(arena, now=NOW)
    taken = arenas.store.claim(arena, now=NOW + LEASE_MS)
    assert arenas.store.put_aside(arena, taken, {"position": 1})
    assert arenas.store.finish(arena, result(lost.game)) == KEPT
    assert arenas.store.finish(arena, result(lost.game)) == KNOWN
    assert not arenas.store.put_aside(arena, taken, {"position": 1})
    assert arenas.store.claim(arena, now=NOW + LEASE_MS).game == 1, "what was put aside is done"
    assert arenas.show(arena)["done"] == 1


def test_a_result_brought_by_many_at_once_is_kept_once(arenas: Arenas) -> None:
    arena = arenas.create(games=3)
    arenas.store.claim(arena)
    outcomes = at_once(*[lambda: arenas.store.finish(arena, result(0))] * 8)
    assert Counter(outcomes) == {KEPT: 1, KNOWN: 7} and arenas.show(arena)["statistics"]["games"] == 1


def test_what_comes_after_the_end_is_not_kept(arenas: Arenas) -> None:
    arena = arenas.create(games=3)
    claim = arenas.store.claim(arena)
    arenas.store.cancel(arena)
    assert arenas.store.finish(arena, result(claim.game)) == CLOSED
    assert arenas.store.claim(arena) is None and arenas.show(arena)["done"] == 0


def test_keepers_side_by_side_count_each_result_once(arenas: Arenas, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arena_store, "MOST_COUNTED", 7)
    arena = arenas.create(games=300)
    done = threading.Event()

    def bring() -> None:
        for game in range(300):
            arenas.store.claim(arena)
            arenas.store.finish(arena, result(game))
        done.set()

    def keep() -> None:
        while not done.is_set() or arenas.store.read(arena).counted < 300:
            count(arenas.store, arenas.store.read(arena))

    at_once(bring, keep, keep, keep)
    shown = arenas.show(arena)
    assert (shown["status"], shown["done"], shown["statistics"]["games"]) == ("over", 300, 300)
    assert shown["statistics"]["entrants"][0]["points"]["mean"] == sum(range(300)) / 300
    assert tally_of(arenas.store, arenas.store.read(arena)).rated == 300


def test_arenas_take_turns(arenas: Arenas) -> None:
    made = [arenas.create(games=100) for _ in range(3)]
    served = [next(arenas.store.turns()) for _ in range(9)]
    assert Counter(served) == dict.fromkeys(made, 3) and served[:3] == served[3:6] == served[6:]
    assert sorted(arenas.store.turns()) == sorted(made)


def test_an_arena_with_nothing_to_play_now_gives_its_turn_to_the_next(arenas: Arenas) -> None:
    waiting, playing = arenas.create(games=1), arenas.create(games=1)
    arenas.store.claim(waiting)
    assert play_slice(arenas.store) and arenas.show(playing)["done"] == 1
    assert not play_slice(arenas.store)


def test_what_only_a_running_arena_needs_goes_with_its_end_and_the_rest_later(arenas: Arenas) -> None:
    arena = arenas.create(games=2, records=True)
    arenas.play(arena)
    arenas.keeper.tend()
    left = {key.rpartition(":")[2]: arenas.redis.ttl(key) for key in arenas.redis.scan_iter(f"ai:{{arena:{arena}}}:*")}
    assert set(left) == {"meta", "tally", "records"}
    assert all(0 < seconds <= arena_store.KEPT_SECONDS for seconds in left.values())
    assert arenas.redis.zcard(OPEN) == arenas.redis.scard(f"ai:{{owner:{arenas.owner}}}:live") == 0
    arenas.redis.delete(f"ai:{{arena:{arena}}}:meta")
    assert arenas.call("GET", "/arenas", query_string={"owner": arenas.owner}).json == {"arenas": [], "next": None}
    assert arenas.redis.zcard(f"ai:{{owner:{arenas.owner}}}:arenas") == 0


def test_a_creation_that_broke_off_leaves_nothing_behind(
    arenas: Arenas, monkeypatch: pytest.MonkeyPatch
) -> None:
    def crash(*_: object, **__: object) -> str:
        raise ConnectionError

    with monkeypatch.context() as patch:
        patch.setattr(arenas.store, "_create", crash)
        assert arenas.ask().status_code == 500
    assert arenas.redis.zcard(OPEN) == 1 and not list(arenas.store.open_arenas())
    monkeypatch.setattr(arena_store, "UNFINISHED_MS", 0)
    arenas.keeper.tend()
    assert arenas.redis.zcard(OPEN) == arenas.redis.scard(f"ai:{{owner:{arenas.owner}}}:live") == 0


def test_the_keeper_sends_turns_while_there_are_games_and_no_more_than_needed(arenas: Arenas) -> None:
    arenas.keeper.tend()
    assert arenas.sent == 0
    arena = arenas.create(games=2)
    arenas.keeper.tend()
    assert arenas.sent == 2
    claims = [arenas.store.claim(arena), arenas.store.claim(arena)]
    arenas.keeper.tend()
    assert arenas.sent == 2
    arenas.store.put_aside(arena, claims[0], {"position": 1})
    arenas.keeper.tend()
    assert arenas.sent == 3


def test_a_keeper_outlives_a_store_that_is_away(broker_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeper, "PAUSE_SECONDS", 0.05)
    [port] = free_ports(1)
    stop, tended = threading.Event(), Arenas(f"redis://127.0.0.1:{port}/0", broker_url)
    thread = threading.Thread(target=tended.keeper.run, args=(stop,))
    try:
        with embedded_server(port):
            thread.start()
            tended.create()
            until(lambda: tended.sent, "turns")
        sent = tended.sent
        with embedded_server(port):
            tended.create()
            until(lambda: tended.sent > sent, "turns after the store is back")
    finally:
        stop.set()
        thread.join()


@pytest.mark.parametrize("script", sorted(path.name for path in SCRIPTS.glob("*.lua")))
def test_scripts_touch_only_the_keys_they_are_given(script: str) -> None:
    """Or they could not run on Redis Cluster, whose keys of one arena are in one place."""
    calls = re.findall(r"redis\.call\('(\w+)', (\S+?)[,)]", (SCRIPTS / script).read_text())
    assert calls and all(key.startswith("KEYS[") for _, key in calls)


def test_all_keys_of_an_arena_have_one_hash_tag(arenas: Arenas) -> None:
    arena = arenas.create(games=3, records=True)
    claim = arenas.store.claim(arena)
    assert isinstance(claim, Claim)
    arenas.store.put_aside(arena, claim, {"position": 1})
    arenas.store.finish(arena, result(2), {"number": 2})
    keys = list(arenas.redis.scan_iter(f"ai:*{arena}*"))
    assert len(keys) >= 6 and {re.search(r"\{(.*?)\}", key)[1] for key in keys} == {f"arena:{arena}"}
    assert arenas.records(arena) == json.loads('[{"number": 2}]')
