"""Celery's configuration, read when the first task is sent or the worker starts.

A worker that dies gives its tasks back: a killed pool process within the five seconds after which the pool looks for
lost ones, a killed worker once `visibility_timeout` is over, which kombu checks as often as `unacked_restore_*` say.
"""

from __future__ import annotations

from shared.contracts.queues import QUEUE_OF
from shared.contracts.settings import NEEDED, load

VISIBILITY_SECONDS = 8

broker_url = load("worker", NEEDED["worker"])["BROKER_URL"]
broker_transport = "shared.tasks.transport:Transport"
broker_connection_timeout = 1
broker_connection_retry_on_startup = True
broker_connection_max_retries = None
broker_transport_options = {
    "visibility_timeout": VISIBILITY_SECONDS,
    "unacked_restore_interval": 2,
    "unacked_restore_throttle": 1,
    "socket_timeout": 5,
    "socket_connect_timeout": 1,
    "socket_keepalive": True,
    "health_check_interval": 15,
}

accept_content = ["json"]
task_serializer = "json"
task_ignore_result = True
task_acks_late = True
task_reject_on_worker_lost = True
worker_prefetch_multiplier = 1
task_soft_time_limit = 5
task_time_limit = 6
task_routes = {name: {"queue": queue} for name, queue in QUEUE_OF.items()}
task_publish_retry = False

worker_enable_remote_control = False
worker_send_task_events = False
worker_hijack_root_logger = False
worker_cancel_long_running_tasks_on_connection_loss = False
