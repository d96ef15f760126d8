"""What an arena is asked to play: checked before anything is created, the same wherever its games are played."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

from services.ai.arenas.schedule import Schedule
from services.ai.arenas.tally import Tally
from services.ai.bots import BOTS, FALLBACK
from services.ai.play import BotGame
from shared import catalog
from shared.contracts.problems import MOST_ERRORS
from shared.kernel import Malformed, Rules

MOST_RECORDED_GAMES = 1_000

Json = dict[str, Any]


class Refused(Exception):
    """What was asked for cannot be played; `faults` are [{pointer, code, detail}]."""

    def __init__(self, faults: Sequence[dict[str, str]]) -> None:
        super().__init__("; ".join(f"{fault['pointer']}: {fault['detail']}" for fault in faults))
        self.faults = list(faults)


@dataclass(frozen=True)
class Specification:
    """Games of `entrants`, names of bots, on the seats of a rule set; make it with `checked`."""

    ruleset: str
    options: Json
    entrants: list[str]
    seats: int
    games: int
    seed: int
    records: bool
    board: Json | None
    parameters: Json

    @classmethod
    def checked(cls, asked: Json, seed: int) -> Specification:
        """The specification that fits the contract of new arenas, with its rule set's revision and options filled in;
        `seed` where it names none. Raises Refused for what cannot be played."""
        try:
            span = catalog.ruleset(asked["ruleset"])["seats"]
        except catalog.UnknownId:
            known = ", ".join(catalog.rulesets())
            raise Refused([_fault("/ruleset", "unknown_ruleset", f"There are: {known}.")]) from None
        entrants = [entrant["bot"] for entrant in asked["entrants"]]
        seats = asked.get("seats", min(len(entrants), span["max"]))
        faults = [_fault(f"/entrants/{place}/bot", "unknown_bot", f"There are: {', '.join(BOTS)}.")
                  for place, bot in enumerate(entrants) if bot not in BOTS]
        if asked["records"] and asked["games"] > MOST_RECORDED_GAMES:
            detail = f"Records are kept of at most {MOST_RECORDED_GAMES} games."
            faults.append(_fault("/records", "out_of_range", detail))
        if len(entrants) < max(seats, span["min"]):
            detail = f"{max(seats, span['min'])} seats need as many entrants; name a bot twice to seat it twice."
            faults.append(_fault("/entrants", "too_few_entrants", detail))
        if faults:
            raise Refused(faults)
        board, parameters = asked.get("board"), asked["parameters"]
        try:
            rules = catalog.variant(asked["ruleset"], seats, asked["options"], board, parameters)
        except Malformed as error:
            raise Refused([_fault(error.pointer, "not_allowed", error.detail)]) from None
        except catalog.Unplayable as error:
            raise Refused([fault._asdict() for fault in error.faults[:MOST_ERRORS]]) from None
        return cls(rules.id, rules.options, entrants, seats, asked["games"], asked.get("seed", seed), asked["records"],
                   board, parameters)

    @classmethod
    def from_plain(cls, plain: Json) -> Specification:
        """The inverse of `plain`."""
        return cls(**plain)

    def plain(self) -> Json:
        """The JSON-ready form."""
        return asdict(self)

    @cached_property
    def rules(self) -> Rules:
        """The rule set, compiled."""
        return catalog.variant(self.ruleset, self.seats, self.options, self.board, self.parameters)

    @cached_property
    def schedule(self) -> Schedule:
        """Who sits where."""
        return Schedule(len(self.entrants), self.seats, self.seed)

    def game(self, number: int, *, at: str | None = None, aside: Json | None = None) -> BotGame:
        """A game of the arena, by its number from 0; with `at` its log is kept, `aside` is where to take it up."""
        bots = [BOTS[self.entrants[entrant]] for entrant in self.schedule.seated(number)]
        return BotGame(self.rules, bots, self.seed_of(number), fallback=BOTS[FALLBACK], at=at, aside=aside)

    def summary(self) -> Json:
        """What is shown of it in short."""
        return {
            "ruleset": self.ruleset,
            "entrants": [{"bot": bot} for bot in self.entrants],
            "seats": self.seats,
            "games": self.games,
        }

    def shown(self, tally: Tally) -> Json:
        """All that is shown of it, with what its games tell."""
        tally.finish()
        board = self.rules.board
        return {
            **self.summary(),
            "options": self.options,
            "seed": self.seed,
            "records": self.records,
            "board": self.board,
            "parameters": self.parameters,
            "round": self.schedule.round,
            "statistics": tally.statistics(self.entrants, board.tickets, board.tracks),
        }

    def seed_of(self, game: int) -> bytes:
        """The 32 bytes from which all luck of a game follows."""
        return hmac.digest(hashlib.sha256(b"arena:%d" % self.seed).digest(), b"game:%d" % game, "sha256")


def _fault(pointer: str, code: str, detail: str) -> dict[str, str]:
    return {"pointer": pointer, "code": code, "detail": detail}
