"""Celery workers as they run, for tests that kill them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import requests

from deploy.local.processes import family, free_ports
from tests.polling import until

ROOT = Path(__file__).parents[1]
NOWHERE = "http://127.0.0.1:9"
ELSEWHERE = {"GATEWAY_URL": NOWHERE, "GAME_STATE_URL": NOWHERE, "BOT_TOKEN": "bt_nobody", "SERVICE_SECRET": "s" * 40}
"""Settings that some queues need and no task of these tests uses."""


class Worker:
    """A Celery worker and what it wrote."""

    def __init__(self, process: subprocess.Popen, log: Path, metrics_port: int) -> None:
        self.process = process
        self.log = log
        self.metrics_port = metrics_port

    def lines(self) -> list[dict]:
        return [json.loads(line) for line in self.log.read_text().splitlines() if line.startswith("{")]

    def tasks(self) -> list[str]:
        """Gives the names of the tasks that it has run, in order."""
        return [line["task"] for line in self.lines() if line["message"] == "task"]

    def is_ready(self) -> bool:
        return any(line["message"].endswith(" ready.") for line in self.lines())

    def metrics(self) -> str:
        return requests.get(f"http://127.0.0.1:{self.metrics_port}/metrics", timeout=5).text


@contextmanager
def worker(
    folder: Path, urls: dict[str, str], *, queues: str, modules: str, name: str = "worker", processes: int = 1
) -> Iterator[Worker]:
    """Runs a worker for as long as the block lasts; it is ready, and killed in the end."""
    port = free_ports(1)[0]
    log = folder / f"{name}.log"
    counting = folder / f"{name}-metrics"
    counting.mkdir()
    env = {**os.environ, **ELSEWHERE, **urls, "PROGRAM": "tests", "METRICS_PORT": str(port), "LOG_LEVEL": "DEBUG",
           "PROMETHEUS_MULTIPROC_DIR": str(counting)}
    command = [sys.executable, "-m", "celery", "--quiet", "-A", "shared.tasks.app", "worker", "-c", str(processes),
               "-n", f"{name}@{folder.name}", "-I", modules, "-Q", queues,
               "--without-gossip", "--without-mingle", "--without-heartbeat"]
    with log.open("w") as out:
        process = subprocess.Popen(command, cwd=ROOT, env=env, stdout=out, stderr=subprocess.STDOUT,
                                   start_new_session=True)
    running = Worker(process, log, port)
    try:
        until(lambda: running.is_ready() or process.poll() is not None, "the worker to be ready", 30)
        assert process.poll() is None, log.read_text()
        yield running
    finally:
        for member in family(process.pid):
            member.kill()
        process.wait(10)
