"""Rules, rule sets and boards, as anybody looks them up through the public API."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
import requests

from shared.catalog import board, ruleset, rulesets
from shared.contracts.rulesets import BoardSchema, RuleSchema, RulesetListSchema, RulesetSchema
from tests.contract.conftest import Stack
from tests.contract.pact import faults

pytestmark = pytest.mark.xdist_group("contract")

RULES_FILE = Path(__file__).parents[2] / "shared/catalog/rules.md"
RULE_IDS = re.findall(r"^- \*\*([A-Z]+-\d+[a-z]?)\*\*", RULES_FILE.read_text(), re.MULTILINE)
CITED = re.compile(r"\b(?:BASE|USA|MK|OW|CG|VIEW|OPT)-\d+[a-z]?\b")
SECTIONS = {"OPTIONS": "OPT"}
OWN_OPTIONS = {"card_game": ("novice",), "old_west": ("alvin",)}
SCHEMAS = {"rules": RuleSchema, "rulesets": RulesetSchema, "boards": BoardSchema}
Json = dict[str, Any]


def look_up(stack: Stack, path: str) -> Json:
    """What anybody gets, without a token, as the contract has it."""
    answer = requests.get(f"{stack.url}/v1{path}", timeout=10)
    assert (answer.status_code, answer.headers["Cache-Control"]) == (200, "public, max-age=300"), path
    kind, _, one = path.removeprefix("/").partition("/")
    assert faults(SCHEMAS[kind] if one else RulesetListSchema, answer.content) == ""
    return answer.json()


@pytest.mark.parametrize("section", sorted({rule.partition("-")[0] for rule in RULE_IDS}))
def test_every_rule_has_a_text_that_stands_alone(stack: Stack, section: str):
    own = [rule for rule in RULE_IDS if rule.startswith(f"{section}-")]
    texts = {rule: look_up(stack, f"/rules/{rule}") for rule in own}
    for rule, found in texts.items():
        assert found["rule"] == rule
        assert len(found["text"]) > 20 and found["text"][-1] in ".)"
        assert not re.search(r"[][]|\b00\d\b", found["text"]), "tags of sources are for the file alone"
        assert set(CITED.findall(found["text"])) <= set(RULE_IDS)


@pytest.mark.parametrize("name", rulesets())
def test_a_rule_set_says_what_its_options_mean_and_names_only_rules_there_are(stack: Stack, name: str):
    found = look_up(stack, f"/rulesets/{name}")
    assert set(CITED.findall(json.dumps(found))) <= set(RULE_IDS)
    assert {SECTIONS.get(section, section) for section in found["rules"]} <= {r.partition("-")[0] for r in RULE_IDS}
    assert found["options"].keys() == {"first_player", *OWN_OPTIONS.get(name, ())}
    for option in found["options"].values():
        assert re.search(r"\(OPT-\d\)$", option["about"])
    listed = look_up(stack, "/rulesets")["rulesets"]
    assert [each["options"] for each in listed if each["ruleset"] == found["ruleset"]] == [found["options"]]


def test_options_that_a_rule_set_has_not_are_refused(stack: Stack):
    for name in rulesets():
        seats = [{}] * ruleset(name)["seats"]["min"]
        for option in ("alvin", "novice", "seed"):
            asked = {"ruleset": name, "seats": seats, "options": {option: True}}
            answer = stack.send("POST", "/games", json=asked)
            if option in ruleset(name)["options"]:
                assert (answer.status_code, answer.json()["options"][option]) == (201, True)
            else:
                [fault] = answer.json()["errors"]
                assert (answer.status_code, fault["pointer"]) == (422, f"/options/{option}")
                assert "OPT-5" in fault["detail"]


def test_what_is_not_certain_of_a_printed_game_is_said(stack: Stack):
    shown = {name: look_up(stack, f"/boards/{ruleset(name)['board']}") for name in rulesets()}
    uncertain = {
        name: sum(ticket.get("certain") is False for ticket in each["tickets"]) for name, each in shown.items()
    }
    assert uncertain == {"card_game": 0, "maerklin": 46, "old_west": 2, "usa": 0}
    assert any("playable deck" in note for note in shown["maerklin"]["notes"])
    [note] = look_up(stack, "/rulesets/maerklin")["notes"]
    assert "not the printed one" in note


def test_the_board_of_the_card_game_has_cities_tickets_and_bonus_cards_and_no_tracks(stack: Stack):
    found = look_up(stack, "/boards/card_game")
    assert found == board("card_game")
    cities = {city["id"]: city["big_city"] for city in found["cities"]}
    assert found["tracks"] == [] and len(found["tickets"]) == 46
    assert {bonus["city"] for bonus in found["bonus_cards"]} == {city for city, big in cities.items() if big}
    colours = {card["kind"] for card in ruleset("card_game")["cards"]} - {"locomotive"}
    for ticket in found["tickets"]:
        assert ticket["cards"] and set(ticket["cards"]) <= colours
        assert set(ticket["cities"]) <= cities.keys() and any(cities[city] for city in ticket["cities"])
