"""Errors as RFC 9457 problem+json: the one exception that services raise, and what everything else becomes."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable, Mapping
from http import HTTPStatus
from typing import Any

from flask import Flask, Response
from werkzeug.exceptions import ClientDisconnected, HTTPException

from shared.contracts.logs import bound_request_id
from shared.contracts.problems import PROBLEM_TYPE, field_errors

log = logging.getLogger(__name__)

COMMON = {
    400: ("malformed_request", "The request could not be understood."),
    401: ("unauthorized", "A valid token is needed."),
    403: ("forbidden", "This token does not allow that."),
    404: ("not_found", "There is nothing here, or nothing that this caller may see."),
    405: ("method_not_allowed", "This resource does not know that method."),
    406: ("not_acceptable", "There is no representation of the kind asked for."),
    408: ("request_timeout", "The request did not arrive in time."),
    411: ("length_required", "The length of the body must be given."),
    413: ("body_too_large", "The body is larger than is allowed here."),
    414: ("uri_too_long", "The address is too long."),
    415: ("unsupported_media_type", "The body must be application/json."),
    422: ("invalid_request", "Some fields of the request are not as they should be."),
    429: ("too_many_requests", "Too many requests; slow down."),
    431: ("headers_too_large", "The headers are too large."),
    500: ("internal_error", "Something went wrong on our side. Quote the request id when you report it."),
    503: ("unavailable", "This is not available right now; try again soon."),
}
LOCATIONS_IN_BODY = ("json", "form", "files")


class Problem(Exception):
    """An error answer. Raise it anywhere below a request handler; the app turns it into problem+json.

    `errors` are [{pointer, code, detail}], `violations` are [{code, rule, text, data}]; `retry_after` is in seconds.
    """

    def __init__(
        self,
        status: int,
        code: str,
        detail: str = "",
        *,
        errors: Iterable[Mapping[str, str]] = (),
        violations: Iterable[Mapping[str, Any]] = (),
        retry_after: int | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(f"{status} {code}: {detail}")
        self.status = status
        self.code = code
        self.detail = detail or COMMON.get(status, COMMON[500])[1]
        self.errors = [dict(error) for error in errors]
        self.violations = [dict(violation) for violation in violations]
        self.headers = dict(headers or {})
        if retry_after is not None:
            self.headers["Retry-After"] = str(retry_after)

    def plain(self) -> dict[str, Any]:
        """The body as it goes over the wire."""
        return {
            "type": "about:blank",
            "title": HTTPStatus(self.status).phrase,
            "status": self.status,
            "detail": self.detail,
            "code": self.code,
            "request_id": bound_request_id() or "",
            "errors": self.errors,
            "violations": self.violations,
        }

    def response(self) -> Response:
        """The whole answer."""
        body = json.dumps(self.plain(), ensure_ascii=False, separators=(",", ":"))
        return Response(body, self.status, self.headers, content_type=PROBLEM_TYPE)


def common_problem(status: int, *, headers: Mapping[str, str] | None = None, errors: Iterable = ()) -> Problem:
    """The problem of a status that has nothing special to say."""
    code, detail = COMMON.get(status, (HTTPStatus(status).name.lower(), HTTPStatus(status).phrase))
    return Problem(status, code, detail, headers=headers, errors=errors)


def problem_of(error: HTTPException) -> Problem:
    """The problem a framework's refusal stands for, with pointers to the fields a schema refused."""
    if isinstance(error, ClientDisconnected):
        return common_problem(408)
    data = getattr(error, "data", None) or {}
    headers = {name: value for name, value in error.get_headers() if name in ("Allow", "Retry-After")}
    return common_problem(
        error.code or 500,
        headers={**headers, **(data.get("headers") or {})},
        errors=_errors_by_location(data.get("messages") or {}),
    )


def _errors_by_location(messages: Mapping[str, Any]) -> list[dict[str, str]]:
    errors = []
    for location, found in messages.items():
        for error in field_errors(found):
            if location not in LOCATIONS_IN_BODY:
                mark = "?" if location in ("query", "querystring") else f"{location}:"
                error = {**error, "pointer": mark + error["pointer"].removeprefix("/")}
            errors.append(error)
    return errors


def install_problems(app: Flask) -> None:
    """Makes every error of the app answer as problem+json; what nobody foresaw is logged and tells nothing."""

    @app.errorhandler(Problem)
    def raised(problem: Problem) -> Response:
        return problem.response()

    @app.errorhandler(HTTPException)
    def refused(error: HTTPException) -> Response | HTTPException:
        if error.response is not None or (error.code or 500) < 400:
            return error
        return problem_of(error).response()

    @app.errorhandler(Exception)
    def unforeseen(error: Exception) -> Response:
        log.error("unhandled error", exc_info=error)
        return common_problem(500).response()
