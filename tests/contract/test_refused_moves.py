"""Through the public API each move against a rule of the newer rule sets is refused with that rule, changes nothing and
leaves the decision open."""

from __future__ import annotations

import json
from typing import Any

import pytest

from services.game_state.keys import game_key
from shared.kernel import move_to_plain, parse_move, parse_position, state_to_plain
from tests.contract.conftest import Hosted, Stack
from tests.refused_moves import REFUSED, Refused

pytestmark = pytest.mark.xdist_group("contract")


@pytest.fixture
def table(stack: Stack, case: Refused) -> Hosted:
    """A game that stands at the position of the case, as if it had begun there."""
    rules = case.rules
    game = stack.host(rules.id)
    game.claim(1, "Bo")
    state = parse_position(rules, case.position)
    assert state.version == 1
    stack.store.hset(game_key(game.id, "head"), "state", json.dumps(state_to_plain(rules, state)))
    return game


def kept(stack: Stack, game: Hosted) -> list[Any]:
    """All that the store keeps of the game."""
    return [stack.store.dump(game_key(game.id, part)) for part in ("log", "head", "answers", "meta")]


@pytest.mark.rule("BASE-8")
@pytest.mark.parametrize("case", REFUSED, ids=str)
def test_a_refused_move_changes_nothing_and_another_answers(stack: Stack, table: Hosted, case: Refused):
    path, token = f"/games/{table.id}/decisions/{case.decision}", table.seats[0]
    move, instead = (move_to_plain(case.rules, parse_move(case.rules, text)) for text in (case.move, case.instead))
    asked, before = stack.send("GET", path, token).json(), kept(stack, table)

    refused = stack.send("PUT", f"{path}/answer", token, json={"move": move})
    assert (refused.status_code, refused.json()["code"]) == (422, "rule_violation")
    [violation] = refused.json()["violations"]
    assert (violation["code"], violation["rule"]) == (case.code, case.rule)
    assert violation["text"] == stack.send("GET", f"/rules/{case.rule}").json()["text"]

    setup = {name: asked["view"][name] for name in ("ruleset", "seats", "options")}
    whole = {**setup, "position": asked["view"], "decision": case.decision, "move": move}
    judged = stack.send("POST", "/validations", json=whole).json()
    assert judged == {"legal": False, "violation": violation}

    assert kept(stack, table) == before
    assert stack.send("GET", path, token).json() == asked
    assert stack.send("PUT", f"{path}/answer", token, json={"move": instead}).status_code == 201
