"""How a commit gets into a game: folded, then stored in one step with the agenda of what must happen next."""

from __future__ import annotations

from collections.abc import Iterable

from services.game_state.adapters import Adapters
from services.game_state.agenda import (
    AUDIT,
    AUDIT_EVERY,
    BOT,
    DEADLINE,
    PROJECT,
    PROJECT_AFTER,
    RESULT,
    SECOND,
    START,
    TAKEN_WITHIN,
    WORK,
    member,
)
from services.game_state.clock import parse_moment
from services.game_state.metrics import ANSWER_SECONDS, COMMITS, OVERTAKEN_COMMITS
from services.game_state.records import Answer, Game, NewCommit, Work
from services.game_state.replay import dump, head_at
from services.game_state.waiting import BOTS, HOLDERS, PEOPLE
from shared.contracts.bots import owner_of
from shared.kernel import Commit, Decision, Rules, State, commit_to_plain, fold


def append(
    adapters: Adapters, game: Game, rules: Rules, state: State, commit: Commit, answer: Answer | None = None
) -> bool:
    """Folds a commit into `state` and stores it; False if the game has moved on meanwhile, and nothing was stored."""
    fold(rules, state, commit)
    at = parse_moment(commit.at)
    opened = [(decision, at) for decision in state.decisions if decision.opened == commit.version]
    new = NewCommit(
        game=game.id,
        commit=dump(commit_to_plain(rules, commit)),
        head=head_at(rules, state),
        decision=commit.decision or "",
        answer=answer,
        at=at,
        done=_done(game, commit),
        due=due_of_decisions(game, opened) | _due(game, state, commit, at),
        opened={holder: list(decisions) for holder, decisions in by_holder(game, opened).items()},
        work=_work(game, opened, commit),
    )
    appended = adapters.store.append(new)
    if appended.outcome != "appended":
        OVERTAKEN_COMMITS.labels(kind_of(commit)).inc()
        return False
    COMMITS.labels(kind_of(commit)).inc()
    if appended.opened is not None:
        by = "default" if commit.forced else _holder(game, commit.seat)
        ANSWER_SECONDS.labels(by).observe(max(0, at - appended.opened) / SECOND)
    return True


def kind_of(commit: Commit) -> str:
    """Gives what a commit is: start, result, forced (BASE-44) or answer."""
    if commit.decision is None:
        return "start" if commit.version == 1 else "result"
    return "forced" if commit.forced else "answer"


def due_of_decisions(game: Game, opened: Iterable[tuple[Decision, int]]) -> dict[str, int]:
    """Gives what is due for open decisions, each with the time when it was opened: the bot and the deadline.

    A built-in bot is asked at once. An external one finds its work; when it does not take it in time, another answers.
    """
    due = {}
    for decision, at in opened:
        if (bot := game.seats[decision.seat].bot) is not None:
            purpose, after = (BOT, 0) if owner_of(bot) is None else (WORK, TAKEN_WITHIN)
            due[member(purpose, game.id, decision.id)] = at + after
        if game.answer_limit is not None:
            due[member(DEADLINE, game.id, decision.id)] = at + game.answer_limit * SECOND
    return due


def by_holder(game: Game, opened: Iterable[tuple[Decision, int]]) -> dict[str, dict[str, int]]:
    """Gives the decisions that wait for bots and for people, each with the time when it was opened."""
    found: dict[str, dict[str, int]] = {holder: {} for holder in HOLDERS}
    for decision, at in opened:
        found[_holder(game, decision.seat)][decision.id] = at
    return found


def members_of_decision(game: str, decision: str) -> tuple[str, ...]:
    """Gives the agenda members that exist only while a decision is open."""
    return tuple(member(purpose, game, decision) for purpose in (BOT, WORK, DEADLINE))


def _done(game: Game, commit: Commit) -> tuple[str, ...]:
    match kind_of(commit):
        case "start":
            return (member(START, game.id),)
        case "result":
            return member(RESULT, game.id), member(AUDIT, game.id)
        case _:
            return members_of_decision(game.id, commit.decision)


def _due(game: Game, state: State, commit: Commit, at: int) -> dict[str, int]:
    due = {member(PROJECT, game.id): at + PROJECT_AFTER}
    kind = kind_of(commit)
    if kind == "start":
        due[member(AUDIT, game.id)] = at + AUDIT_EVERY
    elif kind == "result":
        due[member(AUDIT, game.id)] = at
    elif state.over:
        due[member(RESULT, game.id)] = at
    return due


def _work(game: Game, opened: Iterable[tuple[Decision, int]], commit: Commit) -> tuple[Work, ...]:
    """The work of external bots that a commit ends and makes."""
    limit = TAKEN_WITHIN if game.answer_limit is None else min(TAKEN_WITHIN, game.answer_limit * SECOND)
    found = [] if commit.decision is None else [(commit.seat, commit.decision, None)]
    found += [(decision.seat, decision.id, at + limit) for decision, at in opened]
    named = [(game.seats[seat].bot, decision, free_until) for seat, decision, free_until in found]
    return tuple(Work(bot, *about) for bot, *about in named if bot is not None and owner_of(bot) is not None)


def _holder(game: Game, seat: int) -> str:
    return PEOPLE if game.seats[seat].bot is None else BOTS
