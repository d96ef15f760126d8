"""The commands about bots of one's own: `python -m shared.client bot --help`."""

from __future__ import annotations

from typing import Any

import click

from shared.client.bot import Bot
from shared.client.client import Client
from shared.client.command_line import InOrder, pass_client
from shared.client.loading import NoBot, load_bot
from shared.client.runner import run
from shared.contracts.bots import MOST_AT_ONCE

TEACH_BOTS = """
\b
A bot of your own in a game, with `make up` running in another terminal:
  sed s/template/my_bot/ shared/client/template_bot.py > my_bot.py     then change how it chooses
  export WHISTLESTOP_TOKEN=$(cat var/secrets/platform_key)
  BOT_TOKEN=$(python -m shared.client bot create my_bot.py)
  python -m shared.client create usa --seat dev.my_bot --seat greedy
  WHISTLESTOP_TOKEN=$BOT_TOKEN python -m shared.client bot run my_bot.py
Without any stack: make arena BOTS=my_bot.py,greedy
"""


@click.group("bot", cls=InOrder, epilog=TEACH_BOTS)
def own_bots() -> None:
    """Make a bot of your own and let it play.

    \b
    Example:
      python -m shared.client bot run my_bot.py
    """


class BotFile(click.ParamType):
    """A file that defines a bot."""

    name = "file"

    def convert(self, value: Any, param: click.Parameter | None, context: click.Context | None) -> Bot:
        try:
            return value if isinstance(value, Bot) else load_bot(value)
        except NoBot as error:
            self.fail(str(error), param, context)


@own_bots.command("create")
@click.argument("file", type=BotFile())
@click.option("--at-once", type=click.IntRange(1, MOST_AT_ONCE), help="How many decisions it may hold at once.")
@click.option("--ruleset", "rulesets", multiple=True, help="A rule set that it plays; unless given all.")
@pass_client
def create_bot(client: Client, file: Bot, at_once: int | None, rulesets: tuple[str, ...]) -> None:
    """Create the bot of FILE and print its token.

    Needs a platform key. The bot can hold seats in the platform's games; its token is shown this once.

    \b
    Example:
      python -m shared.client bot create my_bot.py
      BOT_TOKEN=$(python -m shared.client bot create my_bot.py --at-once 8 --ruleset usa)
    """
    asked = {"bot": file.name, "about": file.about}
    asked |= {} if at_once is None else {"concurrency": at_once}
    asked |= {"rulesets": list(rulesets)} if rulesets else {}
    made = client.create_bot(asked)
    click.echo(f"{made['bot']} can take seats: --seat {made['bot']}", err=True)
    click.echo(made["token"])


@own_bots.command("run")
@click.argument("file", type=BotFile())
@pass_client
def run_bot(client: Client, file: Bot) -> None:
    """Play with the bot of FILE wherever it holds a seat.

    Needs the token of the bot. Run it as often as you like, on as many machines: each decision goes to one of them.
    When none answers in time a built-in bot does, for that decision. Ctrl-C or SIGTERM ends it after what is at hand.

    \b
    Example:
      python -m shared.client bot run my_bot.py
      WHISTLESTOP_TOKEN=bt_... python -m shared.client bot run shared/client/template_bot.py
    """
    run(file, client)


@own_bots.command("token")
@click.argument("name")
@pass_client
def renew_bot_token(client: Client, name: str) -> None:
    """Print a new token of the bot NAME and end the old ones.

    Needs a platform key.

    \b
    Example:
      BOT_TOKEN=$(python -m shared.client bot token dev.my_bot)
    """
    click.echo(client.renew_bot_token(name))


@own_bots.command("delete")
@click.argument("name")
@pass_client
def delete_bot(client: Client, name: str) -> None:
    """Delete the bot NAME and end its tokens.

    Needs a platform key. In games that go on a built-in bot makes its moves.

    \b
    Example:
      python -m shared.client bot delete dev.my_bot
    """
    client.delete_bot(name)
