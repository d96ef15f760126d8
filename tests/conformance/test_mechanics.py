"""What every mechanic, move and event keeps to."""

from __future__ import annotations

import ast
import inspect
import re
from pathlib import Path

import pytest

from shared.catalog import rule_text, ruleset, rulesets
from shared.kernel import DECISION_NAMES, MECHANICS, Event, Move
from tests.kernel_games import ALL_RULES

MOVES = {cls for rules in ALL_RULES for cls in rules.move_classes.values()}
EVENTS = {cls for rules in ALL_RULES for cls in rules.event_classes.values()}
RULE = re.compile(r"\b[A-Z]{2,8}-\d+[a-z]?\b")
ROOT = Path(__file__).parents[2]
named = {"ids": lambda cls: cls.__name__}


def docstrings(cls: type) -> tuple[str, str]:
    """Those of its module and its own, read from the source, since compiled code carries none; "" without one."""
    tree = ast.parse((ROOT / cls.__module__.replace(".", "/")).with_suffix(".py").read_text())
    (found,) = [node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == cls.__name__]
    return ast.get_docstring(tree) or "", ast.get_docstring(found) or ""


def test_every_mechanic_is_used_by_some_rule_set() -> None:
    assert set(MECHANICS) == {name for ruleset_id in rulesets() for name in ruleset(ruleset_id)["mechanics"]}


@pytest.mark.parametrize("mechanic", MECHANICS.values(), **named)
def test_a_mechanic_says_which_rules_it_follows(mechanic: type) -> None:
    of_module, own = docstrings(mechanic)
    assert own
    cited = RULE.findall(of_module)
    assert cited, "in the docstring of its module"
    assert all(rule_text(rule) for rule in cited)


@pytest.mark.parametrize("mechanic", MECHANICS.values(), **named)
def test_a_mechanic_tells_the_engine_only_what_exists(mechanic: type) -> None:
    assert all(0 <= kind < len(DECISION_NAMES) for kind in mechanic.lists)
    assert all(issubclass(move, Move) for move in mechanic.owns)
    event_kinds = {event.kind for event in EVENTS}
    assert set(mechanic.reacts) <= event_kinds
    assert bool(mechanic.reacts) == ("react" in vars(mechanic))


@pytest.mark.parametrize("rules", ALL_RULES, ids=lambda rules: f"{rules.id}:{rules.seats}")
def test_no_two_mechanics_keep_the_same_part(rules: object) -> None:
    slots = [mechanic.slot for mechanic in rules.mechanics if mechanic.slot >= 0]
    assert len(set(slots)) == len(slots)


def test_kinds_of_moves_and_events_are_their_own() -> None:
    for classes in (MOVES, EVENTS):
        assert len({cls.kind for cls in classes}) == len(classes)
        assert min(cls.kind for cls in classes) == 0


@pytest.mark.parametrize("record", sorted(MOVES | EVENTS, key=lambda cls: cls.__name__), **named)
def test_moves_and_events_are_documented_and_their_fields_are_their_arguments(record: type[Move] | type[Event]) -> None:
    _, own = docstrings(record)
    assert own
    assert all(rule_text(rule) for rule in RULE.findall(own))
    names = [name for name, _ in record.fields]
    assert names == list(inspect.signature(record).parameters)[: len(names)]
    assert record.__dictoffset__ == 0, "plain slots: fast to make, nothing else to set"


@pytest.mark.parametrize("event", sorted(EVENTS, key=lambda cls: cls.__name__), **named)
def test_events_say_what_they_change_and_who_may_see_it(event: type[Event]) -> None:
    assert event.seen_by is not Event.seen_by
    assert event.fold is not Event.fold
