"""An arena on this machine, without any service: `make arena`. It plays and counts as `POST /v1/arenas` does."""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from datetime import UTC, datetime
from typing import IO, Any

import click
from marshmallow import ValidationError
from rich.console import Console

from services.ai.arenas.results import record_of, result_of
from services.ai.arenas.slices import ENDLESS
from services.ai.arenas.specification import Refused, Specification
from services.ai.arenas.tally import Tally
from services.ai.bots import BOTS
from services.ai.guard import Guard, limit_memory
from services.ai.play import Endless
from shared.catalog import DEFAULT_RULESET
from shared.client.arena_display import arena_tables, progress
from shared.client.loading import NoBot, load_bot
from shared.contracts.arenas import NewArenaSchema
from shared.contracts.problems import field_errors

Json = dict[str, Any]


class Table:
    """Where a process plays: the specification of the arena, the time that its records bear."""

    specification: Specification
    at: str

    @classmethod
    def lay(cls, plain: Json, at: str, files: list[str]) -> None:
        """Makes a pool process ready to play; Ctrl-C is for the process that counts."""
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        limit_memory()
        for file in files:
            take_in(file)
        cls.specification, cls.at = Specification.from_plain(plain), at

    @classmethod
    def play(cls, number: int) -> tuple[Json, Json | None]:
        """The result of a game and, if asked for, its record."""
        specification = cls.specification
        entrants = specification.schedule.seated(number)
        game = specification.game(number, at=cls.at if specification.records else None)
        try:
            with Guard() as guard:
                game.play(guard=guard)
        except Endless:
            return {"game": number, "abandoned": ENDLESS}, None
        record = record_of(game, number, entrants, cls.at) if specification.records else None
        return result_of(game, number, entrants), record


@click.command()
@click.option("--ruleset", envvar="RULESET", show_envvar=True, default=DEFAULT_RULESET, show_default=True)
@click.option("--bots", envvar="BOTS", show_envvar=True, default="greedy,random", show_default=True,
              help="The entrants, by name or, of bots of your own, by file (.py). When there are more of them than"
                   " seats, every group that fits plays.")
@click.option("--seats", envvar="SEATS", show_envvar=True, type=int, help="Unless given one for each entrant.")
@click.option("--games", envvar="GAMES", show_envvar=True, type=int, default=100, show_default=True)
@click.option("--seed", envvar="SEED", show_envvar=True, type=int, default=1, show_default=True)
@click.option("--board", envvar="BOARD", show_envvar=True, type=click.File(), help="A board to try, as JSON.")
@click.option("--parameters", envvar="PARAMETERS", show_envvar=True, default="{}",
              help="""Parameters to try, such as {"claim": {"trains": 40}}.""")
@click.option("--records", envvar="RECORDS", show_envvar=True, type=click.File("w"),
              help="Where to write the record of every game, a line each.")
@click.option("--workers", envvar="WORKERS", show_envvar=True, type=click.IntRange(min=1), default=os.cpu_count(),
              show_default=True)
def main(
    ruleset: str, bots: str, seats: int | None, games: int, seed: int, board: IO[str] | None, parameters: str,
    records: IO[str] | None, workers: int,
) -> None:  # fmt: skip
    """Let bots play each other, and print what comes of it.

    The same command plays the same games on every machine, as far as no bot thinks as long as it may. Ctrl-C ends it
    and prints what there is so far.

    \b
    Example: make arena RULESET=maerklin BOTS=greedy,hungry,one_step SEATS=2 GAMES=300
             make arena BOTS=shared/client/template_bot.py,greedy
    """
    named = [name.strip() for name in bots.split(",")]
    files = sorted({name for name in named if name.endswith(".py")})
    own = {file: take_in(file) for file in files}
    entrants = [{"bot": own.get(name, name)} for name in named]
    asked = {"ruleset": ruleset, "entrants": entrants, "games": games, "seed": seed, "records": records is not None,
             "parameters": _json(parameters, "PARAMETERS")}  # fmt: skip
    asked |= {} if seats is None else {"seats": seats}
    asked |= {} if board is None else {"board": _json(board.read(), "BOARD")}
    specification = _checked(asked)
    console = Console(highlight=False)
    tally = Tally.empty(len(entrants), specification.seats)
    at = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    broken = None
    laid = (specification.plain(), at, files)
    with (
        ProcessPoolExecutor(workers, initializer=Table.lay, initargs=laid) as pool,
        progress(console, games) as done,
    ):
        played = [pool.submit(Table.play, number) for number in range(games)]
        try:
            for number, game in enumerate(as_completed(played), 1):
                result, record = game.result()
                tally.add(result)
                done(number)
                if records is not None and record is not None:
                    records.write(json.dumps(record, separators=(",", ":")) + "\n")
        except BrokenProcessPool as error:
            broken = error
        except KeyboardInterrupt:
            for process in multiprocessing.active_children():
                process.terminate()
    console.print(arena_tables(specification.shown(tally)))
    if broken is not None:
        raise click.ClickException("A process that played has died, perhaps of a bot; its game is lost.") from broken


def take_in(file: str) -> str:
    """Adds the bot of a file to those of this process; gives its name. Raises ClickException where that cannot be."""
    try:
        bot = load_bot(file)
    except NoBot as error:
        raise click.ClickException(str(error)) from error
    if bot.name in BOTS and type(BOTS[bot.name]).__module__ != type(bot).__module__:
        raise click.ClickException(f"{file}: there is a bot {bot.name} already; give yours another name")
    BOTS[bot.name] = bot
    return bot.name


def _checked(asked: Json) -> Specification:
    try:
        return Specification.checked(NewArenaSchema().load(asked), asked["seed"])
    except ValidationError as error:
        faults = field_errors(error.messages)
    except Refused as refused:
        faults = refused.faults
    raise click.ClickException("\n".join(f"{fault['pointer']}: {fault['detail']}" for fault in faults))


def _json(text: str, name: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise click.ClickException(f"{name} is not JSON: {error}") from error


if __name__ == "__main__":
    main(prog_name="make arena")
