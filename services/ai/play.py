"""A game between bots in this process: no service, no queue. It can be put aside and taken up again anywhere."""

from __future__ import annotations

import logging
import math
import time
import traceback
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from billiard.common import terminate_handler_fired

from services.ai.failures import legal_answer, reason_of
from services.ai.guard import Guard
from services.ai.safe_words import safe_words
from shared.client import Bot, Question
from shared.client.bot import luck_for
from shared.kernel import (
    TURN,
    Commit,
    Decision,
    Event,
    KeyedChance,
    Move,
    Rules,
    State,
    commit_from_plain,
    commit_key,
    commit_to_plain,
    legal_moves,
    new_game,
    play_checked,
    state_from_plain,
    state_to_plain,
    view_for,
)

log = logging.getLogger(__name__)

MOST_DECISIONS = 6000
SPEED_STEP = 1.1
"""Decisions are counted by how long they took, in classes a tenth wide."""
LEAST_MS = 0.001

Json = dict[str, Any]


class Endless(Exception):
    """A game has had more decisions than any game should."""


@dataclass
class Held:
    """What a bot did on its seat: its notes, its decisions, their CPU milliseconds, how it failed and how often."""

    notes: str = ""
    decisions: int = 0
    turns: int = 0
    ms: float = 0.0
    speeds: Counter[int] = field(default_factory=Counter)
    failures: Counter[str] = field(default_factory=Counter)

    def count(self, seconds: float) -> None:
        """Counts the time that a decision took."""
        ms = seconds * 1000
        self.ms += ms
        self.speeds[round(math.log(max(ms, LEAST_MS), SPEED_STEP))] += 1

    def plain(self) -> Json:
        """The JSON-ready form, a view of it."""
        return vars(self)

    @classmethod
    def from_plain(cls, plain: Json) -> Held:
        """The inverse of `plain`."""
        speeds = Counter({int(speed): number for speed, number in plain["speeds"].items()})
        return cls(**plain | {"speeds": speeds, "failures": Counter(plain["failures"])})


class BotGame:
    """One game, a bot a seat. The same seed is the same game, unless time limits a bot's thinking.

    Luck follows from the 32-byte seed as in a hosted game, so the position alone says how it goes on: `aside` is what
    `plain` gave when the game was put aside. With `at`, the time for its commits, the log is kept. A bot that fails is
    replaced for that decision by `fallback`; without one what it raised is raised, or Illegal.
    """

    def __init__(
        self,
        rules: Rules,
        bots: Sequence[Bot],
        seed: bytes,
        *,
        fallback: Bot | None = None,
        at: str | None = None,
        seconds: float = 1.0,
        aside: Json | None = None,
    ) -> None:
        self.rules = rules
        self.seed = seed
        self._bots = bots
        self._fallback = fallback
        self._at = at
        self._seconds = seconds
        self.seats = [Held() for _ in bots]
        self.commits: list[Commit] = []
        if aside is None:
            chance = self._chance(1)
            self.state, events = new_game(rules, chance)
            self._keep(None, None, events, chance)
        else:
            self.state = state_from_plain(rules, aside["position"])
            self.seats = [Held.from_plain(held) for held in aside["seats"]]
            self.commits = [commit_from_plain(rules, commit) for commit in aside["commits"]]

    def play(self, until: float = math.inf, guard: Guard | None = None) -> bool:
        """Plays to the end, or until `time.monotonic()` has reached `until`; tells whether the game is over.

        At least one decision is made. An entered `guard` ends decisions that take too long. Raises Endless.
        """
        guard = guard or Guard()
        while not self.state.over:
            self._decide(self.state.decisions[0], guard)
            if self.decisions > MOST_DECISIONS:
                raise Endless(f"{self.rules.id}: not over after {MOST_DECISIONS} decisions")
            if time.monotonic() >= until:
                break
        return self.state.over

    @property
    def decisions(self) -> int:
        """How many decisions were made so far."""
        return self.state.version - 1

    def plain(self) -> Json:
        """What must be kept of a game put aside."""
        return {
            "position": state_to_plain(self.rules, self.state),
            "seats": [held.plain() for held in self.seats],
            "commits": [commit_to_plain(self.rules, commit) for commit in self.commits],
        }

    def _decide(self, decision: Decision, guard: Guard) -> None:
        held = self.seats[decision.seat]
        held.decisions += 1
        held.turns += decision.kind == TURN
        move = self._chosen(decision, held, guard)
        chance = self._chance(self.state.version + 1)
        events = play_checked(self.rules, self.state, decision, move, chance)
        self._keep(decision, move, events, chance)

    def _chosen(self, decision: Decision, held: Held, guard: Guard) -> Move:
        bot = self._bots[decision.seat]
        question = self._question(decision, held.notes)
        try:
            chosen = _ask(bot, question, held, guard)
            move = legal_answer(self.rules, self.state, decision, chosen)
        except BaseException as error:  # whatever a bot raises, even to end the process
            guard.end()
            if self._fallback is None or terminate_handler_fired():
                raise
            traceback.clear_frames(error.__traceback__)  # which hold what a bot has filled the memory with
            reason = reason_of(error)
            if not held.failures[reason]:
                words = safe_words(error, self.rules)
                log.warning("a bot failed", exc_info=error, extra={"bot": bot.name, "reason": reason, "error": words})
            held.failures[reason] += 1
            return self._fallback.choose(self._question(decision, ""))
        held.notes = question.notes
        return move

    def _question(self, decision: Decision, notes: str) -> Question:
        view = view_for(self.rules, self.state, decision.seat)
        moves = legal_moves(self.rules, view, decision)
        return Question(self.rules, view, decision, moves, notes, luck_for(self.seed.hex(), decision), self._seconds)

    def _chance(self, version: int) -> KeyedChance:
        return KeyedChance(commit_key(self.seed, version))

    def _keep(self, decision: Decision | None, move: Move | None, events: list[Event], chance: KeyedChance) -> None:
        if self._at is not None:
            seat, decision_id = (None, None) if decision is None else (decision.seat, decision.id)
            self.commits.append(
                Commit(self.state.version, self._at, seat, decision_id, move, False, events, chance.outcomes)
            )


def _ask(bot: Bot, question: Question, held: Held, guard: Guard) -> Move:
    guard.begin()
    try:
        return bot.choose(question)
    finally:
        held.count(guard.end())


def play(rules: Rules, bots: Sequence[Bot], seed: int, seconds: float = 1.0) -> State:
    """The end of a game, one bot a seat; the same seed gives the same game, unless time limits a bot's thinking.

    `seconds` is what a bot may think about each decision. Raises what a bot raises, Illegal for a wrong move, Endless
    for a game that does not end.
    """
    game = BotGame(rules, bots, seed.to_bytes(32, "big"), seconds=seconds)
    game.play()
    return game.state
