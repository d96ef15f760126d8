"""What waits for workers, for whoever decides how many there should be."""

from __future__ import annotations

import json
import time

import pytest
import redis
from flask.testing import FlaskClient

from services.ai import queue_health
from services.ai.app import create_ai
from shared.contracts.queues import AI_BATCH, AI_INTERACTIVE, ARENA, ARENA_PLAY
from shared.tasks.app import celery
from shared.web import Settings
from tests.arenas import SECRET, Arenas, arenas

__all__ = ["arenas"]


@pytest.fixture
def client(arenas: Arenas, broker_url: str, monkeypatch: pytest.MonkeyPatch) -> FlaskClient:
    """Somebody without a service token; the queues are empty."""
    monkeypatch.setenv("BROKER_URL", broker_url)
    monkeypatch.setattr(celery.conf, "broker_url", broker_url)
    with redis.Redis.from_url(broker_url) as broker:
        broker.delete(*queue_health.QUEUES)
    return arenas.app.test_client()


def shown(client: FlaskClient) -> dict[str, tuple[int, float]]:
    answer = client.get("/queues")
    assert answer.status_code == 200
    return {queue["queue"]: (queue["depth"], queue["oldest_seconds"]) for queue in answer.json["queues"]}


def test_empty_queues_have_nothing_old(client: FlaskClient) -> None:
    assert shown(client) == dict.fromkeys(queue_health.QUEUES, (0, 0.0))
    assert client.get("/queues").json["arenas"] == {"running": 0, "games": 0}


def test_depth_and_age_are_told_by_queue_and_what_arenas_could_play(arenas: Arenas, client: FlaskClient) -> None:
    before = time.time()
    celery.send_task(ARENA_PLAY)
    for queue in (AI_INTERACTIVE, AI_INTERACTIVE, AI_BATCH):
        celery.send_task("sample.answer", queue=queue)
    arena = arenas.create(games=7)
    arenas.store.claim(arena)
    found = shown(client)
    assert {queue: depth for queue, (depth, _) in found.items() if depth} == {ARENA: 1, AI_INTERACTIVE: 2, AI_BATCH: 1}
    assert time.time() - before >= found[ARENA][1] >= found[AI_INTERACTIVE][1] > 0
    assert client.get("/queues").json["arenas"] == {"running": 1, "games": 6}
    text = client.get("/metrics").text
    assert 'whistlestop_queue_depth{queue="ai.interactive"} 2.0' in text
    assert 'whistlestop_queue_oldest_seconds{queue="ai.batch"}' in text


def test_a_task_of_unknown_age_does_not_count_as_old(client: FlaskClient, broker_url: str) -> None:
    with redis.Redis.from_url(broker_url) as broker:
        broker.lpush(ARENA, json.dumps({"headers": {}}))
    assert shown(client)[ARENA] == (1, 0.0)


def test_without_a_broker_it_says_so(store_url: str) -> None:
    app = create_ai(Settings("ai", store_url=store_url, broker_url="redis://127.0.0.1:9/0", service_secret=SECRET))
    answer = app.test_client().get("/queues")
    assert (answer.status_code, answer.json["code"]) == (503, "broker_unavailable")
    assert app.test_client().get("/metrics").status_code == 200
