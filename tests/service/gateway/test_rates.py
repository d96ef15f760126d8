"""Nobody may ask too fast, everybody is counted by their own token, and a lost broker costs nothing."""

from __future__ import annotations

import pytest
from limits import parse

from services.gateway.settings import RATES, Tuning
from tests.game_state import fresh_game

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
