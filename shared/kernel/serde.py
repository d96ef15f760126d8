"""The plain, JSON-ready form of positions, moves, events and commits: names instead of numbers."""

from __future__ import annotations

from typing import Any, Final

from shared.kernel import kinds
from shared.kernel.decisions import Decision
from shared.kernel.engine import Commit, empty_state
from shared.kernel.events import Event
from shared.kernel.fields import read_digits, read_int, read_list, read_name, read_object, read_record
from shared.kernel.mechanics.tickets import completed
from shared.kernel.moves import Move
from shared.kernel.ruleset import Rules
from shared.kernel.state import SPECTATOR, State, View
from shared.kernel.violations import Malformed, MalformedMove

_DECISION_KINDS: Final = {name: kind for kind, name in enumerate(kinds.DECISION_NAMES)}
MOST_VERSIONS: Final = 999_999
MOST_OUTCOMES: Final = 1 << 64
_STATE: Final = (
    "ruleset", "options", "seats", "version", "turn", "passes", "turns_left", "over", "points", "decisions",
)  # fmt: skip


def move_to_plain(rules: Rules, move: Move) -> dict[str, Any]:
    """{"move": "ClaimTrack", "track": ..., "payment": ...}"""
    return move.plain(rules, "move")


def move_from_plain(rules: Rules, plain: Any) -> Move:
    """The move, whose hidden forms are refused; raises MalformedMove with a pointer."""
    try:
        move = read_record(rules, rules.move_classes, "move", plain)
    except Malformed as error:
        raise MalformedMove(error.pointer, error.detail) from error
    for name, _ in move.fields:
        value = getattr(move, name)
        if value is None or (isinstance(value, tuple) and any(type(entry) is int and entry < 0 for entry in value)):
            raise MalformedMove(f"/{name}", "what is hidden cannot be chosen")
    return move


def events_to_plain(rules: Rules, events: list[Event]) -> list[dict[str, Any]]:
    """[{"event": "TrackClaimed", ...}, ...]"""
    return [event.plain(rules, "event") for event in events]


def events_from_plain(rules: Rules, plain: Any, pointer: str = "/events") -> list[Event]:
    """The events; raises Malformed."""
    entries = enumerate(read_list(plain, 0, 10_000, pointer))
    return [read_record(rules, rules.event_classes, "event", entry, f"{pointer}/{place}") for place, entry in entries]


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
    names: tuple[str, ...] = ("version", "at", "seat", "decision", "move", "forced", "events")
    if isinstance(plain, dict) and "chance" in plain:
        names = (*names, "chance")
    read_object(plain, names, "")
    version = read_int(plain["version"], 1, MOST_VERSIONS, "/version")
    if not isinstance(plain["at"], str):
        raise Malformed("/at", "a time is needed")
    if not isinstance(plain["forced"], bool):
        raise Malformed("/forced", "true or false is needed")
    seat: int | None = None
    move: Move | None = None
    if plain["decision"] is None:
        for name in ("seat", "move"):
            if plain[name] is not None:
                raise Malformed(f"/{name}", "only the answer to a decision has one")
    else:
        seat = read_int(plain["seat"], 0, rules.seats - 1, "/seat")
        _read_opened(plain["decision"], seat, version - 1, "/decision")
        move = read_record(rules, rules.move_classes, "move", plain["move"], "/move")
    chance = None
    if "chance" in plain:
        pairs = read_list(plain["chance"], 0, 10_000, "/chance")
        chance = [_read_outcome(pair, f"/chance/{i}") for i, pair in enumerate(pairs)]
    events = events_from_plain(rules, plain["events"])
    return Commit(version, plain["at"], seat, plain["decision"], move, plain["forced"], events, chance)


def _read_outcome(plain: Any, pointer: str) -> tuple[int, int]:
    n, result = read_list(plain, 2, 2, pointer)
    n = read_int(n, 1, MOST_OUTCOMES, f"{pointer}/0")
    return n, read_int(result, 0, n - 1, f"{pointer}/1")


def state_to_plain(rules: Rules, state: State) -> dict[str, Any]:
    """The position; a view has "viewer" (a seat or "spectator"), and a seat's view the tickets in hand that its tracks
    complete so far."""
    out: dict[str, Any] = {
        "ruleset": rules.id,
        "options": dict(rules.options),
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
            if state.parts[kinds.TRACKS] is not None:
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
    state.version = read_int(plain["version"], 0, MOST_VERSIONS, "/version")
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
    return Decision(_read_opened(plain["decision"], seat, state.version, f"{pointer}/decision"), seat, kind)


def _read_opened(plain: Any, seat: int, last: int, pointer: str) -> int:
    """The version in a decision's id."""
    opened, _, owner = plain.partition(".") if isinstance(plain, str) else ("", "", "")
    if owner != str(seat) or opened[:1] == "0":
        raise Malformed(pointer, "an id such as 12.1 that ends with the seat is needed")
    return read_int(read_digits(opened, pointer), 1, last, pointer)


def verify(rules: Rules, state: State) -> None:
    """Raises Malformed unless the position is whole: each card, train and ticket in one place, one decision a seat."""
    seats = [decision.seat for decision in state.decisions]
    if len(set(seats)) != len(seats):
        raise Malformed("/decisions", "a seat has at most one open decision")
    if state.over and state.decisions:
        raise Malformed("/decisions", "a finished game has no open decision")
    for decision in state.decisions:
        if not 1 <= decision.opened <= state.version:
            raise Malformed("/decisions", f"no decision can have been opened by version {decision.opened}")
        if decision.kind not in kinds.BETWEEN_TURNS and decision.seat != state.turn:
            raise Malformed("/decisions", f"{decision.name} is asked of the seat whose turn it is")
        if decision.kind not in kinds.SIMULTANEOUS and len(seats) > 1:
            raise Malformed("/decisions", f"{decision.name} is asked of one seat and of no other")
        if decision.kind != state.decisions[0].kind:
            raise Malformed("/decisions", "only decisions of one kind can be open at once")
    for name, part in zip(kinds.PART_NAMES, state.parts, strict=True):
        if part is not None:
            part.verify(rules, state, f"/{name}")
