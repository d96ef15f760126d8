"""Whole games for the tests of the kernel: every rule set of the catalog, every number of seats, seats with tastes."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from shared.catalog import rules_for, ruleset, rulesets
from shared.kernel import (
    Commit,
    Decision,
    KeyedChance,
    Move,
    Rules,
    State,
    advance,
    commit_key,
    default_move,
    legal_moves,
    new_game,
    state_to_plain,
)

AT = "2026-11-29T12:00:00.000Z"
MOST_COMMITS = 6000

Choose = Callable[[State, Decision], Move]


def _other_options(source: dict[str, Any], seats: int) -> dict[str, Any]:
    """Every option at a value that is not its default."""
    options = source["options"].items()
    return {name: not option["default"] if option["type"] == "flag" else seats - 1 for name, option in options}


def _all_rules() -> list[Rules]:
    found = []
    for name in rulesets():
        source = ruleset(name)
        low, high = source["seats"]["min"], source["seats"]["max"]
        found += [rules_for(name, seats) for seats in range(low, high + 1)]
        found.append(rules_for(name, low, _other_options(source, low)))
    return found


def changed_options(rules: Rules) -> list[str]:
    """The options that are not at their defaults, such as "alvin=False"."""
    defaults = {name: option["default"] for name, option in ruleset(rules.id)["options"].items()}
    return [f"{name}={value}" for name, value in rules.options.items() if value != defaults[name]]


def label(rules: Rules) -> str:
    """A name for a test's parameter."""
    return "-".join([f"{rules.id}:{rules.seats}", *changed_options(rules)])


#: Every rule set with every number of seats, and each once with all options changed.
ALL_RULES = _all_rules()


def fewest_and_most_seats() -> list[Rules]:
    """Every rule set with the fewest and with the most seats."""
    spans = {name: ruleset(name)["seats"] for name in rulesets()}
    return [rules_for(name, seats) for name, span in spans.items() for seats in sorted({span["min"], span["max"]})]


@dataclass
class Game:
    """A game that was played: its commits and the state after each, beginning with the start commit's."""

    rules: Rules
    commits: list[Commit]
    states: list[State]

    @property
    def end(self) -> State:
        """The last state."""
        return self.states[-1]

    def sample(self, number: int, luck: random.Random) -> list[int]:
        """Places in `states`: the first three, the last two and some between."""
        last = len(self.states) - 1
        between = range(3, last - 1)
        return sorted({0, 1, 2, last - 1, last, *luck.sample(between, min(number, len(between)))})


def chance_of(seed: int, version: int) -> KeyedChance:
    """The luck of one commit, drawn as in a hosted game."""
    return KeyedChance(commit_key(seed.to_bytes(32, "big"), version))


def start(rules: Rules, seed: int) -> Game:
    """A game after set-up."""
    chance = chance_of(seed, 1)
    state, events = new_game(rules, chance)
    return Game(rules, [Commit(1, AT, None, None, None, False, events, chance.outcomes)], [state])


def answer(game: Game, seed: int, decision: Decision, move: Move, forced: bool = False) -> Commit:
    """Carries an answer out and adds it to the game."""
    state = game.end.copy()
    chance = chance_of(seed, state.version + 1)
    events = advance(game.rules, state, decision, move, chance)
    commit = Commit(state.version, AT, decision.seat, decision.id, move, forced, events, chance.outcomes)
    game.commits.append(commit)
    game.states.append(state)
    return commit


def play(rules: Rules, seed: int, choose: Choose | None = None, most: int = MOST_COMMITS + 1) -> Game:
    """Plays to the end, or until there are `most` commits; the same seed plays the same game."""
    return play_on(start(rules, seed), seed, choose, most)


def play_from(rules: Rules, state: State, seed: int) -> Game:
    """Plays on from any position to the end; the commits begin with the first answer."""
    return play_on(Game(rules, [], [state]), seed)


def play_on(game: Game, seed: int, choose: Choose | None = None, most: int = MOST_COMMITS + 1) -> Game:
    """Plays a game on, to its end or until there are `most` commits. A game of more than MOST_COMMITS is a failure."""
    luck = random.Random(seed)
    choose = choose or tasteful(game.rules, luck)
    while not game.end.over and len(game.commits) < most:
        assert len(game.commits) < MOST_COMMITS, f"seed {seed}: the game does not end"
        decision = luck.choice(game.end.decisions)
        answer(game, seed, decision, choose(game.end, decision))
    return game


def tasteful(rules: Rules, luck: random.Random) -> Choose:
    """Seats that like some kinds of moves much more than others, so that games reach empty decks and long hands."""
    tastes = [{name: luck.choice((0.03, 1, 1, 6)) for name in rules.move_classes} for _ in range(rules.seats)]

    def choose(state: State, decision: Decision) -> Move:
        by_name: dict[str, list[Move]] = {}
        for move in legal_moves(rules, state, decision):
            by_name.setdefault(type(move).__name__, []).append(move)
        names = list(by_name)
        (name,) = luck.choices(names, [tastes[decision.seat][name] for name in names])
        return luck.choice(by_name[name])

    return choose


def always_default(rules: Rules) -> Choose:
    """Seats whose time runs out every time."""
    return lambda state, decision: default_move(rules, state, decision)


def text_of(plain: Any) -> str:
    """The JSON of a plain value, byte by byte what a client would get."""
    return json.dumps(plain, separators=(",", ":"))


def text_of_state(rules: Rules, state: State) -> str:
    """The JSON of a state or a view."""
    return text_of(state_to_plain(rules, state))
