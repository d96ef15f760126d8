"""Twin games: two games that differ only in what one viewer cannot know, played on side by side."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Iterable

from shared.kernel import (
    CARDS,
    TICKETS,
    Chance,
    Commit,
    CompleteTickets,
    Decision,
    Event,
    FastChance,
    KeepTickets,
    Move,
    Rules,
    RuleViolation,
    State,
    advance,
    bits,
    check,
    commit_to_plain,
    default_move,
    determinize,
    is_legal,
    legal_moves,
    move_to_plain,
    print_position,
    redact,
    running_score,
    state_to_plain,
    view_for,
)
from tests.kernel_games import AT, tasteful, text_of
from tests.secrecy.visible import REVEALING
from tests.strange_moves import strange_moves


class CannotFollow(Exception):
    """The twin has not got what the viewer saw drawn in the first game."""


class Following:
    """The luck of a twin: it draws what the viewer saw drawn in the first game, and anything where he saw nothing."""

    def __init__(self, rules: Rules, state: State, events: list, luck: random.Random) -> None:
        self.rules, self.state, self.luck = rules, state, luck
        self.drawn: set[int] = set()
        self.wanted: deque[tuple[int, int]] = deque()
        for event in events:
            match type(event).__name__:
                case "CardDrawn" | "CardTurnedUp":
                    self.wanted.append((CARDS, event.card))
                case "TicketsOffered":
                    self.wanted += [(TICKETS, ticket) for ticket in event.tickets]

    def below(self, n: int) -> int:
        part, wanted = self.wanted.popleft()
        if part == CARDS:
            choices = [kind for kind, number in enumerate(self.state.parts[CARDS].deck[0]) for _ in range(number)]
        else:
            deck = self.rules.deck_of_ticket[wanted] if wanted >= 0 else -1 - wanted
            layers = [bits(layer.tickets) for layer in self.state.parts[TICKETS].layers if layer.deck == deck]
            left = [[ticket for ticket in layer if ticket not in self.drawn] for layer in layers]
            choices = next(layer for layer in left if layer)
        assert len(choices) == n
        if wanted < 0:
            wanted = self.luck.choice(choices)
        if wanted not in choices:
            raise CannotFollow
        if part == TICKETS:
            self.drawn.add(wanted)
        return choices.index(wanted)


class Twins:
    """Two games in which `viewer` sees the same."""

    def __init__(self, rules: Rules, state: State, viewer: int | None, luck: random.Random) -> None:
        self.rules, self.viewer, self.luck = rules, viewer, luck
        self.first = state
        self.second = twin_of(rules, state, viewer, luck)
        self.choose = tasteful(rules, luck)
        self.covered: set[str] = set()
        self.different: set[tuple[str, str]] = set()

    def play(self, most: int) -> None:
        """Plays on both with the same public moves, until the end or until one cannot follow the other."""
        self.compare([], [])
        for _ in range(most):
            if not any(self.step() for _ in range(12)):
                return

    def step(self) -> bool:
        """Tries one move in both games. False if it cannot be the same, or would end the game."""
        decision = self.luck.choice(self.first.decisions)
        move = self.choose(self.first, decision)
        first, second = self.first.copy(), self.second.copy()
        one = self.commit(first, decision, move, FastChance(self.luck.randrange(2**31)))
        other_move = self.public_twin(decision, move)
        if first.over or other_move is None:
            return False
        seen = redact(self.rules, one, self.viewer, first)
        try:
            luck = Following(self.rules, second, seen.events, self.luck)
            other = self.commit(second, decision, other_move, luck)
        except CannotFollow:
            return False
        also_seen = redact(self.rules, other, self.viewer, second)
        if revealed(seen) != revealed(also_seen):
            return False
        self.first, self.second = first, second
        self.compare([one], [other])
        return True

    def commit(self, state: State, decision: Decision, move: Move, chance: Chance) -> Commit:
        """Advances the state and gives the commit."""
        events = advance(self.rules, state, decision, move, chance)
        return Commit(state.version, AT, decision.seat, decision.id, move, False, events, [])

    def public_twin(self, decision: Decision, move: Move) -> Move | None:
        """A move for the second game that looks the same to the viewer, if there is one."""
        if isinstance(move, CompleteTickets) and decision.seat != self.viewer:
            return self.luck.choice(legal_moves(self.rules, self.second, decision))
        if isinstance(move, KeepTickets) and decision.seat != self.viewer:
            numbers = by_deck(self.rules, move.tickets)
            choices = legal_moves(self.rules, self.second, decision)
            return self.luck.choice([choice for choice in choices if by_deck(self.rules, choice.tickets) == numbers])
        return move if is_legal(self.rules, self.second, decision, move) else None

    def compare(self, one: list[Commit], other: list[Commit]) -> None:
        """Everything the viewer can get is the same in both games; notes what it was about."""
        seed = self.luck.random()
        assert self.seen(self.first, one, random.Random(seed)) == self.seen(self.second, other, random.Random(seed))
        for a, b in zip(one, other, strict=True):
            for mine, yours in zip(a.events, b.events, strict=True):
                name = type(mine).__name__
                self.covered.add(name)
                pairs = zip(mine.fields, mine.values(), yours.values(), strict=True)
                self.different |= {(name, field) for (field, _), x, y in pairs if x != y}

    def seen(self, state: State, commits: list[Commit], luck: random.Random) -> list[str]:
        """Every text the viewer gets from a position and new commits."""
        rules = self.rules
        view = view_for(rules, state, self.viewer)
        texts = [text_of(state_to_plain(rules, view)), print_position(rules, view)]
        texts.append(text_of(running_score(rules, state).plain()))
        texts += [text_of(commit_to_plain(rules, redact(rules, commit, self.viewer, state))) for commit in commits]
        for decision in state.decisions:
            if decision.seat == self.viewer:
                moves = [*legal_moves(rules, state, decision), default_move(rules, state, decision)]
                texts += [text_of(move_to_plain(rules, move)) for move in moves]
                texts += [refusal(rules, state, decision, move) for move in strange_moves(rules, view, decision, luck)]
        return texts


def by_deck(rules: Rules, tickets: Iterable[int]) -> list[int]:
    """The decks that tickets come from, which are public."""
    return sorted(rules.deck_of_ticket[ticket] for ticket in tickets)


def revealed(commit: Commit) -> list[Event]:
    """What a commit says of things hidden until then: where that differs, the viewer can tell the games apart."""
    return [event for event in commit.events if type(event).__name__ in REVEALING]


def refusal(rules: Rules, state: State, decision: Decision, move: Move) -> str:
    """What the seat is told about a move."""
    try:
        check(rules, state, decision, move)
    except RuleViolation as violation:
        return text_of([violation.code, violation.rule, violation.data])
    return "legal"


def twin_of(rules: Rules, state: State, viewer: int | None, luck: random.Random) -> State:
    """Another state of the same view. Held opening choices keep their sizes: they are about to become public."""
    view = view_for(rules, state, viewer)
    sizes = [by_deck(rules, bits(max(choice, 0))) for choice in state.parts[TICKETS].chosen]
    while True:
        twin = determinize(rules, view, FastChance(luck.randrange(2**31)))
        if [by_deck(rules, bits(max(choice, 0))) for choice in twin.parts[TICKETS].chosen] == sizes:
            return twin
