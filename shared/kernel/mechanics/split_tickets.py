"""Drawing tickets from two decks by an announced split, at the opening and as a turn's action (MK-5 to MK-7)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from shared.kernel import kinds
from shared.kernel.decisions import Decision
from shared.kernel.fields import Field, read_int, read_object
from shared.kernel.mechanic import Mechanic
from shared.kernel.mechanics.tickets import offer_tickets
from shared.kernel.moves import Move
from shared.kernel.state import State
from shared.kernel.ticket_deck import Tickets
from shared.kernel.violations import MalformedMove, RuleViolation

if TYPE_CHECKING:
    from shared.kernel.engine import Play
    from shared.kernel.ruleset import Rules


class Split(Field):
    """How many tickets of each deck."""

    shape = "numbers"

    def out(self, rules: Rules, value: Any) -> dict[str, int]:
        return dict(zip(rules.ticket_decks, value, strict=True))

    def read(self, rules: Rules, value: Any, pointer: str) -> tuple[int, ...]:
        found = read_object(value, tuple(rules.ticket_decks), pointer)
        most = len(rules.board.tickets)
        return tuple([read_int(found[name], 0, most, f"{pointer}/{name}") for name in rules.ticket_decks])


class AnnounceSplit(Move):
    """Draws so many tickets of each deck; which to keep is a later decision. Public (VIEW-5). Raises MalformedMove for
    fewer than none."""

    __slots__ = ("split",)
    kind = kinds.ANNOUNCE_SPLIT_MOVE
    fields = (("split", Split()),)

    def __init__(self, split: tuple[int, ...]) -> None:
        if min(split) < 0:
            raise MalformedMove("/split", "a number from 0 is needed for each deck")
        self.split: tuple[int, ...] = split


class SplitTickets(Mechanic):
    """Lets the seats announce and draw their opening tickets in turn order, and draw more in play."""

    lists = (kinds.TURN, kinds.ANNOUNCE_SPLIT)
    owns = (AnnounceSplit,)

    def __init__(self, rules: Rules, config: dict[str, Any]) -> None:
        super().__init__(rules, config)
        if len(rules.ticket_decks) != 2:
            raise ValueError(f"{rules.id} has not two ticket decks to split between")
        self.number: int = config["number"]
        #: the splits that decks of these sizes allow (larger ones count as `number`), the most of the first deck first
        self.splits: dict[tuple[int, int], list[AnnounceSplit]] = {}
        for first in range(self.number + 1):
            for second in range(self.number + 1):
                total = min(self.number, first + second)
                taken = range(min(first, total), max(total - second, 0) - 1, -1) if total else ()
                self.splits[first, second] = [AnnounceSplit((n, total - n)) for n in taken]

    def setup(self, play: Play) -> None:
        play.open_decision(play.state.turn, kinds.ANNOUNCE_SPLIT)

    def open_splits(self, state: State) -> list[AnnounceSplit]:
        """What the decks allow."""
        tickets: Tickets = state.parts[kinds.TICKETS]
        first, second = tickets.deck_sizes
        return self.splits[min(first, self.number), min(second, self.number)]

    def moves(self, rules: Rules, state: State, decision: Decision, out: list[Move]) -> None:
        out += self.open_splits(state)

    def check(self, rules: Rules, state: State, decision: Decision, move: Move) -> None:
        assert isinstance(move, AnnounceSplit)
        tickets: Tickets = state.parts[kinds.TICKETS]
        total = min(self.number, sum(tickets.deck_sizes))
        if not total:
            raise RuleViolation("no_tickets_left", "BASE-34", {"left": 0})
        for deck, (asked, left) in enumerate(zip(move.split, tickets.deck_sizes, strict=True)):
            if asked > left:
                data = {"deck": rules.ticket_decks[deck], "asked": asked, "left": left}
                raise RuleViolation("split_beyond_deck", "MK-7", data)
        if sum(move.split) != total:
            rule = "MK-5" if decision.kind == kinds.ANNOUNCE_SPLIT else "MK-6"
            data = {"needed": total, "came": sum(move.split)}
            raise RuleViolation("wrong_split_size", rule if total == self.number else "MK-7", data)

    def play(self, play: Play, decision: Decision, move: Move) -> None:
        assert isinstance(move, AnnounceSplit)
        offer_tickets(play, decision.seat, list(move.split))
        if decision.kind == kinds.TURN:
            play.open_decision(decision.seat, kinds.KEEP_TICKETS)
            return
        following = (decision.seat + 1) % play.state.seats
        if following != play.state.turn:
            play.open_decision(following, kinds.ANNOUNCE_SPLIT)
            return
        for seat in range(play.state.seats):
            play.open_decision(seat, kinds.OPENING_TICKETS)

    def default(self, rules: Rules, state: State, decision: Decision) -> Move | None:
        """Half of each deck at the opening, in play as many of the first as possible, or what the decks allow."""
        splits = self.open_splits(state)
        if decision.kind == kinds.TURN or not splits:
            return splits[0] if splits else None
        half = self.number // 2
        return min(splits, key=lambda move: abs(move.split[0] - half))
