"""The soak finds what it looks for: rules that are broken on purpose, and says how to see it again."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from shared.catalog import board, ruleset
from shared.kernel import (
    CARDS,
    MECHANICS,
    Decision,
    Mechanic,
    Move,
    Rules,
    compile_rules,
    parse_position,
    state_to_plain,
)
from tests.conservation import Ledger
from tests.kernel_games import ALL_RULES, MOST_COMMITS, Game
from tests.kernel_games import play as play_game
from tests.soak.__main__ import in_words, main
from tests.soak.playing import check, check_end, play

Claim, DrawTickets, TrainCards = MECHANICS["claim"], MECHANICS["draw_tickets"], MECHANICS["train_cards"]


class LosesACard(Claim):
    """Of each payment one card is gone."""

    def play(self, play: object, decision: Decision, move: Move) -> None:
        super().play(play, decision, move)
        cards = play.state.parts[CARDS]
        kind = move.payment[0][0]
        cards.discard[kind] -= 1
        cards.discard_size -= 1


class ScoresTooMuch(Claim):
    """Each track has a point too many, but not on the sheet."""

    def play(self, play: object, decision: Decision, move: Move) -> None:
        self.points = [points + 1 for points in self.points]
        super().play(play, decision, move)
        self.points = [points - 1 for points in self.points]


class SaysNothing(Claim):
    """Something happens that no event says."""

    def play(self, play: object, decision: Decision, move: Move) -> None:
        super().play(play, decision, move)
        play.state.passes = play.state.seats


class CannotBeRead(Claim):
    """The position after it is refused where one is read."""

    def play(self, play: object, decision: Decision, move: Move) -> None:
        super().play(play, decision, move)
        play.state.passes = play.state.seats + 1


class Breaks(DrawTickets):
    """Drawing tickets is a bug."""

    def play(self, play: object, decision: Decision, move: Move) -> None:
        raise ZeroDivisionError


class BreaksAtOnce(TrainCards):
    """Not even the set-up works."""

    def setup(self, play: object) -> None:
        raise ZeroDivisionError


def broken(name: str, mechanic: type[Mechanic]) -> Rules:
    """The rules of USA with one mechanic replaced."""
    return compile_rules(ruleset("usa"), board("usa"), 2, {}, {**MECHANICS, name: mechanic})


@pytest.mark.parametrize(
    ("name", "mechanic", "found"),
    [
        ("claim", LosesACard, " cards: "),
        ("claim", ScoresTooMuch, "RecountError"),
        ("claim", SaysNothing, "the log folds to another position"),
        ("draw_tickets", Breaks, "ZeroDivisionError"),
    ],
)
def test_broken_rules_are_found_with_the_decision_that_shows_it(
    name: str, mechanic: type[Mechanic], found: str
) -> None:
    rules = broken(name, mechanic)
    decisions, failure = play(rules, 7)
    assert failure.seed == 7
    assert found in "\n".join(failure.wrong)
    before = parse_position(rules, failure.position)
    assert failure.decision in [f"{decision.id} {decision.name}" for decision in before.decisions]
    assert before.version in (decisions, decisions + 1), "the last answer, carried out or not"
    assert "make soak RULESET=usa SEATS=2 SEED=7 GAMES=1" in in_words(rules, failure)


def test_positions_that_cannot_be_read_back_are_found() -> None:
    _, failure = play(broken("claim", CannotBeRead), 7)
    assert "Malformed: /passes" in failure.wrong[0]


def test_rules_that_cannot_be_set_up_are_found() -> None:
    decisions, failure = play(broken("train_cards", BreaksAtOnce), 7)
    assert decisions == 0
    assert "ZeroDivisionError" in failure.wrong[0]


def test_a_game_that_does_not_end_is_found() -> None:
    game = play_game(ALL_RULES[0], 1, most=1)
    assert check(game, Ledger(game.rules)) == []
    endless = Game(game.rules, game.commits * (MOST_COMMITS + 1), game.states)
    assert any("not ended" in wrong for wrong in check(endless, Ledger(game.rules)))


def test_a_game_in_which_nobody_is_asked_anything_is_found() -> None:
    game = play_game(ALL_RULES[0], 1, most=1)
    game.end.decisions.clear()
    assert any("0 decisions are open" in wrong for wrong in check(game, Ledger(game.rules)))


@pytest.mark.parametrize("rules", ALL_RULES, ids=lambda rules: f"{rules.id}:{rules.seats}")
def test_a_game_played_by_the_rules_is_right_and_the_same_every_time(rules: Rules) -> None:
    decisions, failure = play(rules, 1)
    assert failure is None
    assert play(rules, 1) == (decisions, None)
    game = play_game(rules, 1)
    assert check_end(game) == []
    assert len(game.commits) == decisions + 1
    assert state_to_plain(rules, game.end)["over"] is True


def test_the_command_prints_a_line_for_each_rules_and_the_sum() -> None:
    done = CliRunner().invoke(main, ["--ruleset", "card_game", "--seats", "2", "--games", "3"])
    assert done.exit_code == 0, done.output
    rows = [line.split("│")[1:-1] for line in done.output.splitlines() if "│" in line]
    numbers = [[cell.strip().replace(",", "") for cell in row] for row in rows if row[2].strip()]
    *lines, (name, _, games, decisions, longest, violations) = numbers
    assert name == "all"
    assert (int(games), int(violations)) == (6, 0), "three games by default options, three by others"
    assert int(decisions) == sum(int(line[3]) for line in lines) > 0
    assert int(longest) == max(int(line[4]) for line in lines)


def test_the_command_fails_and_names_the_game_where_something_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.soak.__main__.ALL_RULES", [broken("claim", LosesACard)])
    done = CliRunner().invoke(main, ["--games", "2", "--seed", "5", "--workers", "1"])
    assert done.exit_code == 1
    assert " cards: " in done.output
    assert "Again: make soak RULESET=usa SEATS=2 SEED=5 GAMES=1" in done.output


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--ruleset", "mars"], "'card_game', 'maerklin', 'old_west', 'usa'"),
        (["--ruleset", "usa", "--seats", "6"], "usa takes 2 to 5"),
        (["--seats", "1"], "old_west takes 2 to 6"),
    ],
)
def test_the_command_says_what_there_is_instead(arguments: list[str], words: str) -> None:
    done = CliRunner().invoke(main, arguments)
    assert done.exit_code == 2
    assert words in done.output
