"""The installation that the tests of this folder share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.containers.site import Site


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with Site(tmp_path_factory.mktemp("site")) as site:
        yield site
