"""Calls from one service to another."""

from __future__ import annotations

import json as json_library
import logging
from collections.abc import Mapping
from typing import Any

import requests
from requests.adapters import HTTPAdapter

from shared.contracts.logs import REQUEST_ID_HEADER, bound_request_id
from shared.contracts.problems import PROBLEM_TYPE
from shared.web.problems import Problem
from shared.web.service_auth import SERVICE_CODES, ServiceToken
from shared.web.settings import Settings

TIMEOUT = (0.5, 3.0)
KEPT_CONNECTIONS = 64
RETRIED = ("GET", "PUT")

log = logging.getLogger(__name__)


class ServiceClient:
    """Calls `callee` on behalf of `caller`; safe to share between threads, keeps connections open.

    Without `caller` and secret (settings of a bot) no service token is sent.
    """

    def __init__(self, settings: Settings, *, caller: str, callee: str, base_url: str) -> None:
        self.callee = callee
        self._base_url = base_url.rstrip("/")
        self._token = ServiceToken(settings.service_secret, caller, callee)
        self._adapter = HTTPAdapter(pool_maxsize=KEPT_CONNECTIONS, max_retries=0)

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
    ) -> requests.Response:
        """Gives the answer, whatever its status (`raise_for_problem` turns errors into exceptions).

        A GET or PUT, or any call said to be `safe` to repeat, is tried once more when the connection fails. Raises
        Problem 503 `<callee>_unavailable` when no answer comes.
        """
        if json is not None:
            data = json_library.dumps(json, ensure_ascii=False, separators=(",", ":")).encode()
        prepared = requests.Request(method, self._base_url + path, data=data, params=params,
                                    headers=self._headers(headers, data)).prepare()
        tries = 2 if (method in RETRIED if safe is None else safe) else 1
        while True:
            tries -= 1
            try:
                return _read(self._adapter.send(prepared, timeout=timeout))
            except requests.ConnectionError as error:
                if tries and not isinstance(error, requests.ConnectTimeout):
                    continue
                raise self._unavailable(error) from None
            except requests.RequestException as error:
                raise self._unavailable(error) from None

    def ping(self) -> None:
        """Raises Problem 503 unless the callee is alive; made for `add_readiness`."""
        raise_for_problem(self.request("GET", "/healthz"), self.callee)

    def _headers(self, given: Mapping[str, str] | None, data: bytes | None) -> dict[str, str]:
        headers = {"Authorization": self._token.header(), "Accept-Encoding": "identity"}
        if data is not None:
            headers["Content-Type"] = "application/json"
        if request_id := bound_request_id():
            headers[REQUEST_ID_HEADER] = request_id
        return {**headers, **(given or {})}

    def _unavailable(self, error: Exception) -> Problem:
        log.warning("no answer", extra={"callee": self.callee, "error": type(error).__name__})
        return Problem(503, f"{self.callee}_unavailable", "A part of Whistlestop is not reachable; try again soon.",
                       retry_after=1)


def _read(response: requests.Response) -> requests.Response:
    """Reads the whole body, so that a connection that breaks in its middle gave no answer and a good one is kept."""
    response.content  # noqa: B018
    return response


def raise_for_problem(response: requests.Response, callee: str = "upstream") -> requests.Response:
    """Gives the response back, or raises the Problem it holds; a refusal of our own service token is a 503."""
    if response.status_code < 400:
        return response
    if not response.headers.get("Content-Type", "").startswith(PROBLEM_TYPE):
        raise Problem(502, f"{callee}_failed", "A part of Whistlestop gave an answer that makes no sense.")
    body = response.json()
    if body.get("code") in SERVICE_CODES:
        log.error("service token refused", extra={"callee": callee, "problem": body["code"]})
        raise Problem(503, f"{callee}_unavailable", retry_after=1)
    kept = {name: response.headers[name] for name in ("Retry-After", "Allow") if name in response.headers}
    raise Problem(response.status_code, body.get("code", ""), body.get("detail", ""), errors=body.get("errors", ()),
                  violations=body.get("violations", ()), headers=kept)
