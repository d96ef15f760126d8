"""The last round (BASE-36, BASE-37)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from shared.kernel import kinds
from shared.kernel.events import LAST_ROUND, Event, LastRoundStarted
from shared.kernel.mechanic import Mechanic
from shared.kernel.tracks import Tracks

if TYPE_CHECKING:
    from shared.kernel.engine import Play
    from shared.kernel.ruleset import Rules


class LastRound(Mechanic):
    """Starts once when a seat ends its turn with few trains, and ends the game after one more turn each."""

    reacts = (kinds.TURN_ENDED,)

    def __init__(self, rules: Rules, config: dict[str, Any]) -> None:
        self.trains: int = config["trains"]

    def react(self, play: Play, event: Event) -> None:
        state = play.state
        if state.over:
            return
        tracks: Tracks = state.parts[kinds.TRACKS]
        if state.turns_left == 0:
            play.end_game(LAST_ROUND)
        elif state.turns_left < 0 and tracks.trains[state.turn] <= self.trains:
            play.emit(LastRoundStarted(state.turn))
