"""How strong the bots are: `make bench-bots`. Every pairing plays each seed twice, the second time with seats changed;
a bot against itself once, as both games would be the same.

The same command gives the same figures on every machine, milliseconds aside, as long as no bot thinks for as long as it
may. Milliseconds are CPU time. A bot that fails is replaced for that decision by the fallback, which is counted.
"""

from __future__ import annotations

import os
import statistics
from collections import Counter
from dataclasses import dataclass, field
from itertools import combinations, cycle, islice
from multiprocessing import Pool
from typing import Any

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from deploy.local.demo import seated
from services.ai.arenas.results import result_of
from services.ai.arenas.tally import EntrantTally, Z, interval
from services.ai.bots import BOTS, FALLBACK
from services.ai.guard import CLOCK_SECONDS, CPU_SECONDS, Guard
from services.ai.play import SPEED_STEP, BotGame, Endless
from shared.catalog import DEFAULT_RULESET, rules_for
from shared.client.bot import SECONDS

MEASURE = "greedy"  # what the others are measured by unless told otherwise
SEEDS_APART = 1_000_003  # the first seeds of one SEED and of the next

Json = dict[str, Any]


@dataclass(frozen=True)
class Duel:
    """One seed of a pairing: with more than two seats the two bots sit by turns."""

    pairing: int
    names: tuple[str, str]
    ruleset: str
    seats: int
    seed: int
    seconds: float

    @property
    def games(self) -> int:
        """How many games it has."""
        return len(set(self.names))

    def play(self) -> list[Json | None]:
        """The result of each game, None for one that found no end. The bots are the entrants 0 and 1."""
        return [self._game(first) for first in range(self.games)]

    def _game(self, first: int) -> Json | None:
        entrants = list(islice(cycle((first, 1 - first)), self.seats))
        bots = [BOTS[self.names[entrant]] for entrant in entrants]
        rules, seed = rules_for(self.ruleset, self.seats), self.seed.to_bytes(32, "big")
        game = BotGame(rules, bots, seed, fallback=BOTS[FALLBACK], seconds=self.seconds)
        patience = max(1.0, self.seconds / SECONDS)
        try:
            with Guard(CPU_SECONDS * patience, CLOCK_SECONDS * patience) as guard:
                game.play(guard=guard)
        except Endless:
            return None
        return result_of(game, first, entrants)


@dataclass
class Outcome:
    """How a pairing went, seen from its first bot."""

    names: tuple[str, str]
    games: int = 0
    wins: float = 0.0  # a shared victory counts in part
    points: tuple[list[float], list[float]] = field(default_factory=lambda: ([], []))  # by game
    leads: list[float] = field(default_factory=list)  # by seed
    endless: int = 0

    def add(self, results: list[Json | None]) -> None:
        """Counts the games of a duel."""
        leads = []
        for result in results:
            if result is None:
                self.endless += 1
                continue
            winners = [seat["entrant"] for seat in result["seats"] if seat["rank"] == 1]
            self.games += 1
            self.wins += winners.count(0) / len(winners)
            for entrant, points in enumerate(self.points):
                points.append(statistics.mean(seat["points"] for seat in result["seats"] if seat["entrant"] == entrant))
            leads.append(self.points[0][-1] - self.points[1][-1])
        if len(leads) == 2:
            self.leads.append(statistics.mean(leads))


@click.command()
@click.option("--ruleset", envvar="RULESET", show_envvar=True, default=DEFAULT_RULESET, show_default=True)
@click.option("--seats", envvar="SEATS", show_envvar=True, type=int, default=2, show_default=True)
@click.option("--bots", envvar="BOTS", show_envvar=True,
              help=f"Two or more: every pair of them. Else {MEASURE} plays each of the others.")
@click.option("--games", envvar="GAMES", show_envvar=True, type=click.IntRange(min=2), default=100, show_default=True,
              help="Of each pairing, two for each seed (of a bot with itself one).")
@click.option("--seed", envvar="SEED", show_envvar=True, type=click.IntRange(min=0), default=1, show_default=True)
@click.option("--seconds", envvar="SECONDS", show_envvar=True, type=click.FloatRange(min=0, min_open=True),
              default=SECONDS / 10, show_default=True, help="What a bot may think about a decision if it goes by time.")
@click.option("--workers", envvar="WORKERS", show_envvar=True, type=click.IntRange(min=1), default=os.cpu_count(),
              show_default=True)
