"""The one script that changes a started game: what it accepts, what it refuses, and what a crash around it leaves."""

from __future__ import annotations

import re

import pytest
import redis

from services.game_state.event_store import EventStore
from services.game_state.keys import game_key, shard_key, shard_of
from services.game_state.records import Answer, Head, NewCommit
from services.game_state.waiting import HOLDERS, waiting_key
from shared.contracts.queues import feed_of
from tests.game_state import GameState, fresh_game
from tests.polling import until


def new_commit(game: str, version: int, *, decision: str = "", digest: str = "d", **more) -> NewCommit:
    answer = Answer(version, "turn", digest) if decision else None
    return NewCommit(game, f"commit {version}", Head(version, f"state {version}", False), decision, answer, **more)


@pytest.fixture
def store(gs: GameState) -> EventStore:
    return gs.adapters.store


def test_appends_log_head_answer_agenda_and_feed_together(gs: GameState, store: EventStore):
    game = fresh_game()
    outcome = store.append(new_commit(game, 1, decision="0.1", due={f"bot|{game}|1.0": 5}))
    assert (outcome.outcome, outcome.version) == ("appended", 1)
    assert store.commits(game) == [(1, "commit 1")]
    assert gs.redis.hgetall(game_key(game, "head")) == {"version": "1", "state": "state 1", "phase": "live"}
    assert store.answers(game) == {"0.1": "1:turn:d"}
    assert gs.redis.zscore(shard_key(shard_of(game), "agenda"), f"bot|{game}|1.0") == 5
    assert gs.redis.sismember(shard_key(shard_of(game), "live"), game)
    newest = gs.redis.xrevrange(feed_of(shard_of(game)), count=1)[0][1]
    assert newest == {"game": game, "version": "1", "bots": ""}


def test_the_stream_id_is_the_version(gs: GameState, store: EventStore):
    game = fresh_game()
    for version in (1, 2, 3):
        store.append(new_commit(game, version))
    assert [entry for entry, _ in gs.redis.xrange(game_key(game, "log"))] == ["1-0", "2-0", "3-0"]


def test_the_same_answer_again_gives_its_version_and_changes_nothing(store: EventStore):
    game = fresh_game()
    store.append(new_commit(game, 1))
    store.append(new_commit(game, 2, decision="1.0"))
    again = store.append(new_commit(game, 3, decision="1.0"))
    assert (again.outcome, again.version) == ("answered", 2)
    assert len(store.commits(game)) == 2


def test_another_answer_to_the_same_decision_is_a_conflict(store: EventStore):
    game = fresh_game()
    store.append(new_commit(game, 1, decision="0.1", digest="one"))
    other = store.append(new_commit(game, 2, decision="0.1", digest="two"))
    assert (other.outcome, other.version) == ("conflict", 1)
    assert len(store.commits(game)) == 1


@pytest.mark.parametrize("version", [1, 2, 4, 5], ids=lambda version: f"at version {version} instead of 3")
def test_a_commit_that_does_not_follow_the_head_is_stale(store: EventStore, version: int):
    """P-04: what was decided on an old state is never appended."""
    game = fresh_game()
    for earlier in (1, 2):
        store.append(new_commit(game, earlier))
    stale = store.append(new_commit(game, version, decision="2.0"))
    assert (stale.outcome, stale.version) == ("stale", 2)
    assert len(store.commits(game)) == 2
    assert store.answers(game) == {}


def test_what_is_done_leaves_the_agenda_and_may_come_back_in_the_same_commit(gs: GameState, store: EventStore):
    game = fresh_game()
    agenda = shard_key(shard_of(game), "agenda")
    store.append(new_commit(game, 1, due={f"audit|{game}|": 100, f"bot|{game}|1.0": 100, f"project|{game}|": 100}))
    done = (f"bot|{game}|1.0", f"audit|{game}|")
    store.append(new_commit(game, 2, done=done, due={f"audit|{game}|": 7, f"project|{game}|": 7}))
    assert gs.redis.zscore(agenda, f"bot|{game}|1.0") is None
    assert gs.redis.zscore(agenda, f"audit|{game}|") == 7
    assert gs.redis.zscore(agenda, f"project|{game}|") == 100, "what waits already keeps its time"


def test_what_is_opened_waits_until_it_is_answered_and_the_answer_tells_since_when(gs: GameState, store: EventStore):
    game = fresh_game()
    opened = store.append(new_commit(game, 1, at=1000, opened={"bots": ["1.0"], "people": ["1.1"]}))
    assert (opened.outcome, opened.opened) == ("appended", None)
    assert gs.redis.zscore(waiting_key(shard_of(game), "bots"), f"{game}|1.0") == 1000
    answered = store.append(new_commit(game, 2, decision="1.1", at=5000, opened={"people": ["2.1"]}))
    assert answered.opened == 1000
    assert gs.redis.zscore(waiting_key(shard_of(game), "people"), f"{game}|1.1") is None
    assert gs.redis.zscore(waiting_key(shard_of(game), "people"), f"{game}|2.1") == 5000
    assert store.append(new_commit(game, 2, decision="1.0")).outcome == "stale"
    assert gs.redis.zscore(waiting_key(shard_of(game), "bots"), f"{game}|1.0") == 1000


