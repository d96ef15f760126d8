"""The services behind the gateway: asking them for the caller, and passing their answers on unparsed."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from flask import Response, g

from services.gateway.callers import missing
from shared.contracts.callers import CALLER_HEADER
from shared.web import Problem, Settings
from shared.web.client import Answer, ServiceClient, raise_for_problem

PASSED_ON = ("ETag", "Location")


class Neighbour:
    """One service behind the gateway."""

    def __init__(self, settings: Settings, name: str, base_url: str) -> None:
        self._name = name
        self._client = ServiceClient(settings, caller="gateway", callee=name, base_url=base_url)
        self.ping = self._client.ping

    def ask(
        self, method: str, path: str, *, headers: Mapping[str, str] | None = None, **rest: Any
    ) -> Answer:
        """Gives the answer to a question asked for the caller of this request. Raises its Problem if it is one."""
        asked_for = {CALLER_HEADER: g.caller.header} if g.caller else {}
        answer = self._client.request(method, path, headers={**asked_for, **(headers or {})}, **rest)
        try:
            return raise_for_problem(answer, self._name)
        except Problem as problem:
            if problem.status == HTTPStatus.NOT_FOUND:
                raise missing(problem.code) from None
            raise


def relay(answer: Answer) -> Response:
    """Gives an answer of a neighbour as ours, byte by byte."""
    response = Response(answer.content, answer.status_code, mimetype="application/json" if answer.content else None)
    for name in PASSED_ON:
        if name in answer.headers:
            response.headers[name] = answer.headers[name]
    return response
