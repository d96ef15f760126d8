"""gunicorn settings of every service: `gunicorn -c python:shared.web.gunicorn services.<name>.wsgi:app`.

From the environment: BIND (127.0.0.1:8000), WORKERS (1), THREADS (8), GRACEFUL_SECONDS (10), LOG_LEVEL (INFO),
STAGE (development; production is stricter), PROMETHEUS_MULTIPROC_DIR (an existing folder for this
service alone; needed when there are several workers).
"""

from __future__ import annotations

import gc
import re
import sys
import threading
from pathlib import Path
from typing import Any

from prometheus_client import multiprocess

from shared.contracts.logs import log_config
from shared.contracts.production import production_faults
from shared.contracts.settings import NEEDED, fault, load, port_faults
from shared.web.shutdown import stopping, watch_signals

NAMES = ("LOG_LEVEL", "STAGE", "BIND", "WORKERS", "THREADS", "GRACEFUL_SECONDS", "PROMETHEUS_MULTIPROC_DIR")


def _service() -> str:
    found = re.search(r"services\.(\w+)\.wsgi", " ".join(sys.argv))
    return found[1] if found else "web"


def _start_counting_at_zero() -> None:
    for old in Path(METRICS_FOLDER).glob("*.db") if METRICS_FOLDER else ():
        old.unlink()


SERVICE = _service()
given = load(SERVICE, (*NEEDED.get(SERVICE, ()), *NAMES))
METRICS_FOLDER = given["PROMETHEUS_MULTIPROC_DIR"]
if given["WORKERS"] != "1" and not METRICS_FOLDER:
    load(SERVICE, (), faults=[fault("PROMETHEUS_MULTIPROC_DIR", "", "a folder when there are several workers")])

bind = given["BIND"]
workers = int(given["WORKERS"])
threads = int(given["THREADS"])
worker_class = "shared.web.worker.PunctualWorker"
graceful_timeout = int(given["GRACEFUL_SECONDS"])
timeout = 30
keepalive = 75
backlog = 512
preload_app = True
control_socket_disable = True
proc_name = f"whistlestop-{SERVICE}"
logconfig_dict = log_config(SERVICE, given["LOG_LEVEL"])


def on_starting(server: Any) -> None:
    """Ends the process where something else serves already, or what production needs is not there."""
    host, _, port = given["BIND"].rpartition(":")
    taken = port_faults("BIND", host, port) if host != "unix" else []
    load(SERVICE, (), faults=[*taken, *production_faults(given)])


def when_ready(server: Any) -> None:
    """Keeps what was loaded before the fork out of the collector's sight, so that workers go on sharing it."""
    gc.freeze()


def post_worker_init(worker: Any) -> None:
    """Lets long requests and background threads know of SIGTERM, and starts those threads."""
    watch_signals()
    for run in getattr(worker.wsgi, "background", ()):
        threading.Thread(target=run, args=(stopping,), daemon=True).start()


def child_exit(server: Any, worker: Any) -> None:
    """Forgets the gauges of a worker that ended."""
    if METRICS_FOLDER:
        multiprocess.mark_process_dead(worker.pid)


_start_counting_at_zero()
