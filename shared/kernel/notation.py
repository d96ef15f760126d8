"""One line of text for a position, a view or a move, for tests, bug reports and the validation API.

A position: the rule set and seats, then tokens "name=value" in any order. What is left out takes its default, and the
default of a deck is everything that is nowhere else:

    usa@1:2 v=9 turn=0 hands=R3L1/B2 display=RRBWL tracks=denver-omaha-purple/- tickets=boston-miami/?2 ask=turn
"""

from __future__ import annotations

from typing import Any

from shared.kernel import kinds
from shared.kernel.decisions import Decision
from shared.kernel.engine import empty_state
from shared.kernel.fields import Field, read_digits, read_int
from shared.kernel.moves import Move
from shared.kernel.piles import DIGITS, parse_known_counts, plain_counts, print_counts
from shared.kernel.ruleset import Rules
from shared.kernel.scoring import running_score
from shared.kernel.serde import move_from_plain, verify
from shared.kernel.state import SPECTATOR, State, View
from shared.kernel.violations import Malformed


def print_position(rules: Rules, state: State) -> str:
    """The notation of a state or view; `parse_position` gives an equal one back."""
    out: dict[str, str] = {"v": str(state.version), "turn": str(state.turn)}
    if isinstance(state, View):
        out["viewer"] = "spectator" if state.viewer == SPECTATOR else str(state.viewer)
    if state.passes:
        out["passes"] = str(state.passes)
    if state.turns_left >= 0:
        out["last"] = str(state.turns_left)
    if state.over:
        out["over"] = "1"
    out["points"] = "/".join(str(points) for points in state.points)
    for part in state.parts:
        if part is not None:
            part.show(rules, out)
    out["ask"] = ",".join(f"{d.id}:{d.name}" for d in state.decisions) or "-"
    return " ".join([f"{rules.id}:{rules.seats}", *[f"{name}={value}" for name, value in out.items()]])


def position_header(text: str) -> tuple[str, int]:
    """The rule set and the number of seats that a notation is for; raises Malformed."""
    head = text.split(" ", 1)[0]
    ruleset, colon, seats = head.partition(":")
    if not colon:
        raise Malformed("", "a notation starts with the rule set and the number of seats, such as usa@1:2")
    return ruleset, read_digits(seats, "")


def parse_position(rules: Rules, text: str) -> State:
    """The state, or the view if there is a token viewer; raises Malformed."""
    if position_header(text) != (rules.id, rules.seats):
        raise Malformed("", f"a position of {rules.id}:{rules.seats} is needed")
    tokens: dict[str, str] = {}
    for token in text.split()[1:]:
        name, sign, value = token.partition("=")
        if not sign or not value or name in tokens:
            raise Malformed(f"/{name}", "each token is name=value, once")
        tokens[name] = value
    state = empty_state(rules)
    viewer = tokens.pop("viewer", "")
    if viewer:
        last = rules.seats - 1
        seat = SPECTATOR if viewer == "spectator" else read_int(read_digits(viewer, "/viewer"), 0, last, "/viewer")
        view = View(rules.seats, seat)
        view.parts = state.parts
        state = view
    state.version = read_digits(tokens.pop("v", "1"), "/v")
    state.turn = read_int(read_digits(tokens.pop("turn", "0"), "/turn"), 0, rules.seats - 1, "/turn")
    state.passes = read_int(read_digits(tokens.pop("passes", "0"), "/passes"), 0, rules.seats, "/passes")
    last_turns = tokens.pop("last", "")
    state.turns_left = read_int(read_digits(last_turns, "/last"), 0, rules.seats, "/last") if last_turns else -1
    state.over = read_int(read_digits(tokens.pop("over", "0"), "/over"), 0, 1, "/over") == 1
    points = tokens.pop("points", "")
    ask = tokens.pop("ask", "-" if state.over else "turn")
    for slot in kinds.PARSE_ORDER:
        if state.parts[slot] is not None:
            state.parts[slot].parse(rules, state, tokens)
    if tokens:
        raise Malformed(f"/{next(iter(tokens))}", "there is no such token")
    state.points = _parse_points(rules, points) if points else running_score(rules, state).totals
    for entry in ask.split(",") if ask != "-" else ():
        state.decisions.append(_parse_decision(rules, state, entry))
    verify(rules, state)
    return state


def _parse_points(rules: Rules, text: str) -> list[int]:
    parts = text.split("/")
    if len(parts) != rules.seats:
        raise Malformed("/points", f"{rules.seats} numbers are needed, separated by /")
    return [-read_digits(part[1:], "/points") if part[0:1] == "-" else read_digits(part, "/points") for part in parts]


def _parse_decision(rules: Rules, state: State, text: str) -> Decision:
    """An open decision as "12.1:turn"; a kind alone means the seat whose turn it is, asked at this version."""
    place, colon, name = text.rpartition(":")
    if name not in kinds.DECISION_NAMES:
        raise Malformed("/ask", f"one of {', '.join(kinds.DECISION_NAMES)} is needed")
    kind = kinds.DECISION_NAMES.index(name)
    if not colon:
        return Decision(state.version, state.turn, kind)
    opened, dot, seat = place.partition(".")
    if not dot:
        raise Malformed("/ask", "a decision is an id such as 12.1, a colon and its kind")
    return Decision(
        read_int(read_digits(opened, "/ask"), 0, state.version, "/ask"),
        read_int(read_digits(seat, "/ask"), 0, rules.seats - 1, "/ask"),
        kind,
    )


def print_move(rules: Rules, move: Move) -> str:
    """The notation of a move: its name and its values, such as "ClaimTrack denver-omaha-purple P3L1"."""
    plain = move.plain(rules, "move")
    return " ".join([plain["move"], *[_print_value(rules, field, plain[name]) for name, field in move.fields]])


def _print_value(rules: Rules, field: Field, value: Any) -> str:
    if value is None:
        return "?"
    if field.shape == "cards":
        counts = [value.get(kind, 0) for kind in rules.kinds]
        return print_counts(rules, counts, sum(counts))
    if field.shape == "list":
        return ",".join(value) or "-"
    if field.shape == "numbers":
        return ",".join(f"{number}{name}" for name, number in value.items())
    return str(value)


def parse_move(rules: Rules, text: str) -> Move:
    """The move of a notation; raises MalformedMove, or Malformed for a value that cannot be read."""
    words = text.split()
    cls = rules.move_classes.get(words[0]) if words else None
    if cls is None or len(words) != len(cls.fields) + 1:
        raise Malformed("", f"a move is one of {', '.join(sorted(rules.move_classes))} and its values")
    plain: dict[str, Any] = {"move": words[0]}
    for (name, field), word in zip(cls.fields, words[1:], strict=True):
        plain[name] = _parse_value(rules, field, word, f"/{name}")
    return move_from_plain(rules, plain)


def _parse_value(rules: Rules, field: Field, word: str, pointer: str) -> Any:
    if field.shape == "cards":
        return plain_counts(rules, parse_known_counts(rules, word, pointer))
    if field.shape == "list":
        return [] if word == "-" else word.split(",")
    if field.shape == "numbers":
        pairs = [(part.lstrip(DIGITS), part) for part in word.split(",")]
        return {name: read_digits(part.removesuffix(name), pointer) for name, part in pairs}
    return read_digits(word, pointer) if field.shape == "number" else word
