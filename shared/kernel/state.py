"""The position: a few fields of the engine and one part for each mechanic that keeps something."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from shared.kernel.decisions import Decision
from shared.kernel.kinds import PART_NAMES

if TYPE_CHECKING:
    from shared.kernel.ruleset import Rules

SPECTATOR: Final = -1


class Part:
    """A mechanic's slice of the state."""

    def copy(self) -> Part:
        """An independent copy."""
        raise NotImplementedError

    def plain(self, rules: Rules) -> dict[str, Any]:
        """The JSON-ready form, with names for ids."""
        raise NotImplementedError

    def load(self, rules: Rules, plain: Any, pointer: str) -> None:
        """Sets it from the plain form; raises Malformed."""
        raise NotImplementedError

    def show(self, rules: Rules, out: dict[str, str]) -> None:
        """Adds its tokens to a notation."""
        raise NotImplementedError

    def parse(self, rules: Rules, state: State, tokens: dict[str, str]) -> None:
        """Sets it from a notation, taking its tokens out; what is left out takes its default. Raises Malformed."""
        raise NotImplementedError

    def verify(self, rules: Rules, state: State, pointer: str) -> None:
        """Raises Malformed unless it is whole and fits the rest of the position."""
        raise NotImplementedError


class State:
    """Everything about a game at one version; mutable, changed only by folding events."""

    __slots__ = ("decisions", "over", "parts", "passes", "points", "seats", "turn", "turns_left", "version")

    def __init__(self, seats: int) -> None:
        self.version: int = 0
        self.seats: int = seats
        self.turn: int = 0
        self.passes: int = 0  # passes in succession (BASE-10)
        self.turns_left: int = -1  # turns still to start in the last round; -1 before it (BASE-36)
        self.over: bool = False
        self.points: list[int] = [0] * seats  # scored openly so far
        self.decisions: list[Decision] = []
        self.parts: list[Any] = [None] * len(PART_NAMES)

    def copy_into(self, other: State) -> None:
        """Makes `other` an independent copy of this position."""
        other.version = self.version
        other.turn = self.turn
        other.passes = self.passes
        other.turns_left = self.turns_left
        other.over = self.over
        other.points = self.points[:]
        other.decisions = self.decisions[:]
        other.parts = [None if part is None else part.copy() for part in self.parts]

    def copy(self) -> State:
        """An independent copy."""
        other = State(self.seats)
        self.copy_into(other)
        return other

    def has_holes(self) -> bool:
        """Whether hidden facts are left out."""
        return False

    def shows(self, seat: int) -> bool:
        """Whether nothing that the seat holds is left out."""
        return True

    def decision(self, decision_id: str) -> Decision | None:
        """The open decision with this id, or None."""
        for decision in self.decisions:
            if decision.id == decision_id:
                return decision
        return None


class View(State):
    """A state with holes: what one seat, or a spectator (`viewer` -1), may see."""

    __slots__ = ("viewer",)

    def __init__(self, seats: int, viewer: int) -> None:
        super().__init__(seats)
        self.viewer: int = viewer

    def copy(self) -> View:
        """An independent copy."""
        other = View(self.seats, self.viewer)
        self.copy_into(other)
        return other

    def has_holes(self) -> bool:
        """Whether hidden facts are left out: until the game is over (VIEW-10)."""
        return not self.over

    def shows(self, seat: int) -> bool:
        """Whether nothing that the seat holds is left out."""
        return self.over or seat == self.viewer
