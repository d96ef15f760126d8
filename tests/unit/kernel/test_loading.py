"""What is found wrong when rule sets and events are loaded, before any game is played."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from shared.catalog import UnknownId, board, rule_text, rules_for, ruleset, rulesets
from shared.kernel import MECHANICS, Event, Mechanic, RuleViolation, compile_rules
from shared.kernel.events import EVENTS, TurnStarted, register
from tests.unit.kernel.play import usa


def compiled(source: dict[str, Any], map_: dict[str, Any] | None = None, **mechanics: type[Mechanic]) -> object:
    return compile_rules(source, map_ or board("usa"), 2, {}, {**MECHANICS, **mechanics})


def test_two_owners_of_one_move_are_a_load_error() -> None:
    source = copy.deepcopy(ruleset("usa"))
    source["mechanics"]["second_claim"] = source["mechanics"]["claim"]
    with pytest.raises(ValueError, match="two mechanics of usa@1 own ClaimTrack"):
        compiled(source, second_claim=MECHANICS["claim"])


def test_two_tracks_or_tickets_of_one_id_are_a_load_error() -> None:
    for part in ("tracks", "tickets"):
        map_ = copy.deepcopy(board("usa"))
        map_[part].append(map_[part][0])
        with pytest.raises(ValueError, match="two tracks or two tickets"):
            compiled(ruleset("usa"), map_)


@pytest.mark.parametrize(("place", "value"), [("cities", ["denver", "atlantis"]), ("colour", "pink"), ("length", 9)])
def test_a_track_that_fits_nothing_is_a_load_error(place: str, value: Any) -> None:
    map_ = copy.deepcopy(board("usa"))
    map_["tracks"][0][place] = value
    with pytest.raises((KeyError, ValueError)):
        compiled(ruleset("usa"), map_)


def test_a_mechanic_that_does_not_exist_is_a_load_error() -> None:
    source = copy.deepcopy(ruleset("usa"))
    source["mechanics"]["tunnels"] = {}
    with pytest.raises(KeyError):
        compiled(source)


def event_class(name: str, kind: int, fold: Any = TurnStarted.fold, seen_by: Any = TurnStarted.seen_by) -> type:
    """A class with what `register` asks of one; a compiled kernel has no interpreted subclasses."""
    return type(name, (), {"kind": kind, "fold": fold, "seen_by": seen_by})


@pytest.mark.parametrize("missing", ["fold", "seen_by"])
def test_an_event_that_does_not_fold_or_say_who_sees_it_cannot_be_registered(missing: str) -> None:
    with pytest.raises(TypeError, match="DiceRolled must define"):
        register(event_class("DiceRolled", 99, **{missing: getattr(Event, missing)}))
    assert "DiceRolled" not in EVENTS


@pytest.mark.parametrize(("name", "kind"), [("TurnStarted", 99), ("TurnBegun", TurnStarted.kind)])
def test_two_events_of_one_name_or_kind_cannot_be_registered(name: str, kind: int) -> None:
    before = EVENTS.copy()
    with pytest.raises(TypeError, match=f"{name} has the name or the kind"):
        register(event_class(name, kind))
    assert before == EVENTS


def test_every_event_that_is_loaded_says_who_sees_it() -> None:
    assert EVENTS
    for event in EVENTS.values():
        assert event.seen_by is not Event.seen_by
        assert event.fold is not Event.fold
        assert event.kind >= 0


def test_a_violation_has_a_known_code() -> None:
    with pytest.raises(ValueError, match="unknown violation code"):
        RuleViolation("because", "BASE-8", {})


@pytest.mark.parametrize("unknown", ["", "usa@2", "usa@", "usa@01", "atlantis", "../usa", "usa.json", "USA", "a" * 99])
def test_p42_an_unknown_rule_set_or_revision_is_refused(unknown: str) -> None:
    with pytest.raises(UnknownId):
        rules_for(unknown, 2)
    with pytest.raises(UnknownId):
        ruleset(unknown)


@pytest.mark.parametrize("unknown", ["", "BASE-0", "BASE-24 ", "base-24", "BASE-999", "#"])
def test_an_unknown_rule_or_board_is_refused(unknown: str) -> None:
    with pytest.raises(UnknownId):
        rule_text(unknown)
    with pytest.raises(UnknownId):
        board(unknown)


def test_rules_are_compiled_once_and_pin_their_revision() -> None:
    assert rules_for("usa@1", 2) is usa(2)
    assert rules_for("usa", 2).id == "usa@1"
    assert "usa" in rulesets()


def test_a_rule_has_its_text_without_the_sources() -> None:
    assert rule_text("BASE-22") == "A player may hold any number of train cards."
    assert rule_text("BASE-28") == "Only whole tracks are claimed, and at most one a turn."
