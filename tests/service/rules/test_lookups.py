"""Looking up rule sets, boards and rules."""

from __future__ import annotations

import pytest

from shared import catalog
from tests.service.rules.conftest import RulesService


def test_rule_sets_are_listed_in_short_and_shown_whole(service: RulesService) -> None:
    listed = service.call("GET", "/rulesets", "gateway").json["rulesets"]
    assert [found["ruleset"].partition("@")[0] for found in listed] == catalog.rulesets()
    for found in listed:
        whole = service.call("GET", f"/rulesets/{found['ruleset']}", "gateway").json
        assert whole["ruleset"] == found["ruleset"] and whole["cards"] and found.items() <= whole.items()
        newest = service.call("GET", f"/rulesets/{found['ruleset'].partition('@')[0]}", "gateway").json
        assert newest == whole


def test_a_board_and_the_text_of_a_rule(service: RulesService) -> None:
    assert service.call("GET", "/boards/usa", "gateway").json == catalog.board("usa")
    rule = service.call("GET", "/rules/BASE-24", "gateway").json
    assert rule == {"rule": "BASE-24", "text": catalog.rule_text("BASE-24")}


@pytest.mark.parametrize(
    ("path", "code"),
    [("/rulesets/chess", "ruleset_not_found"), ("/rulesets/usa@99", "ruleset_not_found"),
     ("/rulesets/..", "ruleset_not_found"), ("/boards/mars", "board_not_found"), ("/rules/BASE-999", "rule_not_found")],
)
def test_what_there_is_not(service: RulesService, path: str, code: str) -> None:
    answer = service.call("GET", path, "gateway")
    assert (answer.status_code, answer.json["code"]) == (404, code)
