"""gunicorn's threaded worker with an end to its patience: who sends, takes or closes slowly holds up nobody long."""

from __future__ import annotations

import errno
import json
import secrets
import socket
import time
from typing import Any

from gunicorn import util
from gunicorn.http import get_parser
from gunicorn.http.unreader import SocketUnreader
from gunicorn.workers import gthread
from gunicorn.workers.gthread import ThreadWorker

from shared.contracts.logs import REQUEST_ID_HEADER, bind, bound_request_id, unbind
from shared.contracts.problems import PROBLEM_TYPE
from shared.web.app import BODY_LIMIT
from shared.web.problems import common_problem

FIRST_BYTE_SECONDS = 0.05
REQUEST_SECONDS = 5.0
ANSWER_SECONDS = 10.0
VANISHED_SECONDS = 30
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
    """Serves a request whose head and body arrive within some seconds; the app answers 408 to a body that does not.

    A connection on which nothing was sent yet holds no thread, and when there are too many the one that has been idle
    longest makes room. A connection that does not take a part of an answer in time is cut.
    """

    def murder_keepalived(self, force: bool = False) -> None:
        """Closes connections that have been idle too long; called at the end of every turn of the accepting thread."""
        idle = self.pending_conns or self.keepalived_conns
        if idle and self.nr_conns >= self.worker_connections:
            idle[0].timeout = 0.0
        super().murder_keepalived(force)

    def handle(self, conn: Any) -> Any:
        """Serves the next request of a connection, in a thread."""
        if conn.parser is None:
            if not conn.wait_for_data(FIRST_BYTE_SECONDS):
                return gthread._DEFER
            _forget_when_vanished(conn.sock)
            conn.parser = get_parser(conn.cfg, conn.sock, conn.client)
            conn.parser.unreader = PunctualUnreader(conn.sock)
        conn.parser.unreader.deadline = time.monotonic() + REQUEST_SECONDS
        goes_on = super().handle(conn)
        if not goes_on:  # gunicorn would close it, waiting for the other side, in the thread that accepts all others
            util.close_graceful(conn.sock, LINGER_SECONDS)
            conn.close = _is_closed
        return goes_on

    def handle_request(self, req: Any, conn: Any) -> Any:
        """Answers a request, each part of the answer within some seconds; after one with more body than the app reads
        the connection ends, and the answer says so."""
        conn.sock.settimeout(ANSWER_SECONDS)
        if _may_be_large(req):
            req.force_close()
        try:
            return super().handle_request(req, conn)
        except TimeoutError:
            raise TimeoutError(errno.ECONNRESET, "the answer was not taken in time") from None

    def handle_error(self, req: Any, client: Any, addr: Any, exc: BaseException) -> None:
        """Refuses what is no request, before the app has seen it, under an id of its own."""
        bind(request_id=secrets.token_hex(8))
        super().handle_error(req, client, addr, exc)
        unbind()


def write_problem(sock: socket.socket, status: int, reason: str, message: str) -> None:
    """Writes a refusal of gunicorn's like every other one: as problem+json, which does not repeat what came."""
    body = json.dumps(common_problem(status).plain(), separators=(",", ":"))
    head = {"Connection": "close", "Content-Type": PROBLEM_TYPE, "Content-Length": len(body),
            REQUEST_ID_HEADER: bound_request_id()}  # fmt: skip
    lines = [f"HTTP/1.1 {status} {reason}", *(f"{name}: {value}" for name, value in head.items()), "", body]
    util.write_nonblock(sock, "\r\n".join(lines).encode())


util.write_error = write_problem  # gunicorn has no setting for it


def _may_be_large(req: Any) -> bool:
    """Whether the body is longer than the app reads, or of a length that is not told."""
    headers = dict(req.headers)
    return "TRANSFER-ENCODING" in headers or int(headers.get("CONTENT-LENGTH", 0)) > BODY_LIMIT


def _forget_when_vanished(sock: socket.socket) -> None:
    """Lets a connection end, where the system can do that, when its peer has long not confirmed what was sent."""
    option = getattr(socket, "TCP_USER_TIMEOUT", None)
    if option is not None and sock.family in (socket.AF_INET, socket.AF_INET6):
        sock.setsockopt(socket.IPPROTO_TCP, option, VANISHED_SECONDS * 1000)


def _is_closed(graceful: bool = False) -> None:
    """Stands in for the closing of a connection that has been closed."""
