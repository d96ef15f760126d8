"""Services prove to each other who calls whom: `Authorization: Service caller>callee.time.signature`.

The signature is made with the secret that all services share; a header is good for a minute and one callee only.
"""

from __future__ import annotations

import hashlib
import threading
import time
from collections.abc import Callable, Collection, Mapping
from typing import Any, TypeVar

from flask import Flask, g, request
from itsdangerous import BadSignature, TimestampSigner

from shared.web.problems import Problem

SCHEME = "Service "
MAX_AGE = 60
REUSE = 20
CLOCK_SKEW = 5
REMEMBERED = 512

TOKEN_MISSING = "service_token_missing"
TOKEN_INVALID = "service_token_invalid"
CALLER_NOT_ALLOWED = "service_not_allowed"
SERVICE_CODES = frozenset((TOKEN_MISSING, TOKEN_INVALID, CALLER_NOT_ALLOWED))

Decorated = TypeVar("Decorated", bound=Callable[..., Any])


def _signer(kind: type[TimestampSigner], secret: str) -> TimestampSigner:
    return kind(secret, salt="whistlestop.service", digest_method=hashlib.sha256)


class _EarlySigner(TimestampSigner):
    """Dates its signatures a little back, so that a caller whose clock is ahead is believed."""

    def get_timestamp(self) -> int:
        return int(time.time()) - CLOCK_SKEW


class ServiceToken:
    """The header with which `caller` calls `callee`; signed anew every 20 seconds."""

    def __init__(self, secret: str, caller: str, callee: str) -> None:
        self._signer = _signer(_EarlySigner, secret)
        self._claim = f"{caller}>{callee}"
        self._made = -REUSE
        self._header = ""

    def header(self) -> str:
        """The value of `Authorization`."""
        now = time.monotonic()
        if now - self._made >= REUSE:
            self._header = SCHEME + self._signer.sign(self._claim).decode()
            self._made = now
        return self._header


class ServiceGuard:
    """Tells which service sent a header, remembering the ones it has checked."""

    def __init__(self, secret: str, callee: str) -> None:
        self._signer = _signer(TimestampSigner, secret)
        self._callee = callee
        self._checked: dict[str, tuple[str, float]] = {}
        self._lock = threading.Lock()

    def caller_of(self, header: str | None) -> str:
        """The name of the calling service. Raises Problem 401 without a valid header for this callee."""
        if not header or not header.startswith(SCHEME):
            raise Problem(401, TOKEN_MISSING, "Only services call this address.")
        caller, until = self._checked.get(header, ("", 0.0))
        if until > time.time():
            return caller
        try:
            claim, made = self._signer.unsign(header[len(SCHEME):], max_age=MAX_AGE, return_timestamp=True)
        except BadSignature:
            raise Problem(401, TOKEN_INVALID, "The service token is not valid.") from None
        caller, _, callee = claim.decode().partition(">")
        if callee != self._callee:
            raise Problem(401, TOKEN_INVALID, "The service token is not valid.")
        with self._lock:
            if len(self._checked) >= REMEMBERED:
                self._checked.clear()
            self._checked[header] = (caller, made.timestamp() + MAX_AGE)
        return caller


def allow(*callers: str) -> Callable[[Decorated], Decorated]:
    """Marks a view function, a method of a view class or a view class: only these services may call it."""

    def mark(view: Decorated) -> Decorated:
        view.allowed_callers = frozenset(callers)
        return view

    return mark


def open_to_all(view: Decorated) -> Decorated:
    """Marks a view function for whoever can reach the service, such as the monitoring, which has no service token."""
    view.allowed_callers = None
    return view


def install_service_auth(app: Flask, secret: str, callee: str, allowed: Mapping[str, Collection[str]]) -> None:
    """Refuses requests that do not come from an allowed service; `g.service` is the caller.

    Who may call is said by `@allow` or `@open_to_all` on the method, function or class, else by
    `allowed[<blueprint name>]`; where nothing is said nobody may. 401 without a valid token, 403 for another service.
    """
    guard = ServiceGuard(secret, callee)

    @app.before_request
    def check() -> None:
        if request.endpoint is None or request.blueprint == "operations":
            return
        callers = _allowed_at(app.view_functions[request.endpoint], allowed)
        if callers is None:
            return
        g.service = guard.caller_of(request.headers.get("Authorization"))
        if g.service not in callers:
            raise Problem(403, CALLER_NOT_ALLOWED, "This service may not call that.")


def _allowed_at(view: Any, allowed: Mapping[str, Collection[str]]) -> Collection[str] | None:
    view_class = getattr(view, "view_class", None)
    method = getattr(view_class, request.method.lower(), None)
    for place in (method, view, view_class):
        if hasattr(place, "allowed_callers"):
            return place.allowed_callers
    return allowed.get(request.blueprint or "", ())
