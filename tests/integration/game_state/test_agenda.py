"""The agenda: what must still happen is sent until it has happened, by however many dispatchers."""

from __future__ import annotations

import threading

import pytest
from kombu.exceptions import OperationalError

from services.game_state import dispatcher as dispatcher_module
from services.game_state.agenda import PACE, Agenda, Due, member
from services.game_state.backlog import Backlog
from services.game_state.clock import now_ms
from services.game_state.dispatcher import Dispatcher
from services.game_state.keys import shard_key, shard_of
from shared.contracts import queues
from tests.game_state import GameState, at_once, fresh_game
from tests.polling import until

pytestmark = pytest.mark.usefixtures("nothing_due")

BOTS = ({"bot": "greedy"}, {"bot": "random"})


class Sent(list):
    """What a dispatcher has sent, and whether the broker is there."""

    broker_away = False

    def __call__(self, task: str, details: dict, seconds: float) -> None:
        if self.broker_away:
            raise OperationalError("no broker")
        self.append((task, details))

    def about(self, game: str) -> list[tuple[str, dict]]:
        return [(task, details) for task, details in self if details["game"] == game]


@pytest.fixture
def agenda(gs: GameState) -> Agenda:
    return gs.adapters.agenda


def put(gs: GameState, due: int, *names: str) -> None:
    game = names[0].split("|")[1]
    gs.redis.zadd(shard_key(shard_of(game), "agenda"), dict.fromkeys(names, due))


def claim(agenda: Agenda, game: str, now: int) -> list[Due]:
    return [due for due in agenda.claim(shard_of(game), now=now, limit=10_000) if due.game == game]


def score(gs: GameState, name: str) -> float | None:
    return gs.redis.zscore(shard_key(shard_of(name.split("|")[1]), "agenda"), name)


def test_only_what_is_due_is_claimed(gs: GameState, agenda: Agenda):
    game = fresh_game()
    put(gs, 1000, member("bot", game, "1.0"))
    put(gs, 2000, member("bot", game, "1.1"))
    assert claim(agenda, game, 999) == []
    assert claim(agenda, game, 1000) == [Due("bot", game, "1.0", 1, 4000)]


def test_a_claimed_member_comes_up_again_ever_later_until_it_is_removed(gs: GameState, agenda: Agenda):
    """P-30: a dispatcher or worker that dies with it costs only time."""
    game = fresh_game()
    name = member("bot", game, "1.0")
    put(gs, 0, name)
    first, longest = PACE["bot"]
    now, waits = 0, []
    for attempt in range(1, 6):
        assert [due.attempt for due in claim(agenda, game, now)] == [attempt]
        waits.append(score(gs, name) - now)
        now = int(score(gs, name))
    assert waits == [min(first * 2**attempt, longest) for attempt in range(5)]
    agenda.remove(game, [name])
    assert claim(agenda, game, now * 2) == []
    put(gs, 0, name)
    assert claim(agenda, game, 0)[0].attempt == 1, "attempts are forgotten with their member"


def test_what_is_due_goes_to_one_of_several_dispatchers(gs: GameState, agenda: Agenda):
    game = fresh_game()
    put(gs, 0, *(member("bot", game, f"{version}.0") for version in range(1, 101)))
    claimed = at_once(*[lambda: claim(agenda, game, 1)] * 4)
    decisions = [due.decision for part in claimed for due in part]
    assert len(decisions) == len(set(decisions)) == 100


def test_a_member_given_back_was_never_claimed(gs: GameState, agenda: Agenda):
    game = fresh_game()
    put(gs, 0, member("bot", game, "1.0"))
    agenda.give_back(claim(agenda, game, 1), due=50)
    assert claim(agenda, game, 50) == [Due("bot", game, "1.0", 1, 4000)]


def test_a_member_removed_meanwhile_is_not_given_back(gs: GameState, agenda: Agenda):
    game = fresh_game()
    put(gs, 0, member("bot", game, "1.0"))
    claimed = claim(agenda, game, 1)
    agenda.remove(game, [member("bot", game, "1.0")])
    agenda.give_back(claimed, due=50)
    assert claim(agenda, game, 50) == []


def test_a_bot_to_move_is_asked_twice_then_the_fallback_then_answered_by_default(gs: GameState):
    game = gs.create(*BOTS)["game"]
    name = member("bot", game, "1.0")
    sent = Sent()
    dispatcher = Dispatcher(gs.redis, sent, Backlog(gs.redis))
    for _ in range(5):
        gs.redis.zadd(shard_key(shard_of(game), "agenda"), {name: 0})
        dispatcher.sweep([shard_of(game)])
    asked = [(task, details) for task, details in sent.about(game) if details.get("decision") == "1.0"]
    choice = {"game": game, "decision": "1.0"}
    assert asked == [
        (queues.AI_ANSWER, choice | {"bot": "greedy"}),
        (queues.AI_ANSWER, choice | {"bot": "greedy"}),
        (queues.AI_ANSWER_FALLBACK, choice),
        (queues.MAINTENANCE_FORCE_ANSWER, choice),
        (queues.MAINTENANCE_FORCE_ANSWER, choice),
    ]


