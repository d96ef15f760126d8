"""The dispatcher as it runs: a process of its own between a real store and a real broker that come and go."""

from __future__ import annotations

import base64
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import redis
import requests

from deploy.local.processes import free_ports
from services.game_state.agenda import member
from services.game_state.clock import parse_moment
from services.game_state.keys import shard_key, shard_of
from shared.contracts import queues
from tests.game_state import GameState
from tests.polling import until
from tests.servers import embedded_server

pytestmark = pytest.mark.usefixtures("nothing_due")

ROOT = Path(__file__).parents[3]
COMMAND = [sys.executable, "-m", "services.game_state.dispatcher"]
BOTS = ({"bot": "greedy"}, {"bot": "random"})


class Running:
    """A dispatcher and what it wrote."""

    def __init__(self, process: subprocess.Popen, log: Path, metrics_port: int) -> None:
        self.process = process
        self._log = log
        self._metrics = f"http://127.0.0.1:{metrics_port}/metrics"

    def said(self, words: str) -> bool:
        whole = [line for line in self._log.read_text().splitlines(keepends=True) if line.endswith("\n")]
        return any(words in json.loads(line)["message"] for line in whole)

    def metrics(self) -> str:
        return requests.get(self._metrics, timeout=2).text


@contextmanager
def dispatcher(folder: Path, store_url: str, broker_url: str) -> Iterator[Running]:
    """Runs a dispatcher for as long as the block lasts."""
    [port] = free_ports(1)
    env = os.environ | {"STORE_URL": store_url, "BROKER_URL": broker_url, "METRICS_PORT": str(port)}
    log = folder / f"dispatcher-{port}.log"
    with log.open("w") as out:
        process = subprocess.Popen(COMMAND, cwd=ROOT, env=env, stdout=out)
    running = Running(process, log, port)
    try:
        until(lambda: running.said("started"), "the dispatcher to start")
        yield running
    finally:
        process.kill()
        process.wait()


def tasks_in(broker: redis.Redis, queue: str) -> list[tuple[str, dict]]:
    """Gives the waiting tasks of a queue, oldest first."""
    messages = [json.loads(text) for text in reversed(broker.lrange(queue, 0, -1))]
    bodies = [json.loads(base64.b64decode(message["body"])) for message in messages]
    return [(message["headers"]["task"], body[1]) for message, body in zip(messages, bodies, strict=True)]


@pytest.fixture
def broker(broker_url: str) -> Iterator[redis.Redis]:
    with redis.Redis.from_url(broker_url, decode_responses=True) as client:
        yield client


def asked(broker: redis.Redis, game: str, queue: str = queues.AI_INTERACTIVE) -> list[tuple[str, dict]]:
    return [(task, details) for task, details in tasks_in(broker, queue) if details["game"] == game]


def test_bots_are_asked_as_soon_as_their_decisions_open(
    gs: GameState, store_url: str, broker_url: str, broker: redis.Redis, tmp_path: Path
):
    with dispatcher(tmp_path, store_url, broker_url) as running:
        game = gs.create(*BOTS)["game"]
        until(lambda: len(asked(broker, game)) == 2, "both bots to be asked")
        assert asked(broker, game) == [
            (queues.AI_ANSWER, {"game": game, "decision": "1.0", "bot": "greedy"}),
            (queues.AI_ANSWER, {"game": game, "decision": "1.1", "bot": "random"}),
        ]
        until(lambda: asked(broker, game, queues.SCORING_COMMITS), "scoring to be told")
        assert 'whistlestop_agenda_sent_total{task="ai.answer"}' in running.metrics()


def test_several_dispatchers_send_each_attempt_once(
    gs: GameState, store_url: str, broker_url: str, broker: redis.Redis, tmp_path: Path
):
    with dispatcher(tmp_path, store_url, broker_url), dispatcher(tmp_path, store_url, broker_url):
        games = [gs.create(*BOTS)["game"] for _ in range(4)]
        until(lambda: all(len(asked(broker, game)) >= 2 for game in games), "all bots to be asked")
    for game in games:
        names = [member("bot", game, decision) for decision in ("1.0", "1.1")]
        attempts = gs.redis.hmget(shard_key(shard_of(game), "attempts"), names)
        assert len(asked(broker, game)) == sum(map(int, attempts))


