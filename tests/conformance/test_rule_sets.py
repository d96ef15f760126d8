"""What every rule set keeps to. A new one passes this as it stands, or it does not belong into the catalog."""

from __future__ import annotations

import re
from typing import Any

import pytest

from shared.catalog import UnknownId, board, rule_text, rules_for, ruleset, rulesets
from shared.kernel import MECHANICS, FastChance, Malformed, Mechanic, Rules, new_game, parse_position, print_position
from tests.golden import perft
from tests.golden.playthrough import LOGS, PLAYTHROUGHS
from tests.kernel_games import fewest_and_most_seats

each_rule_set = pytest.mark.parametrize("name", rulesets())
ID = re.compile(r"[a-z][a-z0-9_]*")


def all_rules(name: str) -> list[Rules]:
    """The rule set with every number of seats."""
    span = ruleset(name)["seats"]
    return [rules_for(name, seats) for seats in range(span["min"], span["max"] + 1)]


def rule_ids(plain: Any) -> list[str]:
    """Every rule id that stands somewhere in a rule set's file under the name "rule"."""
    if isinstance(plain, list):
        return [found for entry in plain for found in rule_ids(entry)]
    if not isinstance(plain, dict):
        return []
    here = [value for key, value in plain.items() if key == "rule"]
    return here + [found for value in plain.values() for found in rule_ids(value)]


@each_rule_set
def test_the_file_says_who_it_is(name: str) -> None:
    source = ruleset(name)
    assert source["id"] == name
    assert ID.fullmatch(name)
    assert type(source["revision"]) is int and source["revision"] >= 1
    assert source["name"] and source["about"]
    assert ruleset(f"{name}@{source['revision']}") == source
    with pytest.raises(UnknownId):
        ruleset(f"{name}@{source['revision'] + 1}")


@each_rule_set
def test_it_names_only_mechanics_and_rules_that_exist(name: str) -> None:
    source = ruleset(name)
    assert set(source["mechanics"]) <= set(MECHANICS)
    assert set(source["ties"]["by"]) <= set(source["mechanics"])
    found = rule_ids(source)
    assert found
    assert all(rule_text(rule) for rule in found)


@each_rule_set
def test_it_can_be_played_by_exactly_the_seats_it_says(name: str) -> None:
    span = ruleset(name)["seats"]
    assert 1 <= span["min"] <= span["max"]
    for rules in all_rules(name):
        state, events = new_game(rules, FastChance(rules.seats))
        assert state.seats == len(state.points) == rules.seats
        assert state.version == 1 and events and state.decisions
    for seats in (span["min"] - 1, span["max"] + 1):
        with pytest.raises(Malformed, match=span["rule"]):
            rules_for(name, seats)


@each_rule_set
def test_its_options_have_defaults_and_words_and_no_others_are_taken(name: str) -> None:
    source = ruleset(name)
    seats = source["seats"]["min"]
    for option in source["options"].values():
        assert option["type"] in {"flag", "seat"}
        assert "OPT-" in option["about"]
    defaults = {option_name: option["default"] for option_name, option in source["options"].items()}
    assert rules_for(name, seats).options == rules_for(name, seats, defaults).options == defaults
    values = [{option: value} for option in defaults for value in (-1, "maybe", seats)]
    for wrong in ({"no_such_option": True}, *values):
        with pytest.raises(Malformed) as refused:
            rules_for(name, seats, wrong)
        assert refused.value.pointer == f"/options/{next(iter(wrong))}"


@each_rule_set
def test_its_cards_have_letters_of_their_own_and_the_wilds_come_last(name: str) -> None:
    cards = ruleset(name)["cards"]
    letters = [card["letter"] for card in cards]
    assert len(set(letters)) == len(letters)
    assert all(len(letter) == 1 and not letter.isdigit() and letter not in "?-/|" for letter in letters)
    assert len({card["kind"] for card in cards}) == len(cards)
    assert all(card["count"] > 0 for card in cards)
    wilds = [bool(card.get("wild")) for card in cards]
    assert wilds == sorted(wilds)


@each_rule_set
def test_its_board_holds_together(name: str) -> None:
    map_ = board(ruleset(name)["board"])
    cities = [city["id"] for city in map_["cities"]]
    assert len(set(cities)) == len(cities)
    for kind in ("tracks", "tickets"):
        ids = [entry["id"] for entry in map_[kind]]
        assert len(set(ids)) == len(ids)
        assert all(not set(" =/,|:?") & set(entry_id) for entry_id in ids), "an id stands in notations"
        for entry in map_[kind]:
            assert len(set(entry["cities"])) == 2 and set(entry["cities"]) <= set(cities)
    colours = {card["kind"] for card in ruleset(name)["cards"]} | {"gray"}
    assert all(track["colour"] in colours and track["length"] >= 1 for track in map_["tracks"])
    assert all(ticket["points"] > 0 for ticket in map_["tickets"])


@each_rule_set
def test_every_kind_of_decision_it_asks_has_an_answer_for_a_seat_out_of_time(name: str) -> None:
    for rules in all_rules(name):
        for kind, listers in enumerate(rules.listers):
            has_default = any(type(mechanic).default is not Mechanic.default for mechanic in listers)
            assert has_default or not listers, kind


@each_rule_set
def test_the_notation_of_its_start_position_names_it(name: str) -> None:
    for rules in all_rules(name):
        state, _ = new_game(rules, FastChance(7))
        line = print_position(rules, state)
        assert line.startswith(f"{name}@{ruleset(name)['revision']}:{rules.seats} v=1 ")
        assert print_position(rules, parse_position(rules, line)) == line


@each_rule_set
def test_it_has_goldens(name: str) -> None:
    """A log that must fold for ever, games to read, numbers of lines of play: `make goldens` writes what is missing."""
    ends = {rules.seats for rules in fewest_and_most_seats() if rules.id.startswith(f"{name}@")}
    assert list(LOGS.glob(f"{name}_*.ndjson"))
    assert {path.stem for path in PLAYTHROUGHS.glob(f"{name}_*.txt")} == {f"{name}_{seats}" for seats in ends}
    assert ends <= {rules.seats for _, rules, _ in map(perft.read, perft.lines()) if rules.id.startswith(f"{name}@")}


def test_rules_are_compiled_once() -> None:
    for name in rulesets():
        seats = ruleset(name)["seats"]["min"]
        assert rules_for(name, seats) is rules_for(name, seats, {})