def test_seats_of_people_are_asked_by_no_task(gs: GameState):
    game = gs.started()["game"]
    sent = Sent()
    put(gs, 0, member("project", game))
    Dispatcher(gs.redis, sent, Backlog(gs.redis)).sweep([shard_of(game)])
    assert sent.about(game) == [(queues.SCORING_PROJECT, {"game": game})]


def test_an_announced_shard_is_looked_at_before_the_next_sweep(gs: GameState, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(dispatcher_module, "SWEEP_SECONDS", 3600)
    sent, stop = Sent(), threading.Event()
    thread = threading.Thread(target=Dispatcher(gs.redis, sent, Backlog(gs.redis)).run, args=[stop], daemon=True)
    thread.start()
    first, second = fresh_game(), fresh_game()
    put(gs, 0, member("audit", first))
    until(lambda: gs.redis.publish(queues.WAKE_CHANNEL, shard_of(first)) and sent.about(first), "the announced work")
    put(gs, 0, member("audit", second))
    gs.redis.publish(queues.WAKE_CHANNEL, shard_of(second))
    until(lambda: sent.about(second), "the announced work")
    stop.set()
    gs.redis.publish(queues.WAKE_CHANNEL, 0)
    thread.join(5)
    assert not thread.is_alive()


@pytest.mark.parametrize(
    ("purpose", "decision", "task"),
    [
        ("start", "", queues.MAINTENANCE_START_GAME),
        ("deadline", "3.1", queues.MAINTENANCE_FORCE_ANSWER),
        ("project", "", queues.SCORING_PROJECT),
        ("result", "", queues.SCORING_RECORD_RESULT),
        ("audit", "", queues.MAINTENANCE_AUDIT),
    ],
)
def test_each_purpose_has_its_task_which_carries_only_ids(gs: GameState, purpose: str, decision: str, task: str):
    game = fresh_game()
    put(gs, 0, member(purpose, game, decision))
    sent = Sent()
    Dispatcher(gs.redis, sent, Backlog(gs.redis)).sweep([shard_of(game)])
    assert sent.about(game) == [(task, {"game": game} | ({"decision": decision} if decision else {}))]


def test_while_the_broker_is_away_nothing_is_claimed_and_no_attempt_counts(gs: GameState):
    """P-34: a lost broker costs nothing but time, and no bot loses its turn to it."""
    game = fresh_game()
    put(gs, 0, *(member("bot", game, f"{version}.0") for version in range(1, 4)))
    sent = Sent()
    sent.broker_away = True
    dispatcher = Dispatcher(gs.redis, sent, Backlog(gs.redis))
    for _ in range(3):
        assert dispatcher.sweep([shard_of(game)]) == 0
    sent.broker_away = False
    put(gs, 0, *(member("bot", game, f"{version}.0") for version in range(1, 4)))
    Dispatcher(gs.redis, sent, Backlog(gs.redis)).sweep([shard_of(game)])
    assert [task for task, _ in sent.about(game)] == [queues.AI_ANSWER] * 3


def test_commits_make_one_member_for_scoring_which_stays_until_all_is_read(gs: GameState):
    game = gs.started()["game"]
    name = member("project", game)
    first_due = score(gs, name)
    gs.choose_tickets(game)
    assert score(gs, name) == first_due, "later commits join the one that waits"

    def read_up_to(version: int) -> dict:
        return gs.call("POST", f"/games/{game}/projected", service="scoring", json={"version": version}).json

    assert read_up_to(2) == {"complete": False}
    assert score(gs, name) > now_ms() - 1000
    assert read_up_to(3) == {"complete": True}
    assert score(gs, name) is None


def test_a_scoring_service_that_is_down_is_asked_less_and_less_often(gs: GameState):
    game = gs.started()["game"]
    name = member("project", game)
    sent = Sent()
    dispatcher = Dispatcher(gs.redis, sent, Backlog(gs.redis))
    waits = []
    for _ in range(3):
        put(gs, 0, name)
        dispatcher.sweep([shard_of(game)])
        waits.append(score(gs, name) - now_ms())
    assert waits[0] < waits[1] < waits[2]
    gs.choose_tickets(game)
    assert score(gs, name) - now_ms() > waits[1], "a new commit does not hurry it"


def test_a_purpose_of_a_newer_version_is_left_alone_and_stops_nothing(gs: GameState, agenda: Agenda):
    game = fresh_game()
    put(gs, 0, member("webhook", game), member("audit", game))
    assert claim(agenda, game, 1) == [Due("audit", game, "", 1, PACE["audit"][0])]
    agenda.remove(game, [member("webhook", game)])


def test_the_lag_is_the_age_of_the_oldest_due_member(gs: GameState, agenda: Agenda):
    game = fresh_game()
    put(gs, 1, member("audit", game))
    assert agenda.oldest_due(now=5001) >= 5.0
    agenda.remove(game, [member("audit", game)])
