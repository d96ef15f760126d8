"""What must be true of every game that ended, whatever happened to the processes that hosted it."""

from __future__ import annotations

import json
import time
from collections import Counter
from typing import Any

from deploy.local import Stack
from services.game_state.event_store import EventStore
from shared.catalog import rules_for
from shared.client import Client
from shared.kernel import commit_from_plain, fold_log, score, state_to_plain, verify_draws
from shared.web.store import connect

Json = dict[str, Any]
WAIT_SECONDS = 5


def wait_for_version(client: Client, game: str, version: int, seconds: float = 60) -> int:
    """Waits until a game has reached a version; gives the version it then has."""
    deadline = time.monotonic() + seconds
    reached = 0
    while reached < version:
        assert time.monotonic() < deadline, f"game {game} is still at version {reached} after {seconds:g} s"
        reached = client.commits(game, after=reached, wait=WAIT_SECONDS)["version"]
    return reached


def wait_for_result(client: Client, game: str, seconds: float = 90) -> Json:
    """Waits until the result of a game is recorded; gives the game."""
    deadline = time.monotonic() + seconds
    while not (found := client.view(game))["result"]:
        where = f"{found['status']} at version {found['version']}"
        assert time.monotonic() < deadline, f"game {game} is {where} after {seconds:g} s"
        client.commits(game, after=found["version"], wait=WAIT_SECONDS)
    return found


def prove(stack: Stack, client: Client, created: Json) -> Json:
    """Checks a finished game against its log, and its log against the seed; gives its record."""
    game = created["game"]
    shown, record, scores = client.view(game), client.record(game), client.scores(game)
    rules = rules_for(record["ruleset"], seats=record["seats"], options=record["options"])
    commits = [commit_from_plain(rules, plain) for plain in record["commits"]]

    assert [commit.version for commit in commits] == list(range(1, len(commits) + 1))
    answered = [commit.decision for commit in commits if commit.decision is not None]
    opened = [f"{commit.version}.{event.seat}" for commit in commits for event in commit.events if _opens(event)]
    assert sorted(answered) == sorted(opened)
    assert len(set(answered)) == len(answered) == len(commits) - 2

    end = fold_log(rules, commits)
    plain = json.loads(json.dumps(state_to_plain(rules, end)))
    assert end.over
    _prove_head(stack, game, plain, record["commits"], answered)
    assert {**shown["position"], "viewer": None} == {**plain, "viewer": None}
    assert (shown["status"], shown["version"], shown["decisions"]) == ("over", len(commits), [])

    sheet = json.loads(json.dumps(score(rules, end).plain()))
    assert [event["sheet"] for event in record["commits"][-1]["events"]] == [sheet]
    assert shown["result"] == scores["sheet"] == sheet
    assert (scores["status"], scores["version"]) == ("final", len(commits))
    assert [seat["total"] for seat in scores["seats"]] == [seat["total"] for seat in sheet["seats"]]

    nonce, seed = bytes.fromhex(record["nonce"]), bytes.fromhex(record["seed"])
    assert verify_draws(nonce, seed, created["commitment"], commits) == []
    assert (shown["nonce"], shown["seed"]) == (record["nonce"], record["seed"])
    return record


def answers_of(record: Json) -> list[Json]:
    """Gives the commits of a record that answer a decision."""
    return [commit for commit in record["commits"] if commit["decision"] is not None]


def _opens(event: Any) -> bool:
    return type(event).__name__ in ("DecisionOpened", "TurnStarted")


def _prove_head(stack: Stack, game: str, end: Json, commits: list[Json], answered: list[str]) -> None:
    """What the store keeps beside the log says the same as the log, which is the one that was served."""
    with connect(stack.site.data_url("store"), decode_responses=True) as connection:
        store = EventStore(connection)
        head, answers = store.read(game).head, store.answers(game)
        log = [json.loads(text) for _, text in store.commits(game)]
    assert log == commits
    assert (head.version, json.loads(head.state), head.is_over) == (len(commits), end, True)
    versions = Counter({commit["decision"]: commit["version"] for commit in commits if commit["decision"]})
    assert {decision: int(answer.partition(":")[0]) for decision, answer in answers.items()} == versions
