"""Arenas as they run: real workers, a real store and broker, killed, emptied and in the way of somebody."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path

import pytest
import redis

from services.ai.arenas.keeper import TURNS_WAITING, Keeper, send_turn
from services.ai.arenas.store import LEASE_MS
from services.ai.bots import BOTS
from services.ai.queue_health import QueueHealth
from shared.contracts.queues import AI_INTERACTIVE, ARENA, ARENA_PLAY
from shared.tasks.app import celery
from tests.arenas import Arenas, arenas
from tests.integration.ai.sample import NOTE, SAMPLES, Hoarder, Summoner
from tests.polling import until
from tests.workers import Worker, worker

__all__ = ["arenas"]

pytestmark = [pytest.mark.timeout(120), pytest.mark.xdist_group("arena workers")]

LONG = {"entrants": [{"bot": "greedy"}] * 4, "games": 40, "records": True}
"""A slice plays a few of its games and leaves one unfinished."""


class Hall:
    """A place for arenas: the service's keeper tends them, and workers may come and go."""

    def __init__(self, arenas: Arenas, urls: dict[str, str], folder: Path) -> None:
        self.arenas = arenas
        self.urls = urls
        self.folder = folder
        self.broker = redis.Redis.from_url(urls["BROKER_URL"])

    def worker(self, name: str = "worker", queues: str = ARENA, **more: int) -> AbstractContextManager[Worker]:
        modules = "services.ai.arenas.tasks,tests.integration.ai.sample"
        return worker(self.folder, self.urls, name=name, queues=queues, modules=modules, **more)

    @contextmanager
    def keeper(self) -> Iterator[None]:
        """Tends the arenas for as long as the block lasts, as a thread of the service does."""
        stop = threading.Event()
        keeper = Keeper(self.arenas.store, QueueHealth(self.broker), send_turn)
        thread = threading.Thread(target=keeper.run, args=(stop,))
        thread.start()
        try:
            yield
        finally:
            stop.set()
            thread.join()

    def wait_for_games(self, arena: str, games: int) -> None:
        until(lambda: self.arenas.show(arena)["done"] >= games, f"{games} games to be done", 60)

    def wait_for_the_end(self, arena: str) -> dict:
        return until(lambda: (shown := self.arenas.show(arena))["status"] == "over" and shown, "the arena's end", 90)

    def leases(self, arena: str) -> int:
        return self.arenas.redis.zcard(f"ai:{{arena:{arena}}}:leases")