def test_a_copy_that_waited_too_long_costs_a_worker_nothing(
    gs: GameState, store_url: str, broker_url: str, broker: redis.Redis, tmp_path: Path
):
    """It expires when the next attempt is due: a worker drops it unread."""
    with dispatcher(tmp_path, store_url, broker_url):
        game = gs.create(*BOTS)["game"]
        until(lambda: len(asked(broker, game)) == 2, "both bots to be asked")
        due = gs.redis.zscore(shard_key(shard_of(game), "agenda"), member("bot", game, "1.0"))
    [expires, _] = [json.loads(text)["headers"]["expires"] for text in broker.lrange(queues.AI_INTERACTIVE, -2, -1)]
    assert abs(parse_moment(expires) - due) < 1000


def test_it_ends_cleanly_on_sigterm(store_url: str, broker_url: str, tmp_path: Path):
    with dispatcher(tmp_path, store_url, broker_url) as running:
        running.process.send_signal(signal.SIGTERM)
        assert running.process.wait(5) == 0
        assert running.said("stopped")


def test_a_broker_that_is_away_is_waited_for_and_everything_is_sent_when_it_is_back(
    gs: GameState, store_url: str, tmp_path: Path
):
    """P-34, and the design's table: moves are accepted, bots wait, nothing is lost."""
    [port] = free_ports(1)
    url = f"redis://127.0.0.1:{port}/0"
    with dispatcher(tmp_path, store_url, url) as running:
        game = gs.create(*BOTS)["game"]
        until(lambda: running.said("the broker is away"), "the dispatcher to notice")
        assert running.process.poll() is None
        with embedded_server(port), redis.Redis.from_url(url, decode_responses=True) as broker:
            until(lambda: len(asked(broker, game)) == 2, "both bots to be asked")
            assert {task for task, _ in asked(broker, game)} == {queues.AI_ANSWER}, "no attempt was counted meanwhile"


def test_a_broker_that_loses_everything_is_sent_everything_again(gs: GameState, store_url: str, tmp_path: Path):
    """P-30: nothing exists only in the queue."""
    with (
        embedded_server() as url,
        redis.Redis.from_url(url, decode_responses=True) as broker,
        dispatcher(tmp_path, store_url, url),
    ):
        game = gs.create(*BOTS)["game"]
        until(lambda: len(asked(broker, game)) == 2, "both bots to be asked")
        broker.flushall()
        until(lambda: len(asked(broker, game)) == 2, "both bots to be asked again")


def test_a_broker_that_hangs_does_not_stop_the_dispatcher(gs: GameState, store_url: str, tmp_path: Path):
    with embedded_server() as url, redis.Redis.from_url(url, decode_responses=True) as broker:
        pid = broker.info("server")["process_id"]
        with dispatcher(tmp_path, store_url, url) as running:
            first = gs.create(*BOTS)["game"]
            until(lambda: len(asked(broker, first)) == 2, "both bots to be asked")
            os.kill(pid, signal.SIGSTOP)
            try:
                game = gs.create(*BOTS)["game"]
                until(lambda: running.said("the broker is away"), "the dispatcher to notice")
            finally:
                os.kill(pid, signal.SIGCONT)
            until(lambda: len(asked(broker, game)) >= 2, "both bots to be asked")


def test_a_store_that_restarts_is_waited_for(rules_url: str, broker_url: str, broker: redis.Redis, tmp_path: Path):
    [port] = free_ports(1)
    options = ("--dir", str(tmp_path), "--appendonly", "yes", "--appendfsync", "always")
    url = f"redis://127.0.0.1:{port}/0"
    with dispatcher(tmp_path, url, broker_url) as running:
        until(lambda: running.said("the store is away"), "the dispatcher to notice")
        with embedded_server(port, *options):
            game = GameState(url, rules_url).create(*BOTS)["game"]
            until(lambda: len(asked(broker, game)) == 2, "both bots to be asked")
        with embedded_server(port, *options), redis.Redis.from_url(url) as store:
            store.zadd(shard_key(shard_of(game), "agenda"), {member("bot", game, "1.0"): 0})
            until(lambda: len(asked(broker, game)) == 3, "the bot to be asked again")
