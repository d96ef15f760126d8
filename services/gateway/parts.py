"""What the resources work with, found through the app that serves them."""

from __future__ import annotations

from dataclasses import dataclass

from flask import current_app

from services.gateway.external_bots import ExternalBots
from services.gateway.hub import Hub
from services.gateway.neighbours import Neighbour
from services.gateway.places import Places
from services.gateway.roster import Roster
from services.gateway.settings import Tuning
from services.gateway.tokens import Accounts, SignedTokens

EXTENSION = "gateway"


@dataclass(frozen=True)
class Parts:
    """The gateway's ways to everything outside the request."""

    tuning: Tuning
    tokens: SignedTokens
    accounts: Accounts
    game_state: Neighbour
    rules: Neighbour
    scoring: Neighbour
    ai: Neighbour
    external_bots: ExternalBots
    roster: Roster
    hub: Hub
    streams: Places
    waits: Places


def parts() -> Parts:
    """Gives the parts of the app at hand."""
    return current_app.extensions[EXTENSION]
