"""Bots play every rule set of the catalog to the end, through the public API and all services behind it."""

from __future__ import annotations

from typing import Any

import pytest

from deploy.local.accounting import Figures
from shared import catalog
from tests.e2e.proofs import answers_of, prove, wait_for_result
from tests.polling import until

pytestmark = [pytest.mark.xdist_group("in peace"), pytest.mark.timeout(240)]

BOTS = ("greedy", "random")
USUAL_SEATS = 4


def _tables() -> list[Any]:
    tables = []
    for name in catalog.rulesets():
        seats = catalog.ruleset(name)["seats"]
        for number in sorted({seats["min"], min(USUAL_SEATS, seats["max"]), seats["max"]}):
            tables.append(pytest.param(name, number, id=f"{name} with {number}"))
    return tables


@pytest.mark.parametrize(("ruleset", "seats"), _tables())
def test_bots_play_a_whole_game(stack, host, ruleset, seats):
    figures = Figures(stack)
    before = figures.read()
    created = host.create_game(ruleset, [{"bot": BOTS[seat % len(BOTS)]} for seat in range(seats)])

    wait_for_result(host, created["game"])

    record = prove(stack, host, created)
    answers = len(answers_of(record))
    assert not any(commit["forced"] for commit in record["commits"])

    def agrees():
        after = figures.read()
        rose = {name: after[name] - before[name] for name in after}
        return rose["decides"] == answers + rose["overtaken"] and rose["bots"] == answers

    until(agrees, f"the counters of rules and bots to have risen by {answers}")
