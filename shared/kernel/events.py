"""Events: what a commit changed. Folding them is the only way a position changes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Final

from shared.kernel import kinds
from shared.kernel.decisions import Decision
from shared.kernel.fields import Document, Flag, Record, SeatNumber, Word

if TYPE_CHECKING:
    from shared.kernel.ruleset import Rules
    from shared.kernel.state import State

ENDINGS: Final = ("last_round", "all_passed")
LAST_ROUND: Final = ENDINGS.index("last_round")
ALL_PASSED: Final = ENDINGS.index("all_passed")
DECISION_KIND: Final = Word(kinds.DECISION_NAMES, "kind of decision")


class Event(Record):
    """Base of all events. A class must define both methods itself; `register` refuses it otherwise."""

    __slots__ = ()
    kind: ClassVar[int] = -1

    def fold(self, rules: Rules, state: State) -> None:
        """Changes `state`, which may be a view when the event was redacted for the same viewer."""
        raise NotImplementedError

    def seen_by(self, rules: Rules, head: State, seat: int) -> Event:
        """What `seat` (-1: a spectator) may see of it, given the head of a game still in play."""
        raise NotImplementedError


class PublicEvent(Event):
    """An event that everybody may see whole."""

    __slots__ = ()

    def seen_by(self, rules: Rules, head: State, seat: int) -> Event:
        return self


EVENTS: Final[dict[str, type[Event]]] = {}


def register(*classes: type[Event]) -> None:
    """Makes event classes known; raises TypeError for one that does not say who may see it, or that has the name or
    the kind of another."""
    for cls in classes:
        if cls.seen_by is Event.seen_by or cls.fold is Event.fold:
            raise TypeError(f"{cls.__name__} must define fold and what each seat may see of it")
        if cls.__name__ in EVENTS or any(cls.kind == other.kind for other in EVENTS.values()):
            raise TypeError(f"{cls.__name__} has the name or the kind of another event")
        EVENTS[cls.__name__] = cls


class FirstSeatChosen(PublicEvent):
    """The seat that plays first is fixed (BASE-4, OPT-1)."""

    __slots__ = ("seat",)
    kind = kinds.FIRST_SEAT_CHOSEN
    fields = (("seat", SeatNumber()),)

    def __init__(self, seat: int) -> None:
        self.seat: int = seat

    def fold(self, rules: Rules, state: State) -> None:
        state.turn = self.seat


class DecisionOpened(PublicEvent):
    """A seat must choose."""

    __slots__ = ("decision", "seat")
    kind = kinds.DECISION_OPENED
    fields = (("seat", SeatNumber()), ("decision", DECISION_KIND))

    def __init__(self, seat: int, decision: int) -> None:
        self.seat: int = seat
        self.decision: int = decision

    def fold(self, rules: Rules, state: State) -> None:
        state.decisions.append(Decision(state.version, self.seat, self.decision))


class TurnStarted(PublicEvent):
    """A seat's turn begins: its turn decision opens."""

    __slots__ = ("seat",)
    kind = kinds.TURN_STARTED
    fields = (("seat", SeatNumber()),)

    def __init__(self, seat: int) -> None:
        self.seat: int = seat

    def fold(self, rules: Rules, state: State) -> None:
        state.turn = self.seat
        if state.turns_left > 0:
            state.turns_left -= 1
        state.decisions.append(Decision(state.version, self.seat, kinds.TURN))


class TurnEnded(PublicEvent):
    """A seat's turn is over; `passed` if it had no legal action."""

    __slots__ = ("passed", "seat")
    kind = kinds.TURN_ENDED
    fields = (("seat", SeatNumber()), ("passed", Flag()))

    def __init__(self, seat: int, passed: bool) -> None:
        self.seat: int = seat
        self.passed: bool = passed

    def fold(self, rules: Rules, state: State) -> None:
        state.passes = state.passes + 1 if self.passed else 0


class LastRoundStarted(PublicEvent):
    """Every seat takes exactly one more turn, `seat` last (BASE-36)."""

    __slots__ = ("seat",)
    kind = kinds.LAST_ROUND_STARTED
    fields = (("seat", SeatNumber()),)

    def __init__(self, seat: int) -> None:
        self.seat: int = seat

    def fold(self, rules: Rules, state: State) -> None:
        state.turns_left = state.seats


class GameEnded(PublicEvent):
    """Play is over; everything becomes public (VIEW-10)."""

    __slots__ = ("reason",)
    kind = kinds.GAME_ENDED
    fields = (("reason", Word(ENDINGS, "ending")),)

    def __init__(self, reason: int) -> None:
        self.reason: int = reason

    def fold(self, rules: Rules, state: State) -> None:
        state.over = True


class ResultRecorded(PublicEvent):
    """The final score sheet, as the scoring service computed it."""

    __slots__ = ("sheet",)
    kind = kinds.RESULT_RECORDED
    fields = (("sheet", Document()),)

    def __init__(self, sheet: dict[str, Any]) -> None:
        self.sheet: dict[str, Any] = sheet

    def fold(self, rules: Rules, state: State) -> None:
        pass


register(FirstSeatChosen, DecisionOpened, TurnStarted, TurnEnded, LastRoundStarted, GameEnded, ResultRecorded)
