"""Streams: the view first, then every commit in order without gap or repeat, and never more than there is room for."""

from __future__ import annotations

import itertools

import pytest
import redis

from services.gateway.settings import Tuning
from shared.web import Problem
from tests.polling import until
from tests.service.gateway.fakes import TURN, Seat
from tests.service.gateway.reading import HEARTBEAT, events, lines, waiting

NDJSON = {"Accept": "application/x-ndjson"}


def _stream(gateway, game: str, token: str, path: str = "", **headers: str):
    return gateway.get(f"/games/{game}/stream{path}", token, headers=headers, stream=True)


def test_the_view_comes_first_then_every_commit_in_order(gateway):
    gateway.games.add("order")
    gateway.games.commit("order")
    with _stream(gateway, "order", gateway.seat("order", 0)) as answer:
        assert answer.headers["Content-Type"] == "text/event-stream; charset=utf-8"
        assert answer.headers["Cache-Control"] == "private, no-store"
        assert answer.headers["X-Accel-Buffering"] == "no"
        assert {"Authorization", "Accept"} <= set(answer.headers["Vary"].split(", "))
        came = events(answer)
        first = next(came)
        assert (first.kind, first.version, first.body) == ("view", 2, gateway.games.games["order"].shown(0))
        for version in range(3, 60):
            gateway.games.commit("order")
            assert next(came)[:2] == ("commit", version)
        for _ in range(140):
            gateway.games.commit("order")
        gateway.games.finish("order")
        assert [event.version for event in came] == list(range(60, 201))


def test_each_seat_streams_its_own_view_of_the_log(gateway, platform):
    gateway.games.add("redacted")
    for decision in ("1.0", "2.1"):
        gateway.games.commit("redacted", decision=decision, move=TURN)
    gateway.games.finish("redacted")
    cards = {}
    for name, token in (("ann", gateway.seat("redacted", 0)), ("bo", gateway.seat("redacted", 1)), ("host", platform)):
        with _stream(gateway, "redacted", token, "?after=1") as answer:
            cards[name] = [event.body["events"][0]["card"] for event in events(answer)][:2]
    assert cards == {"ann": ["red", None], "bo": [None, "red"], "host": [None, None]}


def test_lines_of_json_hold_the_same(gateway):
    game = gateway.games.add("lined")
    with _stream(gateway, "lined", gateway.seat("lined", 1), **NDJSON) as answer:
        assert answer.headers["Content-Type"] == "application/x-ndjson"
        came = lines(answer)
        assert next(came) == game.shown(1)
        gateway.games.commit("lined", decision="1.0", move=TURN)
        gateway.games.finish("lined")
        assert list(came) == game.redacted(1)[1:]


@pytest.mark.parametrize(("accept", "kind"), [
    ("*/*", "text/event-stream"), ("text/*", "text/event-stream"), ("application/x-ndjson, */*;q=0.1",
    "application/x-ndjson"), ("text/event-stream;q=0.2, application/x-ndjson;q=0.8", "application/x-ndjson"),
])  # fmt: skip
def test_the_caller_chooses_the_form(gateway, accept, kind):
    gateway.games.add("forms")
    with _stream(gateway, "forms", gateway.seat("forms", 0), Accept=accept) as answer:
        assert answer.headers["Content-Type"].split(";")[0] == kind


@pytest.mark.parametrize(("path", "headers"), [
    ("?after=3", {}), ("", {"Last-Event-ID": "3"}), ("?after=1", {"Last-Event-ID": "3"}),
])  # fmt: skip
def test_a_stream_is_taken_up_where_it_broke(gateway, path, headers):
    gateway.games.add("resumed")
    for _ in range(5):
        gateway.games.commit("resumed")
    with _stream(gateway, "resumed", gateway.seat("resumed", 0), path, **headers) as answer:
        came = events(answer)
        assert [next(came)[:2] for _ in range(3)] == [("commit", version) for version in (4, 5, 6)]
        gateway.games.finish("resumed")
        assert [event[:2] for event in came] == [("commit", 7)]


def test_whoever_claims_to_have_seen_more_than_there_is_gets_the_view(gateway):
    gateway.games.add("ahead")
    with _stream(gateway, "ahead", gateway.seat("ahead", 0), "?after=99") as answer:
        assert next(events(answer))[:2] == ("view", 1)


@pytest.mark.rule("VIEW-7")
def test_where_old_commits_are_closed_the_view_stands_in(gateway):
    game = gateway.games.add("short")
    for _ in range(8):
        gateway.games.commit("short")
    game.oldest = 6
    with _stream(gateway, "short", gateway.seat("short", 0), "?after=2") as answer:
        came = events(answer)
        assert next(came)[:2] == ("view", 9)
        gateway.games.commit("short")
        assert next(came)[:2] == ("commit", 10)


def test_a_finished_game_is_shown_once(gateway):
    gateway.games.add("done")
    gateway.games.finish("done")
    ann = gateway.seat("done", 0)
    with _stream(gateway, "done", ann) as answer:
        assert [event[:2] for event in events(answer)] == [("view", 2)]
    with _stream(gateway, "done", ann, "?after=1") as answer:
        assert [event[:2] for event in events(answer)] == [("commit", 2)]
    with _stream(gateway, "done", ann, "?after=2") as answer:
        assert (answer.status_code, answer.content) == (204, b"")


