"""The agenda dispatcher: sends the task for whatever is due. Run it with `python -m services.game_state.dispatcher`.

From the environment: STORE_URL, BROKER_URL, LOG_LEVEL, STAGE, METRICS_PORT (serve /metrics there) and METRICS_HOST.

It keeps nothing: several may run side by side, and one that dies in the middle costs only the time to the next attempt.
"""

from __future__ import annotations

import logging
import signal
import threading
import time
from collections.abc import Callable, Collection
from typing import Any

import redis
from kombu.exceptions import OperationalError
from prometheus_client import REGISTRY, Counter, start_http_server

from services.game_state.agenda import (
    AUDIT,
    BOT,
    BY_BOTS,
    DEADLINE,
    PROJECT,
    RESULT,
    SECOND,
    START,
    WORK,
    Agenda,
    Due,
)
from services.game_state.backlog import Backlog, QueueDepths
from services.game_state.clock import now_ms
from services.game_state.event_store import EventStore
from services.game_state.work_store import WorkStore
from shared.contracts import queues
from shared.contracts.logs import configure_logs
from shared.contracts.production import production_faults
from shared.contracts.settings import NEEDED, load, port_faults
from shared.tasks.app import celery
from shared.web.store import connect

log = logging.getLogger(__name__)

SWEEP_SECONDS = 0.5
PAUSE_SECONDS = 1.0
BROKER_TIMEOUTS = {"socket_timeout": 1, "socket_connect_timeout": 0.5}
STEPS = {
    START: (queues.MAINTENANCE_START_GAME,),
    BOT: (queues.AI_ANSWER, queues.AI_ANSWER, queues.AI_ANSWER_FALLBACK, queues.MAINTENANCE_FORCE_ANSWER),
    WORK: (queues.AI_ANSWER_FALLBACK, queues.MAINTENANCE_FORCE_ANSWER),
    DEADLINE: (queues.MAINTENANCE_FORCE_ANSWER,),
    PROJECT: (queues.SCORING_PROJECT,),
    RESULT: (queues.SCORING_RECORD_RESULT,),
    AUDIT: (queues.MAINTENANCE_AUDIT,),
}
"""The task of each attempt; later attempts get that of the last. A built-in bot is asked twice, then a fallback for it,
which is all there is to ask for an external bot that did not answer; then the decision is answered by default
(BASE-44)."""
ALL_SHARDS = frozenset(range(queues.SHARDS))

SENT = Counter("whistlestop_agenda_sent_total", "Tasks sent for what was due.", ["task"])
REPLACED = Counter("whistlestop_replaced_bots_total", "Decisions of external bots that the fallback was asked for.",
                   ["bot", "reason"])  # fmt: skip

Send = Callable[[str, dict[str, Any], float], object]


def task_of(due: Due) -> str:
    """Gives the name of the task that sees to a due member."""
    steps = STEPS[due.purpose]
    return steps[min(due.attempt, len(steps)) - 1]


