"""One game of the soak: played to its end with luck from its seed, and checked after every commit."""

from __future__ import annotations

import json
import random
import traceback
from dataclasses import dataclass

from shared.kernel import (
    Decision,
    Move,
    Rules,
    State,
    commit_from_plain,
    commit_to_plain,
    fold_log,
    print_move,
    print_position,
    score,
    state_from_plain,
    state_to_plain,
)
from tests.conservation import Ledger
from tests.kernel_games import MOST_COMMITS, Game, answer, start, tasteful, text_of

READ_BACK = 5  # one position in so many is read back from its plain form, which takes longer than all else


@dataclass
class Failure:
    """What was wrong in a game, after which answer in which position."""

    seed: int
    decision: str
    move: str
    position: str
    wrong: list[str]


class Player:
    """Plays the game of a seed and remembers what it did last."""

    def __init__(self, rules: Rules, seed: int) -> None:
        self.seed = seed
        self.luck = random.Random(seed)
        self.choose = tasteful(rules, self.luck)
        self.ledger = Ledger(rules)
        self.game = Game(rules, [], [])
        self.before: State | None = None
        self.decision: Decision | None = None
        self.move: Move | None = None

    def play(self) -> list[str]:
        """Plays until the game ends or something is wrong with it, and gives that."""
        self.game = start(self.game.rules, self.seed)
        wrong = self.check()
        while not (wrong or self.game.end.over):
            self.before, self.decision, self.move = self.game.end, None, None
            self.decision = self.luck.choice(self.before.decisions)
            self.move = self.choose(self.before, self.decision)
            answer(self.game, self.seed, self.decision, self.move)
            wrong = self.check()
        return wrong or check_end(self.game)

    def check(self) -> list[str]:
        """What is wrong after the last commit."""
        wrong = check(self.game, self.ledger)
        if not wrong and (self.game.end.over or self.game.end.version % READ_BACK == self.seed % READ_BACK):
            wrong = read_back(self.game)
        return wrong

    def failure(self, wrong: list[str]) -> Failure:
        """What was wrong, with what was done last."""
        rules = self.game.rules
        decision = f"{self.decision.id} {self.decision.name}" if self.decision else "none"
        move = print_move(rules, self.move) if self.move else "none"
        position = print_position(rules, self.before) if self.before else "none"
        return Failure(self.seed, decision, move, position, wrong)


def play(rules: Rules, seed: int) -> tuple[int, Failure | None]:
    """Plays the game of a seed; gives how many decisions it had, and what was wrong with it first."""
    player = Player(rules, seed)
    try:
        wrong = player.play()
    except Exception:
        wrong = [traceback.format_exc()]
    return max(0, len(player.game.commits) - 1), player.failure(wrong) if wrong else None


def check(game: Game, ledger: Ledger) -> list[str]:
    """What is wrong after the last commit: all is where it should be, and somebody is asked something until the game
    ends."""
    state = game.end
    wrong = ledger.follow(game.commits[-1], state)
    if state.over == bool(state.decisions):
        wrong.append(f"{len(state.decisions)} decisions are open, over is {state.over}")
    if len(game.commits) > MOST_COMMITS:
        wrong.append(f"the game has not ended after {MOST_COMMITS} commits")
    return wrong


def read_back(game: Game) -> list[str]:
    """What is wrong with the last position as it is read, which may refuse it by raising Malformed."""
    plain = state_to_plain(game.rules, game.end)
    same = state_to_plain(game.rules, state_from_plain(game.rules, plain)) == plain
    return [] if same else ["the position reads back as another"]


def check_end(game: Game) -> list[str]:
    """What is wrong with a whole game: its points recount, and its log as text folds to its last position."""
    rules = game.rules
    score(rules, game.end)  # raises RecountError
    log = text_of([commit_to_plain(rules, commit) for commit in game.commits])
    folded = fold_log(rules, [commit_from_plain(rules, plain) for plain in json.loads(log)])
    same = state_to_plain(rules, folded) == state_to_plain(rules, game.end)
    return [] if same else ["the log folds to another position"]