def test_a_game_that_waits_for_seats_can_be_followed(gateway):
    gateway.games.add("waiting", Seat("Ann", epoch=1), Seat(), started=False)
    with _stream(gateway, "waiting", gateway.seat("waiting", 0)) as answer:
        came = events(answer)
        assert (first := next(came))[:2] == ("view", 0) and first.body["position"] is None
        gateway.games.commit("waiting", event="GameStarted")
        assert next(came)[:2] == ("commit", 1)


@pytest.fixture
def quick(make_gateway):
    """A gateway with little room and a quick heartbeat."""
    with make_gateway(Tuning(streams=2, waits=1, heartbeat=0.3)) as made:
        yield made


def test_a_silent_stream_shows_that_it_lives(quick):
    quick.games.add("silent")
    with _stream(quick, "silent", quick.seat("silent", 0)) as answer:
        kinds = [event.kind for event in itertools.islice(events(answer), 3)]
        assert kinds == ["view", HEARTBEAT, HEARTBEAT]
    with _stream(quick, "silent", quick.seat("silent", 0), "?after=1", **NDJSON) as answer:
        assert next(lines(answer)) is None


def test_a_lost_wake_up_costs_no_more_than_a_heartbeat(quick):
    quick.games.add("unwoken")
    with _stream(quick, "unwoken", quick.seat("unwoken", 0)) as answer:
        came = (event for event in events(answer) if event.kind != HEARTBEAT)
        assert next(came).version == 1
        quick.games.silent = True
        quick.games.commit("unwoken")
        quick.games.silent = False
        assert next(came)[:2] == ("commit", 2)


def test_a_revoked_token_ends_its_stream(quick, platform):
    game = quick.games.add("revoked")
    with _stream(quick, "revoked", quick.seat("revoked", 0)) as answer:
        came = events(answer)
        assert next(came).kind == "view"
        game.seats[0].epoch += 1
        quick.games.commit("revoked")
        assert {event.kind for event in came} <= {HEARTBEAT}
    assert _stream(quick, "revoked", quick.seat("revoked", 0), "?after=1").status_code == 401


def test_a_stream_outlasts_a_service_that_is_away(quick):
    quick.games.add("patient")
    with _stream(quick, "patient", quick.seat("patient", 0)) as answer:
        came = events(answer)
        assert next(came).kind == "view"
        quick.games.failing = Problem(503, "game_state_unavailable", retry_after=1)
        quick.games.commit("patient")
        assert next(came).kind == HEARTBEAT
        quick.games.failing = None
        assert next(event for event in came if event.kind != HEARTBEAT)[:2] == ("commit", 2)


def test_full_streams_leave_room_for_everything_else(quick, platform):
    quick.games.add("full")
    ann = quick.seat("full", 0)
    with _stream(quick, "full", ann) as first, _stream(quick, "full", ann) as second:
        assert (first.status_code, second.status_code) == (200, 200)
        refused = _stream(quick, "full", ann)
        assert (refused.status_code, refused.json()["code"]) == (503, "too_many_streams")
        assert int(refused.headers["Retry-After"]) > 0

        assert quick.get("/games/full", ann).status_code == 200
        with waiting(quick, "full", ann) as [page]:
            beyond = quick.get("/games/full/commits?after=1&wait=10", ann)
            assert (beyond.status_code, beyond.json()["commits"]) == (200, [])
            assert beyond.elapsed.total_seconds() < 5
            quick.games.commit("full")
            assert [commit["version"] for commit in page.result(10)["commits"]] == [2]
    until(lambda: _opens(quick, ann), "a place to be free again")


def test_one_token_does_not_take_every_stream_and_every_wait(make_gateway):
    with make_gateway(Tuning(streams=4, waits=4)) as gateway:
        gateway.games.add("shared")
        ann, bo = gateway.seat("shared", 0), gateway.seat("shared", 1)
        with _stream(gateway, "shared", ann), _stream(gateway, "shared", ann):
            refused = _stream(gateway, "shared", ann)
            assert (refused.status_code, refused.json()["code"]) == (503, "too_many_streams")
            assert "this caller has 2 already" in refused.json()["detail"]
            assert _stream(gateway, "shared", gateway.seat("shared", 0, epoch=2)).status_code == 503
            with _stream(gateway, "shared", bo) as other:
                assert other.status_code == 200
        with waiting(gateway, "shared", ann, ann) as pages:
            assert gateway.get("/games/shared/commits?after=1&wait=10", ann).elapsed.total_seconds() < 5
            with waiting(gateway, "shared", bo) as [page]:
                gateway.games.commit("shared")
                assert len(page.result(10)["commits"]) == 1
            assert all(len(own.result(10)["commits"]) == 1 for own in pages)


def _opens(gateway, token: str) -> bool:
    with _stream(gateway, "full", token) as answer:
        return answer.status_code == 200


def test_all_streams_end_when_the_process_is_to_stop(make_gateway):
    with make_gateway() as gateway:
        gateway.games.add("stopped")
        with _stream(gateway, "stopped", gateway.seat("stopped", 0)) as answer:
            came = events(answer)
            assert next(came).kind == "view"
            gateway.stop.set()
            assert list(came) == []


def test_streams_go_on_after_the_store_lost_their_connection(gateway, store_url):
    gateway.games.add("cut")
    with _stream(gateway, "cut", gateway.seat("cut", 0)) as answer:
        came = events(answer)
        assert next(came).kind == "view"
        gateway.games.commit("cut")
        assert next(came).version == 2
        with redis.Redis.from_url(store_url) as store:
            assert store.client_kill_filter(_type="normal", skipme=True) > 0
        gateway.games.commit("cut")
        assert next(came).version == 3
        gateway.games.commit("cut")
        assert next(came).version == 4
