"""Redaction, event by event and field by field: hidden values become null, for others only, until the game is over."""

from __future__ import annotations

from typing import Any

import pytest

from shared.kernel import Commit, Rules, State, commit_to_plain, redact
from tests.kernel_games import ALL_RULES, label, play, text_of
from tests.secrecy.visible import BY_SEAT, HIDDEN_FIELDS, HIDDEN_IN_MOVES, NUMBER_HIDDEN, PUBLIC, events_of

each_rules = pytest.mark.parametrize("rules", ALL_RULES, ids=label)


def blank(rules: Rules, value: Any) -> Any:
    """The value with every single fact in it replaced by null; of tickets the deck remains where there are several."""
    if isinstance(value, list):
        return [blank(rules, entry) for entry in value]
    if len(rules.ticket_decks) > 1 and value in rules.board.tickets:
        return {"deck": rules.ticket_decks[rules.deck_of_ticket[rules.board.ticket_of[value]]]}
    return None


def expected(
    rules: Rules, plain: dict[str, Any], seat: int | None, viewer: int | None, hidden: set[str]
) -> dict[str, Any]:
    """What the viewer should get of an event or a move made by `seat`."""
    name = plain.get("event") or plain["move"]
    shown = dict(plain)
    for field in hidden if seat is None or seat != viewer else ():
        if name in BY_SEAT:
            shown[field] = [part if at == viewer else blank(rules, part) for at, part in enumerate(plain[field])]
        elif (name, field) in NUMBER_HIDDEN or "move" in plain:
            shown[field] = None
        else:
            shown[field] = blank(rules, plain[field])
    return shown


def served(rules: Rules, commit: Commit, viewer: int | None, head: State) -> dict[str, Any]:
    return commit_to_plain(rules, redact(rules, commit, viewer, head))


def test_every_event_has_its_line_in_the_table() -> None:
    for rules in ALL_RULES:
        assert set(rules.event_classes) == set(HIDDEN_FIELDS) | PUBLIC
    assert {name for rules in ALL_RULES for name in rules.move_classes} >= set(HIDDEN_IN_MOVES)
    assert not set(HIDDEN_FIELDS) & PUBLIC


@pytest.mark.rule("VIEW-1")
@pytest.mark.rule("VIEW-3")
@pytest.mark.rule("VIEW-4")
@each_rules
def test_others_get_null_for_what_is_hidden_and_all_else_unchanged(rules: Rules) -> None:
    seen_events: set[str] = set()
    for seed in range(3):
        game = play(rules, seed)
        for commit, head in zip(game.commits[:-1], game.states[:-1], strict=True):
            whole = commit_to_plain(rules, commit)
            for viewer in (None, *range(rules.seats)):
                plain = served(rules, commit, viewer, head)
                for event, shown in zip(whole["events"], plain["events"], strict=True):
                    seen_events.add(event["event"])
                    hidden = HIDDEN_FIELDS.get(event["event"], set())
                    assert shown == expected(rules, event, event.get("seat"), viewer, hidden)
                if commit.move is not None:
                    hidden = HIDDEN_IN_MOVES.get(whole["move"]["move"], set())
                    assert plain["move"] == expected(rules, whole["move"], commit.seat, viewer, hidden)
                assert "chance" not in plain
                for name in ("version", "at", "seat", "decision", "forced"):
                    assert plain[name] == whole[name]
    assert set(HIDDEN_FIELDS) & events_of(rules) <= seen_events <= events_of(rules)


@pytest.mark.rule("VIEW-10")
@each_rules
def test_when_the_game_is_over_every_commit_is_served_whole(rules: Rules) -> None:
    game = play(rules, 1)
    for commit in game.commits:
        for viewer in (None, *range(rules.seats)):
            assert text_of(served(rules, commit, viewer, game.end)) == text_of(commit_to_plain(rules, commit))


@pytest.mark.rule("VIEW-11")
@each_rules
def test_a_spectator_gets_no_fact_that_some_other_seat_does_not_get(rules: Rules) -> None:
    game = play(rules, 2)
    for commit, head in zip(game.commits[:-1], game.states[:-1], strict=True):
        spectator = served(rules, commit, None, head)
        bystanders = [seat for seat in range(rules.seats) if seat != commit.seat] if commit.seat is not None else []
        for seat in bystanders:
            events = served(rules, commit, seat, head)["events"]
            for event, theirs in zip(spectator["events"], events, strict=True):
                if event["event"] not in BY_SEAT and event.get("seat") != seat:
                    assert event == theirs
