"""Bots are asked no faster than workers take their tasks up, and are not given up for the load of others."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import redis

from deploy.local.processes import free_ports
from services.game_state import backlog
from services.game_state.agenda import member
from services.game_state.backlog import MOST_WAITING, Backlog, QueueDepths
from services.game_state.dispatcher import Dispatcher
from services.game_state.keys import shard_key, shard_of
from shared.contracts import queues
from tests.game_state import GameState
from tests.polling import until

pytestmark = pytest.mark.usefixtures("nothing_due")


class Queue:
    """The bots' queue without workers: tasks wait in the broker until a test takes them up."""

    def __init__(self, broker: redis.Redis) -> None:
        self._broker = broker
        self.sent: list[tuple[str, dict]] = []

    def __call__(self, task: str, details: dict, seconds: float) -> None:
        self.sent.append((task, details))
        if task == queues.AI_ANSWER:
            self._broker.lpush(queues.AI_INTERACTIVE, f"{details} {len(self.sent)}")

    def take(self, number: int) -> None:
        self._broker.rpop(queues.AI_INTERACTIVE, number)

    def asked(self, game: str) -> list[str]:
        return [details["decision"] for task, details in self.sent
                if details["game"] == game and task == queues.AI_ANSWER]


@pytest.fixture
def broker(broker_url: str) -> Iterator[redis.Redis]:
    with redis.Redis.from_url(broker_url) as client:
        yield client


@pytest.fixture
def queue(broker: redis.Redis) -> Queue:
    return Queue(broker)


@pytest.fixture
def dispatcher(gs: GameState, broker: redis.Redis, queue: Queue) -> Dispatcher:
    return Dispatcher(gs.redis, queue, Backlog(broker))


def open_bots(gs: GameState, number: int, game: str) -> None:
    names = [member("bot", game, f"{version}.0") for version in range(1, number + 1)]
    gs.redis.zadd(shard_key(shard_of(game), "agenda"), dict.fromkeys(names, 0))


def attempts(gs: GameState, game: str) -> list[int]:
    counted = gs.redis.hgetall(shard_key(shard_of(game), "attempts"))
    return [int(number) for name, number in counted.items() if name.split("|")[1] == game]


def test_a_full_queue_is_not_taken_for_bots_that_fail(gs: GameState, dispatcher: Dispatcher, queue: Queue):
    game = gs.started()["game"]
    open_bots(gs, 3 * MOST_WAITING, game)
    for _ in range(5):
        dispatcher.sweep([shard_of(game)])
    assert len(queue.asked(game)) == MOST_WAITING
    for taken in (1, 3):
        queue.take(taken)
        dispatcher.sweep([shard_of(game)])
    asked = queue.asked(game)
    assert len(asked) == len(set(asked)) == MOST_WAITING + 4
    assert attempts(gs, game) == [1] * len(asked)


def test_deadlines_do_not_wait_behind_bots_without_room(gs: GameState, dispatcher: Dispatcher, queue: Queue):
    game = gs.started()["game"]
    open_bots(gs, 300, game)
    gs.redis.zadd(shard_key(shard_of(game), "agenda"), {member("deadline", game, "1.1"): 1})
    dispatcher.sweep([shard_of(game)])
    dispatcher.sweep([shard_of(game)])
    assert (queues.MAINTENANCE_FORCE_ANSWER, {"game": game, "decision": "1.1"}) in queue.sent


def test_a_shard_that_is_woken_more_often_does_not_take_all_the_room(
    gs: GameState, dispatcher: Dispatcher, queue: Queue
):
    loud = gs.started()["game"]
    quiet = next(game for game in iter(lambda: gs.started()["game"], None) if shard_of(game) != shard_of(loud))
    for game in (loud, quiet):
        open_bots(gs, 3 * MOST_WAITING, game)
    dispatcher.sweep([shard_of(loud)])
    dispatcher.sweep([shard_of(loud), shard_of(quiet)])
    for _ in range(MOST_WAITING):
        queue.take(1)
        dispatcher.sweep([shard_of(loud)])
    assert len(queue.asked(quiet)) == MOST_WAITING / 2


def test_a_queue_that_nobody_takes_from_holds_no_game_up(
    gs: GameState, dispatcher: Dispatcher, queue: Queue, broker: redis.Redis, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(backlog, "STUCK_SECONDS", 0.2)
    broker.lpush(queues.AI_INTERACTIVE, *range(MOST_WAITING))
    game = gs.started()["game"]

    def is_forced() -> bool:
        open_bots(gs, 1, game)
        dispatcher.sweep([shard_of(game)])
        return (queues.MAINTENANCE_FORCE_ANSWER, {"game": game, "decision": "1.0"}) in queue.sent

    until(is_forced, "an answer by default")


def test_workers_that_fall_behind_are_not_taken_for_dead(
    gs: GameState, dispatcher: Dispatcher, queue: Queue, broker: redis.Redis, monkeypatch: pytest.MonkeyPatch
):
    """As long as the task in front is another one now and then."""
    monkeypatch.setattr(backlog, "STUCK_SECONDS", 0.0)
    broker.lpush(queues.AI_INTERACTIVE, *range(3 * MOST_WAITING))
    game = gs.started()["game"]
    open_bots(gs, 1, game)
    for _ in range(MOST_WAITING):
        queue.take(1)
        dispatcher.sweep([shard_of(game)])
    assert attempts(gs, game) == []


def test_the_depth_of_the_other_queues_is_measured_while_the_broker_is_there(broker: redis.Redis) -> None:
    broker.lpush(queues.SCORING_COMMITS, "one", "two")
    [depths] = QueueDepths(broker).collect()
    told = {sample.labels["queue"]: sample.value for sample in depths.samples}
    assert told == {queues.SCORING_COMMITS: 2, queues.MAINTENANCE: 0}
    with redis.Redis.from_url(f"redis://127.0.0.1:{free_ports(1)[0]}") as away:
        assert list(QueueDepths(away).collect()) == []
