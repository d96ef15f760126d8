"""The command line: `python -m shared.client --help`."""

from __future__ import annotations

import json
from typing import Any

import click
from rich.console import Console

from shared.catalog import rules_for
from shared.client import display, words
from shared.client.client import Client
from shared.client.errors import ApiProblem, Unreachable
from shared.client.verify import verify as verify_record
from shared.kernel import Malformed, move_to_plain, parse_move

console = Console(highlight=False)
pass_client = click.make_pass_decorator(Client)

TEACH = """
\b
A game by hand, with a platform key in WHISTLESTOP_TOKEN:
  python -m shared.client create usa --seat greedy --seat Ann
  python -m shared.client claim GAME 1 Ann            prints Ann's token
  export WHISTLESTOP_TOKEN=st_...                     from here on you are Ann
  python -m shared.client show GAME                   what Ann sees, and what she must decide
  python -m shared.client answer GAME DECISION        lists the legal answers
  python -m shared.client answer GAME DECISION 0      gives the first of them
  python -m shared.client watch GAME                  every commit as it happens
  python -m shared.client verify GAME                 when it is over: was every draw fair?
"""

TOKENS = "Set WHISTLESTOP_TOKEN: a platform key (pk_), or the token of a seat (st_) or a spectator (sp_)."


class Teaching(click.Group):
    """Tells in words what the gateway refused, and ends with 1."""

    def invoke(self, context: click.Context) -> Any:
        try:
            return super().invoke(context)
        except ApiProblem as problem:
            hint = f"\n{TOKENS}" if problem.status == 401 else ""
            raise click.ClickException(problem.in_words() + hint) from problem
        except Unreachable as error:
            raise click.ClickException(f"{error}\nIs the stack up? Start it with: make up") from error


@click.group(cls=Teaching, epilog=TEACH, context_settings={"max_content_width": 100})
@click.option("--url", envvar="WHISTLESTOP_URL", default="http://127.0.0.1:8000", show_default=True,
              help="The gateway (WHISTLESTOP_URL).")
@click.option("--token", envvar="WHISTLESTOP_TOKEN", help="Who you are (WHISTLESTOP_TOKEN).")
@click.pass_context
def main(context: click.Context, url: str, token: str | None) -> None:
    """Host, watch, play and audit games of Whistlestop."""
    context.obj = Client(url, token)


@main.command()
@pass_client
def rulesets(client: Client) -> None:
    """List what can be played with which options, and the bots that play it."""
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
              help="One for each seat, in order: the name of a bot, `free`, or the name of a person.")
@click.option("--option", "options", multiple=True, help="name=value, such as first_player=0.")
@click.option("--seed", help="64 hex digits: makes the game reproducible, and not called fair.")
@click.option("--answer-limit", type=int, help="Seconds for each answer; then it is answered for the seat.")
@pass_client
def create(client: Client, ruleset: str, seats: tuple[str, ...], options: tuple[str, ...], seed: str | None,
           answer_limit: int | None) -> None:
    """Create a game of RULESET. Needs a platform key."""
    bots = {bot["bot"] for bot in client.bots()}
    asked = [{"bot": seat} if seat in bots else {} if seat == "free" else {"name": seat} for seat in seats]
    game = client.create_game(ruleset, asked, options=dict(map(_option, options)), seed=seed, answer_limit=answer_limit)
    console.print(display.game_view(game))
    console.print(f"token for spectators: {game['spectator_token']}", soft_wrap=True)


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
    """Give SEAT of GAME to NAME and print the seat's token. Again: a new token, the old one is void."""
    click.echo(client.claim_seat(game, seat, name)["token"])


@main.command()
@click.argument("game")
@pass_client
def show(client: Client, game: str) -> None:
    """Show GAME as you may see it."""
    console.print(display.game_view(client.view(game)))


@main.command()
@click.argument("game")
@click.option("--after", type=int, help="Start with the commits after this version.")
@click.option("--json", "as_json", is_flag=True, help="Print each item as a line of JSON.")
@pass_client
def watch(client: Client, game: str, after: int | None, as_json: bool) -> None:
    """Follow GAME: every commit as it happens, until the result is recorded."""
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
    """Answer DECISION of GAME with MOVE. Needs the token of its seat.

    MOVE is the number of a listed answer or a move in notation, such as "ClaimTrack atlanta-miami-blue B4L1" for four
    blue cards and a locomotive. Without MOVE the legal answers are listed, with the letters of the cards.
    """
    asked = client.decision(game, decision)
    if asked["status"] != "open":
        raise click.ClickException(f"Decision {decision} was answered in commit {asked['commit']}.")
    if "legal_moves" not in asked:
        raise click.ClickException(f"Decision {decision} is for seat {asked['seat']}, and needs that seat's token.")
    if move is None:
        console.print(display.choices(asked))
        return
    given = client.answer(game, decision, _move(asked, move))
    console.print(f"commit {given['version']}: {words.move_words(given['commit']['move'])}")


def _move(asked: dict[str, Any], text: str) -> dict[str, Any]:
    if text.isdecimal() and int(text) < len(asked["legal_moves"]):
        return asked["legal_moves"][int(text)]
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
    """Show the public score of GAME, or its final sheet, with the evidence."""
    found = client.scores(game)
    console.print(display.score_table(found))
    if (evidence := display.evidence_table(found)).row_count:
        console.print(evidence)


@main.command()
@click.argument("game")
@pass_client
def verify(client: Client, game: str) -> None:
    """Audit finished GAME: download its record and check seed, draws, log and result on this machine."""
    findings = verify_record(client.record(game))
    for finding in findings:
        console.print(f"{'right' if finding.is_right else 'WRONG'}  {finding.what}: {finding.found}")
    if not all(finding.is_right for finding in findings):
        raise click.ClickException("This record does not hold.")
    console.print("The record holds.")



if __name__ == "__main__":
    main(prog_name="python -m shared.client")
