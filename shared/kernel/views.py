"""What each seat may see: views of positions and redacted commits (the VIEW rules)."""

from __future__ import annotations

from shared.kernel.engine import Commit
from shared.kernel.kinds import YARDS
from shared.kernel.ruleset import Rules
from shared.kernel.state import SPECTATOR, State, View


def view_for(rules: Rules, state: State, seat: int | None) -> View:
    """The view of a seat, or of a spectator (None). When the game is over nothing is hidden (VIEW-10)."""
    view = View(state.seats, SPECTATOR if seat is None else seat)
    state.copy_into(view)
    if not state.over:
        for mechanic in rules.mechanics:
            mechanic.hide(rules, view)
    return view


def first_served(rules: Rules, head: State) -> int:
    """The first version whose commit is served while the game stands at `head`. Where stacks are hidden, the played
    history would restore them, so until the end only as many turns are served as there are seats (VIEW-7)."""
    if head.over or rules.holders[YARDS] is None:
        return 1
    starts: list[int] = head.parts[YARDS].starts
    return starts[0] if len(starts) == head.seats else 1


def redact(rules: Rules, commit: Commit, seat: int | None, head: State) -> Commit:
    """The commit as a seat, or a spectator (None), may see it now, at `head`. Whole once the game is over (VIEW-10)."""
    if head.over:
        return commit
    viewer = SPECTATOR if seat is None else seat
    move = commit.move
    if move is not None and commit.seat is not None:
        move = move.seen_by(rules, head, commit.seat, viewer)
    events = [event.seen_by(rules, head, viewer) for event in commit.events]
    return Commit(commit.version, commit.at, commit.seat, commit.decision, move, commit.forced, events, None)
