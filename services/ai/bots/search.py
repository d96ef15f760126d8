"""Plays the planner's best few moves out in many possible worlds and takes the one that does best.

In each world the other seats hold hands and tickets that fit what is known of them, and every seat follows a plan of
its own to the end. All moves are tried in the same worlds with the same luck. What a move is worth is weighed from what
the planner thinks of it and from how it did: the more worlds, the more these count. A move that has hardly a chance
left to be the best is dropped.
"""

from __future__ import annotations

import time
from math import tanh

from services.ai.bots.planner import PlannerBot, PlannerTurn
from services.ai.planning.follow import Follower, followed, play_out
from services.ai.planning.worlds import Worlds
from shared.client import Bot, Question
from shared.kernel import (
    KEEP_TICKETS,
    OPENING_TICKETS,
    TRACKS,
    TURN,
    ClaimTrack,
    FastChance,
    KeepTickets,
    Move,
    State,
    play_checked,
    score,
)

CANDIDATES = 6
WORTH_TRYING = 4.0  # points by which the planner may think less of a move
FEWEST_WORLDS = 8
PLANNER_ERROR = 4.0  # points by which the planner is wrong about a move, as a rule
LEAST_SPREAD = 8.0  # points by which two moves differ from world to world at least
CHANCE = 2.0  # standard errors beyond which a move has hardly a chance
SMALL = 0.5  # points that are not worth more thought
FULL_MARGIN = 80.0  # points of lead beyond which more hardly counts


class SearchBot(Bot):
    """Thinks as long as it may; without time it is the planner."""

    name = "search"
    about = "Plays its best moves out in many possible worlds, with everybody following likely plans."

    def choose(self, question: Question) -> Move:
        until = time.monotonic() + question.seconds
        kind = question.decision.kind
        if question.view.parts[TRACKS] is None or kind not in (TURN, KEEP_TICKETS, OPENING_TICKETS):
            return PlannerBot().choose(question)
        search = Search(question)
        return search.best(until)


class Trial:
    """A move, what the planner thinks of it, who follows what after it, and how it did in each world."""

    def __init__(self, move: Move, worth: float, follower: Follower) -> None:
        self.move = move
        self.worth = worth
        self.follower = follower
        self.results: list[float] = []

    def gain(self, first: Trial) -> tuple[float, float]:
        """The points by which it is better than the planner's choice, and the error of that."""
        if self is first:
            return 0.0, 0.0
        gaps = [one - other for one, other in zip(self.results, first.results, strict=False)]
        mean = sum(gaps) / len(gaps)
        spread = sum((gap - mean) ** 2 for gap in gaps) / (len(gaps) - 1)
        error = max(spread, LEAST_SPREAD**2) / len(gaps)
        trust = PLANNER_ERROR**-2 + 1 / error
        return ((self.worth - first.worth) / PLANNER_ERROR**2 + mean / error) / trust, trust**-0.5


class Search:
    """One decision."""

    def __init__(self, question: Question) -> None:
        self.question = question
        self.rules = question.rules
        self.turn = PlannerTurn(question)
        self.worlds = Worlds(question.rules, question.view)
        self.trials = self._trials()

    def best(self, until: float) -> Move:
        """The move that is worth most, going by the worlds tried until then."""
        first = self.trials[0]
        trials = self.trials
        while len(trials) > 1 and self._try(trials, until):
            if len(first.results) >= FEWEST_WORLDS:
                trials = self._hopeful(trials)
        return trials[0].move

    def _hopeful(self, trials: list[Trial]) -> list[Trial]:
        """The best move first, then those that may still turn out to be better by more than a little. The planner's
        choice, which all are compared with, stays as long as there is any other."""
        first = self.trials[0]
        gains = {id(trial): trial.gain(first) for trial in trials}
        best, *others = sorted(trials, key=lambda trial: -gains[id(trial)][0])
        sure = gains[id(best)][0] - CHANCE * gains[id(best)][1]
        hopeful = [trial for trial in others if gains[id(trial)][0] + CHANCE * gains[id(trial)][1] > sure + SMALL]
        if hopeful and first is not best and first not in hopeful:
            hopeful.append(first)
        return [best, *hopeful]

    def _try(self, trials: list[Trial], until: float) -> bool:
        """Plays each move out in one more world; False if there is no time for that."""
        seed = self.question.chance.below(1 << 30)
        world = self.worlds.draw(FastChance(seed))
        others = [followed(self.rules, world, seat) for seat in range(world.seats)]
        found = []
        for trial in trials:
            if time.monotonic() >= until:
                return False
            found.append(self._play(world, trial, others, seed))
        for trial, result in zip(trials, found, strict=True):
            trial.results.append(result)
        return True

    def _play(self, world: State, trial: Trial, others: list[Follower], seed: int) -> float:
        state = world.copy()
        chance = FastChance(seed + 1)
        seat = self.question.seat
        followers = [other.copy() for other in others]
        followers[seat] = trial.follower.copy()
        decision = state.decision(self.question.decision.id)
        play_checked(self.rules, state, decision, trial.move, chance)
        play_out(self.rules, state, followers, chance)
        totals = score(self.rules, state).totals
        lead = totals[seat] - max(total for other, total in enumerate(totals) if other != seat)
        return FULL_MARGIN * tanh(lead / FULL_MARGIN)

    def _trials(self) -> list[Trial]:
        """The moves worth trying with the plans that follow them, the planner's choice first."""
        first = self.turn.choose()
        is_turn = self.question.decision.kind == TURN
        worth = self.turn.worth if is_turn else self.turn.worth_of_keeping
        best: dict[object, tuple[float, Move]] = {first: (worth(first), first)}
        for move in self.question.legal_moves:
            key = move.track if isinstance(move, ClaimTrack) else move
            found = worth(move)
            if move != first and (key not in best or found > best[key][0]):
                best[key] = (found, move)
        if isinstance(first, ClaimTrack):
            best.pop(first.track, None)
        ranked = sorted(best.values(), key=lambda one: (one[1] != first, -one[0]))
        tried = [one for one in ranked[:CANDIDATES] if one[0] >= ranked[0][0] - WORTH_TRYING]
        follower = self._after if is_turn else self._after_keeping
        return [Trial(move, found, follower(move)) for found, move in tried]

    def _after(self, move: Move) -> Follower:
        """The planner's plan, less the track that the move claims."""
        plan = self.turn.plan
        gone = move.track if isinstance(move, ClaimTrack) else -1
        urgent = self.turn.threats
        wanted = sorted(plan.tracks - {gone}, key=lambda track: (-urgent[track], track))
        wanted += [track for track in plan.fill if track != gone]
        ways = {ticket: [track for track in way if track != gone] for ticket, way in plan.tickets.items()}
        return self._follower(wanted, {ticket: way for ticket, way in ways.items() if way})

    def _after_keeping(self, move: Move) -> Follower:
        """The best plan with the tickets kept."""
        assert isinstance(move, KeepTickets)
        plan = self.turn.planner.best([*self.turn.standing.tickets, *(move.tickets or ())])
        self.turn.planner.fill(plan)
        return self._follower([*sorted(plan.tracks), *plan.fill], dict(plan.tickets))

    def _follower(self, wanted: list[int], ways: dict[int, list[int]]) -> Follower:
        return Follower(self.rules, self.question.seat, wanted, ways)
