"""A decision: an open choice of one seat, answered exactly once."""

from __future__ import annotations

from shared.kernel.kinds import DECISION_NAMES


class Decision:
    """Public facts only: who must choose what, and the version that opened it."""

    __slots__ = ("kind", "opened", "seat")

    def __init__(self, opened: int, seat: int, kind: int) -> None:
        self.opened: int = opened
        self.seat: int = seat
        self.kind: int = kind

    @property
    def id(self) -> str:
        """The id, "<version that opened it>.<seat>"."""
        return f"{self.opened}.{self.seat}"

    @property
    def name(self) -> str:
        """The name of its kind, such as "turn"."""
        return DECISION_NAMES[self.kind]

    def __repr__(self) -> str:
        return f"Decision({self.id}, {self.name})"
