"""Prometheus metrics, also when several processes serve one address (PROMETHEUS_MULTIPROC_DIR)."""

from __future__ import annotations

import os

from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, CollectorRegistry, Histogram, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector

REQUEST_SECONDS = Histogram(
    "whistlestop_request_seconds",
    "Time to answer a request.",
    ["service", "method", "route", "status"],
    buckets=(0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 3.0),
)

CONTENT_TYPE = CONTENT_TYPE_LATEST


def exposition() -> bytes:
    """Everything measured so far by all processes of this service, in the text format of Prometheus."""
    if "PROMETHEUS_MULTIPROC_DIR" not in os.environ:
        return generate_latest(REGISTRY)
    registry = CollectorRegistry()
    MultiProcessCollector(registry)
    return generate_latest(registry)
