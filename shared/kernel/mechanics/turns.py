"""Turn order and passing (BASE-4, BASE-7, BASE-9, BASE-10)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from shared.kernel import kinds
from shared.kernel.decisions import Decision
from shared.kernel.events import ALL_PASSED, Event, FirstSeatChosen
from shared.kernel.mechanic import Mechanic
from shared.kernel.moves import Move, Pass
from shared.kernel.state import State
from shared.kernel.violations import RuleViolation

if TYPE_CHECKING:
    from shared.kernel.engine import Play
    from shared.kernel.ruleset import Rules


class Turns(Mechanic):
    """Who is first, and what a pass does."""

    lists = (kinds.TURN,)
    owns = (Pass,)
    reacts = (kinds.TURN_ENDED,)

    def __init__(self, rules: Rules, config: dict[str, Any]) -> None:
        super().__init__(rules, config)
        self.all_passed_ends: bool = config["all_passed_ends"]

    def setup(self, play: Play) -> None:
        first = play.rules.options["first_player"]
        play.emit(FirstSeatChosen(play.chance.below(play.rules.seats) if first == "random" else first))

    def check(self, rules: Rules, state: State, decision: Decision, move: Move) -> None:
        for mechanic in rules.listers[decision.kind]:
            legal: list[Move] = []
            mechanic.moves(rules, state, decision, legal)
            if legal:
                raise RuleViolation("pass_not_allowed", "BASE-9", {"legal": type(legal[0]).__name__})

    def play(self, play: Play, decision: Decision, move: Move) -> None:
        play.end_turn(passed=True)

    def react(self, play: Play, event: Event) -> None:
        if self.all_passed_ends and play.state.passes >= play.state.seats:
            play.end_game(ALL_PASSED)
