"""The command line: `python -m shared.client --help`."""

from __future__ import annotations

import difflib
import json
import time
from typing import Any, TextIO

import click
from rich.console import Console

from shared.catalog import rules_for
from shared.client import arena_display, display, local_stack, words
from shared.client.bot_commands import own_bots
from shared.client.client import Client
from shared.client.command_line import Teaching, pass_client
from shared.client.verify import verify as verify_record
from shared.kernel import Malformed, move_to_plain, parse_move

LOOK_SECONDS = 0.5

TEACH = """
\b
A game by hand, on the local stack that `make up` starts:
  export WHISTLESTOP_TOKEN=$(cat var/secrets/platform_key)
  python -m shared.client create usa --seat greedy --seat person:Ann
  python -m shared.client claim GAME 1 Ann            prints Ann's token
  export WHISTLESTOP_TOKEN=st_...                     from here on you are Ann
  python -m shared.client show GAME                   what Ann sees, and what she must decide
  python -m shared.client answer GAME DECISION        lists the legal answers
  python -m shared.client answer GAME DECISION 0      gives the first of them
  python -m shared.client watch GAME                  every commit as it happens
  python -m shared.client verify GAME                 when it is over: was every draw fair?
A bot of your own: python -m shared.client bot --help
"""

console = Console(highlight=False)


@click.group(cls=Teaching, epilog=TEACH, context_settings={"max_content_width": 100})
@click.option("--url", envvar="WHISTLESTOP_URL", show_envvar=True,
              help=f"The gateway; unless given that of the local stack, or {local_stack.NOBODY} where none runs.")
@click.option("--token", envvar="WHISTLESTOP_TOKEN", show_envvar=True, help="Who you are.")
def main(url: str | None, token: str | None) -> None:
    """Host, watch, play and audit games of Whistlestop."""


@main.command()
@pass_client
def rulesets(client: Client) -> None:
    """List rule sets with their options, and bots.

    \b
    Example:
      python -m shared.client rulesets
    """
    for found in client.rulesets():
        span = f"{found['seats']['min']} to {found['seats']['max']} seats"
        console.print(f"{found['ruleset']}, {span}: {found['about']}", markup=False)
        for name, option in found["options"].items():
            console.print(f"    {name} ({json.dumps(option['default'])}): {option['about']}", markup=False)
    for bot in client.bots():
        console.print(f"bot {bot['bot']}: {bot['about']}")


@main.command()
@click.argument("ruleset")
@click.option("--seat", "seats", multiple=True, required=True,
              help="One for each seat, in order: the name of a bot, person:NAME, or free for whoever claims it.")
@click.option("--option", "options", multiple=True, help="name=value, such as first_player=0.")
@click.option("--seed", help="64 hex digits: makes the game reproducible, and not called fair.")
@click.option("--answer-limit", type=int, help="Seconds for each answer; then it is answered for the seat.")
@pass_client
def create(client: Client, ruleset: str, seats: tuple[str, ...], options: tuple[str, ...], seed: str | None,
           answer_limit: int | None) -> None:
    """Create a game of RULESET. Needs a platform key.

    It starts when no seat is free any more.

    \b
    Example:
      python -m shared.client create usa --seat greedy --seat person:Ann --option first_player=1
    """
    bots = [bot["bot"] for bot in client.bots()]
    asked = [_seat(seat, bots) for seat in seats]
    game = client.create_game(ruleset, asked, options=dict(map(_option, options)), seed=seed, answer_limit=answer_limit)
    console.print(display.game_view(game))
    console.print(f"token for spectators: {game['spectator_token']}", soft_wrap=True)


def _seat(text: str, bots: list[str]) -> dict[str, str]:
    kind, colon, name = text.partition(":")
    if kind == "person" and colon:
        return {"name": name}
    if text == "free":
        return {}
    if text in bots:
        return {"bot": text}
    close = difflib.get_close_matches(text, bots, 1)
    meant = f" (did you mean {close[0]}?)" if close else ""
    raise click.BadParameter(f"no bot is called {text}{meant}; there are {', '.join(bots)}. "
                             f"For a person write person:{text}, for a seat to be claimed later free.",
                             param_hint="--seat")


def _option(text: str) -> tuple[str, Any]:
    name, sign, value = text.partition("=")
    if not sign:
        raise click.BadParameter(f"{text}: name=value is needed", param_hint="--option")
    try:
        return name, json.loads(value)
    except json.JSONDecodeError:
        return name, value


