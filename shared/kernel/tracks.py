"""The part of the state that holds the tracks claimed and the trains left."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from shared.kernel.fields import read_by_seat, read_digits, read_int, read_list, read_name, read_object
from shared.kernel.kinds import AFTER_CLAIM, TRACKS
from shared.kernel.state import Part, State
from shared.kernel.violations import Malformed

if TYPE_CHECKING:
    from shared.kernel.ruleset import Rules

NOBODY: Final = -1


class Tracks(Part):
    """Owners by track, trains by seat, the track claimed last, and derived for each seat which tracks are still open to
    it and which touch its own (as Board.touching). The last claim is part of the position only where a rule set asks
    something about it afterwards."""

    __slots__ = ("last", "open", "owners", "touching", "trains")

    def __init__(self, seats: int, tracks: int, trains: int) -> None:
        self.owners: list[int] = [NOBODY] * tracks
        self.last: int = -1
        self.trains: list[int] = [trains] * seats
        self.open: list[bytearray] = [bytearray(b"\x01" * tracks) for _ in range(seats)]
        self.touching: list[int] = [0] * seats

    def copy(self) -> Tracks:
        """An independent copy."""
        other = Tracks(0, 0, 0)
        other.owners = self.owners[:]
        other.last = self.last
        other.trains = self.trains[:]
        other.open = [flags[:] for flags in self.open]
        other.touching = self.touching[:]
        return other

    def claim(self, rules: Rules, seat: int, track: int) -> None:
        """Gives the track to the seat and closes what that closes (BASE-25, BASE-26)."""
        self.owners[track] = seat
        one, other = rules.board.ends[track]
        self.touching[seat] |= rules.board.touching[one] | rules.board.touching[other]
        for closed in rules.closes[track]:
            for flags in self.open:
                flags[closed] = 0
        for closed in rules.closes_to_claimer[track]:
            self.open[seat][closed] = 0

    def owned(self, seat: int) -> list[int]:
        """The seat's tracks."""
        return [track for track, owner in enumerate(self.owners) if owner == seat]

    def cities(self, rules: Rules, seat: int) -> set[int]:
        """The cities at the ends of the seat's tracks."""
        return {city for track in self.owned(seat) for city in rules.board.ends[track]}

    def edges(self, rules: Rules, seat: int) -> list[tuple[int, int, int, int]]:
        """The seat's network as (track, city, city, length)."""
        ends, lengths = rules.board.ends, rules.board.lengths
        return [(t, ends[t][0], ends[t][1], lengths[t]) for t, owner in enumerate(self.owners) if owner == seat]

    def plain(self, rules: Rules) -> dict[str, Any]:
        """The JSON-ready form."""
        names = rules.board.tracks
        out: dict[str, Any] = {
            "owners": {names[track]: owner for track, owner in enumerate(self.owners) if owner != NOBODY},
            "trains": self.trains[:],
        }
        if rules.followers:
            out["last"] = None if self.last < 0 else names[self.last]
        return out

    def load(self, rules: Rules, plain: Any, pointer: str) -> None:
        """Sets it from the plain form; raises Malformed."""
        read_object(plain, ("owners", "trains", *(("last",) if rules.followers else ())), pointer)
        if not isinstance(plain["owners"], dict):
            raise Malformed(f"{pointer}/owners", "an object of tracks and their seats is needed")
        for name, seat in plain["owners"].items():
            track = read_name(rules.board.track_of, name, f"{pointer}/owners/{name}", "track")
            self.claim(rules, read_int(seat, 0, rules.seats - 1, f"{pointer}/owners/{name}"), track)
        if rules.followers and plain["last"] is not None:
            self.last = read_name(rules.board.track_of, plain["last"], f"{pointer}/last", "track")
        trains = read_list(plain["trains"], rules.seats, rules.seats, f"{pointer}/trains")
        self.trains = [read_int(left, 0, self.trains[i], f"{pointer}/trains/{i}") for i, left in enumerate(trains)]

    def show(self, rules: Rules, out: dict[str, str]) -> None:
        """Adds its tokens to a notation."""
        owned = [self.owned(seat) for seat in range(rules.seats)]
        if any(owned):
            out["tracks"] = "/".join(",".join(rules.board.tracks[t] for t in tracks) or "-" for tracks in owned)
        if rules.followers and self.last >= 0:
            out["last_claim"] = rules.board.tracks[self.last]
        out["trains"] = "/".join(str(left) for left in self.trains)

    def parse(self, rules: Rules, state: State, tokens: dict[str, str]) -> None:
        """Sets it from a notation; trains, if left out, are what the owned tracks leave."""
        for seat, part in enumerate(read_by_seat(tokens.pop("tracks", ""), rules.seats, "/tracks")):
            for name in part.split(",") if part != "-" else ():
                track = read_name(rules.board.track_of, name, "/tracks", f"track as {name[:60]}")
                if self.owners[track] != NOBODY:
                    raise Malformed("/tracks", f"{name} is claimed twice")
                self.claim(rules, seat, track)
                self.trains[seat] -= rules.board.lengths[track]
        last = tokens.pop("last_claim", "") if rules.followers else ""
        if last:
            self.last = read_name(rules.board.track_of, last, "/last_claim", "track")
        trains = tokens.pop("trains", "")
        if trains:
            given = read_list(trains.split("/"), rules.seats, rules.seats, "/trains")
            self.trains = [read_digits(left, "/trains") for left in given]

    def verify(self, rules: Rules, state: State, pointer: str) -> None:
        """Raises Malformed for a track that another claim closes to its owner, or more trains than the tracks leave."""
        replay: Tracks = rules.fresh(TRACKS)
        for track in range(len(self.owners)):
            seat = self.owners[track]
            if seat == NOBODY:
                continue
            name = rules.board.tracks[track]
            if not replay.open[seat][track]:
                raise Malformed(f"{pointer}/owners/{name}", "another claim closes this track to its owner (BASE-23)")
            replay.claim(rules, seat, track)
            replay.trains[seat] -= rules.board.lengths[track]
        claimer = self.owners[self.last] if self.last >= 0 else NOBODY
        if self.last >= 0 and claimer == NOBODY:
            raise Malformed(f"{pointer}/last", "the track claimed last belongs to nobody")
        if any(decision.kind in AFTER_CLAIM and decision.seat != claimer for decision in state.decisions):
            raise Malformed("/decisions", "only the seat that claimed the last track can be asked about that claim")
        for seat, most in enumerate(replay.trains):
            if not 0 <= self.trains[seat] <= most:
                raise Malformed(f"{pointer}/trains/{seat}", f"its tracks leave this seat {most} trains")
