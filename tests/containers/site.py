"""The containers of deploy/compose.yaml, under a project name and with data of their own."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

import docker
import requests
from docker.errors import DockerException

from deploy.local.processes import free_ports
from shared.client import Client
from tests.polling import until

ROOT = Path(__file__).parents[2]
IMAGES = {"IMAGE": "whistlestop:local", "VALKEY_IMAGE": "whistlestop/valkey:local"}
NETWORKS = {"game-state": ("services", "data")}
START_SECONDS = 90
PATIENCE_SECONDS = 30.0


@cache
def compose() -> list[str]:
    """The command that reads compose files here: Docker's plugin, or docker-compose; nothing if there is neither."""
    if shutil.which("docker") and not subprocess.run(["docker", "compose", "version"], capture_output=True).returncode:
        return ["docker", "compose"]
    return ["docker-compose"] if shutil.which("docker-compose") else []


@cache
def missing() -> str:
    """What keeps the containers from being started here; "" if nothing does."""
    if not compose():
        return "there is neither docker compose nor docker-compose"
    try:
        client = docker.from_env(timeout=5)
        absent = [image for image in IMAGES.values() if not client.images.list(image)]
        return f"no image {', '.join(absent)} (make image)" if absent else ""
    except DockerException:
        return "no Docker engine answers"


class Site:
    """One running installation: what an operator does with it, by docker-compose and docker."""

    def __init__(self, folder: Path) -> None:
        self.secrets = folder / "secrets"
        self.port = free_ports(1)[0]
        self.project = f"whistlestop{self.port}"
        self._run("deploy/images/secrets.sh", str(self.secrets))

    @property
    def address(self) -> str:
        """Where clients find the gateway."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def host(self) -> Client:
        """A client with the key of the first platform; it tries again for as long as a restart takes."""
        return Client(self.address, (self.secrets / "platform_key").read_text().strip(), patience=PATIENCE_SECONDS)

    def __enter__(self) -> Site:
        self.compose("up", "--detach")
        self.wait_ready()
        return self

    def __exit__(self, *_: object) -> None:
        self.compose("down", "--volumes", "--timeout", "30")

    def wait_ready(self) -> None:
        """Waits until every container that has a health check is healthy."""
        until(lambda: all(state == "healthy" for state in self.health().values()), "healthy containers", START_SECONDS)

    def health(self) -> dict[str, str]:
        """What the health check of each container last said."""
        found = {}
        for container in self.containers():
            if "Health" in container["State"]:
                found[container["Name"]] = container["State"]["Health"]["Status"]
        return found

    def containers(self) -> list[dict[str, Any]]:
        """All that the engine tells of the containers."""
        return json.loads(self._run("docker", "inspect", *self.compose("ps", "--all", "--quiet").split()))

    def fails(self, path: str) -> bool:
        """Whether a request to the gateway is answered by an error of the server."""
        key = {"Authorization": f"Bearer {(self.secrets / 'platform_key').read_text().strip()}"}
        return requests.get(f"{self.address}{path}", headers=key, timeout=10).status_code >= 500

    def compose(self, *command: str) -> str:
        """Runs docker-compose; gives what it prints."""
        return self._run(*compose(), "-p", self.project, "-f", "deploy/compose.yaml", *command)

    def cut(self, service: str) -> None:
        """Takes a service off every network."""
        for network in NETWORKS[service]:
            self._run("docker", "network", "disconnect", f"{self.project}_{network}", self._container(service))

    def mend(self, service: str) -> None:
        """Puts a service that was cut off back on its networks."""
        for network in NETWORKS[service]:
            self._run("docker", "network", "connect", "--alias", service, f"{self.project}_{network}",
                      self._container(service))

    def _container(self, service: str) -> str:
        return self.compose("ps", "--quiet", service).strip()

    def _run(self, *command: str) -> str:
        env = {**os.environ, **IMAGES, "SECRETS": str(self.secrets), "PORT": str(self.port), "APPENDFSYNC": "always"}
        done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, timeout=240, check=False)
        assert done.returncode == 0, f"{' '.join(command)}:\n{done.stderr}"
        return done.stdout