@main.command()
@click.argument("game")
@click.argument("seat", type=int)
@click.argument("name")
@pass_client
def claim(client: Client, game: str, seat: int, name: str) -> None:
    """Give SEAT of GAME to NAME and print its token.

    Needs a platform key. Done again it prints a new token, and the old one is void.

    \b
    Example:
      python -m shared.client claim gwbkmazd5tu7hx2c 1 Ann
      TOKEN=$(python -m shared.client claim gwbkmazd5tu7hx2c 1 Ann)
    """
    click.echo(client.claim_seat(game, seat, name)["token"])


@main.command()
@click.argument("game")
@pass_client
def show(client: Client, game: str) -> None:
    """Show GAME as you may see it, and what is to be decided.

    \b
    Example:
      python -m shared.client show gwbkmazd5tu7hx2c
    """
    console.print(display.game_view(client.view(game)))


@main.command()
@click.argument("game")
@click.option("--after", type=int, help="Start with the commits after this version.")
@click.option("--json", "as_json", is_flag=True, help="Print each item as a line of JSON.")
@pass_client
def watch(client: Client, game: str, after: int | None, as_json: bool) -> None:
    """Follow GAME, every commit as it happens.

    Ends when the result is recorded.

    \b
    Example:
      python -m shared.client watch gwbkmazd5tu7hx2c
      python -m shared.client watch gwbkmazd5tu7hx2c --after 41 --json
    """
    seats = client.view(game)["seats"]
    for item in client.stream(game, after):
        if as_json:
            click.echo(json.dumps(item))
        elif "events" in item:
            console.print(f"{item['version']:>4}  {words.commit_words(item, seats)}")
        else:
            seats = item["seats"]
            console.print(display.game_view(item))


@main.command()
@click.argument("game")
@click.argument("decision")
@click.argument("move", required=False)
@pass_client
def answer(client: Client, game: str, decision: str, move: str | None) -> None:
    """Answer DECISION of GAME with MOVE, or list the legal answers.

    MOVE is the number of a listed answer or a move in notation; without it the legal answers are listed, with the
    letters of the cards. B4L1 are four blue cards and a locomotive. Needs the token of the decision's seat.

    \b
    Example:
      python -m shared.client answer gwbkmazd5tu7hx2c 7.1
      python -m shared.client answer gwbkmazd5tu7hx2c 7.1 0
      python -m shared.client answer gwbkmazd5tu7hx2c 7.1 "ClaimTrack atlanta-miami-blue B4L1"
    """
    asked = client.decision(game, decision)
    if asked["status"] != "open":
        raise click.ClickException(f"Decision {decision} was answered in commit {asked['commit']}. `show {game}` tells"
                                   " what is open now.")
    if "legal_moves" not in asked:
        raise click.ClickException(f"Decision {decision} is for seat {asked['seat']}, and needs that seat's token."
                                   f" `claim {game} {asked['seat']} NAME` prints a new one to the platform.")
    if move is None:
        console.print(display.choices(asked))
        return
    given = client.answer(game, decision, _move(asked, move))
    console.print(f"commit {given['version']}: {words.move_words(given['commit']['move'])}")


def _move(asked: dict[str, Any], text: str) -> dict[str, Any]:
    if text.isdecimal():
        if int(text) < len(asked["legal_moves"]):
            return asked["legal_moves"][int(text)]
        raise click.BadParameter(f"{text}: the answers are 0 to {len(asked['legal_moves']) - 1}", param_hint="MOVE")
    view = asked["view"]
    rules = rules_for(view["ruleset"], seats=view["seats"], options=view["options"])
    try:
        return move_to_plain(rules, parse_move(rules, text))
    except Malformed as error:
        raise click.BadParameter(f"{text}: {error.detail}", param_hint="MOVE") from error


@main.command()
@click.argument("game")
@pass_client
def scores(client: Client, game: str) -> None:
    """Show the points of GAME, with the evidence.

    While it is played those that everybody may know, when it is over the whole sheet.

    \b
    Example:
      python -m shared.client scores gwbkmazd5tu7hx2c
    """
    found = client.scores(game)
    console.print(display.score_table(found))
    if (evidence := display.evidence_table(found)).row_count:
        console.print(evidence)