def test_the_script_is_sent_again_to_a_store_that_has_forgotten_it(gs: GameState, store: EventStore):
    game = fresh_game()
    store.append(new_commit(game, 1))
    gs.redis.script_flush()
    assert store.append(new_commit(game, 2)).outcome == "appended"


def test_every_commit_wakes_the_dispatcher_of_its_shard(gs: GameState, store: EventStore):
    game = fresh_game()
    with gs.redis.pubsub(ignore_subscribe_messages=True) as wakes:
        wakes.subscribe("gs:wake")
        wakes.get_message(timeout=1)
        store.append(new_commit(game, 1))
        message = until(lambda: wakes.get_message(timeout=0.1), "a wake-up")
    assert message["data"] == str(shard_of(game))


def test_a_finished_game_is_no_longer_live(gs: GameState, store: EventStore):
    game = fresh_game()
    store.append(new_commit(game, 1))
    store.append(NewCommit(game, "commit 2", Head(2, "state 2", True)))
    assert not gs.redis.sismember(shard_key(shard_of(game), "live"), game)


def test_a_refused_log_entry_leaves_everything_as_it_was(gs: GameState, store: EventStore):
    """A crash inside the script cannot leave half a commit: the log entry comes first, and nothing without it."""
    game = fresh_game()
    gs.redis.xadd(game_key(game, "log"), {"commit": "from nowhere"}, id="9-0")
    with pytest.raises(redis.ResponseError):
        store.append(new_commit(game, 2, decision="1.0", due={f"bot|{game}|2.0": 5}))
    assert gs.redis.hgetall(game_key(game, "head")) == {}
    assert store.answers(game) == {}
    assert gs.redis.zscore(shard_key(shard_of(game), "agenda"), f"bot|{game}|2.0") is None


def test_a_client_that_died_after_the_script_finds_its_answer_recorded(gs: GameState, store: EventStore):
    """The connection breaks before the reply is read; the same answer again gives the version it got."""
    game = fresh_game()
    store.append(new_commit(game, 1))
    _append_and_hang_up(gs, new_commit(game, 2, decision="1.0"))
    until(lambda: len(store.commits(game)) == 2, "the commit")
    again = store.append(new_commit(game, 2, decision="1.0"))
    assert (again.outcome, again.version) == ("answered", 2)
    assert [version for version, _ in store.commits(game)] == [1, 2]


def test_a_client_that_died_before_the_script_has_left_no_trace(gs: GameState, store: EventStore):
    game = fresh_game()
    store.append(new_commit(game, 1))
    before = {key: gs.redis.dump(key) for key in gs.redis.scan_iter(f"*:game:{game}:*")}
    _append_and_hang_up(gs, new_commit(game, 2, decision="1.0"), bytes_kept=40)
    gs.redis.ping()
    assert {key: gs.redis.dump(key) for key in gs.redis.scan_iter(f"*:game:{game}:*")} == before
    assert store.append(new_commit(game, 2, decision="1.0")).outcome == "appended"


def test_all_keys_of_one_commit_carry_one_hash_tag():
    game = fresh_game()
    shard = shard_of(game)
    parts = ("meta", "log", "head", "answers", "secret", "notes")
    keys = [game_key(game, part) for part in parts]
    keys += [shard_key(shard, part) for part in ("agenda", "attempts", "live")] + [feed_of(shard)]
    keys += [waiting_key(shard, holder) for holder in HOLDERS]
    assert {re.search(r"\{(.*?)\}", key)[1] for key in keys} == {f"s{shard:02d}"}
    assert all(key.startswith("gs:") for key in keys)


class _HangUp(redis.Connection):
    """Breaks once a script was sent, or only its first bytes, instead of reading the reply."""

    bytes_kept: int | None = None
    is_broken = False

    def send_packed_command(self, command, check_health=True):
        whole = b"".join([command] if isinstance(command, bytes) else command)
        self.is_broken = b"EVALSHA" in whole
        super().send_packed_command([whole[: self.bytes_kept] if self.is_broken else whole], check_health=False)

    def read_response(self, *args, **kwargs):
        if self.is_broken:
            self.disconnect()
            raise redis.ConnectionError("hung up")
        return super().read_response(*args, **kwargs)


def _append_and_hang_up(gs: GameState, new: NewCommit, bytes_kept: int | None = None) -> None:
    known = gs.redis.connection_pool.connection_kwargs
    kind = type("HangUp", (_HangUp,), {"bytes_kept": bytes_kept})
    pool = redis.ConnectionPool(
        connection_class=kind, host=known["host"], port=known["port"], db=known["db"], decode_responses=True
    )
    with pytest.raises(redis.ConnectionError):
        EventStore(redis.Redis(connection_pool=pool)).append(new)