@pytest.fixture
def hall(arenas: Arenas, store_url: str, broker_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Hall:
    urls = {"STORE_URL": store_url, "BROKER_URL": broker_url}
    for name, url in urls.items():
        monkeypatch.setenv(name, url)
    for name, bot in SAMPLES.items():
        monkeypatch.setitem(BOTS, name, bot)
    monkeypatch.setattr(celery.conf, "broker_url", broker_url)
    made = Hall(arenas, urls, tmp_path)
    made.broker.delete(ARENA, AI_INTERACTIVE, "unacked", "unacked_index")
    return made


def is_whole(hall: Hall, arena: str) -> bool:
    """Whether every game of an arena is counted, recorded and played once."""
    shown = hall.arenas.show(arena)
    numbers, page = [], hall.arenas.records(arena)
    while page:
        numbers += [record["number"] for record in page]
        page = hall.arenas.records(arena, after=numbers[-1])
    entrants = [entrant["games"] for entrant in shown["statistics"]["entrants"]]
    return (shown["done"] == shown["statistics"]["games"] == shown["games"] and numbers == list(range(shown["games"]))
            and set(entrants) == {shown["games"] * shown["seats"] // len(entrants)}
            and not shown["statistics"]["abandoned"])


def test_games_are_fanned_out_over_the_workers_and_several_arenas_at_once(hall: Hall) -> None:
    with hall.keeper(), hall.worker("first") as first, hall.worker("second") as second:
        made = [hall.arenas.create(**LONG) for _ in range(2)]
        for arena in made:
            hall.wait_for_games(arena, 1)
        assert all(hall.arenas.show(arena)["status"] == "running" for arena in made)
        for arena in made:
            hall.wait_for_the_end(arena)
            assert is_whole(hall, arena)
    for one in (first, second):
        assert one.tasks().count(ARENA_PLAY) > 3


def test_figures_come_while_it_runs_and_stay_when_it_is_cancelled(hall: Hall) -> None:
    arena = hall.arenas.create(**{**LONG, "games": 1000})
    with hall.keeper(), hall.worker():
        hall.wait_for_games(arena, 4)
        shown = hall.arenas.show(arena)
        assert shown["status"] == "running" and 0 < shown["statistics"]["games"] <= shown["done"] < 1000
        assert shown["statistics"]["entrants"][0]["points"]["mean"] > 0
        cancelled = hall.arenas.call("DELETE", f"/arenas/{arena}").json
        until(lambda: hall.broker.llen(ARENA) == 0, "the turns to end")
        until(lambda: hall.leases(arena) == 0, "the arena to be cleared away")
    ended = hall.arenas.show(arena)
    assert ended == cancelled and ended["statistics"]["games"] == ended["done"] >= 4
    assert hall.arenas.records(arena)


def test_a_worker_killed_in_the_middle_of_a_slice_loses_no_game_and_none_counts_twice(hall: Hall) -> None:
    arena = hall.arenas.create(**LONG)
    with hall.keeper():
        with hall.worker("first", processes=2) as first:
            hall.wait_for_games(arena, 2)
            until(lambda: hall.leases(arena) == 2, "two games to be played")
            os.killpg(first.process.pid, signal.SIGKILL)
            lost = hall.leases(arena)
        assert lost and hall.arenas.show(arena)["status"] == "running"
        with hall.worker("second"):
            hall.wait_for_the_end(arena)
    assert is_whole(hall, arena)


def test_a_broker_that_has_lost_everything_costs_time_only(hall: Hall) -> None:
    arena = hall.arenas.create(**LONG)
    with hall.keeper(), hall.worker():
        for games in (1, 8, 16):
            hall.wait_for_games(arena, games)
            hall.broker.delete(ARENA, "unacked", "unacked_index")
        hall.wait_for_the_end(arena)
    assert is_whole(hall, arena)


def test_a_game_that_kills_its_workers_is_given_up(hall: Hall) -> None:
    arena = hall.arenas.create(games=1)
    now = 1_000_000
    for losses in range(4):
        claim = hall.arenas.store.claim(arena, now=now)
        assert (claim.game, claim.losses) == (0, losses)
        assert hall.arenas.store.claim(arena, now=now + LEASE_MS - 1) is None
        now += LEASE_MS
    with hall.keeper(), hall.worker():
        shown = hall.wait_for_the_end(arena)
    assert (shown["done"], shown["statistics"]["games"], shown["statistics"]["abandoned"]) == (1, 0, {"lost": 1})


def test_a_bot_that_keeps_all_the_memory_costs_a_process_now_and_then_and_no_game(hall: Hall) -> None:
    hoarding = hall.arenas.create(entrants=[{"bot": Hoarder.name}, {"bot": "random"}], games=3, records=True)
    with hall.keeper(), hall.worker() as running:
        shown = hall.wait_for_the_end(hoarding)
        assert running.process.poll() is None
    assert is_whole(hall, hoarding)
    assert set(shown["statistics"]["entrants"][0]["failures"]) <= {"out_of_memory"}


def test_a_flood_of_arenas_delays_an_answer_by_no_more_than_the_slice_that_runs(hall: Hall) -> None:
    """The worker takes from both queues; the answer is asked for in the middle of a slice."""
    hall.arenas.redis.delete("sample:summoned")
    for bot in ("greedy", Summoner.name, "greedy"):
        hall.arenas.create(entrants=[{"bot": bot}] * 4, games=1000)
    for _ in range(30):
        send_turn()
    with hall.worker(queues=f"{ARENA},{AI_INTERACTIVE}") as running:
        until(lambda: running.tasks().count(ARENA_PLAY) > 6, "more slices", 30)
    tasks = running.tasks()
    summoned = until(lambda: hall.arenas.redis.get("sample:summoned"), "the bot to have played")
    assert summoned and tasks.count(NOTE) == 1
    assert tasks[:3] == [ARENA_PLAY, ARENA_PLAY, NOTE] and tasks[3] == ARENA_PLAY


def test_turns_neither_run_out_nor_pile_up(hall: Hall) -> None:
    arena = hall.arenas.create(**{**LONG, "games": 1000})
    with ExitStack() as held:
        held.enter_context(hall.keeper())
        until(lambda: hall.broker.llen(ARENA) == TURNS_WAITING, "turns to wait")
        running = held.enter_context(hall.worker(processes=2))
        until(lambda: running.tasks().count(ARENA_PLAY) > 12, "slices", 40)
        assert TURNS_WAITING - 1 <= hall.broker.llen(ARENA) <= TURNS_WAITING + 3
        hall.arenas.store.cancel(arena)
        until(lambda: hall.broker.llen(ARENA) == 0, "the turns to end")
