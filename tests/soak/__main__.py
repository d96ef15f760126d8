"""Very many random games in the bare kernel, checked after every commit: `make soak`.

Each game is played by its own seed, so one that went wrong can be played again alone.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from shared.catalog import ruleset, rulesets
from shared.kernel import Rules
from tests.kernel_games import ALL_RULES, changed_options
from tests.soak.playing import Failure, play

AT_ONCE = 10  # games that a process plays before it reports


@dataclass
class Tally:
    """What came of the games of one line of the table."""

    games: int = 0
    decisions: int = 0
    longest: int = 0
    violations: int = 0
    first: Failure | None = None

    def add(self, other: Tally) -> None:
        """Counts the other's games in."""
        self.games += other.games
        self.decisions += other.decisions
        self.longest = max(self.longest, other.longest)
        self.violations += other.violations
        self.first = min([f for f in (self.first, other.first) if f], key=lambda f: f.seed, default=None)


def play_some(place: int, seeds: range) -> Tally:
    """Plays the games of some seeds by the rules at this place of ALL_RULES."""
    tally = Tally()
    for seed in seeds:
        decisions, failure = play(ALL_RULES[place], seed)
        tally.add(Tally(1, decisions, decisions, int(failure is not None), failure))
    return tally


def play_all(chosen: list[int], seeds: range, workers: int, advance: Callable[[int], None]) -> dict[int, Tally]:
    """Plays a game of each seed by all the chosen rules, on so many processes."""
    tallies = {place: Tally() for place in chosen}
    parts = [seeds[first : first + AT_ONCE] for first in range(0, len(seeds), AT_ONCE)]
    pool = ProcessPoolExecutor(workers, initializer=signal.signal, initargs=(signal.SIGINT, signal.SIG_IGN))
    try:
        jobs = {pool.submit(play_some, place, part): place for place in chosen for part in parts}
        for job in as_completed(jobs):
            tally = job.result()
            tallies[jobs[job]].add(tally)
            advance(tally.games)
    finally:
        pool.shutdown(cancel_futures=True)  # Ctrl-C waits only for the games being played
    return tallies


def chosen_rules(name: str | None, seats: int | None) -> list[int]:
    """Their places in ALL_RULES; raises BadParameter where there are none."""
    names = [name] if name else rulesets()
    spans = {name: ruleset(name)["seats"] for name in names}
    if seats is not None and not any(span["min"] <= seats <= span["max"] for span in spans.values()):
        takes = "; ".join(f"{name} takes {span['min']} to {span['max']}" for name, span in spans.items())
        raise click.BadParameter(f"{takes}.", param_hint="SEATS")
    return [
        place
        for place, rules in enumerate(ALL_RULES)
        if rules.id.partition("@")[0] in names and seats in (None, rules.seats)
    ]


def table_of(tallies: dict[int, Tally]) -> Table:
    """One line for each rules, one sum."""
    table = Table(title="Random games, checked after every commit")
    table.add_column("rule set")
    for heading in ("seats", "games", "decisions", "longest game", "violations"):
        table.add_column(heading, justify="right")
    total = Tally()
    for place, tally in tallies.items():
        rules = ALL_RULES[place]
        table.add_row(" ".join([rules.id, *changed_options(rules)]), str(rules.seats), *_figures(tally))
        total.add(tally)
    table.add_section()
    table.add_row("all", "", *_figures(total))
    return table


def _figures(tally: Tally) -> list[str]:
    return [f"{number:,}" for number in (tally.games, tally.decisions, tally.longest, tally.violations)]


def in_words(rules: Rules, failure: Failure) -> str:
    """Where a game went wrong, and how to play it again."""
    name = rules.id.partition("@")[0]
    return "\n".join(
        [
            f"{' '.join([rules.id, *changed_options(rules)])}, {rules.seats} seats, seed {failure.seed}, "
            f"decision {failure.decision}, answer {failure.move}:",
            *[f"  {wrong}" for wrong in failure.wrong],
            f"  before it: {failure.position}",
            f"Again: make soak RULESET={name} SEATS={rules.seats} SEED={failure.seed} GAMES=1",
        ]
    )


@click.command()
@click.option("--ruleset", "name", envvar="RULESET", type=click.Choice(rulesets()), help="All, if left out.")
@click.option("--seats", envvar="SEATS", type=int, help="Every number of seats, if left out.")
@click.option("--games", envvar="GAMES", type=click.IntRange(1), default=1000, show_default=True, help="Of each kind.")
@click.option("--seed", envvar="SEED", type=click.IntRange(0), default=1, show_default=True, help="Of the first game.")
@click.option("--workers", envvar="WORKERS", type=click.IntRange(1), default=os.cpu_count(), show_default=True)
def main(name: str | None, seats: int | None, games: int, seed: int, workers: int) -> None:
    """Play random games of every rule set and number of seats, and check each of them after every commit.

    Ends with 0 only if nothing was wrong with any of them; else it names the first that went wrong.
    """
    chosen = chosen_rules(name, seats)
    columns = (TextColumn("Playing"), BarColumn(), MofNCompleteColumn(), TextColumn("games"), TimeRemainingColumn())
    with Progress(*columns, transient=True) as progress:
        task = progress.add_task("", total=games * len(chosen))
        seeds = range(seed, seed + games)
        tallies = play_all(chosen, seeds, workers, lambda number: progress.advance(task, number))
    Console().print(table_of(tallies))
    for place, tally in tallies.items():
        if tally.first:
            click.echo(in_words(ALL_RULES[place], tally.first))
            sys.exit(1)


if __name__ == "__main__":
    main(prog_name="make soak")
