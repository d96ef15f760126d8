"""gunicorn settings of every service: `gunicorn -c python:shared.web.gunicorn services.<name>.wsgi:app`.

From the environment: BIND (127.0.0.1:8000), WORKERS (1), THREADS (8), GRACEFUL_SECONDS (10), LOG_LEVEL (INFO),
PROMETHEUS_MULTIPROC_DIR (an existing folder for this service alone; needed when there are several workers).
"""

from __future__ import annotations

import gc
import os
import re
import sys
from pathlib import Path
from typing import Any

from prometheus_client import multiprocess

from shared.contracts.logs import log_config
from shared.web.settings import LEVELS
from shared.web.shutdown import watch_signals

METRICS_FOLDER = os.environ.get("PROMETHEUS_MULTIPROC_DIR")


def _service() -> str:
    found = re.search(r"services\.(\w+)\.wsgi", " ".join(sys.argv))
    return found[1] if found else "web"


def _log_level() -> str:
    """A level that does not exist is for the settings of the service to report."""
    given = os.environ.get("LOG_LEVEL", "INFO").upper()
    return given if given in LEVELS else "INFO"


def _start_counting_at_zero() -> None:
    if METRICS_FOLDER:
        for old in Path(METRICS_FOLDER).glob("*.db"):
            old.unlink()
    elif workers > 1:
        sys.exit("PROMETHEUS_MULTIPROC_DIR must name a folder when there are several workers")


bind = os.environ.get("BIND", "127.0.0.1:8000")
workers = int(os.environ.get("WORKERS", "1"))
threads = int(os.environ.get("THREADS", "8"))
worker_class = "shared.web.worker.PunctualWorker"
graceful_timeout = int(os.environ.get("GRACEFUL_SECONDS", "10"))
timeout = 30
keepalive = 75
backlog = 512
preload_app = True
control_socket_disable = True
proc_name = f"whistlestop-{_service()}"
logconfig_dict = log_config(_service(), _log_level())


def when_ready(server: Any) -> None:
    """Keeps what was loaded before the fork out of the collector's sight, so that workers go on sharing it."""
    gc.freeze()


def post_worker_init(worker: Any) -> None:
    """Lets long requests know of SIGTERM."""
    watch_signals()


def child_exit(server: Any, worker: Any) -> None:
    """Forgets the gauges of a worker that ended."""
    if METRICS_FOLDER:
        multiprocess.mark_process_dead(worker.pid)


_start_counting_at_zero()
