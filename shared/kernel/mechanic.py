"""A mechanic: one rule mechanism of these games, with fixed hooks that the engine calls."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from shared.kernel.chance import Chance
from shared.kernel.decisions import Decision
from shared.kernel.events import Event
from shared.kernel.moves import Move
from shared.kernel.state import Part, State, View

if TYPE_CHECKING:
    from shared.kernel.engine import Play
    from shared.kernel.ruleset import Rules
    from shared.kernel.scoring import ScoreSheet


class Mechanic:
    """Override what the mechanic needs."""

    #: where its part stands in State.parts; -1 without one
    slot: ClassVar[int] = -1
    #: decision kinds it lists moves for
    lists: ClassVar[tuple[int, ...]] = ()
    #: move classes it plays; no other mechanic may play them
    owns: ClassVar[tuple[type[Move], ...]] = ()
    #: event kinds it reacts to
    reacts: ClassVar[tuple[int, ...]] = ()
    #: whether it limits which tracks a seat may claim
    limits_claims: ClassVar[bool] = False
    #: whether it is asked to follow up on claims
    follows_claims: ClassVar[bool] = False

    def __init__(self, rules: Rules, config: dict[str, Any]) -> None:
        """`config` is its entry in the rule set's file."""

    def part(self, rules: Rules) -> Part:
        """Its slice of the state before set-up."""
        raise NotImplementedError

    def setup(self, play: Play) -> None:
        """Its share of the start commit."""

    def moves(self, rules: Rules, state: State, decision: Decision, out: list[Move]) -> None:
        """Adds its legal moves, payments canonical, to `out`."""

    def check(self, rules: Rules, state: State, decision: Decision, move: Move) -> None:
        """Raises RuleViolation if the move breaks a rule."""

    def play(self, play: Play, decision: Decision, move: Move) -> None:
        """Carries a checked move out by emitting events."""
        raise NotImplementedError

    def react(self, play: Play, event: Event) -> None:
        """Answers an event with further ones."""

    def before_turns(self, play: Play) -> bool:
        """Asks what must be settled before the first turn; True if it opened a decision. Whoever plays that calls
        `play.start_turns` again."""
        return False

    def claimable(self, rules: Rules, state: State, seat: int) -> int:
        """The tracks that the seat may claim as far as this mechanic is concerned, one byte a track as in
        Board.touching."""
        raise NotImplementedError

    def check_claim(self, rules: Rules, state: State, seat: int, track: int) -> None:
        """Raises RuleViolation if this mechanic keeps the seat from claiming the track."""

    def after_claim(self, play: Play) -> bool:
        """Follows up on the track just claimed (Tracks.last); True if it opened a decision. Whoever plays that calls
        `play.follow_claim(self)` again."""
        return False

    def default(self, rules: Rules, state: State, decision: Decision) -> Move | None:
        """Its answer for a seat that let its time run out, if it has one (BASE-44)."""
        return None

    def hide(self, rules: Rules, view: View) -> None:
        """Takes out of its part what the viewer may not see."""

    def fill(self, rules: Rules, view: View, state: State, chance: Chance) -> None:
        """Fills the holes of its part of `state`, a copy of `view`, with one possible world."""

    def score(self, rules: Rules, state: State, sheet: ScoreSheet) -> None:
        """Adds the lines scored only at the end."""

    def running(self, rules: Rules, state: State, sheet: ScoreSheet) -> None:
        """Adds the lines scored openly so far (VIEW-2)."""

    def rank(self, rules: Rules, state: State, sheet: ScoreSheet, seat: int) -> int:
        """Its value for breaking ties, the higher the better."""
        raise NotImplementedError
