"""What all commands have in common: whom they talk to, and what they say when that does not go well."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import click

from shared.catalog import UnknownId
from shared.client import local_stack
from shared.client.advice import advice
from shared.client.client import Client
from shared.client.errors import ApiProblem, Unreachable
from shared.kernel import Malformed

PATIENCE_SECONDS = 3.0


class InOrder(click.Group):
    """Lists its commands in the order in which they are used."""

    def list_commands(self, context: click.Context) -> list[str]:
        """The commands as they stand in this file."""
        return list(self.commands)


class Teaching(InOrder):
    """Tells in words what the gateway refused and what to do about it, and ends with 1."""

    def invoke(self, context: click.Context) -> Any:
        try:
            return super().invoke(context)
        except ApiProblem as problem:
            raise click.ClickException("\n".join(filter(None, [problem.in_words(), advice(problem)]))) from problem
        except Unreachable as error:
            raise click.ClickException(f"{error}\nIs the stack up? Start it with: make up") from error
        except (UnknownId, Malformed) as error:
            raise click.ClickException(f"This game cannot be read here ({error}): is the gateway of another version?"
                                       ) from error


def pass_client(command: Callable[..., None]) -> Callable[..., None]:
    """Gives a command the client of whoever calls it as its first argument."""

    @functools.wraps(command)
    def with_client(*args: Any, **options: Any) -> None:
        command(_client(**click.get_current_context().find_root().params), *args, **options)

    return with_client


def _client(url: str | None, token: str | None) -> Client:
    if url is None and (url := local_stack.address()):
        click.echo(f"Using the local stack at {url}; WHISTLESTOP_URL or --url names another.", err=True)
    try:
        return Client(url or local_stack.NOBODY, token, patience=PATIENCE_SECONDS)
    except ValueError as error:
        raise click.UsageError(str(error)) from error
