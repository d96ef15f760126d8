"""Who may call a service, and what a forged, old or foreign token is worth."""

from __future__ import annotations

import time

import pytest

from shared.web.service_auth import MAX_AGE, REMEMBERED, ServiceGuard, ServiceToken
from tests.unit.web.sample import SECRET, calling_as, sample_service

ORDERS = "/games/g1/orders"
ORDER = {"name": "Ann"}


@pytest.fixture(scope="module")
def app():
    return sample_service()


@pytest.mark.parametrize(("caller", "method", "path", "status"), [
    ("gateway", "POST", ORDERS, 200),
    ("scoring", "POST", ORDERS, 403),
    ("ai", "POST", ORDERS, 403),
    ("scoring", "GET", ORDERS, 200),
    ("gateway", "GET", ORDERS, 403),
    ("gateway", "GET", "/unlisted", 403),
    ("gateway", "GET", "/nowhere", 404),
])
def test_only_those_named_may_call(app, caller: str, method: str, path: str, status: int) -> None:
    body = {"json": ORDER} if method == "POST" else {}
    assert calling_as(caller, app).open(path, method=method, **body).status_code == status


def test_refusals_have_codes(app) -> None:
    assert app.test_client().post(ORDERS, json=ORDER).json["code"] == "service_token_missing"
    assert calling_as("ai", app).post(ORDERS, json=ORDER).json["code"] == "service_not_allowed"


@pytest.mark.parametrize("header", ["", "Service", "Service ", "Service x", "Service gateway>rules.x.y", "Bearer pk_1",
                                    "Service " + "x" * 5000, "Service é"])
def test_without_a_valid_token_nothing_is_done(app, header: str) -> None:
    answer = app.test_client().post(ORDERS, json=ORDER, headers={"Authorization": header})
    assert answer.status_code == 401
    assert answer.json["code"] in ("service_token_missing", "service_token_invalid")


def test_token_for_another_callee_is_refused(app) -> None:
    assert calling_as("gateway", app, callee="scoring").post(ORDERS, json=ORDER).status_code == 401


def test_token_made_with_another_secret_is_refused(app) -> None:
    assert calling_as("gateway", app, secret=SECRET + "!").post(ORDERS, json=ORDER).status_code == 401


def test_token_is_good_for_a_minute(monkeypatch) -> None:
    header = ServiceToken(SECRET, "gateway", "rules").header()
    now = time.time()
    remembering, fresh = ServiceGuard(SECRET, "rules"), ServiceGuard(SECRET, "rules")
    assert remembering.caller_of(header) == "gateway"
    monkeypatch.setattr(time, "time", lambda: now + MAX_AGE + 1)
    for guard in (remembering, fresh):
        with pytest.raises(Exception, match="service_token_invalid"):
            guard.caller_of(header)


def test_clock_of_the_caller_may_be_ahead_a_little(monkeypatch) -> None:
    header = ServiceToken(SECRET, "gateway", "rules").header()
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now - 4)
    assert ServiceGuard(SECRET, "rules").caller_of(header) == "gateway"


def test_header_is_reused_for_some_seconds_then_made_anew(monkeypatch) -> None:
    token = ServiceToken(SECRET, "gateway", "rules")
    first, wall, steady = token.header(), time.time(), time.monotonic()
    assert token.header() == first
    monkeypatch.setattr(time, "monotonic", lambda: steady + 21)
    monkeypatch.setattr(time, "time", lambda: wall + 21)
    assert token.header() != first


def test_guard_does_not_remember_without_bound() -> None:
    guard = ServiceGuard(SECRET, "rules")
    for caller in range(REMEMBERED + 10):
        guard.caller_of(ServiceToken(SECRET, f"caller{caller}", "rules").header())
    assert len(guard._checked) <= REMEMBERED


@pytest.mark.parametrize("path", ["/healthz", "/readyz", "/metrics"])
def test_operations_need_no_token(app, path: str) -> None:
    assert app.test_client().get(path).status_code == 200


def test_public_service_checks_no_service_tokens() -> None:
    assert sample_service("gateway", public=True).test_client().post(ORDERS, json=ORDER).status_code == 200