@main.command()
@click.argument("ruleset")
@click.option("--bot", "bots", multiple=True, required=True, help="One for each entrant.")
@click.option("--games", type=int, default=100, show_default=True)
@click.option("--seats", type=int, help="Unless given one for each entrant, as far as the rule set goes.")
@click.option("--seed", type=int, help="The same seed plays the same games, if no bot thinks against the clock.")
@click.option("--option", "options", multiple=True, help="name=value, such as first_player=0.")
@click.option("--board", type=click.File(), help="A board to try: a file such as `/v1/boards/usa` gives.")
@click.option("--parameters", type=click.File(), help="Parameters to try: a JSON file.")
@click.option("--records", type=click.File("w"), help="Where to write every game's record, a line each.")
@pass_client
def arena(client: Client, ruleset: str, bots: tuple[str, ...], games: int, seats: int | None, seed: int | None,
          options: tuple[str, ...], board: TextIO | None, parameters: TextIO | None, records: TextIO | None) -> None:
    """Let bots play many games of RULESET and follow them.

    Needs a platform key. When there are more entrants than seats, every group that fits plays. Ctrl-C ends the
    following, not the arena. A file of parameters holds for example {"claim": {"trains": 40}}.

    \b
    Example:
      python -m shared.client arena usa --bot greedy --bot hungry --games 200 --seed 1
      python -m shared.client arena maerklin --bot greedy --bot hungry --bot random --seats 2
    """
    asked: dict[str, Any] = {"ruleset": ruleset, "entrants": [{"bot": bot} for bot in bots], "games": games,
                             "options": dict(map(_option, options)), "records": records is not None}
    asked |= {name: value for name, value in (("seats", seats), ("seed", seed)) if value is not None}
    asked |= {name: _file(file) for name, file in (("board", board), ("parameters", parameters)) if file is not None}
    created = client.create_arena(asked)
    console.print(f"arena {created['arena']}")
    _follow(client, created)
    if records is not None:
        for record in client.arena_records(created["arena"]):
            records.write(json.dumps(record) + "\n")


@main.command()
@click.argument("arena")
@pass_client
def follow(client: Client, arena: str) -> None:
    """Follow ARENA to its end and show what its games tell.

    \b
    Example:
      python -m shared.client follow jatx2exkiklaet4h
    """
    _follow(client, client.arena(arena))


@main.command()
@pass_client
def arenas(client: Client) -> None:
    """List your arenas, the newest first.

    \b
    Example:
      python -m shared.client arenas
    """
    for found in client.arenas():
        entrants = ", ".join(entrant["bot"] for entrant in found["entrants"])
        console.print(f"{found['arena']}  {found['status']:<9}  {found['ruleset']}, {found['done']} of {found['games']}"
                      f" games: {entrants}", markup=False)


@main.command()
@click.argument("arena")
@pass_client
def cancel(client: Client, arena: str) -> None:
    """End ARENA and show what its games told.

    \b
    Example:
      python -m shared.client cancel jatx2exkiklaet4h
    """
    console.print(arena_display.arena_tables(client.cancel_arena(arena)))


def _follow(client: Client, arena: dict[str, Any]) -> None:
    name = arena["arena"]
    try:
        with arena_display.progress(console, arena["games"]) as done:
            while arena["status"] == "running":
                time.sleep(LOOK_SECONDS)
                arena = client.arena(name)
                done(arena["done"])
    except KeyboardInterrupt:
        console.print(f"It goes on. `follow {name}` shows it again, `cancel {name}` ends it.")
    console.print(arena_display.arena_tables(arena))


def _file(file: TextIO) -> Any:
    try:
        return json.load(file)
    except json.JSONDecodeError as error:
        raise click.BadParameter(f"{file.name} is not JSON: {error}") from error


@main.command()
@click.argument("game")
@pass_client
def verify(client: Client, game: str) -> None:
    """Audit GAME when it is over: was every draw fair?

    Downloads its record and checks seed, draws, log and result on this machine.

    \b
    Example:
      python -m shared.client verify gwbkmazd5tu7hx2c
    """
    findings = verify_record(client.record(game))
    for finding in findings:
        console.print(f"{'right' if finding.is_right else 'WRONG'}  {finding.what}: {finding.found}")
    if not all(finding.is_right for finding in findings):
        raise click.ClickException("This record does not hold.")
    console.print("The record holds.")


main.add_command(own_bots)

if __name__ == "__main__":
    main(prog_name="python -m shared.client")
