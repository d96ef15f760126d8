"""What bots have to do, at the public door: told in a stream, or taken as work with a long poll."""

from __future__ import annotations

import secrets
from concurrent.futures import ThreadPoolExecutor

import pytest

from services.gateway.settings import Tuning
from shared.web import Problem
from tests.game_state import fresh_game
from tests.polling import until
from tests.service.gateway.fakes import AGAINST_THE_RULES, MOMENT, TURN
from tests.service.gateway.reading import HEARTBEAT, Sent, events, lines

LATER = "2026-11-29T21:40:10.123Z"
NDJSON = {"Accept": "application/x-ndjson"}


class Bot:
    """A new external bot of acme, at a gateway."""

    def __init__(self, gateway, concurrency: int = 2) -> None:
        self.gateway = gateway
        name = secrets.token_hex(6)
        self.name = f"acme.{name}"
        self.token = gateway.external_bot("acme", name, concurrency=concurrency)

    def asked(self, **more: str) -> dict:
        """Makes a decision of a new game its work; gives its turn."""
        return self.gateway.games.ask_bot(self.name, fresh_game(), **more)

    def stream(self, **headers: str):
        return self.gateway.get("/bots/me/stream", self.token, headers=headers, stream=True)

    def take(self, query: str = ""):
        return self.gateway.send("POST", f"/bots/me/work{query}", self.token)

    def asks(self) -> int:
        """How often game-state was asked for work for it."""
        return sum(asked[1:] == ("/work", f"bot:{self.name}") for asked in self.gateway.games.asked)


@pytest.fixture
def bot(gateway) -> Bot:
    return Bot(gateway)


@pytest.fixture
def quick(make_gateway):
    """A gateway with little room and a quick heartbeat."""
    with make_gateway(Tuning(streams=2, waits=1, heartbeat=0.3)) as made:
        yield made


def test_a_stream_tells_what_there_is_to_do_and_then_each_turn_as_it_comes(bot):
    waiting = [bot.asked(), bot.asked()]
    with bot.stream() as answer:
        assert answer.headers["Content-Type"] == "text/event-stream; charset=utf-8"
        came = events(answer)
        assert [next(came), next(came)] == [Sent("your_turn", body=turn) for turn in waiting]
        for _ in range(20):
            turn = bot.asked()
            assert next(came) == Sent("your_turn", body=turn)


def test_as_lines_of_json_it_holds_the_same(bot):
    waiting = bot.asked()
    with bot.stream(**NDJSON) as answer:
        assert answer.headers["Content-Type"] == "application/x-ndjson"
        came = lines(answer)
        assert next(came) == waiting
        turn = bot.asked()
        assert next(came) == turn


def test_other_forms_are_not_to_be_had(bot):
    assert bot.stream(Accept="text/html").status_code == 406


def test_work_that_was_given_back_is_told_again(bot):
    turn = bot.asked()
    with bot.stream(**NDJSON) as answer:
        came = lines(answer)
        assert next(came) == turn
        bot.gateway.games.turns[bot.name].clear()
        again = bot.gateway.games.ask_bot(bot.name, turn["game"], deadline=LATER)
        assert next(came) == again == {**turn, "deadline": LATER}


def test_a_silent_stream_shows_that_it_lives_and_makes_up_for_a_lost_wake_up(quick):
    bot = Bot(quick)
    with bot.stream() as answer:
        came = events(answer)
        assert next(came).kind == HEARTBEAT
        turn = {"game": "unwoken", "decision": "1.0", "seat": 0, "deadline": MOMENT}
        quick.games.turns.setdefault(bot.name, []).append(turn)
        assert next(event for event in came if event.kind != HEARTBEAT).body == turn


def test_a_revoked_token_ends_its_stream(quick, platform):
    bot = Bot(quick)
    bot.asked()
    with bot.stream() as answer:
        came = events(answer)
        assert next(came).kind == "your_turn"
        assert quick.put(f"/bots/{bot.name}/token", platform).status_code == 200
        bot.asked()
        assert {event.kind for event in came} <= {HEARTBEAT}
    assert bot.stream().status_code == 401


def test_a_stream_outlasts_a_service_that_is_away(quick):
    bot = Bot(quick)
    bot.asked()
    with bot.stream() as answer:
        came = events(answer)
        assert next(came).kind == "your_turn"
        quick.games.failing = Problem(503, "game_state_unavailable", retry_after=1)
        turn = bot.asked()
        assert next(came).kind == HEARTBEAT
        quick.games.failing = None
        assert next(event for event in came if event.kind != HEARTBEAT).body == turn