def main(ruleset: str, seats: int, bots: str | None, games: int, seed: int, seconds: float, workers: int) -> None:
    """Let bots play each other, and print how they did.

    Won: victories of the bot's seats, a shared one in part, with the 95 % interval after Wilson. Lead: by how many
    points the first bot was ahead, with the 95 % interval of the mean over the seeds. Tickets are those of a game, ms
    the CPU time of a decision, its median and what 95 % stay below.

    Example: make bench-bots RULESET=old_west SEATS=3 BOTS=hungry,one_step,long_route GAMES=200
    """
    names = [name.strip() for name in (bots or "").split(",") if name.strip()]
    seated(ruleset, seats, bots or MEASURE)
    if bots and len(names) < 2:
        raise click.ClickException(f"BOTS={bots}: name two or more; one bot against itself is {bots},{bots}")
    pairs = list(combinations(names, 2)) or [(MEASURE, name) for name in BOTS if name != MEASURE]
    outcomes = [Outcome(pair) for pair in pairs]
    tallies: dict[str, EntrantTally] = {}
    duels = [
        Duel(pairing, pair, ruleset, seats, seed * SEEDS_APART + number, seconds)
        for number in range((games + 1) // 2)
        for pairing, pair in enumerate(pairs)
    ]
    total = sum(duel.games for duel in duels)
    bar = Progress(TextColumn("Playing"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), transient=True)
    with Pool(workers) as pool, bar:
        task = bar.add_task("", total=total)
        for duel, results in zip(duels, pool.imap(Duel.play, duels), strict=True):
            outcomes[duel.pairing].add(results)
            count(results, duel.names, tallies)
            bar.advance(task, duel.games)
    console = Console(highlight=False)
    console.print(f"{ruleset}, {seats} seats, {len(duels) // len(pairs)} seeds from SEED={seed}\n")
    console.print(bots_table(tallies), "", pairs_table(outcomes), "", failures(tallies, outcomes), sep="\n")


def count(results: list[Json | None], names: tuple[str, str], tallies: dict[str, EntrantTally]) -> None:
    """Counts for each bot what it did on each of its seats."""
    for result in filter(None, results):
        winners = sum(seat["rank"] == 1 for seat in result["seats"])
        for seat in result["seats"]:
            tally = tallies.setdefault(names[seat["entrant"]], EntrantTally())
            tally.add(seat, winners if seat["rank"] == 1 else 0)


def bots_table(tallies: dict[str, EntrantTally]) -> Table:
    """What each bot did in all its games, whoever it played."""
    table = _table("bot", ("seats", "won", "points", "completed", "failed", "ms", "p95"))
    for name, tally in tallies.items():
        figures = tally.statistics()
        points, tickets = list(tally.points.elements()), figures["tickets"]
        table.add_row(
            name, str(figures["games"]), share(figures["wins"], figures["games"]),
            f"{statistics.mean(points):.1f} {margin(points)}",
            f"{tickets['completed']:.1f}", f"{tickets['failed']:.1f}",
            f"{milliseconds(tally.speeds, 0.5):.2f}", f"{milliseconds(tally.speeds, 0.95):.2f}",
        )  # fmt: skip
    return table


def pairs_table(outcomes: list[Outcome]) -> Table:
    """How the pairings went."""
    table = _table("pairing", ("games", "won", "points", "lead"))
    for outcome in outcomes:
        if outcome.games:
            first, second = map(statistics.mean, outcome.points)
            lead = f"{statistics.mean(outcome.leads):+.1f} {margin(outcome.leads)}" if outcome.leads else ""
            table.add_row(" - ".join(outcome.names), str(outcome.games), share(outcome.wins, outcome.games),
                          f"{first:.1f} - {second:.1f}", lead)  # fmt: skip
    return table


def failures(tallies: dict[str, EntrantTally], outcomes: list[Outcome]) -> str:
    """Which bots failed, how often at what, so that the fallback played for them; and games that did not end."""
    lines = [f"[red]{name} failed: {number} decisions, {reason}[/red]"
             for name, tally in tallies.items() for reason, number in tally.failures.items()]
    lines += [f"[red]{' - '.join(outcome.names)}: {outcome.endless} games without an end[/red]"
              for outcome in outcomes if outcome.endless]
    return "\n".join(lines) or "No bot failed, and every game ended."


def _table(subject: str, figures: tuple[str, ...]) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column(subject, no_wrap=True)
    for heading in figures:
        table.add_column(heading, justify="right", no_wrap=True)
    return table


def share(wins: float, games: int) -> str:
    """A share of games won with its 95 % interval."""
    low, high = interval(wins, games) or (0.0, 1.0)
    return f"{wins / games:.0%} [{100 * low:.0f}-{100 * high:.0f}]"


def margin(values: list[float]) -> str:
    """Half the 95 % interval of a mean; nothing for one value."""
    return f"±{Z * statistics.stdev(values) / len(values) ** 0.5:.1f}" if len(values) > 1 else ""


def milliseconds(speeds: Counter[int], part: float) -> float:
    """What so large a part of the decisions took at most, to a tenth."""
    classes = sorted(speeds.elements())
    return float(SPEED_STEP ** classes[int(part * (len(classes) - 1))])


if __name__ == "__main__":
    main(prog_name="make bench-bots")
