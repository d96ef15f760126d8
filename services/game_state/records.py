"""What the store keeps of a game besides its log, as plain records."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Seat:
    """One place in a game: free, held under a name, or played by a bot."""

    name: str | None
    bot: str | None
    epoch: int

    @property
    def is_taken(self) -> bool:
        return self.name is not None or self.bot is not None


@dataclass(frozen=True)
class Game:
    """What is fixed at creation, and who holds the seats."""

    id: str
    owner: str
    ruleset: str
    options: dict[str, Any]
    created: str
    answer_limit: int | None
    commitment: str
    seed_by: str
    seats: tuple[Seat, ...]
    spectators: int
    revision: int
    quarantined: str | None

    @property
    def is_full(self) -> bool:
        """Whether every seat is taken, which is when a game starts (P-06)."""
        return all(seat.is_taken for seat in self.seats)


@dataclass(frozen=True)
class Answer:
    """That a decision was answered: in which commit, what kind it was, and by which move (digest)."""

    version: int
    kind: str
    digest: str

    def __str__(self) -> str:
        return f"{self.version}:{self.kind}:{self.digest}"


@dataclass(frozen=True)
class Head:
    """The snapshot of a game at a version."""

    version: int
    state: str
    is_over: bool

    @property
    def phase(self) -> str:
        return "over" if self.is_over else "live"


@dataclass(frozen=True)
class Log:
    """All commits of a game with their versions, and the version last appended, be it still there or not."""

    entries: list[tuple[int, str]]
    last: int


@dataclass(frozen=True)
class Secret:
    """What decides every draw; never shown before the game is over (P-17)."""

    seed: bytes = field(repr=False)
    nonce: bytes = field(repr=False)


@dataclass(frozen=True)
class Stored:
    """One consistent reading of a game: its log is `version` commits long; a good head has the same version."""

    game: Game
    version: int
    head: Head | None
    secret: Secret
    answer: Answer | None = None

    @property
    def is_over(self) -> bool:
        return self.head is not None and self.head.is_over

    @property
    def status(self) -> str:
        """Waiting until the start commit, then playing, then over."""
        if self.version == 0:
            return "waiting"
        return "over" if self.is_over else "playing"


@dataclass(frozen=True)
class Work:
    """A decision of an external bot's seat: free for the bot to take until `free_until`, None when it is answered."""

    bot: str
    decision: str
    free_until: int | None


@dataclass(frozen=True)
class NewCommit:
    """A commit to append, with all that goes into the store together with it; `opened` are decisions by holder."""

    game: str
    commit: str
    head: Head
    decision: str = ""
    answer: Answer | None = None
    at: int = 0
    done: tuple[str, ...] = ()
    due: dict[str, int] = field(default_factory=dict)
    opened: dict[str, list[str]] = field(default_factory=dict)
    work: tuple[Work, ...] = ()

    @property
    def version(self) -> int:
        return self.head.version


@dataclass(frozen=True)
class Appended:
    """What became of a commit: appended, answered, conflict or stale, and the version that is about; of an appended
    answer also when its decision was opened, if that is known."""

    outcome: str
    version: int
    opened: int | None = None


def meta_of(game: Game) -> list[str | int]:
    """Gives a game as fields and values of its meta hash."""
    meta: dict[str, str | int] = {
        "owner": game.owner, "ruleset": game.ruleset, "options": json.dumps(game.options), "created": game.created,
        "answer_limit": game.answer_limit or "", "commitment": game.commitment, "seed_by": game.seed_by,
        "seats": len(game.seats), "taken": sum(seat.is_taken for seat in game.seats),
        "spectators": game.spectators, "revision": game.revision,
    }  # fmt: skip
    for number, seat in enumerate(game.seats):
        if seat.bot is not None:
            meta[f"bot:{number}"] = seat.bot
        if seat.name is not None:
            meta |= {f"name:{number}": seat.name, f"epoch:{number}": seat.epoch}
    return [value for pair in meta.items() for value in pair]


def game_of(game: str, meta: dict[str, str]) -> Game:
    """Gives the game of a meta hash."""
    return Game(
        id=game,
        owner=meta["owner"],
        ruleset=meta["ruleset"],
        options=json.loads(meta["options"]),
        created=meta["created"],
        answer_limit=int(meta["answer_limit"]) if meta["answer_limit"] else None,
        commitment=meta["commitment"],
        seed_by=meta["seed_by"],
        seats=tuple(
            Seat(meta.get(f"name:{seat}"), meta.get(f"bot:{seat}"), int(meta.get(f"epoch:{seat}", 0)))
            for seat in range(int(meta["seats"]))
        ),
        spectators=int(meta["spectators"]),
        revision=int(meta["revision"]),
        quarantined=meta.get("quarantined"),
    )


def head_of(head: dict[str, str]) -> Head | None:
    """Gives the head of a head hash; None if it is missing or incomplete."""
    if not {"version", "state", "phase"} <= head.keys() or not head["version"].isdecimal():
        return None
    return Head(int(head["version"]), head["state"], head["phase"] == "over")


def answer_of(value: str) -> Answer:
    """Gives the answer of an entry of the answers hash."""
    version, kind, digest = value.split(":")
    return Answer(int(version), kind, digest)
