"""How fast the kernel plays each rule set: `make bench-kernel`. One core, CPU time, so a busy machine disturbs little.

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
from shared.catalog import DEFAULT_RULESET, rules_for, ruleset, rulesets
from shared.kernel import Board, FastChance, Rules, legal_moves, longest_trail, new_game, play_checked, score

YARDSTICK = DEFAULT_RULESET  # the rule set that all others are compared with
RUNS = 5
NETWORKS = 200


@dataclass
class Tally:
    """What was played in one run."""

    seconds: float = 0
    games: int = 0
    decisions: int = 0
    listed: int = 0

    @property
    def games_a_second(self) -> float:
        """Of CPU time."""
        return self.games / self.seconds

    @property
    def decisions_a_second(self) -> float:
        """Of CPU time."""
        return self.decisions / self.seconds


def play_random(rules: Rules, chance: FastChance, tally: Tally) -> None:
    """Plays one game between uniformly random seats, counts what happens, and makes the final sheet."""
    state, _ = new_game(rules, chance)
    while not state.over:
        decision = state.decisions[0]
        moves = legal_moves(rules, state, decision)
        play_checked(rules, state, decision, moves[chance.below(len(moves))], chance)
        tally.decisions += 1
        tally.listed += len(moves)
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


def lines_of(names: list[str]) -> list[tuple[str, int]]:
    """What is measured: these rule sets and the yardstick, each with its numbers of seats."""
    return [(name, seats) for name in sorted({*names, YARDSTICK}) for seats in numbers_of_seats(name)]


def run_all(lines: list[tuple[str, int]], seconds: float, advance: Callable[[], None]) -> list[list[Tally]]:
    """The runs of each line. The lines take turns, so that whatever slows the machine down slows all of them."""
    tallies: list[list[Tally]] = [[] for _ in lines]
    for run in range(RUNS):
        for (name, seats), of_line in zip(lines, tallies, strict=True):
            of_line.append(measured(rules_for(name, seats), run + 1, seconds))
            advance()
    return tallies


def games_table(lines: list[tuple[str, int]], tallies: list[list[Tally]]) -> Table:
    """Medians of the runs, and of the ratio to the yardstick's run at the same time with as many seats, or nearly."""
    table = Table(title=f"Random games, final sheets and legal lists included, median of {RUNS} runs")
    table.add_column("rule set")
    for heading in ("seats", "games/s", "decisions/s", f"to {YARDSTICK}", "decisions a game", "moves a list"):
        table.add_column(heading, justify="right", min_width=max(map(len, heading.split())))
    yardsticks = {seats: runs for (name, seats), runs in zip(lines, tallies, strict=True) if name == YARDSTICK}
    for (name, seats), runs in zip(lines, tallies, strict=True):
        yardstick = yardsticks[min(yardsticks, key=lambda number: abs(number - seats))]
        ratios = [run.decisions_a_second / y.decisions_a_second for run, y in zip(runs, yardstick, strict=True)]
        decisions = sum(run.decisions for run in runs)
        table.add_row(
            name,
            str(seats),
            f"{statistics.median(run.games_a_second for run in runs):,.0f}",
            f"{statistics.median(run.decisions_a_second for run in runs):,.0f}",
            f"{statistics.median(ratios):.2f}",
            f"{decisions / sum(run.games for run in runs):.1f}",
            f"{sum(run.listed for run in runs) / decisions:.2f}",
        )
    return table


def tracks_of(board: Board) -> list[Track]:
    """The tracks of a board for the networks."""
    return [(track, *ends, board.lengths[track]) for track, ends in enumerate(board.ends)]


def trails_table(boards: dict[str, list[Track]], advance: Callable[[], None]) -> Table:
    """Mean and worst time of the longest trail over generated 45-train networks of every kind, on each board."""
    table = Table(title=f"Longest trail, milliseconds, {NETWORKS} networks of 45 trains of each kind")
    table.add_column("kind")
    for name in boards:
        table.add_column(f"{name} mean", justify="right")
        table.add_column("worst", justify="right")
    for mode in MODES:
        cells = []
        for tracks in boards.values():
            spent = [trail_time(network(mode, seed, tracks)) for seed in range(NETWORKS)]
            cells += [f"{statistics.mean(spent):.2f}", f"{max(spent):.2f}"]
            advance()
        table.add_row(mode, *cells)
    return table


def trail_time(tracks: list[Track]) -> float:
    """Milliseconds of CPU time that the longest trail of a network takes."""
    started = time.process_time()
    longest_trail(tracks)
    return 1000 * (time.process_time() - started)


@click.command()
@click.option("--ruleset", "name", envvar="RULESET", type=click.Choice(rulesets()), help="All, if left out.")
@click.option("--seconds", envvar="SECONDS", default=1.0, show_default=True, help="CPU seconds of each run.")
def main(name: str | None, seconds: float) -> None:
    """Measure random games a second and the longest trail, on one core.

    A random game of USA has about 158 decisions and lists of 12.7 moves with 2 seats, 296 and 10.9 with 4: other
    figures would mean that another game is measured.
    """
    names = [name] if name else rulesets()
    lines = lines_of(names)
    boards = {each: rules_for(each, ruleset(each)["seats"]["min"]).board for each in names}
    tracks = {each: tracks_of(board) for each, board in boards.items() if board.tracks}
    with Progress(transient=True) as progress:
        task = progress.add_task("Playing", total=len(lines) * RUNS + len(MODES) * len(tracks))
        tables = [games_table(lines, run_all(lines, seconds, lambda: progress.advance(task)))]
        if tracks:
            progress.update(task, description="Walking")
            tables.append(trails_table(tracks, lambda: progress.advance(task)))
    Console().print(*tables, sep="\n")


if __name__ == "__main__":
    main(prog_name="make bench-kernel")
