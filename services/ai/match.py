"""Plays bots against each other in this process, to see how strong they are: `python -m services.ai.match`."""

from __future__ import annotations

import statistics
from dataclasses import dataclass, field

import click
from rich.console import Console
from rich.progress import track
from rich.table import Table

from services.ai.bots import BOTS
from services.ai.play import play
from shared.catalog import DEFAULT_RULESET, UnknownId, rules_for, ruleset, rulesets
from shared.kernel import Rules, score


@dataclass
class Tally:
    """How a bot did in all its games."""

    points: list[int] = field(default_factory=list)
    wins: float = 0
    completed: int = 0  # tickets
    kept: int = 0


def match(rules: Rules, names: list[str], games: int, seed: int) -> dict[str, Tally]:
    """How each bot did; from game to game the bots move up one seat. The same seed gives the same games."""
    tallies = {name: Tally() for name in names}
    for number in track(range(games), "Playing", transient=True):
        turn = number % len(names)
        seated = names[turn:] + names[:turn]
        end = play(rules, [BOTS[name] for name in seated], seed * 100_003 + number)
        sheet = score(rules, end)
        winners = sheet.winners()
        for seat, name in enumerate(seated):
            tally = tallies[name]
            tally.points.append(sheet.totals[seat])
            tally.wins += (seat in winners) / len(winners)
            tally.completed += sheet.completed[seat]
            tally.kept += sum("ticket" in line.evidence for line in sheet.lines[seat])
    return tallies


@click.command()
@click.option("--ruleset", "ruleset_id", default=DEFAULT_RULESET, show_default=True)
@click.option("--bots", default="greedy,random", show_default=True, help="One for each seat; seats rotate.")
@click.option("--games", type=click.IntRange(min=1), default=100, show_default=True)
@click.option("--seed", default=1, show_default=True)
def main(ruleset_id: str, bots: str, games: int, seed: int) -> None:
    """Plays GAMES games and prints how each bot did: games won, mean points, tickets completed of those kept."""
    names = [name.strip() for name in bots.split(",")]
    rules = _rules(ruleset_id, names)
    table = Table(title=f"{ruleset_id}, {len(names)} seats, {games} games, seed {seed}")
    for heading in ("bot", "games", "won", "points", "median", "lowest", "highest", "tickets"):
        table.add_column(heading, justify="left" if heading == "bot" else "right")
    for name, tally in match(rules, names, games, seed).items():
        played = len(tally.points)
        table.add_row(name, str(played), f"{tally.wins / played:.0%}", f"{statistics.mean(tally.points):.1f}",
                      f"{statistics.median(tally.points):.0f}", str(min(tally.points)), str(max(tally.points)),
                      f"{tally.completed / played:.1f} of {tally.kept / played:.1f}")
    Console().print(table)


def _rules(ruleset_id: str, names: list[str]) -> Rules:
    """The rules of the match; what does not exist is refused with what does."""
    try:
        seats = ruleset(ruleset_id)["seats"]
    except UnknownId:
        hint = f"{ruleset_id}: there are {', '.join(rulesets())}"
        raise click.BadParameter(hint, param_hint="--ruleset") from None
    if unknown := sorted(set(names) - set(BOTS)):
        raise click.BadParameter(f"{', '.join(unknown)}: there are {', '.join(BOTS)}", param_hint="--bots")
    if not seats["min"] <= len(names) <= seats["max"]:
        hint = f"{len(names)} named: {ruleset_id} is for {seats['min']} to {seats['max']} seats, one bot for each"
        raise click.BadParameter(hint, param_hint="--bots")
    return rules_for(ruleset_id, seats=len(names))


if __name__ == "__main__":
    main(prog_name="python -m services.ai.match")
