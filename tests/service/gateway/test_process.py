"""The gateway as it runs: gunicorn with threads, stopped by SIGTERM."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import requests

from deploy.local.processes import free_ports
from tests.polling import until
from tests.service.gateway.reading import HEARTBEAT, events


@contextmanager
def _process(gateway, **tuning: str) -> Iterator[tuple[subprocess.Popen, str]]:
    """Runs the gateway under gunicorn with the neighbours of the one in this process."""
    [port] = free_ports(1)
    names = ("store_url", "broker_url", "service_secret", "token_secret", "game_state_url", "rules_url",
             "scoring_url", "ai_url")  # fmt: skip
    env = {**os.environ, "BIND": f"127.0.0.1:{port}", "LOG_LEVEL": "WARNING", **tuning}
    env |= {name.upper(): getattr(gateway.settings, name) for name in names}
    command = [sys.executable, "-m", "gunicorn", "-c", "python:shared.web.gunicorn", "services.gateway.wsgi:app"]
    process = subprocess.Popen(command, env=env)
    try:
        url = f"http://127.0.0.1:{port}"
        until(lambda: _is_ready(url), "the gateway to be ready", 30)
        yield process, url
    finally:
        process.terminate()
        process.wait(20)


def _is_ready(url: str) -> bool:
    try:
        return requests.get(f"{url}/readyz", timeout=2).ok
    except requests.ConnectionError:
        return False


def test_streams_never_use_up_the_threads_and_end_with_the_process(gateway):
    gateway.games.add("served")
    ann = {"Authorization": f"Bearer {gateway.seat('served', 0)}"}
    with _process(gateway, THREADS="4", MAX_STREAMS="2", MAX_WAITS="1", HEARTBEAT_SECONDS="20") as (process, url):
        address = f"{url}/v1/games/served"
        with ExitStack() as held:
            streams = [held.enter_context(requests.get(f"{address}/stream", headers=ann, stream=True, timeout=15))
                       for _ in range(2)]  # fmt: skip
            came = [events(answer) for answer in streams]
            assert [next(one).kind for one in came] == ["view", "view"]
            refused = requests.get(f"{address}/stream", headers=ann, timeout=5)
            assert (refused.status_code, "Retry-After" in refused.headers) == (503, True)
            assert requests.get(address, headers=ann, timeout=5).status_code == 200
            assert requests.get(f"{address}/commits?after=1&wait=1", headers=ann, timeout=5).json()["commits"] == []
            version = gateway.games.commit("served")
            assert [next(one).version for one in came] == [version, version]

            process.terminate()
            assert [{event.kind for event in one} <= {HEARTBEAT} for one in came] == [True, True]
        assert process.wait(10) == 0
