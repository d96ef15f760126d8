"""Two stacks of real processes: one that tests share in peace, one whose parts they kill and take down.

Each test process has its own; `--dist loadgroup` keeps the tests of a stack together ("in peace", "in trouble").
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import redis

from deploy.local import Stack
from shared.client import Client

PATIENCE_SECONDS = 30.0


@pytest.fixture(scope="session")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """A stack that nothing happens to; it logs all there is to log."""
    with Stack(tmp_path_factory.mktemp("peace") / "var", log_level="DEBUG") as running:
        yield running


@pytest.fixture(scope="session")
def host(stack: Stack) -> Client:
    """The development platform, at the stack in peace."""
    return Client(stack.address, stack.platform_key)


@pytest.fixture(scope="session")
def mortal_stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """A stack that suffers; take `mortal` instead, which is ready."""
    with Stack(tmp_path_factory.mktemp("trouble") / "var") as running:
        yield running


@pytest.fixture
def mortal(mortal_stack: Stack) -> Stack:
    """A stack to kill parts of. It is ready, whatever the test before did, and loses no write that it acknowledged."""
    mortal_stack.wait_ready()
    keep_every_write(mortal_stack)
    return mortal_stack


@pytest.fixture
def mortal_host(mortal: Stack) -> Client:
    """The development platform, at the stack in trouble: it tries again for as long as a restart takes."""
    return Client(mortal.address, mortal.platform_key, patience=PATIENCE_SECONDS)


def keep_every_write(stack: Stack) -> None:
    """Makes the store acknowledge only what is on disk, as in production; a restarted one has forgotten that."""
    with redis.Redis.from_url(stack.site.data_url("store")) as store:
        store.config_set("appendfsync", "always")
