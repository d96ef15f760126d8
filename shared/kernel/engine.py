"""The engine: advances a position by one answer, folds commits, lists and checks moves."""

from __future__ import annotations

from shared.kernel.chance import Chance
from shared.kernel.decisions import Decision
from shared.kernel.events import DecisionOpened, Event, GameEnded, TurnEnded, TurnStarted
from shared.kernel.mechanic import Mechanic
from shared.kernel.moves import PASS_MOVE, Move, refuse_kind
from shared.kernel.ruleset import Rules
from shared.kernel.state import State
from shared.kernel.violations import DecisionNotOpen, RuleViolation


class Commit:
    """One entry of a game's log. Start and result commits have no seat, decision or move.

    `at` is an RFC 3339 time; `forced` marks an answer made for a seat (BASE-44); `chance` holds the outcomes
    [(n, result)], or None where they are hidden.
    """

    __slots__ = ("at", "chance", "decision", "events", "forced", "move", "seat", "version")

    def __init__(
        self,
        version: int,
        at: str,
        seat: int | None,
        decision: str | None,
        move: Move | None,
        forced: bool,
        events: list[Event],
        chance: list[tuple[int, int]] | None,
    ) -> None:
        self.version: int = version
        self.at: str = at
        self.seat: int | None = seat
        self.decision: str | None = decision
        self.move: Move | None = move
        self.forced: bool = forced
        self.events: list[Event] = events
        self.chance: list[tuple[int, int]] | None = chance


class Play:
    """One answer being carried out. Every change goes through `emit`, so the log is complete by construction."""

    __slots__ = ("chance", "events", "rules", "state")

    def __init__(self, rules: Rules, state: State, chance: Chance) -> None:
        self.rules: Rules = rules
        self.state: State = state
        self.chance: Chance = chance
        self.events: list[Event] = []

    def emit(self, event: Event) -> None:
        """Folds the event at once, then lets the mechanics react to it."""
        event.fold(self.rules, self.state)
        self.events.append(event)
        for mechanic in self.rules.reactors[event.kind]:
            mechanic.react(self, event)

    def open_decision(self, seat: int, decision: int) -> None:
        """Asks a seat to choose."""
        self.emit(DecisionOpened(seat, decision))

    def start_turns(self) -> None:
        """Starts the first turn, unless a mechanic has something to ask before (OW-5)."""
        for mechanic in self.rules.mechanics:
            if mechanic.before_turns(self):
                return
        self.emit(TurnStarted(self.state.turn))

    def follow_claim(self, done: Mechanic | None = None) -> None:
        """Lets the mechanics after `done`, in their order, follow up on the claim just made, then ends the turn."""
        followers = self.rules.followers
        for mechanic in followers[followers.index(done) + 1 :] if done else followers:
            if mechanic.after_claim(self):
                return
        self.end_turn()

    def end_turn(self, passed: bool = False) -> None:
        """Ends the turn; the next seat's begins unless that ended the game or asked something (BASE-7)."""
        state = self.state
        self.emit(TurnEnded(state.turn, passed))
        if not (state.over or state.decisions):
            self.emit(TurnStarted((state.turn + 1) % state.seats))

    def end_game(self, reason: int) -> None:
        """Ends the game."""
        self.emit(GameEnded(reason))


def empty_state(rules: Rules) -> State:
    """Version 0: nothing dealt. Folding a whole log starts here."""
    state = State(rules.seats)
    for mechanic in rules.mechanics:
        if mechanic.slot >= 0:
            state.parts[mechanic.slot] = mechanic.part(rules)
    return state


def new_game(rules: Rules, chance: Chance) -> tuple[State, list[Event]]:
    """The position after set-up (version 1) and the events of the start commit (BASE-4)."""
    state = empty_state(rules)
    state.version = 1
    play = Play(rules, state, chance)
    for mechanic in rules.mechanics:
        mechanic.setup(play)
    return state, play.events


def legal_moves(rules: Rules, state: State, decision: Decision) -> list[Move]:
    """The legal answers in the published order, payments canonical; `Pass` alone where a turn has none (BASE-9).

    Works on a state and on the view of the decision's seat. Of the claims of tickets to complete, which are listed in
    part, the first is the one suggested to the seat (CG-23).
    """
    out: list[Move] = []
    for mechanic in rules.listers[decision.kind]:
        mechanic.moves(rules, state, decision, out)
    if not out:
        out.append(PASS_MOVE)
    return out


def owner_of(rules: Rules, move: Move) -> Mechanic:
    """The mechanic that plays the move."""
    owner = rules.owners[move.kind]
    if owner is None:
        raise ValueError(f"{rules.id} has no move {type(move).__name__}")
    return owner


def check(rules: Rules, state: State, decision: Decision, move: Move) -> None:
    """Raises RuleViolation if the move does not answer the decision by the rules (BASE-8)."""
    owner = owner_of(rules, move)
    try:
        if owner not in rules.listers[decision.kind]:
            refuse_kind(decision, move)
        owner.check(rules, state, decision, move)
    except RuleViolation as refused:
        if refused.rule in rules.replaces:
            raise RuleViolation(refused.code, rules.replaces[refused.rule], refused.data) from refused
        raise


def is_legal(rules: Rules, state: State, decision: Decision, move: Move) -> bool:
    """Whether `check` accepts the move; any valid payment counts, not only the listed one."""
    try:
        check(rules, state, decision, move)
    except RuleViolation:
        return False
    return True


def advance(rules: Rules, state: State, decision: Decision, move: Move, chance: Chance) -> list[Event]:
    """Carries the answer out on `state` and gives the events of the new version.

    Raises DecisionNotOpen or RuleViolation before any chance is used and before anything changes.
    """
    check(rules, state, decision, move)
    return play_checked(rules, state, decision, move, chance)


def play_checked(rules: Rules, state: State, decision: Decision, move: Move, chance: Chance) -> list[Event]:
    """As `advance`, for a move known to be legal, such as one of `legal_moves` in a simulation."""
    _close(state, decision.opened, decision.seat)
    state.version += 1
    play = Play(rules, state, chance)
    owner_of(rules, move).play(play, decision, move)
    return play.events


def decide(rules: Rules, state: State, decision: Decision, move: Move, chance: Chance) -> list[Event]:
    """As `advance`, on a copy: `state` stays as it is."""
    return advance(rules, state.copy(), decision, move, chance)


def _close(state: State, opened: int, seat: int) -> None:
    for place, decision in enumerate(state.decisions):
        if decision.opened == opened and decision.seat == seat:
            del state.decisions[place]
            return
    raise DecisionNotOpen(f"{opened}.{seat}")


def fold(rules: Rules, state: State, commit: Commit) -> None:
    """Replays a commit on the state before it; uses only what the events say and cannot refuse.

    A commit redacted for a viewer folds on that viewer's view. Raises ValueError if the version does not follow.
    """
    if commit.version != state.version + 1:
        raise ValueError(f"commit {commit.version} does not follow version {state.version}")
    if commit.decision is not None:
        opened, seat = commit.decision.split(".")
        _close(state, int(opened), int(seat))
    state.version = commit.version
    for event in commit.events:
        event.fold(rules, state)


def default_move(rules: Rules, state: State, decision: Decision) -> Move:
    """The answer made for a seat whose time has run out (BASE-44)."""
    for mechanic in rules.listers[decision.kind]:
        move = mechanic.default(rules, state, decision)
        if move is not None:
            return move
    return legal_moves(rules, state, decision)[0]
