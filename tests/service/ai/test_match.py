"""Matches in one process: the same luck plays the same games, and wrong options are told what there is."""

from __future__ import annotations

import pytest
from click.testing import CliRunner, Result

from services.ai.bots import BOTS
from services.ai.match import main, match
from services.ai.play import play
from shared.catalog import rules_for
from shared.client import Bot, Question
from shared.kernel import Move, print_position

USA = rules_for("usa@1", 2)


def run(*options: str) -> Result:
    """What the command line says."""
    return CliRunner().invoke(main, options)


class Counting(Bot):
    """Counts its own decisions in its notes, and plays like another bot."""

    name = "counting"

    def __init__(self, other: Bot) -> None:
        self.other = other
        self.seen: dict[int, list[str]] = {}

    def choose(self, question: Question) -> Move:
        self.seen.setdefault(question.seat, []).append(question.notes)
        question.notes = str(len(self.seen[question.seat]))
        return self.other.choose(question)


def test_the_same_luck_plays_the_same_game() -> None:
    ends = [print_position(USA, play(USA, [BOTS["random"]] * 2, seed)) for seed in (5, 5, 6)]
    assert ends[0] == ends[1] != ends[2]


def test_a_bots_own_luck_moves_no_card() -> None:
    class Gambler(Bot):
        name = "gambler"

        def choose(self, question: Question) -> Move:
            for _ in range(7):
                question.chance.below(6)
            return BOTS["greedy"].choose(question)

    ends = [print_position(USA, play(USA, [bot] * 2, 3)) for bot in (BOTS["greedy"], Gambler())]
    assert ends[0] == ends[1]


def test_each_seat_gets_its_own_notes_back() -> None:
    bot = Counting(BOTS["greedy"])
    play(USA, [bot] * 2, 1)
    for seen in bot.seen.values():
        assert len(seen) > 20 and seen == ["", *map(str, range(1, len(seen)))]


def test_bots_move_up_a_seat_from_game_to_game() -> None:
    tallies = match(USA, ["greedy", "random"], games=4, seed=2)
    assert all(len(tally.points) == 4 for tally in tallies.values())
    assert tallies["greedy"].wins + tallies["random"].wins == 4 and tallies["greedy"].wins > 2
    assert match(USA, ["greedy", "random"], games=4, seed=2) == tallies


def test_the_table_names_what_can_be_repeated() -> None:
    done = run("--bots", "random,random,random", "--ruleset", "card_game", "--games", "2", "--seed", "7")
    assert done.exit_code == 0
    assert "card_game, 3 seats, 2 games, seed 7" in done.output


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--bots", "greedy,gredy"], f"--bots: gredy: there are {', '.join(BOTS)}"),
        (["--bots", ""], f"there are {', '.join(BOTS)}"),
        (["--ruleset", "asia"], "--ruleset: asia: there are card_game, maerklin, old_west, usa"),
        (["--ruleset", "usa@9"], "usa@9: there are"),
        (["--bots", "greedy"], "1 named: usa is for 2 to 5 seats"),
        (["--bots", "greedy,random,greedy,random,greedy,random"], "6 named: usa is for 2 to 5 seats"),
        (["--games", "0"], "'--games': 0 is not in the range x>=1"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_wrong_options_are_told_what_there_is(options: list[str], told: str) -> None:
    done = run(*options)
    assert done.exit_code == 2 and told in done.output
