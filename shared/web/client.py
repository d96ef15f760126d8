"""Calls from one service to another."""

from __future__ import annotations

import json as json_library
import logging
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

import urllib3
from urllib3.exceptions import HTTPError, NewConnectionError, ProtocolError

from shared.contracts.logs import REQUEST_ID_HEADER, bound_request_id
from shared.contracts.problems import PROBLEM_TYPE
from shared.contracts.settings import Settings
from shared.web.problems import Problem
from shared.web.service_auth import SERVICE_CODES, ServiceToken

TIMEOUT = (0.5, 3.0)
KEPT_CONNECTIONS = 64
RETRIED = ("GET", "PUT")

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Answer:
    """What a service answered, read to its end; names of headers may be written large or small."""

    status_code: int
    headers: Mapping[str, str]
    content: bytes

    @property
    def ok(self) -> bool:
        """Whether the status is no error."""
        return self.status_code < 400

    def json(self) -> Any:
        """The parsed body. Raises ValueError when it is no JSON."""
        return json_library.loads(self.content)


class ServiceClient:
    """Calls `callee` on behalf of `caller`; safe to share between threads, keeps connections open.

    It stands on urllib3 alone: on this hot path requests would double the work of a call.
    """

    def __init__(self, settings: Settings, *, caller: str, callee: str, base_url: str) -> None:
        self.callee = callee
        self._token = ServiceToken(settings.service_secret, caller, callee)
        self._prefix = urllib3.util.parse_url(base_url).path or ""
        self._pool = urllib3.connection_from_url(base_url, maxsize=KEPT_CONNECTIONS)

    def request(
        self,
        method: str,
        path: str,
        *,
        json: Any = None,
        data: bytes | None = None,
        headers: Mapping[str, str] | None = None,
        params: Mapping[str, Any] | None = None,
        safe: bool | None = None,
        timeout: tuple[float, float] = TIMEOUT,
    ) -> Answer:
        """Gives the answer, whatever its status (`raise_for_problem` turns errors into exceptions).

        A GET or PUT, or any call said to be `safe` to repeat, is tried once more when the connection fails. Raises
        Problem 503 `<callee>_unavailable` when no whole answer comes. Parameters that are None are left out.
        """
        if json is not None:
            data = json_library.dumps(json, ensure_ascii=False, separators=(",", ":")).encode()
        query = urlencode({name: value for name, value in (params or {}).items() if value is not None})
        target = f"{self._prefix.rstrip('/')}{path}{'?' if query else ''}{query}"
        sent = self._headers(headers, data)
        tries = 2 if (method in RETRIED if safe is None else safe) else 1
        while True:
            tries -= 1
            try:
                answer = self._pool.urlopen(method, target, data, sent, retries=False, redirect=False,
                                            timeout=urllib3.Timeout(connect=timeout[0], read=timeout[1]))
            except HTTPError as error:
                if tries and isinstance(error, ProtocolError | NewConnectionError):
                    continue
                raise self._unavailable(error) from None
            return Answer(answer.status, answer.headers, answer.data)

    def ping(self) -> None:
        """Raises Problem 503 unless the callee is alive; made for `add_readiness`."""
        raise_for_problem(self.request("GET", "/healthz"), self.callee)

    def _headers(self, given: Mapping[str, str] | None, data: bytes | None) -> dict[str, str]:
        headers = {"Authorization": self._token.header()}
        if data is not None:
            headers["Content-Type"] = "application/json"
        if request_id := bound_request_id():
            headers[REQUEST_ID_HEADER] = request_id
        return {**headers, **(given or {})}

    def _unavailable(self, error: Exception) -> Problem:
        log.warning("no answer", extra={"callee": self.callee, "error": type(error).__name__})
        return Problem(503, f"{self.callee}_unavailable", "A part of Whistlestop is not reachable; try again soon.",
                       retry_after=1)


def raise_for_problem(answer: Answer, callee: str = "upstream") -> Answer:
    """Gives the answer back, or raises the Problem it holds; a refusal of our own service token is a 503."""
    if answer.ok:
        return answer
    if not answer.headers.get("Content-Type", "").startswith(PROBLEM_TYPE):
        raise Problem(502, f"{callee}_failed", "A part of Whistlestop gave an answer that makes no sense.")
    body = answer.json()
    if body.get("code") in SERVICE_CODES:
        log.error("service token refused", extra={"callee": callee, "problem": body["code"]})
        raise Problem(503, f"{callee}_unavailable", retry_after=1)
    kept = {name: answer.headers[name] for name in ("Retry-After", "Allow") if name in answer.headers}
    raise Problem(answer.status_code, body.get("code", ""), body.get("detail", ""), errors=body.get("errors", ()),
                  violations=body.get("violations", ()), headers=kept)
