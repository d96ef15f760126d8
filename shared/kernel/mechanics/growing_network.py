"""Networks that grow from a starting city: which tracks a seat may claim (OW-6)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shared.kernel import kinds
from shared.kernel.markers import Markers
from shared.kernel.mechanic import Mechanic
from shared.kernel.state import State
from shared.kernel.tracks import Tracks
from shared.kernel.violations import RuleViolation

if TYPE_CHECKING:
    from shared.kernel.ruleset import Rules


class GrowingNetwork(Mechanic):
    """The first track starts at the seat's starting city, every later one there or at a city of an own track."""

    limits_claims = True

    def claimable(self, rules: Rules, state: State, seat: int) -> int:
        markers: Markers = state.parts[kinds.MARKERS]
        tracks: Tracks = state.parts[kinds.TRACKS]
        return tracks.touching[seat] | rules.board.touching[markers.starts[seat]]

    def check_claim(self, rules: Rules, state: State, seat: int, track: int) -> None:
        tracks: Tracks = state.parts[kinds.TRACKS]
        start = state.parts[kinds.MARKERS].starts[seat]
        cities = tracks.cities(rules, seat)
        if start in rules.board.ends[track] or not cities.isdisjoint(rules.board.ends[track]):
            return
        data = {"track": rules.board.tracks[track], "starting_city": rules.board.cities[start]}
        raise RuleViolation("not_at_own_track" if cities else "not_at_starting_city", "OW-6", data)
