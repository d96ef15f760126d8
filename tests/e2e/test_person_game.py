"""People play through the API, each seat with its token, and follow the game on streams of both kinds."""

from __future__ import annotations

import json
from typing import Any

import pytest

from deploy.local import Stack
from shared.catalog import rules_for
from shared.client import Client
from shared.kernel import commit_from_plain, empty_state, fold, state_from_plain, state_to_plain, view_for
from tests.e2e.following import EVENTS, LINES, Follower
from tests.e2e.playing import Person, seat_people
from tests.e2e.proofs import prove, wait_for_result
from tests.polling import until

pytestmark = [pytest.mark.xdist_group("in peace"), pytest.mark.timeout(240)]

SEATS = 3
FOLLOWED = 0
JOINS_AT, RESUMES_AT = 20, 40
KINDS = (EVENTS, LINES)


class Table:
    """A game between people, with streams to its first seat and to a spectator, and the views the API showed them."""

    def __init__(self, stack: Stack, host: Client) -> None:
        self.created = host.create_game("usa", [{}] * SEATS, seed="5e" * 32)
        self.game = self.created["game"]
        self._host = host
        self._address = f"{stack.address}/v1/games/{self.game}/stream"
        self.people: dict[int, Person] = seat_people(host, self.game, [FOLLOWED], seed=1)
        self.seat = self.people[FOLLOWED].client
        self.spectator = host.with_token(self.created["spectator_token"])
        self.streams: list[Follower] = []
        self.from_start = self.follow(self.seat)
        self.people |= seat_people(host, self.game, [seat for seat in range(SEATS) if seat != FOLLOWED], seed=1)
        self.seat_views: dict[int, Any] = {}
        self.spectator_views: dict[int, Any] = {}

    def follow(self, client: Client, after: int | None = None) -> dict[str, Follower]:
        """Opens a stream of each kind."""
        opened = {kind: Follower(self._address, client.token, kind, after) for kind in KINDS}
        self.streams += opened.values()
        return opened

    def play(self) -> None:
        """Plays to the end; each version reaches every stream before the next move."""
        version = 1
        while (shown := self.look(version))["status"] == "playing":
            if version == JOINS_AT:
                self.joined = self.follow(self.spectator)
            if version == RESUMES_AT:
                self.resumed = self.follow(self.seat, after=JOINS_AT)
            decision = shown["decisions"][0]
            version = self.people[decision["seat"]].answer(decision["decision"])["version"]
        wait_for_result(self._host, self.game)
        for stream in self.streams:
            stream.wait_for_end()

    def look(self, version: int) -> Any:
        """Waits for a version on every stream, and keeps what the API shows then; gives the spectator's game."""
        until(lambda: all(stream.has(version) for stream in self.streams), f"version {version} on every stream")
        shown = self.spectator.view(self.game)
        for views, view in ((self.seat_views, self.seat.view(self.game)), (self.spectator_views, shown)):
            views[view["version"]] = view["position"]
        return shown


def test_streams_tell_a_seat_and_a_spectator_the_game_as_it_happens(stack, host):
    table = Table(stack, host)
    table.play()

    record = prove(stack, host, table.created)
    last = len(record["commits"])
    assert set(range(1, last - 1)) <= table.seat_views.keys() & table.spectator_views.keys()
    for kind in KINDS:
        _tells_all(table.from_start[kind], first=0, last=last)
        _tells_all(table.joined[kind], first=JOINS_AT, last=last)
        assert table.resumed[kind].items == table.from_start[kind].items[JOINS_AT + 1 :]
        _folds(table.from_start[kind], FOLLOWED, table.seat_views)
        _folds(table.joined[kind], None, table.spectator_views)


def _tells_all(stream: Follower, first: int, last: int) -> None:
    """The view comes first, then every commit exactly once and in order."""
    assert [(item["kind"], item["version"]) for item in stream.items] == [
        ("view", first),
        *(("commit", version) for version in range(first + 1, last + 1)),
    ]


def _folds(stream: Follower, seat: int | None, views: dict[int, Any]) -> None:
    """Folding the commits on the view of the stream gives what the API shows at each version."""
    shown = stream.items[0]["body"]
    rules = rules_for(shown["ruleset"], seats=len(shown["seats"]), options=shown["options"])
    if shown["position"]:
        position = state_from_plain(rules, shown["position"])
    else:
        position = view_for(rules, empty_state(rules), seat)
    for item in stream.items[1:]:
        fold(rules, position, commit_from_plain(rules, item["body"]))
        if item["version"] in views:
            plain = json.loads(json.dumps(state_to_plain(rules, position)))
            assert plain == views[item["version"]], f"version {item['version']}"
