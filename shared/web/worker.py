"""gunicorn's threaded worker with an end to its patience: who sends or closes too slowly holds up nobody for long."""

from __future__ import annotations

import errno
import time
from typing import Any

from gunicorn.http import get_parser
from gunicorn.http.unreader import SocketUnreader
from gunicorn.util import close_graceful
from gunicorn.workers.gthread import ThreadWorker

REQUEST_SECONDS = 5.0
LINGER_SECONDS = 0.5


class PunctualUnreader(SocketUnreader):
    """Reads a connection; raises TimeoutError when a request is not there in full by its deadline."""

    deadline = float("inf")

    def chunk(self, size_hint: int | None = None) -> bytes:
        """Gives what comes next."""
        left = self.deadline - time.monotonic()
        usual = self.sock.gettimeout()
        try:
            if left <= 0:
                raise TimeoutError
            self.sock.settimeout(left if usual is None else min(left, usual))
            return super().chunk(size_hint)
        except TimeoutError:  # to gunicorn this number says that the client is to blame, not the server
            raise TimeoutError(errno.ECONNRESET, "the request did not arrive in time") from None
        finally:
            self.sock.settimeout(usual)


class PunctualWorker(ThreadWorker):
    """Serves a request whose head and body arrive within some seconds; the app answers 408 to a body that does not."""

    def handle(self, conn: Any) -> Any:
        """Serves the next request of a connection, in a thread."""
        if conn.parser is None:
            conn.parser = get_parser(conn.cfg, conn.sock, conn.client)
            conn.parser.unreader = PunctualUnreader(conn.sock)
        conn.parser.unreader.deadline = time.monotonic() + REQUEST_SECONDS
        goes_on = super().handle(conn)
        if not goes_on:  # gunicorn would close it, waiting for the other side, in the thread that accepts all others
            close_graceful(conn.sock, LINGER_SECONDS)
            conn.close = _is_closed
        return goes_on


def _is_closed(graceful: bool = False) -> None:
    """Stands in for the closing of a connection that has been closed."""
