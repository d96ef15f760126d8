"""Metrics of a Celery worker: written by its pool processes, served by their parent (PROMETHEUS_MULTIPROC_DIR)."""

from __future__ import annotations

import os

from prometheus_client import CollectorRegistry, Histogram, start_http_server
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead

TASK_SECONDS = Histogram(
    "whistlestop_task_seconds",
    "Time to run a task.",
    ["task", "outcome"],
    buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 3.0, 10.0),
)


def serve(port: int) -> None:
    """Answers /metrics on 127.0.0.1 (METRICS_HOST to change) with what all pool processes measured."""
    registry = CollectorRegistry()
    MultiProcessCollector(registry)
    start_http_server(port, addr=os.environ.get("METRICS_HOST", "127.0.0.1"), registry=registry)


def forget(pid: int) -> None:
    """Drops the gauges of a process that ended."""
    if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
        mark_process_dead(pid)
