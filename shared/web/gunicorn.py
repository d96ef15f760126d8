"""gunicorn settings of every service: `gunicorn -c python:shared.web.gunicorn services.<name>.wsgi:app`.

From the environment: BIND (127.0.0.1:8000), WORKERS (1), THREADS (8), GRACEFUL_SECONDS (10), LOG_LEVEL (INFO).
"""

from __future__ import annotations

import gc
import os
import re
import sys
import tempfile
from pathlib import Path
from typing import Any

os.environ.setdefault("PROMETHEUS_MULTIPROC_DIR", tempfile.mkdtemp(prefix="whistlestop-metrics-"))

from prometheus_client import multiprocess

from shared.contracts.logs import log_config
from shared.web.shutdown import watch_signals


def _service() -> str:
    found = re.search(r"services\.(\w+)\.wsgi", " ".join(sys.argv))
    return found[1] if found else "web"


bind = os.environ.get("BIND", "127.0.0.1:8000")
workers = int(os.environ.get("WORKERS", "1"))
threads = int(os.environ.get("THREADS", "8"))
worker_class = "gthread"
graceful_timeout = int(os.environ.get("GRACEFUL_SECONDS", "10"))
timeout = 30
keepalive = 75
backlog = 512
preload_app = True
control_socket_disable = True
proc_name = f"whistlestop-{_service()}"
logconfig_dict = log_config(_service(), os.environ.get("LOG_LEVEL", "INFO"))


def on_starting(server: Any) -> None:
    """Starts counting at zero."""
    for old in Path(os.environ["PROMETHEUS_MULTIPROC_DIR"]).glob("*.db"):
        old.unlink()


def when_ready(server: Any) -> None:
    """Keeps what was loaded before the fork out of the collector's sight, so that workers go on sharing it."""
    gc.freeze()


def post_worker_init(worker: Any) -> None:
    """Lets long requests know of SIGTERM."""
    watch_signals()


def child_exit(server: Any, worker: Any) -> None:
    """Forgets the gauges of a worker that ended."""
    multiprocess.mark_process_dead(worker.pid)