def test_streams_of_bots_take_their_share_of_the_places_and_give_it_back(quick):
    bot = Bot(quick)
    with bot.stream() as first, bot.stream() as second:
        assert (first.status_code, second.status_code) == (200, 200)
        refused = bot.stream()
        assert (refused.status_code, refused.json()["code"]) == (503, "too_many_streams")
        assert bot.take().status_code == 204

    def opens() -> bool:
        with bot.stream() as answer:
            return answer.status_code == 200

    until(opens, "a place to be free again")


def test_all_streams_end_when_the_process_is_to_stop(make_gateway):
    with make_gateway() as gateway:
        bot = Bot(gateway)
        bot.asked()
        with bot.stream() as answer:
            came = events(answer)
            assert next(came).kind == "your_turn"
            gateway.stop.set()
            assert list(came) == []


def test_work_is_taken_and_there_may_be_none(bot):
    assert (bot.take().status_code, bot.take().content) == (204, b"")
    turn = bot.asked()
    taken = bot.take()
    assert (taken.status_code, taken.json()["question"]) == (201, turn)
    assert bot.take().status_code == 204


def test_whoever_waits_for_work_gets_it_as_soon_as_there_is_some(bot):
    with ThreadPoolExecutor(1) as pool:
        waits = pool.submit(bot.take, "?wait=20")
        until(lambda: bot.asks() >= 1, "the bot to wait")
        turn = bot.asked()
        taken = waits.result(15)
    assert (taken.status_code, taken.json()["question"]) == (201, turn)


def test_one_wait_too_many_is_answered_at_once(quick):
    bot, other = Bot(quick), Bot(quick)
    with ThreadPoolExecutor(1) as pool:
        waits = pool.submit(bot.take, "?wait=20")
        until(lambda: bot.asks() >= 1, "the bot to wait")
        beyond = other.take("?wait=20")
        assert beyond.status_code == 204 and not waits.done()
        bot.asked()
        assert waits.result(15).status_code == 201


def test_whoever_holds_too_much_is_told_at_once(gateway):
    bot = Bot(gateway, concurrency=1)
    bot.asked()
    refused = bot.take("?wait=20")
    assert (refused.status_code, refused.json()["code"]) == (429, "too_much_work")
    assert (refused.headers["Retry-After"], refused.json()["detail"]) == ("1", "You hold 1 decisions of at most 1.")


@pytest.mark.parametrize("query", ["wait=26", "wait=-1", "wait=x", "wait=1.5", "most=9"])
def test_bad_queries_are_refused_with_a_pointer(bot, query):
    refused = bot.take(f"?{query}")
    assert (refused.status_code, refused.json()["errors"][0]["pointer"]) == (422, f"?{query.split('=')[0]}")


WORK = "/bots/me/work/held.1.0.0123456789abcdef"


def test_an_answer_with_work_is_relayed_with_the_address_of_its_commit(gateway):
    token = gateway.external_bot("acme", "careful")
    answer = gateway.put(f"{WORK}/answer", token, json={"move": TURN})
    assert (answer.status_code, answer.headers["Location"]) == (201, "/v1/games/held/commits?after=1&limit=1")
    refused = gateway.put(f"{WORK}/answer", token, json={"move": AGAINST_THE_RULES})
    assert (refused.status_code, refused.json()["code"]) == (409, "work_expired")
    assert gateway.send("DELETE", WORK, token).status_code == 204


@pytest.mark.parametrize("body", [None, [], {}, {"move": {"move": "Cheat"}}, {"move": TURN, "seat": 0}])
def test_a_fault_in_an_answer_is_refused_before_it_is_passed_on(gateway, body):
    token = gateway.external_bot("acme", "careful")
    asked = len(gateway.games.asked)
    assert gateway.put(f"{WORK}/answer", token, json=body).status_code in (400, 422)
    assert len(gateway.games.asked) == asked


@pytest.mark.parametrize("held", ["x", "held.1.0", "held.1.0.xyz", "held.1.0.0123456789ABCDEF", "a/b.1.0." + "0" * 16])
def test_what_is_no_work_is_not_found(gateway, held):
    token = gateway.external_bot("acme", "careful")
    assert gateway.send("DELETE", f"/bots/me/work/{held}", token).status_code == 404
