"""What every mechanic, move and event keeps to."""

from __future__ import annotations

import inspect
import re

import pytest

from shared.catalog import rule_text, ruleset, rulesets
from shared.kernel import DECISION_NAMES, MECHANICS, Event, Move
from tests.kernel_games import ALL_RULES

MOVES = {cls for rules in ALL_RULES for cls in rules.move_classes.values()}
EVENTS = {cls for rules in ALL_RULES for cls in rules.event_classes.values()}
RULE = re.compile(r"\b[A-Z]{2,8}-\d+[a-z]?\b")
named = {"ids": lambda cls: cls.__name__}


def test_every_mechanic_is_used_by_some_rule_set() -> None:
    assert set(MECHANICS) == {name for ruleset_id in rulesets() for name in ruleset(ruleset_id)["mechanics"]}


@pytest.mark.parametrize("mechanic", MECHANICS.values(), **named)
def test_a_mechanic_says_which_rules_it_follows(mechanic: type) -> None:
    assert mechanic.__doc__
    cited = RULE.findall(inspect.getmodule(mechanic).__doc__)
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
    assert record.__doc__
    assert all(rule_text(rule) for rule in RULE.findall(record.__doc__))
    names = [name for name, _ in record.fields]
    assert names == [name for name in inspect.signature(record.__init__).parameters if name != "self"][: len(names)]
    assert not hasattr(record.__new__(record), "__dict__"), "plain slots: fast to make, nothing else to set"


@pytest.mark.parametrize("event", sorted(EVENTS, key=lambda cls: cls.__name__), **named)
def test_events_say_what_they_change_and_who_may_see_it(event: type[Event]) -> None:
    assert event.seen_by is not Event.seen_by
    assert event.fold is not Event.fold
