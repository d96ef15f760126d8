"""Each move against a rule of the newer rule sets is refused by the service with that rule, and decides nothing."""

from __future__ import annotations

import pytest

from shared.catalog import rule_text
from shared.kernel import move_to_plain, parse_move, parse_position
from tests.refused_moves import REFUSED, Refused
from tests.service.rules.conftest import RulesService, question, to_decide


@pytest.mark.rule("BASE-8")
@pytest.mark.parametrize("case", REFUSED, ids=str)
def test_a_move_against_a_rule_names_it_and_another_is_decided(service: RulesService, case: Refused) -> None:
    rules = case.rules
    move, instead = (move_to_plain(rules, parse_move(rules, text)) for text in (case.move, case.instead))
    for position in (case.position, parse_position(rules, case.position)):
        refused = service.post("/decide", to_decide(rules, position, move, case.decision))
        assert (refused.status_code, refused.json["code"], refused.json["errors"]) == (422, "rule_violation", [])
        [violation] = refused.json["violations"]
        assert (violation["code"], violation["rule"]) == (case.code, case.rule)
        assert violation["text"] == rule_text(case.rule) and violation["data"]
        assert not {"events", "chance"} & refused.json.keys()

        asked = question(rules, position, case.decision)
        judged = service.post("/validations", asked | {"move": move}, "gateway")
        assert judged.json == {"legal": False, "violation": violation}
        assert move not in service.post("/legal-moves", asked).json["legal_moves"]

        assert service.post("/validations", asked | {"move": instead}, "gateway").json == {"legal": True}
        assert service.post("/decide", to_decide(rules, position, instead, case.decision)).json["events"]