class Dispatcher:
    """Sends what is due with `send(task, kwargs, seconds)`, which raises OperationalError while the broker is away.

    After the seconds the task is worth nothing, for by then the next attempt has come.
    """

    def __init__(self, store: redis.Redis, send: Send, backlog: Backlog) -> None:
        self._redis = store
        self._store = EventStore(store)
        self._agenda = Agenda(store)
        self._work = WorkStore(store)
        self._send = send
        self._backlog = backlog
        self._behind: dict[int, None] = {}  # shards whose bots may wait for room, in their turn
        self._paused_until = 0.0

    def run(self, stop: threading.Event) -> None:
        """Sweeps until told to stop: a shard as soon as it announces news, all of them every half second."""
        while not stop.is_set():
            try:
                self._follow(stop)
            except redis.RedisError as error:
                log.warning("the store is away: %s", type(error).__name__)
                stop.wait(PAUSE_SECONDS)

    def sweep(self, shards: Collection[int] = ALL_SHARDS) -> int:
        """Sends everything that is due on some shards; gives how much that was.

        Bots beyond the room in their queues stay due, and their shards come first the next time. While the broker is
        away nothing is claimed, for an attempt that could not be sent is none.
        """
        if time.monotonic() < self._paused_until:
            return 0
        try:
            room = self._backlog.room()
        except redis.RedisError:
            self._pause()
            return 0
        sent = 0
        for shard in dict.fromkeys([*self._behind, *shards]):
            if room == 0 and shard not in shards:
                continue
            claimed = self._agenda.claim(shard, bots=room)
            sent += self._dispatch(claimed)
            if time.monotonic() < self._paused_until:
                break
            if room:
                room = max(0, room - sum(due.purpose in BY_BOTS for due in claimed))
                self._behind.pop(shard, None)
            if room == 0:
                self._behind.setdefault(shard)
        return sent

    def _follow(self, stop: threading.Event) -> None:
        with self._redis.pubsub(ignore_subscribe_messages=True) as wakes:
            wakes.subscribe(queues.WAKE_CHANNEL)
            next_sweep = 0.0
            while not stop.is_set():
                woken = _woken(wakes, max(0.0, next_sweep - time.monotonic()))
                if time.monotonic() >= next_sweep:
                    woken = ALL_SHARDS
                    next_sweep = time.monotonic() + SWEEP_SECONDS
                self.sweep(woken)

    def _dispatch(self, claimed: list[Due]) -> int:
        for place, due in enumerate(claimed):
            task, details = task_of(due), self._details(due)
            try:
                self._send(task, details, due.delay / SECOND)
            except OperationalError:
                self._pause()
                self._agenda.give_back(claimed[place:], due=now_ms() + SECOND)
                return place
            SENT.labels(task).inc()
            if due.purpose == WORK and due.attempt == 1:
                REPLACED.labels(self._bot(due), self._work.why_unanswered(due.game, due.decision)).inc()
        return len(claimed)

    def _pause(self) -> None:
        log.warning("the broker is away; tasks wait")
        self._paused_until = time.monotonic() + PAUSE_SECONDS

    def _details(self, due: Due) -> dict[str, Any]:
        details: dict[str, Any] = {"game": due.game}
        if due.decision:
            details["decision"] = due.decision
        if task_of(due) == queues.AI_ANSWER:
            details["bot"] = self._bot(due)
        return details

    def _bot(self, due: Due) -> str | None:
        return self._store.bot_of(due.game, int(due.decision.partition(".")[2]))


def _woken(wakes: redis.client.PubSub, seconds: float) -> set[int]:
    """Waits for news; gives the shards that have some."""
    shards = set()
    message = wakes.get_message(timeout=seconds)
    while message is not None:
        shards.add(int(message["data"]))
        message = wakes.get_message(timeout=0)
    return shards


def _send(task: str, details: dict[str, Any], seconds: float) -> None:
    celery.send_task(task, kwargs=details, expires=seconds)


def main() -> None:
    """Runs a dispatcher until SIGTERM or SIGINT."""
    given = load("agenda", (*NEEDED["agenda"], "LOG_LEVEL", "STAGE", "METRICS_PORT", "METRICS_HOST"))
    load("agenda", (), faults=[*port_faults("METRICS_PORT", given["METRICS_HOST"], given["METRICS_PORT"]),
                               *production_faults(given)])
    configure_logs("agenda", given["LOG_LEVEL"])
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    if given["METRICS_PORT"]:
        start_http_server(int(given["METRICS_PORT"]), addr=given["METRICS_HOST"])
    celery.conf.broker_transport_options |= BROKER_TIMEOUTS
    store = connect(given["STORE_URL"], decode_responses=True)
    broker = connect(given["BROKER_URL"], **BROKER_TIMEOUTS)
    REGISTRY.register(QueueDepths(broker))
    log.info("started")
    Dispatcher(store, _send, Backlog(broker)).run(stop)
    log.info("stopped")


if __name__ == "__main__":
    main()
