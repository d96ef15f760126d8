"""Celery as it runs: real workers, a real broker, killed and restarted."""

from __future__ import annotations

import os
import secrets
import signal
import time
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path

import pytest
import redis
from kombu.exceptions import OperationalError

from deploy.local.processes import free_ports
from shared.contracts.logs import bind, unbind
from shared.contracts.queues import AI_BATCH, AI_INTERACTIVE, ARENA, MAINTENANCE
from shared.tasks.app import make_celery
from tests.polling import until
from tests.servers import embedded_server
from tests.workers import Worker, worker

pytestmark = pytest.mark.timeout(90)


class Bench:
    """An empty queue, those who work on it, and the notes their tasks leave."""

    def __init__(self, store_url: str, broker_url: str, folder: Path) -> None:
        self.store_url, self.broker_url, self.folder = store_url, broker_url, folder
        self.queue = AI_BATCH
        self.game = f"g{secrets.token_hex(4)}"
        self.store = redis.Redis.from_url(store_url)
        self.sender = make_celery()
        self.sender.conf.broker_url = broker_url

    def send(self, task: str = "sample.note", queue: str = "", **kwargs) -> None:
        self.sender.send_task(task, kwargs={"game": self.game, **kwargs}, queue=queue or self.queue)

    @property
    def visibility(self) -> int:
        return self.sender.conf.broker_transport_options["visibility_timeout"]

    def begun(self) -> list[int]:
        return [int(pid) for pid in self.store.lrange(f"sample:{self.game}", 0, -1)]

    def done(self) -> list[int]:
        return [int(pid) for pid in self.store.lrange(f"sample:{self.game}:done", 0, -1)]

    def worker(self, name: str = "worker", queues: str = "") -> AbstractContextManager[Worker]:
        urls = {"STORE_URL": self.store_url, "BROKER_URL": self.broker_url}
        return worker(self.folder, urls, name=name, queues=queues or self.queue,
                      modules="tests.integration.tasks.sample")


@pytest.fixture
def bench(store_url, broker_url, tmp_path, monkeypatch) -> Bench:
    monkeypatch.setenv("BROKER_URL", broker_url)
    with redis.Redis.from_url(broker_url) as broker:
        broker.flushdb()
    return Bench(store_url, broker_url, tmp_path)


def test_task_of_a_worker_killed_in_the_middle_runs_again_soon(bench) -> None:
    with bench.worker("first") as first:
        bench.send(seconds=3)
        until(bench.begun, "the task to begin")
        os.killpg(first.process.pid, signal.SIGKILL)
    with bench.worker("second"):
        until(bench.done, "the task to be done by the second worker", bench.visibility + 12)
    assert len(set(bench.begun())) == 2


def test_task_of_a_pool_process_killed_in_the_middle_runs_again_soon(bench) -> None:
    with bench.worker():
        bench.send(seconds=1)
        (pid,) = until(bench.begun, "the task to begin")
        os.kill(pid, signal.SIGKILL)
        until(bench.done, "the task to be done by another process", bench.visibility + 12)
    assert len(set(bench.begun())) == 2


def test_task_that_takes_too_long_is_ended_and_the_worker_goes_on(bench) -> None:
    with bench.worker() as worker:
        bench.send("sample.note", seconds=60)
        until(bench.begun, "the task to begin")
        other = bench.game = f"g{secrets.token_hex(4)}"
        bench.send()
        until(bench.done, f"the task of {other} to be done after the long one was ended", 20)
        assert any(line.get("outcome") == "failed" for line in worker.lines())


def test_sigterm_lets_the_running_task_finish(bench) -> None:
    with bench.worker() as worker:
        bench.send(seconds=1.5)
        until(bench.begun, "the task to begin")
        worker.process.send_signal(signal.SIGTERM)
        assert worker.process.wait(20) == 0
    assert bench.done() == bench.begun()


def test_lines_have_the_request_that_caused_the_task_and_no_secrets(bench) -> None:
    with bench.worker() as worker:
        bind(request_id="find-me")
        bench.send()
        bench.send("sample.fail")
        unbind()
        until(lambda: sum(line["message"] == "task" for line in worker.lines()) == 2, "both tasks to be logged")
        outcomes = {line["task"]: line["outcome"] for line in worker.lines() if line["message"] == "task"}
        assert outcomes == {"sample.note": "done", "sample.fail": "failed"}
        for line in worker.lines():
            if line["message"].startswith("task"):
                assert (line["request_id"], line["game"], line["service"]) == ("find-me", bench.game, "tests")
        assert "ValueError" in worker.log.read_text()
        assert f"card of {bench.game}" not in worker.log.read_text()


def test_metrics_of_all_processes_are_served_by_the_parent(bench) -> None:
    with bench.worker() as worker:
        bench.send()
        until(bench.done, "the task to be done")
        until(lambda: 'whistlestop_task_seconds_count{outcome="done",task="sample.note"} 1.0' in worker.metrics(),
              "the task to be counted")


def test_worker_outlives_its_broker(bench) -> None:
    port = free_ports(1)[0]
    bench.broker_url = bench.sender.conf.broker_url = f"redis://127.0.0.1:{port}/0"
    with ExitStack() as stack:
        with embedded_server(port):
            stack.enter_context(bench.worker())
        with pytest.raises(OperationalError):
            bench.send()
        with embedded_server(port):
            bench.send()
            until(bench.done, "the worker to find the new broker", 30)


def test_worker_whose_task_ended_while_the_broker_was_away_takes_tasks_again(bench) -> None:
    port = free_ports(1)[0]
    bench.broker_url = bench.sender.conf.broker_url = f"redis://127.0.0.1:{port}/0"
    with ExitStack() as stack:
        with embedded_server(port):
            worker = stack.enter_context(bench.worker())
            bench.send(seconds=2)
            until(bench.begun, "the task to begin")
        until(lambda: any("Couldn't ack" in line["message"] for line in worker.lines()), "the task to end in vain")
        with embedded_server(port):
            bench.send()
            until(lambda: len(bench.done()) > 1, "the worker to take another task", 30)


def test_tasks_for_which_somebody_waits_go_before_those_for_nobody(bench) -> None:
    order = [ARENA, AI_BATCH, AI_INTERACTIVE, MAINTENANCE]
    broker = redis.Redis.from_url(bench.broker_url)
    broker.delete(*order)
    with bench.worker(queues=",".join(order)):
        bench.send(queue=ARENA, seconds=1.5, word="running")
        until(bench.begun, "the first task to begin")
        for number in range(5):
            for queue in (ARENA, AI_BATCH):
                bench.send(queue=queue, word=f"batch {number}")
        for number in range(3):
            for queue in (AI_INTERACTIVE, MAINTENANCE):
                bench.send(queue=queue, word=f"{queue} {number}")
        until(lambda: len(bench.done()) == 17, "all tasks to be done")
    words = [word.decode() for word in bench.store.lrange(f"sample:{bench.game}:words", 0, -1)]
    assert words[0] == "running" and all(word.startswith("batch") for word in words[7:])
    assert {tuple(sorted(words[place:place + 2])) for place in (1, 3, 5)} == {
        (f"{AI_INTERACTIVE} {number}", f"{MAINTENANCE} {number}") for number in range(3)}


def test_without_a_broker_the_sender_is_told_within_seconds(bench) -> None:
    bench.sender.conf.broker_url = f"redis://127.0.0.1:{free_ports(1)[0]}/0"
    started = time.monotonic()
    with pytest.raises(OperationalError):
        bench.send()
    assert time.monotonic() - started < 5
