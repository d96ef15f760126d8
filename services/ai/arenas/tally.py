"""The statistics of an arena: results are counted one by one, and what is counted can be kept and counted on."""

from __future__ import annotations

import statistics
from bisect import bisect
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any

from openskill.models import PlackettLuce

from services.ai.play import SPEED_STEP

CONFIDENCE = 0.95
Z = statistics.NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
MODEL = PlackettLuce()

Json = dict[str, Any]


@dataclass
class Score:
    """Games, and how many were won, by the number of those who shared the victory."""

    games: int = 0
    wins: Counter[int] = field(default_factory=Counter)

    def add(self, sharing: int) -> None:
        """Counts a game: won with so many winners, 0 if it was not."""
        self.games += 1
        if sharing:
            self.wins[sharing] += 1

    def statistics(self) -> Json:
        """Games, games won (a shared one counts in part), their share and its interval; null without games."""
        wins = sum(number / sharing for sharing, number in self.wins.items())
        return {"games": self.games, "wins": wins, "win_rate": wins / self.games if self.games else None,
                "interval": interval(wins, self.games)}


@dataclass
class EntrantTally:
    """All that is counted of one entrant."""

    score: Score = field(default_factory=Score)
    points: Counter[int] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)
    completed: int = 0
    failed: int = 0
    decisions: int = 0
    ms: float = 0.0
    speeds: Counter[int] = field(default_factory=Counter)
    failures: Counter[str] = field(default_factory=Counter)
    mu: float = MODEL.mu
    sigma: float = MODEL.sigma

    def add(self, seat: Json, sharing: int) -> None:
        """Counts what the entrant did on a seat of one game."""
        self.score.add(sharing)
        self.points[seat["points"]] += 1
        self.reasons.update(seat["reasons"])
        self.completed += sum(seat["tickets"].values())
        self.failed += sum(not completed for completed in seat["tickets"].values())
        self.decisions += seat["decisions"]
        self.ms += seat["ms"]
        self.speeds.update(_whole(seat["speeds"]))
        self.failures.update(seat["failures"])

    def statistics(self) -> Json:
        """What is shown of the entrant; means are by game."""
        games = self.score.games
        return {
            **self.score.statistics(),
            "rating": {"mu": self.mu, "sigma": self.sigma},
            "points": summary(self.points),
            "by_reason": {reason: points / games for reason, points in sorted(self.reasons.items())},
            "tickets": {"completed": self.completed / games, "failed": self.failed / games} if games else None,
            "decisions": self.decisions,
            "milliseconds": {"mean": self.ms / self.decisions, "median": SPEED_STEP ** median(self.speeds)}
            if self.decisions else None,
            "failures": dict(self.failures),
        }  # fmt: skip


