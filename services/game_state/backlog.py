"""How many bots may be asked at once: a full queue must not look like bots that fail.

An attempt is counted when its task is sent, so a task is sent only when the workers will soon take it up.
"""

from __future__ import annotations

import time
from collections.abc import Iterator

import redis
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from shared.contracts.queues import AI_FALLBACK, AI_INTERACTIVE, MAINTENANCE, SCORING_COMMITS

MOST_WAITING = 8
"""Enough for workers never to wait, for every answer wakes the dispatcher; few enough to be taken up before a second
attempt is due, even where a bot thinks for a second."""
STUCK_SECONDS = 15.0
"""Longer than busy workers, who turn from queue to queue and may spend six seconds on a task, let one wait in front."""


class Backlog:
    """The bots' queues in the broker. Raises redis.RedisError while the broker is away."""

    def __init__(self, broker: redis.Redis) -> None:
        self._broker = broker
        self._fronts: list[object] = []
        self._front_since = 0.0

    def room(self) -> int | None:
        """Gives how many tasks the queues have room for; None, for any number, when nobody takes from them.

        Attempts must count when the workers are dead, or a game would wait for them for ever.
        """
        with self._broker.pipeline(transaction=False) as pipe:
            for queue in (AI_INTERACTIVE, AI_FALLBACK):
                pipe.llen(queue).lindex(queue, -1)
            found = pipe.execute()
        waiting, fronts = sum(found[::2]), found[1::2]
        now = time.monotonic()
        if not waiting or fronts != self._fronts:
            self._fronts, self._front_since = fronts, now
        return None if now - self._front_since > STUCK_SECONDS else max(0, MOST_WAITING - waiting)


class QueueDepths(Collector):
    """For the metrics: how many tasks wait in the queues that are not for bots; nothing while the broker is away."""

    def __init__(self, broker: redis.Redis) -> None:
        self._broker = broker

    def describe(self) -> Iterator[GaugeMetricFamily]:
        """Gives the metric without asking the broker."""
        yield GaugeMetricFamily("whistlestop_queue_depth", "Tasks that no worker has taken yet.", labels=["queue"])

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """Gives the metric."""
        for depths in self.describe():
            try:
                for queue in (SCORING_COMMITS, MAINTENANCE):
                    depths.add_metric([queue], self._broker.llen(queue))
            except redis.RedisError:
                return
            yield depths
