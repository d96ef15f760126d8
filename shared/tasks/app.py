"""The one Celery app, for those who send tasks and for the workers.

A worker: `celery -A shared.tasks.app worker -I services.ai.tasks -Q ai.interactive,ai.fallback,ai.batch`.
From the environment: BROKER_URL, what its tasks need (shared/contracts/settings.py), LOG_LEVEL, STAGE, PROGRAM (its
name in the logs), METRICS_PORT (serve /metrics of all pool processes there; needs PROMETHEUS_MULTIPROC_DIR, a folder of
its own) and METRICS_HOST.
"""

from __future__ import annotations

import logging
import os
import time
from typing import Any

import celery as celery_library
from celery import signals

from shared.contracts.logs import bind, bound_request_id, configure_logs, unbind
from shared.contracts.production import production_faults
from shared.contracts.settings import NEEDED, WORK, fault, load, port_faults
from shared.tasks import metrics

REQUEST_ID = "request_id"
SENT_AT = "sent_at"
RUN = ("LOG_LEVEL", "STAGE", "METRICS_PORT", "METRICS_HOST", "PROMETHEUS_MULTIPROC_DIR")

log = logging.getLogger("whistlestop.tasks")


class Task(celery_library.Task):
    """Base of every task: logs and counts each run, with the request id of whoever sent it and the game it is about."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Runs the task; an error is logged where it happened and counted, then raised for Celery."""
        started = time.perf_counter()
        bind(request_id=self.request.get(REQUEST_ID) or self.request.id)
        if "game" in kwargs:
            bind(game=kwargs["game"])
        outcome = "failed"
        try:
            answer = super().__call__(*args, **kwargs)
            outcome = "done"
            return answer
        except Exception:
            log.exception("task failed", extra={"task": self.name})
            raise
        finally:
            seconds = time.perf_counter() - started
            metrics.TASK_SECONDS.labels(self.name, outcome).observe(seconds)
            log.info("task", extra={"task": self.name, "outcome": outcome, "ms": round(seconds * 1000, 2)})
            unbind()


def make_celery() -> celery_library.Celery:
    """Gives a Celery app; it reads its configuration, BROKER_URL too, when first used."""
    app = celery_library.Celery("whistlestop", task_cls=Task)
    app.config_from_object("shared.tasks.config")
    return app


celery = make_celery()


@signals.before_task_publish.connect
def say_where_from(headers: dict[str, Any], **_: Any) -> None:
    """Lets a task be found in the logs by the request that caused it, and tells how long it has waited."""
    headers[SENT_AT] = time.time()
    if request_id := bound_request_id():
        headers.setdefault(REQUEST_ID, request_id)


@signals.celeryd_init.connect
def check_settings(options: dict[str, Any], **_: Any) -> None:
    """Ends a worker with wrong settings or queues before it takes a task that it could not do."""
    given = options.get("queues") or ()
    consumed = given.split(",") if isinstance(given, str) else given
    unknown = [name for name in consumed if name not in WORK]
    faults = []
    if unknown or not consumed:
        faults.append(fault("-Q", ",".join(unknown), f"some of {', '.join(WORK)}"))
    if os.environ.get("METRICS_PORT") and not os.environ.get("PROMETHEUS_MULTIPROC_DIR"):
        faults.append(fault("PROMETHEUS_MULTIPROC_DIR", "", "a folder, to count in for METRICS_PORT"))
    kinds = ("worker", *(WORK[name] for name in consumed if name in WORK))
    found = load(_program(), dict.fromkeys([*(name for kind in kinds for name in NEEDED[kind]), *RUN]), faults=faults)
    faults = port_faults("METRICS_PORT", found["METRICS_HOST"], found["METRICS_PORT"])
    load(_program(), (), faults=[*faults, *production_faults(found)])


def _program() -> str:
    return os.environ.get("PROGRAM", "tasks")


@signals.setup_logging.connect
def log_as_services_do(**_: Any) -> None:
    """JSON lines from workers too; their name is that of the program, such as `bots`."""
    configure_logs(_program(), os.environ.get("LOG_LEVEL", "INFO"))


@signals.worker_ready.connect
def serve_metrics(**_: Any) -> None:
    """Answers /metrics from the worker's parent process when METRICS_PORT is set."""
    if port := os.environ.get("METRICS_PORT"):
        metrics.serve(int(port))


@signals.worker_process_shutdown.connect
def forget_process(pid: int, **_: Any) -> None:
    """Drops the gauges of a pool process that ended."""
    metrics.forget(pid)
