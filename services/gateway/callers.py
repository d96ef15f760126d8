"""Authorisation: who sent this request, and which kinds of callers a resource is for."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from http import HTTPStatus
from typing import Any

from flask import Flask, Response, g, request

from services.gateway.tokens import LONGEST_TOKEN, Accounts, Caller, SignedTokens
from shared.web import Blueprint, Problem

REALM = 'Bearer realm="whistlestop"'
View = Callable[..., Any]


def install_callers(app: Flask, tokens: SignedTokens, accounts: Accounts) -> None:
    """Finds out who calls before anything else happens: `g.caller`, None without a valid token."""

    @app.before_request
    def identify() -> None:
        token = token_of_request()
        g.caller = (tokens.read(token) or accounts.find(token)) if token and is_for_the_api() else None

    @app.after_request
    def challenge(response: Response) -> Response:
        if response.status_code == HTTPStatus.UNAUTHORIZED:
            error = ', error="invalid_token"' if "Authorization" in request.headers else ""
            response.headers["WWW-Authenticate"] = REALM + error
        return response


def token_of_request() -> str:
    """Gives what the request shows as its token; nothing where it can be none."""
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    token = token.strip()
    return token if scheme.lower() == "bearer" and token.isascii() and len(token) <= LONGEST_TOKEN else ""


def is_for_the_api() -> bool:
    """Whether the request is for the public API, not for health, metrics or docs, which know no callers."""
    return request.path.startswith("/v1/")


def only(*kinds: str) -> Callable[[View], View]:
    """Lets only these kinds of callers in, and a token of one game only into that game; says so in the OpenAPI.

    Raises Problem 401 without a valid token, 404 for another game, 403 for a kind that has no business here.
    """

    def decorate(view: View) -> View:
        @wraps(view)
        def checked(*args: Any, **kwargs: Any) -> Any:
            _admit(kinds, kwargs.get("game"))
            return view(*args, **kwargs)

        return _described(fails(401, 403, 429, 503)(checked), [{kind: []} for kind in kinds])

    return decorate


def anybody(view: View) -> View:
    """Says in the OpenAPI that no token is needed."""
    return _described(fails(429, 503)(view), [])


def fails(*statuses: int) -> Callable[[View], View]:
    """Says in the OpenAPI with which statuses a resource may refuse."""
    return Blueprint.doc(responses={status: HTTPStatus(status).name for status in statuses})


def missing(code: str) -> Problem:
    """The one 404 for what does not exist and for what this caller may not see."""
    return Problem(HTTPStatus.NOT_FOUND, code)


def _described(view: View, security: list[dict[str, list[str]]]) -> View:
    return Blueprint.doc(operationId=view.__name__, security=security)(view)


def _admit(kinds: tuple[str, ...], game: str | None) -> None:
    caller: Caller | None = g.caller
    if caller is None:
        code = "token_invalid" if "Authorization" in request.headers else "token_missing"
        raise Problem(HTTPStatus.UNAUTHORIZED, code)
    if game is not None and caller.game not in (None, game):
        raise missing("game_not_found")
    if caller.kind not in kinds:
        raise Problem(HTTPStatus.FORBIDDEN, "token_not_allowed", f"This is only for tokens of a {' or '.join(kinds)}.")
