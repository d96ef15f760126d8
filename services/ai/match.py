"""Plays bots against each other in this process, to see how strong they are: `python -m services.ai.match`."""

from __future__ import annotations

import statistics
from dataclasses import dataclass, field

import click
from rich.console import Console
from rich.progress import track
from rich.table import Table

from services.ai.bots import BOTS
from shared.catalog import DEFAULT_RULESET, rules_for
from shared.client import Question
from shared.kernel import FastChance, Rules, ScoreSheet, advance, legal_moves, new_game, score, view_for

MOST_DECISIONS = 2000


@dataclass
class Tally:
    """How a bot did in all its games."""

    points: list[int] = field(default_factory=list)
    wins: float = 0
    tickets: int = 0
    failed: int = 0


def play(rules: Rules, names: list[str], seed: int) -> ScoreSheet:
    """The final sheet of one game; the same seed gives the same game."""
    chance = FastChance(seed)
    state, _ = new_game(rules, chance)
    notes = [""] * rules.seats
    for _ in range(MOST_DECISIONS):
        if state.over:
            return score(rules, state)
        decision = state.decisions[0]
        seat = decision.seat
        view = view_for(rules, state, seat)
        question = Question(rules, view, decision, legal_moves(rules, view, decision), notes[seat], chance)
        move = BOTS[names[seat]].choose(question)
        notes[seat] = question.notes
        advance(rules, state, decision, move, chance)
    raise RuntimeError(f"{' against '.join(names)}: not over after {MOST_DECISIONS} decisions")


@click.command()
@click.option("--ruleset", default=DEFAULT_RULESET, show_default=True)
@click.option("--bots", default="greedy,random", show_default=True, help="One for each seat; seats rotate.")
@click.option("--games", default=100, show_default=True)
@click.option("--seed", default=1, show_default=True)
def main(ruleset: str, bots: str, games: int, seed: int) -> None:
    """Plays GAMES games and prints how each bot did."""
    names = bots.split(",")
    rules = rules_for(ruleset, seats=len(names))
    tallies = {name: Tally() for name in names}
    for number in track(range(games), "Playing", transient=True):
        turn = number % len(names)
        seated = names[turn:] + names[:turn]
        sheet = play(rules, seated, seed * 100_003 + number)
        winners = sheet.winners()
        for seat, name in enumerate(seated):
            tally = tallies[name]
            tally.points.append(sheet.totals[seat])
            tally.wins += (seat in winners) / len(winners)
            tally.tickets += sheet.completed[seat]
    table = Table(title=f"{ruleset}, {len(names)} seats, {games} games")
    for heading in ("bot", "seats played", "won", "points: mean", "median", "lowest", "highest", "tickets a seat"):
        table.add_column(heading, justify="left" if heading == "bot" else "right")
    for name, tally in tallies.items():
        played = len(tally.points)
        table.add_row(name, str(played), f"{tally.wins / played:.0%}", f"{statistics.mean(tally.points):.1f}",
                      f"{statistics.median(tally.points):.0f}", str(min(tally.points)), str(max(tally.points)),
                      f"{tally.tickets / played:.1f}")
    Console().print(table)


if __name__ == "__main__":
    main()
