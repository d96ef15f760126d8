"""The decorator of the properties: seeds are the input, and every rule set with every number of seats takes part."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from shared.kernel import Rules
from tests.kernel_games import ALL_RULES, label

FEW = 5  # rules that the numbers of examples are meant for


def for_every_game(examples: int = 6, among: Sequence[Rules] = ALL_RULES) -> Callable[[Callable[..., None]], Any]:
    """Runs a test(rules, seed) for so many seeds, or for fewer where there are many rules: about as many games in all.

    The seeds are the same every time where CI is set.
    """
    bounded = settings(
        max_examples=max(1, examples * FEW // len(among)),
        deadline=None,
        database=None,
        derandomize="CI" in os.environ,
        print_blob=True,
        phases=(Phase.explicit, Phase.generate),  # a smaller seed is no smaller game
        suppress_health_check=[HealthCheck.too_slow],
    )
    each_rules = pytest.mark.parametrize("rules", among, ids=label)
    return lambda test: each_rules(bounded(given(seed=st.integers(0, 2**48 - 1))(test)))
