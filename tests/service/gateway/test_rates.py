"""Nobody may ask too fast, everybody is counted by their own token, and a lost broker costs nothing."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
import redis
from limits import parse

from services.gateway.settings import RATES, Tuning
from tests.game_state import fresh_game
from tests.servers import embedded_server

NOBODY = "redis://127.0.0.1:9"
SLOW = RATES | {"seat": "3/hour", "anonymous": "2/hour"}


def _statuses(gateway, path: str, token: str | None, times: int) -> list[int]:
    return [gateway.get(path, token).status_code for _ in range(times)]


@pytest.mark.parametrize("broker", ["there", "away"])
def test_whoever_asks_too_fast_is_told_when_to_come_back(make_gateway, broker, platform):
    changed = {"broker_url": NOBODY} if broker == "away" else {}
    with make_gateway(Tuning(rates=SLOW), **changed) as gateway:
        game = fresh_game()
        gateway.games.add(game)
        path, ann, bo = f"/games/{game}", gateway.seat(game, 0), gateway.seat(game, 1)
        assert _statuses(gateway, path, ann, 4) == [200, 200, 200, 429]
        assert _statuses(gateway, path, bo, 4) == [200, 200, 200, 429]
        refused = gateway.get(path, ann)
        assert refused.json()["code"] == "too_many_requests"
        assert 1 <= int(refused.headers["Retry-After"]) <= 3600
        assert _statuses(gateway, path, platform, 10) == [200] * 10


def test_whoever_has_no_token_is_counted_by_address(make_gateway):
    with make_gateway(Tuning(rates=SLOW), broker_url=NOBODY) as gateway:
        assert _statuses(gateway, "/games", "pk_guessed", 3) == [401, 401, 429]


def test_no_request_fails_when_the_broker_dies(make_gateway):
    with embedded_server() as broker, make_gateway(broker_url=broker) as gateway:
        game = fresh_game()
        gateway.games.add(game)
        ann = gateway.seat(game, 0)
        with ThreadPoolExecutor(16) as pool:
            before = [pool.submit(_statuses, gateway, f"/games/{game}", ann, 10) for _ in range(16)]
            with redis.Redis.from_url(broker) as connection:
                connection.shutdown(nosave=True)
            assert {status for answers in before for status in answers.result()} == {200}
        assert _statuses(gateway, f"/games/{game}", ann, 5) == [200] * 5


def test_health_and_docs_are_not_counted(make_gateway):
    with make_gateway(Tuning(rates=SLOW), broker_url=NOBODY) as gateway:
        assert _statuses(gateway, "/../healthz", None, 5) == [200] * 5


def test_limits_are_shared_by_all_processes(make_gateway):
    with make_gateway(Tuning(rates=SLOW)) as one, make_gateway(Tuning(rates=SLOW)) as other:
        game = fresh_game()
        one.games.add(game)
        path, ann = f"/games/{game}", one.seat(game, 0)
        assert _statuses(one, path, ann, 2) == [200, 200]
        assert _statuses(other, path, ann, 2) == [200, 429]


def test_the_usual_limits_let_a_bot_play_at_full_speed(gateway, bot):
    assert parse(RATES["bot"]).amount >= 10 * parse(RATES["seat"]).amount
    assert set(_statuses(gateway, "/bots", bot, 60)) == {200}
