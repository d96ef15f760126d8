"""Health, readiness and metrics."""

from __future__ import annotations

import pytest

from shared.web import health
from shared.web.shutdown import stopping
from tests.unit.web.sample import calling_as, sample_service


@pytest.fixture
def app():
    return sample_service()


def fails() -> None:
    raise ConnectionError("password of the store")


def test_ready_without_dependencies(app) -> None:
    answer = app.test_client().get("/readyz")
    assert (answer.status_code, answer.json) == (200, {"ready": True, "failing": []})


def test_not_ready_names_what_fails_and_nothing_more(app) -> None:
    app.add_readiness("store", fails)
    app.add_readiness("rules", lambda: None)
    app.add_readiness("broker", lambda: False)
    answer = app.test_client().get("/readyz")
    assert (answer.status_code, answer.json) == (503, {"ready": False, "failing": ["store", "broker"]})


def test_healthy_even_when_not_ready(app) -> None:
    app.add_readiness("store", fails)
    assert app.test_client().get("/healthz").status_code == 200


def test_not_ready_once_asked_to_stop(app) -> None:
    stopping.set()
    try:
        assert app.test_client().get("/readyz").json["failing"] == ["stopping"]
    finally:
        stopping.clear()


@pytest.mark.parametrize(("fresh", "times"), [(60, 1), (0, 20)])
def test_asking_for_readiness_all_the_time_does_not_wear_out_dependencies(app, monkeypatch, fresh, times) -> None:
    monkeypatch.setattr(health, "FRESH_SECONDS", fresh)
    asked = []
    app.add_readiness("store", lambda: asked.append(1))
    assert {app.test_client().get("/readyz").status_code for _ in range(20)} == {200}
    assert len(asked) == times


def test_requests_are_counted_by_route_and_status(app) -> None:
    calling_as("gateway", app).post("/games/g77/orders", json={})
    app.test_client().get("/nowhere/g77")
    text = app.test_client().get("/metrics").text
    assert 'route="/games/<game>/orders",service="rules",status="422"' in text
    assert 'route="unmatched",service="rules",status="404"' in text
    assert "g77" not in text


def test_methods_that_callers_make_up_are_counted_as_one(app) -> None:
    for number in range(3):
        app.test_client().open("/healthz", method=f"MADEUP{number}")
    text = app.test_client().get("/metrics").text
    assert 'method="other",route="unmatched",service="rules",status="405"' in text
    assert "MADEUP" not in text
