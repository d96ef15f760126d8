"""Bots play every rule set of the catalog to the end, through the public API and all services behind it."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import pytest

from deploy.local.accounting import Account
from deploy.local.programs import ROOT
from shared import catalog
from tests.e2e.proofs import answers_of, prove, wait_for_result

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
    created = host.create_game(ruleset, [{"bot": BOTS[seat % len(BOTS)]} for seat in range(seats)])

    wait_for_result(host, created["game"])

    record = prove(stack, host, created)
    account = Account(record)
    assert account.answers == len(answers_of(record))
    assert not any(commit["forced"] for commit in record["commits"])
    for what, is_right, found in account.agrees(stack.site.logs):
        assert is_right, f"{what}: {found}"
    _, failures = account.fallbacks(stack.site.logs)
    assert not failures


def test_two_demos_at_once_do_not_say_no_to_each_other(stack):
    """Each counted the answers of the other's game too."""
    demos = [subprocess.Popen([sys.executable, "-m", "deploy.local.demo"], cwd=ROOT, text=True, stdout=subprocess.PIPE,
                              env={**os.environ, "VAR": str(stack.site.var), "SEATS": seats}) for seats in ("2", "3")]
    told = [demo.communicate(timeout=120)[0] for demo in demos]
    assert [demo.returncode for demo in demos] == [0, 0], told
    assert all("Using the stack" in text and "NO" not in text for text in told)
