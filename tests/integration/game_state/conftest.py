from __future__ import annotations

import pytest
import redis

from services.game_state.keys import shard_key
from shared.contracts.queues import QUEUE_OF, SHARDS
from tests.game_state import GameState, gs, rules_url

__all__ = ["gs", "rules_url"]


@pytest.fixture
def nothing_due(gs: GameState, broker_url: str) -> None:
    """Clears what other tests have left to do: there are no workers here, so it would fill the queues for good."""
    gs.redis.delete(*[shard_key(shard, "agenda") for shard in range(SHARDS)])
    with redis.Redis.from_url(broker_url) as broker:
        broker.delete(*QUEUE_OF.values())
