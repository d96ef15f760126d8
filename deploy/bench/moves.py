"""How many moves a second the whole chain accepts, beside a bare chain of the same hops: `make bench-moves`.

Each client plays games of two person seats by itself, one move after the other: gateway, game-state, rules, store and
back. The games are worked out before the clock runs (the host gives the seed, so the draws are known), and the clients
only send answers. The bare chain is three empty Flask apps under the same gunicorn settings and one store round trip.
"""

from __future__ import annotations

import os
import secrets
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import click
import requests
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from deploy.bench.load import Measured, Request, run
from deploy.local.processes import free_ports
from deploy.local.programs import HOST, ROOT
from deploy.local.stack import Stack
from deploy.roles import ROLES
from shared.catalog import rules_for
from shared.client import Client
from shared.kernel import FastChance, KeyedChance, advance, commit_key, legal_moves, move_to_plain, new_game

CHAIN = ("gateway", "game_state", "rules")
MOVES_A_SECOND = 400
MOVES_A_GAME = 150
START_SECONDS = 20
SLICES = 4  # the two chains take turns, so that what else the machine does meanwhile hits both
EMPTY = {"move": {"move": "ClaimTrack", "track": "atlanta-miami-blue", "payment": {"blue": 4, "locomotive": 1}}}

console = Console(highlight=False)


@click.command()
@click.option("--clients", default="1,16,64", show_default=True, help="How many clients at once; one run for each.")
@click.option("--seconds", default=12.0, show_default=True, help="How long each chain is measured each time.")
def main(clients: str, seconds: float) -> None:
    """Measure accepted moves a second and their latency on a private stack, and the bare chain beside it."""
    levels = [int(number) for number in clients.split(",")]
    table = Table(title="Accepted moves a second, and milliseconds to the answer")
    for heading in ("clients", "moves/s", "p50", "p99", "refused", "bare/s", "p50", "p99", "ratio"):
        table.add_column(heading, justify="right")
    with ExitStack() as held, Progress(console=console, transient=True) as progress:
        task = progress.add_task("Starting the stack and the bare chain", total=len(levels) * SLICES)
        folder = held.enter_context(tempfile.TemporaryDirectory(prefix="whistlestop-bench-"))
        stack = held.enter_context(Stack(folder, log_level="WARNING"))
        bare = held.enter_context(bare_chain(stack.site.data_url("store"), Path(folder)))
        for number in levels:
            progress.update(task, description=f"{number} clients: dealing their games")
            playing, idling = games(stack, number, seconds), [_endless() for _ in range(number)]
            real, empty = Measured(), Measured()
            for _ in range(SLICES):
                progress.update(task, description=f"{number} clients: the whole chain")
                real += run(stack.address, playing, seconds / SLICES)
                progress.update(task, description=f"{number} clients: the bare chain")
                empty += run(bare, idling, seconds / SLICES)
                progress.advance(task)
            table.add_row(str(number), *_figures(real), str(real.refused), *_figures(empty),
                          f"{real.rate / empty.rate:.2f}")
    console.print(table)


def _figures(measured: Measured) -> tuple[str, str, str]:
    return f"{measured.rate:.0f}", f"{measured.percentile(50):.1f}", f"{measured.percentile(99):.1f}"


def _endless() -> Iterator[Request]:
    while True:
        yield Request("/v1/games/g/decisions/1.0/answer", EMPTY, {})


def games(stack: Stack, clients: int, seconds: float) -> list[Iterator[Request]]:
    """Gives each client the answers of enough whole games, created and ready to be played."""
    host = Client(stack.address, stack.platform_key)
    each = max(1, round(MOVES_A_SECOND * seconds / MOVES_A_GAME / clients))
    return [_chained([_game(host) for _ in range(each)]) for _ in range(clients)]


def _chained(games: list[list[Request]]) -> Iterator[Request]:
    return (request for game in games for request in game)


def _game(host: Client) -> list[Request]:
    """The answers that play a new game of two persons from its first decision to its last, every one random."""
    seed, chance = secrets.token_bytes(32), FastChance(secrets.randbits(30))
    game = host.create_game("usa", [{"name": "Ann"}, {"name": "Bo"}], seed=seed.hex())
    rules = rules_for(game["ruleset"], seats=2, options=game["options"])
    tokens = [host.claim_seat(game["game"], seat, name)["token"] for seat, name in enumerate(("Ann", "Bo"))]
    state, _ = new_game(rules, KeyedChance(commit_key(seed, 1)))
    answers = []
    while not state.over:
        decision = state.decisions[0]
        moves = legal_moves(rules, state, decision)
        move = moves[chance.below(len(moves))]
        path = f"/v1/games/{game['game']}/decisions/{decision.id}/answer"
        headers = {"Authorization": f"Bearer {tokens[decision.seat]}"}
        answers.append(Request(path, {"move": move_to_plain(rules, move)}, headers))
        advance(rules, state, decision, move, KeyedChance(commit_key(seed, state.version + 1)))
    return answers


@contextmanager
def bare_chain(store_url: str, folder: Path) -> Iterator[str]:
    """Runs three empty hops under the same gunicorn settings as the services; gives the address of the first."""
    ports = dict(zip(CHAIN, free_ports(len(CHAIN)), strict=True))
    after = {"gateway": f"http://{HOST}:{ports['game_state']}", "game_state": f"http://{HOST}:{ports['rules']}"}
    processes = []
    try:
        for name in CHAIN:
            env = {**os.environ, "BIND": f"{HOST}:{ports[name]}", "THREADS": ROLES[name].env["THREADS"],
                   "NEXT_URL": after.get(name, ""), "STORE_URL": store_url if name == "rules" else "",
                   "LOG_LEVEL": "WARNING", "PROMETHEUS_MULTIPROC_DIR": str(folder)}
            command = [sys.executable, "-m", "gunicorn", "-c", "python:shared.web.gunicorn", "deploy.bench.bare:app"]
            processes.append(subprocess.Popen(command, cwd=ROOT, env=env, stdout=subprocess.DEVNULL))
        for port in ports.values():
            _wait_for(port)
        yield f"http://{HOST}:{ports['gateway']}"
    finally:
        for process in processes:
            process.send_signal(signal.SIGTERM)
        for process in processes:
            process.wait(START_SECONDS)


def _wait_for(port: int) -> None:
    deadline = time.monotonic() + START_SECONDS
    while True:
        try:
            requests.get(f"http://{HOST}:{port}/", timeout=1)
            return
        except requests.RequestException as error:
            if time.monotonic() > deadline:
                raise click.ClickException(f"the bare chain did not start on port {port}") from error
            time.sleep(0.1)


if __name__ == "__main__":
    main(prog_name="make bench-moves")
