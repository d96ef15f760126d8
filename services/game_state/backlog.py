"""How many bots may be asked at once: a full queue must not look like bots that fail.

An attempt is counted when its task is sent, so a task is sent only when the workers will soon take it up.
"""

from __future__ import annotations

import time
from collections.abc import Iterator

import redis
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from shared.contracts.queues import AI_INTERACTIVE, MAINTENANCE, SCORING_COMMITS

MOST_WAITING = 8
"""Enough for workers never to wait, for every answer wakes the dispatcher; few enough to be taken up before a second
attempt is due, even where a bot thinks for a second."""
STUCK_SECONDS = 15.0
"""Longer than busy workers, who turn from queue to queue and may spend six seconds on a task, let one wait in front."""


class Backlog:
    """The bots' queue in the broker. Raises redis.RedisError while the broker is away."""

    def __init__(self, broker: redis.Redis) -> None:
        self._broker = broker
        self._front: object = None
        self._front_since = 0.0

    def room(self) -> int | None:
        """Gives how many tasks the queue has room for; None, for any number, when nobody takes from it.

        Attempts must count when the workers are dead, or a game would wait for them for ever.
        """
        with self._broker.pipeline(transaction=False) as pipe:
            pipe.llen(AI_INTERACTIVE)
            pipe.lindex(AI_INTERACTIVE, -1)
            waiting, front = pipe.execute()
        now = time.monotonic()
        if front is None or front != self._front:
            self._front, self._front_since = front, now
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
