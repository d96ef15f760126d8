"""Following a game: the view or the commits a caller has not seen yet, in order, without gap or repeat; and following
what a bot has to do."""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from services.gateway.hub import Hub, Watch
from shared.web import Problem
from shared.web.client import Answer

log = logging.getLogger(__name__)

RESULT = "ResultRecorded"
RETRY_SECONDS = 1.0

Json = dict[str, Any]


@dataclass(frozen=True)
class Item:
    """One thing to send: a view or a commit with its version, a turn; without a body only a sign of life."""

    kind: str
    version: int | None = None
    body: Json | None = None


ALIVE = Item("heartbeat")


@dataclass(frozen=True)
class Source:
    """How to ask for one game on behalf of one caller; both raise Problem."""

    game: str
    view: Callable[[], Json]
    commits: Callable[[int], Json]


def follow(source: Source, hub: Hub, *, first: Json | None, after: int, heartbeat: float) -> Iterator[Item]:
    """Gives `first`, the view at hand if the caller has none, then every commit after it until the result is in.

    The log is asked again with every heartbeat, so a wake-up that got lost delays a commit but never loses it, and a
    token that was revoked ends the stream. While a service is away the stream stays open.
    """
    def news() -> Iterator[Item]:
        nonlocal after
        for item in _news(source, after):
            yield item
            after = item.version

    with hub.watch(source.game) as watch:
        if first is not None:
            yield _view(first)
            after = first["version"]
        if first is None or not is_finished(first):
            yield from _keep_up(hub, watch, news, heartbeat)


def follow_turns(bot: str, ask: Callable[[], list[Json]], hub: Hub, *, heartbeat: float) -> Iterator[Item]:
    """Gives what a bot has to do now and then each turn as it comes up; one that comes up again is given again.

    `ask` gives the turns of now, or raises Problem; as in `follow`, a lost wake-up costs a heartbeat.
    """
    known: set[tuple[str, ...]] = set()

    def news() -> Iterator[Item]:
        nonlocal known
        turns = {(turn["game"], turn["decision"], turn["deadline"]): turn for turn in ask()}
        yield from (Item("your_turn", body=turn) for key, turn in turns.items() if key not in known)
        known = set(turns)

    with hub.watch(bot) as watch:
        yield from _keep_up(hub, watch, news, heartbeat)


def _keep_up(hub: Hub, watch: Watch, news: Callable[[], Iterator[Item]], heartbeat: float) -> Iterator[Item]:
    """Gives what is new whenever there may be something, up to the last item there can be, with signs of life."""
    ends = False
    beat = time.monotonic() + heartbeat
    while not ends and not hub.is_stopping:
        pause = heartbeat
        try:
            for item in news():
                yield item
                ends = _is_last(item)
                beat = time.monotonic() + heartbeat
        except Problem as problem:
            if problem.status < HTTPStatus.INTERNAL_SERVER_ERROR:
                return
            log.warning("a stream waits for a service", extra={"problem": problem.code})
            pause = RETRY_SECONDS
        if not ends:
            watch.wait(min(pause, beat - time.monotonic()))
            if time.monotonic() >= beat:
                yield ALIVE
                beat = time.monotonic() + heartbeat


def wait_for(
    ask: Callable[[], Answer], is_worth_it: Callable[[Answer], bool], hub: Hub, topic: str, seconds: float
) -> Answer:
    """Gives the answer of `ask` about a game or a bot as soon as it is worth it, or the last when the time is up."""
    until = time.monotonic() + seconds
    with hub.watch(topic) as watch:
        while True:
            answer = ask()
            left = until - time.monotonic()
            if left <= 0 or hub.is_stopping or is_worth_it(answer):
                return answer
            watch.wait(left)


def is_finished(game: Json) -> bool:
    """Whether nothing can follow this view: the result is recorded."""
    return game["result"] is not None


def event_stream(items: Iterator[Item]) -> Iterator[str]:
    """Writes items as server-sent events: `view` and `commit` with the version as id, `your_turn`."""
    for item in items:
        if item.body is None:
            yield ": heartbeat\n\n"
        else:
            version = "" if item.version is None else f"id: {item.version}\n"
            yield f"event: {item.kind}\n{version}data: {_dump(item.body)}\n\n"


def json_lines(items: Iterator[Item]) -> Iterator[str]:
    """Writes items as lines of JSON; an empty line is a sign of life."""
    for item in items:
        yield "\n" if item.body is None else f"{_dump(item.body)}\n"


def _news(source: Source, after: int) -> Iterator[Item]:
    """Gives what is new after a version; the view instead where commits that old are no longer served (VIEW-7)."""
    while True:
        page = source.commits(after)
        for commit in page["commits"]:
            if commit["version"] != after + 1:
                yield _view(source.view())
                return
            after += 1
            yield Item("commit", after, commit)
        if not page["commits"] or after >= page["version"]:
            return


def _view(game: Json) -> Item:
    return Item("view", game["version"], game)


def _is_last(item: Item) -> bool:
    if item.kind == "view":
        return is_finished(item.body)
    return item.kind == "commit" and any(event["event"] == RESULT for event in item.body["events"])


def _dump(body: Json) -> str:
    return json.dumps(body, ensure_ascii=False, separators=(",", ":"))
