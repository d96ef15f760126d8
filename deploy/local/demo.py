"""A whole game between bots, through the public API, and the proof of which way it went: `make demo`.

From the environment: RULESET (usa), SEATS (4), BOTS (greedy,random; repeated to fill the seats), VAR (./var).
Other games on the same stack do not disturb it, and are not taken for its own.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from deploy.local import accounting
from deploy.local.accounting import Account
from deploy.local.programs import ROOT
from deploy.local.stack import Stack, StackError
from services.ai.bots import BOTS
from shared import catalog
from shared.client import ApiProblem, Client, Unreachable
from shared.client.display import evidence_table, score_table
from shared.client.verify import verify

VAR = Path(os.environ.get("VAR", ROOT / "var"))

console = Console(highlight=False)
Json = dict[str, Any]


@click.command()
@click.option("--ruleset", envvar="RULESET", show_envvar=True, default=catalog.DEFAULT_RULESET, show_default=True)
@click.option("--seats", envvar="SEATS", show_envvar=True, type=int, default=4, show_default=True)
@click.option("--bots", envvar="BOTS", show_envvar=True, default="greedy,random", show_default=True,
              help="Repeated to fill the seats.")
def main(ruleset: str, seats: int, bots: str) -> None:
    """Let bots play a whole game, show how it ended, and prove that every move went the real way.

    Ends with 0 only if the game ended, its sheet adds up, its record holds and the logs of the programs agree.

    Example: make demo RULESET=card_game SEATS=3 BOTS=greedy,random
    """
    table = seated(ruleset, seats, bots)
    try:
        with running_stack() as stack:
            is_proven = show(stack, ruleset, table)
    except ApiProblem as problem:
        raise click.ClickException(problem.in_words()) from problem
    except (StackError, Unreachable) as error:
        raise click.ClickException(str(error)) from error
    sys.exit(0 if is_proven else 1)


def seated(ruleset: str, seats: int, bots: str) -> list[str]:
    """Gives the bot of each seat. Raises ClickException that lists what there is where something does not exist."""
    try:
        span = catalog.ruleset(ruleset)["seats"]
    except catalog.UnknownId as error:
        raise click.ClickException(f"RULESET={ruleset}: no such rule set. There are:\n{_rulesets()}") from error
    if not span["min"] <= seats <= span["max"]:
        raise click.ClickException(f"SEATS={seats}: {ruleset} has {span['min']} to {span['max']} seats.")
    names = [name.strip() for name in bots.split(",") if name.strip()]
    if unknown := [name for name in names if name not in BOTS]:
        raise click.ClickException(f"BOTS={bots}: no bot {', '.join(unknown)}. There are:\n{_bots()}")
    if not names:
        raise click.ClickException(f"BOTS={bots}: name at least one. There are:\n{_bots()}")
    return list(islice(cycle(names), seats))


def _rulesets() -> str:
    sources = map(catalog.ruleset, catalog.rulesets())
    return "\n".join(f"  {source['id']}, {source['seats']['min']} to {source['seats']['max']} seats: {source['about']}"
                     for source in sources)


def _bots() -> str:
    return "\n".join(f"  {bot.name}: {bot.about}" for bot in BOTS.values())


@contextmanager
def running_stack() -> Iterator[Stack]:
    """Gives the stack that runs or is being started in VAR, or a private one for as long as the block lasts.

    Raises StackError where one runs that logs too little to prove anything.
    """
    if running := Stack.awaited(VAR, console.print):
        console.print(f"Using the stack at {running.address}.")
        if running.site.log_level.upper() not in accounting.LEVELS:
            raise StackError(f"With LOG_LEVEL={running.site.log_level} it logs too little to prove the way of a move;"
                             f" {' or '.join(accounting.LEVELS)} is needed. Restart it: make down, then make up")
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
    started = time.monotonic()
    game = client.create_game(ruleset, [{"bot": bot} for bot in bots])
    follow(client, game["game"])
    seconds = time.monotonic() - started
    scores, record = client.scores(game["game"]), client.record(game["game"])
    account = Account(record)
    console.print(score_table(scores))
    console.print(evidence_table(scores))
    console.print(f"\n{account.answers} moves in {seconds:.1f} s, {account.answers / seconds:.0f} a second.\n")
    checks = [
        ("the game ended and its result is recorded", scores["status"] == "final", f"version {scores['version']}"),
        account.adds_up(scores["sheet"]),
        *((finding.what, finding.is_right, finding.found) for finding in verify(record)),
        *account.agrees(stack.site.logs),
    ]
    console.print(_table_of(checks))
    console.print(_fallbacks(*account.fallbacks(stack.site.logs)))
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


def _fallbacks(number: int, failures: Counter[str]) -> str:
    """In words how many answers were not the bots' own, and why."""
    why = "; ".join(f"{how} ({times} times)" for how, times in failures.most_common(3))
    return f"{number} answers of bots were fallbacks{f': {why}' if why else ''}."


def _table_of(checks: list[tuple[str, bool, str]]) -> Table:
    table = Table("", "proof", "figures", title="Did it go the real way?")
    for what, is_right, found in checks:
        table.add_row("[green]yes[/]" if is_right else "[red]NO[/]", what, found)
    return table


if __name__ == "__main__":
    main(prog_name="python -m deploy.local.demo")
