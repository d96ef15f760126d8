"""The plain, JSON-ready form of positions, moves, events and commits: names instead of numbers."""

from __future__ import annotations

from typing import Any

from shared.kernel import kinds
from shared.kernel.decisions import Decision
from shared.kernel.engine import Commit, empty_state
from shared.kernel.events import Event
from shared.kernel.fields import read_int, read_list, read_name, read_object, read_record
from shared.kernel.mechanics.tickets import completed
from shared.kernel.moves import Move
from shared.kernel.ruleset import Rules
from shared.kernel.state import SPECTATOR, State, View
from shared.kernel.violations import Malformed, MalformedMove

_DECISION_KINDS = {name: kind for kind, name in enumerate(kinds.DECISION_NAMES)}
_STATE = ("ruleset", "options", "seats", "version", "turn", "passes", "turns_left", "over", "points", "decisions")


def move_to_plain(rules: Rules, move: Move) -> dict[str, Any]:
    """{"move": "ClaimTrack", "track": ..., "payment": ...}"""
    return move.plain(rules, "move")


def move_from_plain(rules: Rules, plain: Any) -> Move:
    """The move, whose hidden forms are refused; raises MalformedMove with a pointer."""
    try:
        move = read_record(rules, rules.move_classes, "move", plain)
    except Malformed as error:
        raise MalformedMove(error.pointer, error.detail) from error
    assert isinstance(move, Move)
    for name, _ in move.fields:
        value = getattr(move, name)
        if value is None or (isinstance(value, tuple) and -1 in value):
            raise MalformedMove(f"/{name}", "null is not a choice")
    return move


def events_to_plain(rules: Rules, events: list[Event]) -> list[dict[str, Any]]:
    """[{"event": "TrackClaimed", ...}, ...]"""
    return [event.plain(rules, "event") for event in events]


def events_from_plain(rules: Rules, plain: Any, pointer: str = "/events") -> list[Event]:
    """The events; raises Malformed."""
    out: list[Event] = []
    for place, entry in enumerate(read_list(plain, 0, 10_000, pointer)):
        event = read_record(rules, rules.event_classes, "event", entry, f"{pointer}/{place}")
        assert isinstance(event, Event)
        out.append(event)
    return out


def commit_to_plain(rules: Rules, commit: Commit) -> dict[str, Any]:
    """The commit; without "chance" where that is hidden."""
    out: dict[str, Any] = {
        "version": commit.version,
        "at": commit.at,
        "seat": commit.seat,
        "decision": commit.decision,
        "move": None if commit.move is None else move_to_plain(rules, commit.move),
        "forced": commit.forced,
        "events": events_to_plain(rules, commit.events),
    }
    if commit.chance is not None:
        out["chance"] = [list(outcome) for outcome in commit.chance]
    return out


def commit_from_plain(rules: Rules, plain: Any) -> Commit:
    """The commit, redacted or whole; raises Malformed."""
    names = ("version", "at", "seat", "decision", "move", "forced", "events")
    if isinstance(plain, dict) and "chance" in plain:
        names = (*names, "chance")
    read_object(plain, names, "")
    move = None
    if plain["move"] is not None:
        move = read_record(rules, rules.move_classes, "move", plain["move"], "/move")
        assert isinstance(move, Move)
    chance = None
    if "chance" in plain:
        chance = [(int(n), int(result)) for n, result in plain["chance"]]
    return Commit(
        plain["version"],
        plain["at"],
        plain["seat"],
        plain["decision"],
        move,
        plain["forced"],
        events_from_plain(rules, plain["events"]),
        chance,
    )


