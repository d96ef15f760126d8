"""Accounts of platforms and bots at the command line: `python -m services.gateway.accounts --help`."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import redis
from marshmallow import ValidationError

from services.gateway.tokens import ACCOUNT, BOT, PLATFORM, PREFIXES, Accounts
from shared.client import local_stack
from shared.contracts.settings import SETTINGS, fault
from shared.web.store import connect


class AccountId(click.ParamType):
    """The id of an account."""

    name = "id"

    def convert(self, value: str, param: click.Parameter | None, context: click.Context | None) -> str:
        if ACCOUNT.fullmatch(value) is None:
            self.fail("an id has 1 to 64 of a-z, 0-9, _ and -, and starts with a letter or digit", param, context)
        return value


KIND = click.option("--kind", type=click.Choice([PLATFORM, BOT]), required=True, help="What the account is for.")
ID = click.option("--id", "account", type=AccountId(), required=True, help="Id of the account.")


class Teaching(click.Group):
    """Tells in words why nothing could be done, and ends with 1."""

    def invoke(self, context: click.Context) -> Any:
        try:
            return super().invoke(context)
        except redis.RedisError as error:
            raise click.ClickException(f"The store does not answer: {error}") from error


@click.group(cls=Teaching)
@click.option("--store-url", envvar="STORE_URL", show_envvar=True,
              help="Where the keys are kept; unless given in the store of the running local stack.")
def main(store_url: str | None) -> None:
    """Keys of platforms and bots. Only their SHA-256 is stored; a key is shown once.

    \b
    Example:
      python -m services.gateway.accounts create --kind platform --id acme
    """


def pass_accounts(command: Callable[..., None]) -> Callable[..., None]:
    """Gives a command the accounts in the store as its first argument."""

    @functools.wraps(command)
    def with_accounts(*args: Any, **options: Any) -> None:
        command(_accounts(**click.get_current_context().find_root().params), *args, **options)

    return with_accounts


def _accounts(store_url: str | None) -> Accounts:
    if store_url is None and (store_url := local_stack.store_url()):
        click.echo("Using the store of the local stack; STORE_URL or --store-url names another.", err=True)
    if store_url is None:
        raise click.UsageError("no local stack runs (make up starts one), so the store is to be named: set STORE_URL or"
                               " give --store-url, such as redis://127.0.0.1:6379/0")
    try:
        SETTINGS["STORE_URL"].check(store_url)
    except ValidationError as error:
        raise click.UsageError(fault("STORE_URL", store_url, error.messages[0], is_secret=True)) from error
    return Accounts(connect(store_url, decode_responses=True))


@main.command()
@KIND
@ID
@pass_accounts
def create(accounts: Accounts, kind: str, account: str) -> None:
    """Create a key and print it.

    Earlier keys of the account stay valid.

    \b
    Example:
      python -m services.gateway.accounts create --kind platform --id acme
    """
    click.echo(accounts.create(kind, account))


@main.command()
@KIND
@ID
@click.option("--token-file", type=click.Path(path_type=Path, dir_okay=False), required=True)
@pass_accounts
def ensure(accounts: Accounts, kind: str, account: str, token_file: Path) -> None:
    """See to it that the key in a file is valid.

    Without the file both are created, the file with mode 0600.

    \b
    Example:
      python -m services.gateway.accounts ensure --kind bot --id builtin --token-file var/secrets/bot_token
    """
    if token_file.exists():
        key = token_file.read_text().strip()
        if not key.startswith(PREFIXES[kind]):
            raise click.ClickException(f"{token_file} holds no key of a {kind}; it would start with {PREFIXES[kind]}")
        accounts.register(kind, account, key)
    else:
        _write(token_file, accounts.create(kind, account))


@main.command("list")
@pass_accounts
def list_(accounts: Accounts) -> None:
    """List the accounts and how many keys each has.

    \b
    Example:
      python -m services.gateway.accounts list
    """
    for kind, account, keys in accounts.listing():
        click.echo(f"{kind}\t{account}\t{keys}")


@main.command()
@KIND
@ID
@pass_accounts
def revoke(accounts: Accounts, kind: str, account: str) -> None:
    """End every key of an account at once.

    \b
    Example:
      python -m services.gateway.accounts revoke --kind platform --id acme
    """
    count = accounts.revoke(kind, account)
    click.echo(f"{count} key{'' if count == 1 else 's'} of {kind} {account} ended")


def _write(path: Path, key: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(key + "\n")


if __name__ == "__main__":
    main(prog_name="python -m services.gateway.accounts")
