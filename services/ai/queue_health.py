"""How long the queues of the bots are in the broker, and how long their tasks wait."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass

import redis
from prometheus_client import Gauge

from shared.contracts.queues import AI_BATCH, AI_FALLBACK, AI_INTERACTIVE, ARENA
from shared.tasks.app import SENT_AT

QUEUES = (AI_INTERACTIVE, AI_FALLBACK, AI_BATCH, ARENA)

DEPTH = Gauge("whistlestop_queue_depth", "Tasks that no worker has taken yet.", ["queue"],
              multiprocess_mode="mostrecent")
OLDEST = Gauge("whistlestop_queue_oldest_seconds", "How long the oldest task of a queue has waited.", ["queue"],
               multiprocess_mode="mostrecent")


@dataclass(frozen=True)
class Waiting:
    """The tasks of one queue that no worker has taken yet: how many, and how long the oldest of them waits."""

    queue: str
    depth: int
    oldest_seconds: float


class QueueHealth:
    """The queues in the broker; raises redis.RedisError while it is away."""

    def __init__(self, broker: redis.Redis) -> None:
        self._broker = broker

    def depth(self, queue: str) -> int:
        """Gives how many tasks of a queue no worker has taken yet."""
        return self._broker.llen(queue)

    def measure(self) -> None:
        """Sets the gauges."""
        for waiting in self.read():
            DEPTH.labels(waiting.queue).set(waiting.depth)
            OLDEST.labels(waiting.queue).set(waiting.oldest_seconds)

    def read(self) -> list[Waiting]:
        """Gives what waits in each queue."""
        with self._broker.pipeline(transaction=False) as pipe:
            for queue in QUEUES:
                pipe.llen(queue)
                pipe.lindex(queue, -1)
            found = pipe.execute()
        return [Waiting(queue, depth, _age(oldest))
                for queue, depth, oldest in zip(QUEUES, found[::2], found[1::2], strict=True)]


def _age(message: bytes | None) -> float:
    sent_at = json.loads(message)["headers"].get(SENT_AT) if message else None
    return max(0.0, time.time() - sent_at) if sent_at else 0.0
