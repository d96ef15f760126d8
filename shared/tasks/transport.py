"""kombu's Redis transport, set right in two things: a task that cannot be acknowledged no longer counts as running, and
tasks for which somebody waits go first.

A worker takes a new task for each one it has finished. Those whose acknowledgement failed because the broker was away
would never be finished for it: with all its processes waiting, it would take no task again and not even notice that
the connection is gone (kombu 5.7).
"""

from __future__ import annotations

from kombu.transport import redis, virtual
from kombu.utils.scheduling import round_robin_cycle

from shared.contracts.queues import FOR_NOBODY


class QoS(redis.QoS):
    """Knows which messages a consumer has taken and not acknowledged yet."""

    def ack(self, delivery_tag: str) -> None:
        """Acknowledges a message; raises what the broker's client raises, and gives its place free all the same."""
        try:
            super().ack(delivery_tag)
        except Exception:
            virtual.QoS.ack(self, delivery_tag)
            raise

    def reject(self, delivery_tag: str, requeue: bool = False) -> None:
        """Gives a message back, or drops it; as `ack` if that fails."""
        try:
            super().reject(delivery_tag, requeue)
        except Exception:
            virtual.QoS.ack(self, delivery_tag)
            raise


class PeopleFirst(round_robin_cycle):
    """The queues in the order in which a worker looks into them: in turn, those for which nobody waits last."""

    def consume(self, n: int) -> list[str]:
        """Gives the names of all queues; of those that hold a task the first gives one."""
        return sorted(super().consume(n), key=FOR_NOBODY.__contains__)


class Channel(redis.Channel):
    """A channel with that memory and that order."""

    QoS = QoS
    queue_order_strategy = PeopleFirst


class Transport(redis.Transport):
    """The transport for `broker_transport`."""

    Channel = Channel
