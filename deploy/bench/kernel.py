"""How fast the kernel plays each rule set: `make bench-kernel`. One core, CPU time, so a busy machine disturbs little.

Complete games between uniformly random seats: every decision's list of legal moves is made, every game ends with its
score sheet. Then the longest trail on the densest networks that 45 trains can build. Each form of the kernel, its
sources and where there is one its compiled form, plays in a process of its own, and they take turns.
"""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from multiprocessing import get_context

import click
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from deploy.bench.dense_networks import MODES, network
from shared import kernel
from shared.catalog import DEFAULT_RULESET, rules_for, ruleset, rulesets
from shared.compiled import is_current
from shared.kernel import FastChance, Rules, legal_moves, longest_trail, new_game, play_checked, score

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


def measured(name: str, seats: int, seed: int, seconds: float) -> Tally:
    """Plays for so long, once the rules are there."""
    rules, tally, chance = rules_for(name, seats), Tally(), FastChance(seed)
    started = time.process_time()
    while tally.seconds < seconds:
        play_random(rules, chance, tally)
        tally.seconds = time.process_time() - started
    return tally


def trail_times(name: str, mode: str, networks: int) -> list[float]:
    """Milliseconds of CPU time that the longest trail takes on so many networks of a kind, on the rule set's board."""
    board = rules_for(name, ruleset(name)["seats"]["min"]).board
    tracks = [(track, *ends, board.lengths[track]) for track, ends in enumerate(board.ends)]
    times = []
    for seed in range(networks):
        dense = network(mode, seed, tracks)
        started = time.process_time()
        longest_trail(dense)
        times.append(1000 * (time.process_time() - started))
    return times


def form_of_kernel() -> str:
    """Which form of the kernel this process runs on."""
    return "plain" if kernel.__file__.endswith(".py") else "compiled"


@contextmanager
def players() -> Iterator[dict[str, Executor]]:
    """For each form of the kernel that there is, a process that plays on it."""
    before = os.environ.copy()
    found: dict[str, Executor] = {}
    with ExitStack() as stack:
        for form in ("plain", "compiled") if is_current() else ("plain",):
            os.environ["WHISTLESTOP_KERNEL"] = form
            found[form] = stack.enter_context(ProcessPoolExecutor(1, get_context("spawn")))
            assert found[form].submit(form_of_kernel).result() == form
        os.environ.clear()
        os.environ.update(before)
        yield found


def numbers_of_seats(name: str) -> list[int]:
    """Two, four and the most that the rule set takes."""
    span = ruleset(name)["seats"]
    return sorted({2, 4, span["max"]} & set(range(span["min"], span["max"] + 1)))


def lines_of(names: list[str]) -> list[tuple[str, int]]:
    """What is measured: these rule sets and the yardstick, each with its numbers of seats."""
    return [(name, seats) for name in sorted({*names, YARDSTICK}) for seats in numbers_of_seats(name)]


Runs = dict[str, list[Tally]]  # by form of the kernel


def run_all(
    lines: list[tuple[str, int]], seconds: float, forms: dict[str, Executor], advance: Callable[[], None]
) -> list[Runs]:
    """The runs of each line. Lines and forms take turns, so that whatever slows the machine down slows all of them."""
    found: list[Runs] = [{form: [] for form in forms} for _ in lines]
    for run in range(RUNS):
        for (name, seats), runs in zip(lines, found, strict=True):
            for form, player in forms.items():
                runs[form].append(player.submit(measured, name, seats, run + 1, seconds).result())
                advance()
    return found


def ratio(runs: list[Tally], others: list[Tally]) -> str:
    """The median ratio of decisions a second, each run beside the other at the same time."""
    ratios = [run.decisions_a_second / other.decisions_a_second for run, other in zip(runs, others, strict=True)]
    return f"{statistics.median(ratios):.2f}"


def games_table(lines: list[tuple[str, int]], found: list[Runs]) -> Table:
    """Medians of the runs, and of the ratios to the plain kernel and to the yardstick with as many seats, or nearly."""
    table = Table(title=f"Random games, final sheets and legal lists included, median of {RUNS} runs")
    forms = list(found[0])
    table.add_column("rule set", no_wrap=True)
    headings = ["seats", *[f"{form} games/s" for form in forms], f"decision to {YARDSTICK}"]
    if len(forms) > 1:
        headings.insert(3, "times plain")
    for heading in (*headings, "decisions a game", "moves a list"):
        table.add_column(heading, justify="right", min_width=max(map(len, heading.split())))
    yardsticks = {seats: runs["plain"] for (name, seats), runs in zip(lines, found, strict=True) if name == YARDSTICK}
    for (name, seats), runs in zip(lines, found, strict=True):
        plain = runs["plain"]
        yardstick = yardsticks[min(yardsticks, key=lambda number: abs(number - seats))]
        decisions = sum(run.decisions for run in plain)
        table.add_row(
            name,
            str(seats),
            *[f"{statistics.median(run.games_a_second for run in of_form):,.0f}" for of_form in runs.values()],
            *[ratio(of_form, plain) for form, of_form in runs.items() if form != "plain"],
            ratio(plain, yardstick),
            f"{decisions / sum(run.games for run in plain):.1f}",
            f"{sum(run.listed for run in plain) / decisions:.2f}",
        )
    return table


def trails_table(names: list[str], forms: dict[str, Executor], advance: Callable[[], None]) -> Table:
    """Mean and worst time of the longest trail over generated 45-train networks of every kind, on each board."""
    table = Table(title=f"Longest trail, milliseconds, {NETWORKS} networks of 45 trains of each kind")
    table.add_column("kind")
    table.add_column("kernel")
    for name in names:
        table.add_column(f"{name} mean", justify="right")
        table.add_column("worst", justify="right")
    for mode in MODES:
        for form, player in forms.items():
            cells = []
            for name in names:
                spent = player.submit(trail_times, name, mode, NETWORKS).result()
                cells += [f"{statistics.mean(spent):.2f}", f"{max(spent):.2f}"]
                advance()
            table.add_row(mode, form, *cells)
    return table


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
    with_tracks = [each for each in names if rules_for(each, ruleset(each)["seats"]["min"]).board.tracks]
    with players() as forms, Progress(transient=True) as progress:
        total = len(forms) * (len(lines) * RUNS + len(MODES) * len(with_tracks))
        task = progress.add_task("Playing", total=total)
        tables = [games_table(lines, run_all(lines, seconds, forms, lambda: progress.advance(task)))]
        if with_tracks:
            progress.update(task, description="Walking")
            tables.append(trails_table(with_tracks, forms, lambda: progress.advance(task)))
    Console().print(*tables, sep="\n")


if __name__ == "__main__":
    main(prog_name="make bench-kernel")
