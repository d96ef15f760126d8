"""`python -m deploy.local up | down | status`: what `make up`, `make down` and `make status` run.

From the environment: PORT (8000), VAR (./var), STORE_URL and BROKER_URL (own data servers), LOG_LEVEL
and what the gateway can be tuned with (services/gateway/README.md).
"""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress
from pathlib import Path

import click
from rich.console import Console

from deploy.local.page import page
from deploy.local.programs import ROOT, Site
from deploy.local.stack import Stack, StackError
from services.gateway.settings import TUNED
from shared.contracts.settings import SETTINGS, load

VAR = Path(os.environ.get("VAR", ROOT / "var"))
PORT = 8000


@click.group()
def main() -> None:
    """Whistlestop on this machine.

    \b
    Example:
      make up PORT=8100
      VAR=/tmp/another make up
    """


@main.command()
@click.option("--port", envvar="PORT", show_envvar=True, type=click.IntRange(1, 65535),
              help="Where the gateway listens.  [default: 8000]")
def up(port: int | None) -> None:
    """Start everything, say how to use it, stop it all on Ctrl-C.

    \b
    Example:
      make up PORT=8100
      python -m deploy.local up --port 8100
    """
    try:
        if running := Stack.awaited(VAR, click.echo):
            click.echo("Already running.")
            _introduce(running)
            _refuse_changes(running.site, port)
        else:
            _run(port or PORT)
    except StackError as error:
        raise click.ClickException(str(error)) from error


def _run(port: int) -> None:
    given = [name for name in ("STORE_URL", "BROKER_URL", "LOG_LEVEL", *TUNED) if os.environ.get(name)]
    load("up", given, {**SETTINGS, **TUNED})
    stack = Stack(VAR, ports={"gateway": port}, store_url=os.environ.get("STORE_URL", ""),
                  broker_url=os.environ.get("BROKER_URL", ""), log_level=os.environ.get("LOG_LEVEL", "INFO"),
                  say=lambda line: click.echo(f"  {line}"))
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.default_int_handler)
    click.echo("Starting Whistlestop ...")
    with stack:
        _introduce(stack)
        with suppress(KeyboardInterrupt):
            stack.wait_until_stopped()
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        click.echo("Stopping ...")
    click.echo("Stopped. Games are kept; `make up` goes on with them.")


def _refuse_changes(site: Site, port: int | None) -> None:
    """Raises ClickException when something else is asked for than what runs."""
    runs_with = {"PORT": str(site.ports["gateway"]), "STORE_URL": site.store_url, "BROKER_URL": site.broker_url,
                 "LOG_LEVEL": site.log_level}
    asked = {"PORT": str(port or ""), **{name: os.environ.get(name, "") for name in runs_with if name != "PORT"}}
    if changed := [name for name, value in asked.items() if value not in ("", runs_with[name])]:
        raise click.ClickException(
            f"{' and '.join(changed)} did not change, for the stack was running before: it is at {site.address}.\n"
            "To start it as asked: make down, then the same again.")


@main.command()
def down() -> None:
    """Stop the running stack.

    \b
    Example:
      make down
    """
    if running := _found():
        running.stop()
        click.echo("Stopped.")
    else:
        click.echo("Nothing runs.")


def _found() -> Stack | None:
    try:
        return Stack.awaited(VAR, click.echo)
    except StackError as error:
        raise click.ClickException(str(error)) from error


@main.command()
def status() -> None:
    """Show what runs, and how it does, on one page.

    \b
    Example:
      make status
    """
    running = _found()
    if running is None:
        raise click.ClickException("Nothing runs. Start it: make up")
    Console().print(page(running))


def _introduce(stack: Stack) -> None:
    key_file = _shortest(stack.site.secret("platform_key"))
    click.echo(f"""
Whistlestop is up at {stack.address}

  platform key    {stack.platform_key}   (kept in {key_file})
  read and try    {stack.address}/docs
  first call      curl -H "Authorization: Bearer $(cat {key_file})" {stack.address}/v1/bots
  watch a game    make demo
  look inside     make status; logs are in {_shortest(stack.site.var / "logs")}
  stop            Ctrl-C where it was started, or make down
""")


def _shortest(path: Path) -> str:
    return min(str(path), os.path.relpath(path), key=len)


if __name__ == "__main__":
    sys.exit(main(prog_name="python -m deploy.local"))
