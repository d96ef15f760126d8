"""Accounts of platforms and bots at the command line: `python -m services.gateway.accounts --help`."""

from __future__ import annotations

import os
from pathlib import Path

import click
import redis

from services.gateway.tokens import ACCOUNT, BOT, PLATFORM, PREFIXES, Accounts
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


@click.group(help="Keys of platforms and bots. Only their SHA-256 is stored; a key is shown once.")
@click.option("--store-url", envvar="STORE_URL", required=True, help="Where the keys are kept (STORE_URL).")
@click.pass_context
def main(context: click.Context, store_url: str) -> None:
    context.obj = Accounts(connect(store_url, decode_responses=True))


@main.command(help="Create a key and print it; earlier keys of the account stay valid.")
@KIND
@ID
@click.pass_obj
def create(accounts: Accounts, kind: str, account: str) -> None:
    click.echo(accounts.create(kind, account))


@main.command(help="See to it that the key in a file is valid; create key and file (mode 0600) if there is none.")
@KIND
@ID
@click.option("--token-file", type=click.Path(path_type=Path, dir_okay=False), required=True)
@click.pass_obj
def ensure(accounts: Accounts, kind: str, account: str, token_file: Path) -> None:
    if token_file.exists():
        key = token_file.read_text().strip()
        if not key.startswith(PREFIXES[kind]):
            raise click.ClickException(f"{token_file} holds no key of a {kind}; it would start with {PREFIXES[kind]}")
        accounts.register(kind, account, key)
    else:
        _write(token_file, accounts.create(kind, account))


@main.command("list", help="List the accounts and how many keys each has.")
@click.pass_obj
def list_(accounts: Accounts) -> None:
    for kind, account, keys in accounts.listing():
        click.echo(f"{kind}\t{account}\t{keys}")


@main.command(help="End every key of an account at once.")
@KIND
@ID
@click.pass_obj
def revoke(accounts: Accounts, kind: str, account: str) -> None:
    count = accounts.revoke(kind, account)
    click.echo(f"{count} key{'' if count == 1 else 's'} of {kind} {account} ended")


def _write(path: Path, key: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(key + "\n")


if __name__ == "__main__":
    try:
        main()
    except redis.RedisError as error:
        raise SystemExit(f"The store does not answer: {error}") from error
