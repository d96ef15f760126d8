"""A whole game between bots, through the public API, and the proof of which way it went: `make demo`.

From the environment: RULESET (usa), SEATS (4), BOTS (greedy,random; repeated to fill the seats), VAR (./var).
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from deploy.local.accounting import Account, Figures
from deploy.local.programs import ROOT
from deploy.local.stack import Stack, StackError
from shared.client import ApiProblem, Client, Unreachable
from shared.client.display import evidence_table, score_table
from shared.client.verify import verify

VAR = Path(os.environ.get("VAR", ROOT / "var"))

console = Console(highlight=False)
Json = dict[str, Any]


@click.command()
@click.option("--ruleset", envvar="RULESET", default="usa", show_default=True)
@click.option("--seats", envvar="SEATS", type=click.IntRange(1, 10), default=4, show_default=True)
@click.option("--bots", envvar="BOTS", default="greedy,random", show_default=True, help="Repeated to fill the seats.")
def main(ruleset: str, seats: int, bots: str) -> None:
    """Let bots play a whole game, show how it ended, and prove that every move went the real way.

    Ends with 0 only if the game ended, its sheet adds up, its record holds and the counters agree.
    """
    names = [name.strip() for name in bots.split(",") if name.strip()]
    if not names:
        raise click.BadParameter("name at least one bot, such as greedy", param_hint="BOTS")
    try:
        with running_stack() as stack:
            is_proven = show(stack, ruleset, list(islice(cycle(names), seats)))
    except ApiProblem as problem:
        raise click.ClickException(problem.in_words()) from problem
    except (StackError, Unreachable) as error:
        raise click.ClickException(str(error)) from error
    sys.exit(0 if is_proven else 1)


@contextmanager
def running_stack() -> Iterator[Stack]:
    """Gives the stack that runs in VAR, or a private one on free ports for as long as the block lasts."""
    if running := Stack.running(VAR):
        console.print(f"Using the stack at {running.address}.")
        yield running
        return
    console.print("No stack runs here (make up starts one); starting a private one for this game.")
    with tempfile.TemporaryDirectory(prefix="whistlestop-demo-") as folder:
        with Stack(folder) as stack:
            console.print(f"It is ready at {stack.address}.")
            yield stack
        console.print("The private stack is stopped and its data removed.")


def show(stack: Stack, ruleset: str, bots: list[str]) -> bool:
    """Plays one game and prints how it went; gives whether everything that was to be proven is."""
    client = Client(stack.address, stack.platform_key)
    known = [bot["bot"] for bot in client.bots()]
    if unknown := set(bots) - set(known):
        hint = f"no bot {', '.join(sorted(unknown))}; there are {', '.join(known)}"
        raise click.BadParameter(hint, param_hint="BOTS")
    figures = Figures(stack)
    before = figures.read()
    started = time.monotonic()
    game = client.create_game(ruleset, [{"bot": bot} for bot in bots])
    follow(client, game["game"])
    seconds = time.monotonic() - started
    scores, record = client.scores(game["game"]), client.record(game["game"])
    account = Account(record["commits"])
    console.print(score_table(scores))
    console.print(evidence_table(scores))
    console.print(f"\n{account.answers} moves in {seconds:.1f} s, {account.answers / seconds:.0f} a second.\n")
    checks = [
        ("the game ended and its result is recorded", scores["status"] == "final", f"version {scores['version']}"),
        account.adds_up(scores["sheet"]),
        *((finding.what, finding.is_right, finding.found) for finding in verify(record)),
        *account.agrees(figures, before),
    ]
    console.print(_table_of(checks))
    return all(is_right for _, is_right, _ in checks)


def follow(client: Client, game: str) -> None:
    """Shows the game's progress until its result is recorded: how many trains the leader has placed."""
    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[news]}"), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task("Playing", total=None, news="")
        placed: dict[int, int] = {}
        for item in client.stream(game):
            if "events" not in item:
                trains = (item["position"] or {}).get("tracks", {}).get("trains", [])
                progress.update(task, total=max(trains, default=None))
                continue
            for event in item["events"]:
                if event["event"] == "TrackClaimed":
                    placed[event["seat"]] = placed.get(event["seat"], 0) + sum(event["payment"].values())
            most = max(placed.values(), default=0)
            leader = f", leader has placed {most} trains" if placed else ""
            progress.update(task, completed=most, news=f"commit {item['version']}{leader}")


def _table_of(checks: list[tuple[str, bool, str]]) -> Table:
    table = Table("", "proof", "figures", title="Did it go the real way?")
    for what, is_right, found in checks:
        table.add_row("[green]yes[/]" if is_right else "[red]NO[/]", what, found)
    return table


if __name__ == "__main__":
    main(prog_name="make demo")
