"""What the use cases work with: game-state's logs, and the projections kept of them."""

from __future__ import annotations

from dataclasses import dataclass

import redis

from services.scoring.game_state import GameState
from services.scoring.projection import Projections
from shared.web import Settings
from shared.web.client import ServiceClient


@dataclass(frozen=True)
class Adapters:
    """The service's way to everything outside it."""

    game_state: GameState
    projections: Projections


def adapters_of(settings: Settings, store: redis.Redis) -> Adapters:
    """Gives the adapters of a process; they connect on first use."""
    client = ServiceClient(settings, caller="scoring", callee="game_state", base_url=settings.game_state_url)
    return Adapters(GameState(client), Projections(store))
