"""Fixtures for every layer: a real store and a real broker."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

import pytest

from shared import kernel
from tests.containers.site import missing
from tests.servers import data_server, kind_of_server


def pytest_report_header() -> list[str]:
    """Says which server and which form of the kernel the tests run against, and what is not tested."""
    return [
        f"data servers: {kind_of_server()}",
        f"kernel: {kernel.__file__}",
        f"containers: {f'NOT TESTED, {missing()}' if missing() else 'tested'}",
        f"Kubernetes manifests: {'tested' if shutil.which('kubectl') else 'NOT TESTED, there is no kubectl'}",
    ]


@pytest.fixture(scope="session")
def store_url() -> Iterator[str]:
    """The address of the store, shared by the tests of this process: use ids of your own."""
    with data_server("STORE_URL") as url:
        yield url


@pytest.fixture(scope="session")
def broker_url() -> Iterator[str]:
    """The address of the broker, shared by the tests of this process."""
    with data_server("BROKER_URL") as url:
        yield url
