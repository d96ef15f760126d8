"""The Python SDK of Whistlestop: what platforms, bots and the AI workers use to talk to the gateway.

    from shared.client import Client

    host = Client("http://localhost:8000", "pk_...")
    game = host.create_game("usa", [{"bot": "greedy"}, {}])
    ann = host.with_token(host.claim_seat(game["game"], 1, "Ann")["token"])
    for item in ann.stream(game["game"]):
        ...

`python -m shared.client --help` is the same as a command line; how to make a bot tells README.md.
"""

from __future__ import annotations

from shared.client.bot import Bot, Question
from shared.client.client import Client
from shared.client.errors import ApiProblem, Conflict, RuleBroken, Unreachable
from shared.client.runner import run

__all__ = ["ApiProblem", "Bot", "Client", "Conflict", "Question", "RuleBroken", "Unreachable", "run"]