@dataclass
class Tally:
    """All that is counted of an arena.

    Counts do not depend on the order of the results. Ratings do, so they follow the numbers of the games: a result that
    comes early waits in `unrated` for those before it.
    """

    entrants: list[EntrantTally]
    seats: list[Score]
    tickets: dict[str, list[int]] = field(default_factory=dict)  # [completed, failed]
    tracks: Counter[str] = field(default_factory=Counter)
    decisions: Counter[int] = field(default_factory=Counter)
    turns: Counter[int] = field(default_factory=Counter)
    abandoned: Counter[str] = field(default_factory=Counter)
    rated: int = 0
    unrated: dict[int, Json] = field(default_factory=dict)

    @classmethod
    def empty(cls, entrants: int, seats: int) -> Tally:
        """Nothing counted yet."""
        return cls([EntrantTally() for _ in range(entrants)], [Score() for _ in range(seats)])

    @property
    def games(self) -> int:
        """How many games were counted, those given up aside."""
        return self.decisions.total()

    def add(self, result: Json) -> None:
        """Counts the result of a game, or that it was given up: {"game", "abandoned": why}."""
        if "abandoned" in result:
            self.abandoned[result["abandoned"]] += 1
            self._rate(result["game"], {})
            return
        seats = result["seats"]
        winners = sum(seat["rank"] == 1 for seat in seats)
        for place, seat in enumerate(seats):
            sharing = winners if seat["rank"] == 1 else 0
            self.entrants[seat["entrant"]].add(seat, sharing)
            self.seats[place].add(sharing)
            for ticket, completed in seat["tickets"].items():
                self.tickets.setdefault(ticket, [0, 0])[not completed] += 1
        self.tracks.update(result["tracks"])
        self.decisions[result["decisions"]] += 1
        self.turns[result["turns"]] += 1
        self._rate(result["game"], {str(seat["entrant"]): seat["rank"] for seat in seats})

    def finish(self) -> None:
        """Rates what waits for games that will not come."""
        for game in sorted(self.unrated):
            self._rate_one(self.unrated.pop(game))

    def statistics(self, bots: Sequence[str], tickets: Sequence[str], tracks: Sequence[str]) -> Json:
        """What is shown, for the bots that the entrants are and for all tickets and tracks of the board."""
        return {
            "games": self.games,
            "abandoned": dict(self.abandoned),
            "entrants": [{"bot": bot, **found.statistics()} for bot, found in zip(bots, self.entrants, strict=True)],
            "seats": [seat.statistics() for seat in self.seats],
            "tickets": {ticket: _ticket(*self.tickets.get(ticket, (0, 0))) for ticket in tickets},
            "tracks": {track: self.tracks[track] for track in tracks},
            "never_used": [track for track in tracks if not self.tracks[track]],
            "length": {"decisions": summary(self.decisions), "turns": summary(self.turns)},
        }

    def plain(self) -> Json:
        """The JSON-ready form, a view of this tally."""
        entrants = [{**vars(entrant), "score": vars(entrant.score)} for entrant in self.entrants]
        return {**vars(self), "entrants": entrants, "seats": [vars(seat) for seat in self.seats]}

    @classmethod
    def from_plain(cls, plain: Json) -> Tally:
        """The inverse of `plain`, also after its way through JSON."""
        entrants = [
            EntrantTally(**entrant | {
                "score": _score(entrant["score"]), "points": _whole(entrant["points"]),
                "reasons": Counter(entrant["reasons"]), "speeds": _whole(entrant["speeds"]),
                "failures": Counter(entrant["failures"]),
            })
            for entrant in plain["entrants"]
        ]  # fmt: skip
        return cls(**plain | {
            "entrants": entrants, "seats": [_score(seat) for seat in plain["seats"]],
            "tracks": Counter(plain["tracks"]), "decisions": _whole(plain["decisions"]),
            "turns": _whole(plain["turns"]), "abandoned": Counter(plain["abandoned"]),
            "unrated": {int(game): ranks for game, ranks in plain["unrated"].items()},
        })  # fmt: skip

    def _rate(self, game: int, ranks: Json) -> None:
        self.unrated[game] = ranks
        while self.rated in self.unrated:
            self._rate_one(self.unrated.pop(self.rated))
            self.rated += 1

    def _rate_one(self, ranks: Json) -> None:
        if not ranks:
            return
        rated = [self.entrants[int(entrant)] for entrant in ranks]
        teams = [[MODEL.rating(entrant.mu, entrant.sigma)] for entrant in rated]
        for entrant, (new,) in zip(rated, MODEL.rate(teams, ranks=list(ranks.values())), strict=True):
            entrant.mu, entrant.sigma = new.mu, new.sigma


def interval(wins: float, games: int) -> list[float] | None:
    """The 95 % interval of a share, after Wilson: wins of games; None without games."""
    if not games:
        return None
    share, spread = wins / games, Z * Z / games
    middle = (share + spread / 2) / (1 + spread)
    half = Z * ((share * (1 - share) + spread / 4) / games) ** 0.5 / (1 + spread)
    return [max(0.0, middle - half), min(1.0, middle + half)]


def summary(values: Counter[int]) -> Json | None:
    """Mean, median, standard deviation (of a sample), least and most of counted values; None without any."""
    if not values:
        return None
    number = values.total()
    mean = statistics.fmean(values, values.values())
    squares = sum(count * (value - mean) ** 2 for value, count in values.items())
    return {
        "mean": mean,
        "median": median(values),
        "stdev": (squares / (number - 1)) ** 0.5 if number > 1 else None,
        "least": min(values),
        "most": max(values),
    }


def median(values: Counter[int]) -> float:
    """The median of counted values, of which there is at least one."""
    ordered = sorted(values)
    up_to = list(accumulate(values[value] for value in ordered))
    middle = [ordered[bisect(up_to, place)] for place in ((up_to[-1] - 1) // 2, up_to[-1] // 2)]
    return sum(middle) / 2


def _ticket(completed: int, failed: int) -> Json:
    return {"kept": completed + failed, "completed": completed}


def _score(plain: Json) -> Score:
    return Score(plain["games"], _whole(plain["wins"]))


def _whole(counts: Json) -> Counter[int]:
    """Counts by whole numbers, which JSON has made texts."""
    return Counter({int(value): number for value, number in counts.items()})