def state_to_plain(rules: Rules, state: State) -> dict[str, Any]:
    """The position; a view has "viewer" (a seat or "spectator"), and a seat's view its completed tickets so far."""
    out: dict[str, Any] = {
        "ruleset": rules.id,
        "options": rules.options,
        "seats": state.seats,
        "version": state.version,
        "turn": state.turn,
        "passes": state.passes,
        "turns_left": None if state.turns_left < 0 else state.turns_left,
        "over": state.over,
        "points": state.points[:],
        "decisions": [{"decision": d.id, "seat": d.seat, "kind": d.name} for d in state.decisions],
    }
    for name, part in zip(kinds.PART_NAMES, state.parts, strict=True):
        if part is not None:
            out[name] = part.plain(rules)
    if isinstance(state, View):
        if state.viewer == SPECTATOR:
            out["viewer"] = "spectator"
        else:
            out["viewer"] = state.viewer
            out["completed"] = [rules.board.tickets[t] for t in completed(rules, state, state.viewer)]
    return out


def state_from_plain(rules: Rules, plain: Any) -> State:
    """The state, or the view if there is a "viewer"; raises Malformed for anything that is no whole position.

    "completed" is derived and not read back.
    """
    if not isinstance(plain, dict):
        raise Malformed("", "an object is needed")
    parts = tuple(name for name, holder in zip(kinds.PART_NAMES, rules.holders, strict=True) if holder is not None)
    extra = tuple(name for name in ("viewer", "completed") if name in plain)
    read_object(plain, (*_STATE, *parts, *extra), "")
    if plain["ruleset"] != rules.id or plain["options"] != rules.options or plain["seats"] != rules.seats:
        raise Malformed("/ruleset", f"a position of {rules.id} with these seats and options is needed")
    state = empty_state(rules)
    if "viewer" in plain:
        viewer = plain["viewer"]
        seat = SPECTATOR if viewer == "spectator" else read_int(viewer, 0, rules.seats - 1, "/viewer")
        view = View(rules.seats, seat)
        view.parts = state.parts
        state = view
    state.version = read_int(plain["version"], 0, 1_000_000, "/version")
    state.turn = read_int(plain["turn"], 0, rules.seats - 1, "/turn")
    state.passes = read_int(plain["passes"], 0, rules.seats, "/passes")
    left = plain["turns_left"]
    state.turns_left = -1 if left is None else read_int(left, 0, rules.seats, "/turns_left")
    if not isinstance(plain["over"], bool):
        raise Malformed("/over", "true or false is needed")
    state.over = plain["over"]
    points = read_list(plain["points"], rules.seats, rules.seats, "/points")
    state.points = [read_int(value, -1_000_000, 1_000_000, f"/points/{i}") for i, value in enumerate(points)]
    for i, entry in enumerate(read_list(plain["decisions"], 0, rules.seats, "/decisions")):
        state.decisions.append(_read_decision(rules, state, entry, f"/decisions/{i}"))
    for name, part in zip(kinds.PART_NAMES, state.parts, strict=True):
        if part is not None:
            part.load(rules, plain[name], f"/{name}")
    verify(rules, state)
    return state


def _read_decision(rules: Rules, state: State, plain: Any, pointer: str) -> Decision:
    read_object(plain, ("decision", "seat", "kind"), pointer)
    seat = read_int(plain["seat"], 0, rules.seats - 1, f"{pointer}/seat")
    kind = read_name(_DECISION_KINDS, plain["kind"], f"{pointer}/kind", "kind of decision")
    opened, dot, owner = plain["decision"].partition(".") if isinstance(plain["decision"], str) else ("", "", "")
    if not dot or owner != str(seat) or not (opened.isascii() and opened.isdecimal()):
        raise Malformed(f"{pointer}/decision", "an id such as 12.1 that ends with the seat is needed")
    return Decision(read_int(int(opened[:9]), 0, state.version, f"{pointer}/decision"), seat, kind)


def verify(rules: Rules, state: State) -> None:
    """Raises Malformed unless the position is whole: each card, train and ticket in one place, one decision a seat."""
    seats = [decision.seat for decision in state.decisions]
    if len(set(seats)) != len(seats):
        raise Malformed("/decisions", "a seat has at most one open decision")
    if state.over and state.decisions:
        raise Malformed("/decisions", "a finished game has no open decision")
    for name, part in zip(kinds.PART_NAMES, state.parts, strict=True):
        if part is not None:
            part.verify(rules, state, f"/{name}")
