"""The shape of a log line, the same from every process: JSON with time, level, service, request_id, game, version.

Lines never hold bodies, moves, cards or tokens; should a token slip into a message, it is blotted out.
"""

from __future__ import annotations

import logging.config
import re
import time
import traceback
from contextvars import ContextVar
from typing import Any

from pythonjsonlogger.json import JsonFormatter

REQUEST_ID_HEADER = "X-Request-Id"
TOKEN = re.compile(r"\b(pk|bt|st|sp)_[\w.-]+|(Service|Bearer) [\w.>-]+")

_context: ContextVar[dict[str, Any] | None] = ContextVar("log_context", default=None)


def bind(**fields: Any) -> None:
    """Adds fields (request_id, game, version) to every line logged from here on by this thread."""
    _context.set({**(_context.get() or {}), **fields})


def unbind() -> None:
    """Forgets what was bound: at the end of a request or task."""
    _context.set(None)


def bound_request_id() -> str | None:
    """The id of the request or task at hand, to pass on to the next service."""
    return (_context.get() or {}).get("request_id")


class LineFormatter(JsonFormatter):
    """One JSON object a line; knows the name of its service and what is bound."""

    def __init__(self, service: str) -> None:
        super().__init__("%(message)s", json_ensure_ascii=False)
        self.service = service

    def add_fields(self, log_data: dict[str, Any], record: logging.LogRecord, message_dict: dict[str, Any]) -> None:
        """Puts the fixed fields first, then the bound ones, then those given with `extra`."""
        log_data["time"] = self.formatTime(record)
        log_data["level"] = record.levelname.lower()
        log_data["service"] = self.service
        log_data.update(_context.get() or {})
        super().add_fields(log_data, record, message_dict)

    def formatTime(self, record: logging.LogRecord, datefmt: str | None = None) -> str:
        """RFC 3339 in UTC with milliseconds."""
        return f"{time.strftime('%Y-%m-%dT%H:%M:%S', time.gmtime(record.created))}.{int(record.msecs):03d}Z"

    def formatException(self, ei: Any) -> str:
        """Where it happened and what kind of error; its own words may quote what must not be logged."""
        return "".join(traceback.format_tb(ei[2])) + (ei[0].__name__ if ei[0] else "")

    def format(self, record: logging.LogRecord) -> str:
        """The line, with anything that looks like a token blotted out."""
        return TOKEN.sub(lambda found: f"{found[1] or found[2]}***", super().format(record))


def log_config(service: str, level: str = "INFO") -> dict[str, Any]:
    """Gives the logging configuration of a process (for `logging.config.dictConfig`): JSON lines on standard output.

    Libraries that quote arguments, addresses or return values are held back; our own layers log the same events.
    A level that does not exist counts as INFO: the settings say what is wrong with it.
    """
    known = level.upper() if level.upper() in logging.getLevelNamesMapping() else "INFO"
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"line": {"()": LineFormatter, "service": service}},
        "handlers": {"out": {"class": "logging.StreamHandler", "formatter": "line", "stream": "ext://sys.stdout"}},
        "root": {"level": known, "handlers": ["out"]},
        "loggers": {
            "urllib3": {"level": "WARNING"},
            "redis": {"level": "WARNING"},
            "celery.pool": {"level": "WARNING"},
            "celery.worker.strategy": {"level": "WARNING"},
            "celery.app.trace": {"level": "CRITICAL"},
            "gunicorn.error": {"level": "INFO", "handlers": [], "propagate": True},
            "gunicorn.access": {"level": "CRITICAL", "handlers": [], "propagate": False},
        },
    }


def configure_logs(service: str, level: str = "INFO") -> None:
    """Makes this process log as `log_config` says, Python's warnings too."""
    logging.captureWarnings(True)
    logging.config.dictConfig(log_config(service, level))
