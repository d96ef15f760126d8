"""How fast the kernel plays: `make bench-kernel`. One core, plain CPython, CPU time, so a busy machine disturbs little.

Complete games between uniformly random seats: every decision's list of legal moves is made, every game ends with its
score sheet. Then the longest trail on the densest networks that 45 trains can build.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass

import click
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from deploy.bench.dense_networks import MODES, Track, network
from shared.catalog import rules_for, ruleset
from shared.kernel import FastChance, Rules, legal_moves, longest_trail, new_game, play_checked, score

RUNS = 5
NETWORKS = 200


@dataclass
class Tally:
    """What was played in one run."""

    seconds: float = 0
    games: int = 0
    decisions: int = 0
    listed: int = 0
    events: int = 0

    @property
    def rate(self) -> float:
        """Games a second."""
        return self.games / self.seconds


def play_random(rules: Rules, chance: FastChance, tally: Tally) -> None:
    """Plays one game between uniformly random seats, counts what happens, and makes the final sheet."""
    state, events = new_game(rules, chance)
    while not state.over:
        decision = state.decisions[0]
        moves = legal_moves(rules, state, decision)
        events = play_checked(rules, state, decision, moves[chance.below(len(moves))], chance)
        tally.decisions += 1
        tally.listed += len(moves)
        tally.events += len(events)
    score(rules, state)
    tally.games += 1


def measured(rules: Rules, seed: int, seconds: float) -> Tally:
    """Plays for so long."""
    tally, chance = Tally(), FastChance(seed)
    started = time.process_time()
    while tally.seconds < seconds:
        play_random(rules, chance, tally)
        tally.seconds = time.process_time() - started
    return tally


def numbers_of_seats(name: str) -> list[int]:
    """Two, four and the most that the rule set takes."""
    span = ruleset(name)["seats"]
    return sorted({2, 4, span["max"]} & set(range(span["min"], span["max"] + 1)))


def games_table(name: str, seconds: float, advance: Callable[[], None]) -> Table:
    """Figures of complete games by number of seats; the numbers of seats take turns, medians of several runs."""
    tallies: dict[int, list[Tally]] = {number: [] for number in numbers_of_seats(name)}
    for run in range(RUNS):
        for number in tallies:
            tallies[number].append(measured(rules_for(name, number), run + 1, seconds))
            advance()
    table = Table(title=f"Random games of {name}, final sheets and legal lists included, median of {RUNS} runs")
    for heading in ("seats", "games/s", "slowest", "fastest", "decisions a game", "moves a list", "events a decision"):
        table.add_column(heading, justify="right")
    for number, runs in tallies.items():
        rates = [tally.rate for tally in runs]
        decisions = sum(tally.decisions for tally in runs)
        table.add_row(
            str(number),
            f"{statistics.median(rates):.0f}",
            f"{min(rates):.0f}",
            f"{max(rates):.0f}",
            f"{decisions / sum(tally.games for tally in runs):.1f}",
            f"{sum(tally.listed for tally in runs) / decisions:.2f}",
            f"{sum(tally.events for tally in runs) / decisions:.2f}",
        )
    return table


def trails_table(board: list[Track], advance: Callable[[], None]) -> Table:
    """Mean and worst time of the longest trail over generated 45-train networks of every kind, from the board's tracks
    or, where it has none, from made-up ones."""
    table = Table(title=f"Longest trail, milliseconds, {NETWORKS} networks of 45 trains of each kind")
    for heading in ("kind", "mean", "worst"):
        table.add_column(heading, justify="left" if heading == "kind" else "right")
    for mode in MODES:
        spent = []
        for seed in range(NETWORKS):
            tracks = network(mode, seed, board or None)
            started = time.process_time()
            longest_trail(tracks)
            spent.append(1000 * (time.process_time() - started))
        table.add_row(mode, f"{statistics.mean(spent):.2f}", f"{max(spent):.2f}")
        advance()
    return table


@click.command()
@click.option("--ruleset", "name", default="usa", show_default=True)
@click.option("--seconds", default=2.0, show_default=True, help="CPU seconds of each run.")
def main(name: str, seconds: float) -> None:
    """Measure random games a second and the longest trail, on one core.

    A random game of USA has about 158 decisions and lists of 12.7 moves with 2 seats, 296 and 10.9 with 4: other
    figures would mean that another game is measured.
    """
    board = rules_for(name, ruleset(name)["seats"]["min"]).board
    tracks = [(t, *ends, board.lengths[t]) for t, ends in enumerate(board.ends)]
    with Progress(transient=True) as progress:
        task = progress.add_task("Playing", total=len(numbers_of_seats(name)) * RUNS + len(MODES))
        games = games_table(name, seconds, lambda: progress.advance(task))
        progress.update(task, description="Walking")
        trails = trails_table(tracks, lambda: progress.advance(task))
    Console().print(games)
    Console().print(trails)


if __name__ == "__main__":
    main(prog_name="make bench-kernel")
