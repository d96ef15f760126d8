"""Of two games that differ only in what a seat cannot know, that seat gets the same bytes, and so do the logs."""

from __future__ import annotations

import json
import re
import secrets
from collections import defaultdict
from contextlib import ExitStack, closing
from typing import Any

import pytest
import requests

from deploy.local import Stack
from deploy.local.figures import Figures
from services.game_state.adapters import Adapters
from services.game_state.agenda import PROJECT, Agenda, member
from services.game_state.appending import append
from services.game_state.clock import moment, now_ms
from services.game_state.event_store import EventStore
from services.game_state.keys import shard_key, shard_of
from services.game_state.records import Game, Seat, Secret
from services.game_state.waiting import Waiting
from services.game_state.work_store import WorkStore
from shared.catalog import rules_for, ruleset, rulesets
from shared.client import Client
from shared.kernel import Commit, Rules, commitment, empty_state
from shared.web.store import connect
from tests.e2e.following import EVENTS, LINES, Follower
from tests.e2e.twins import SEATS, WATCHER, Twins, stack_twins, twins
from tests.polling import until

pytestmark = [pytest.mark.xdist_group("in peace"), pytest.mark.timeout(240)]

LENGTH, VARIETY = 60, 4
MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")
FAR_AWAY_MS = 3_600_000
Json = dict[str, Any]


class Twin:
    """One of two games at the stack: who plays it, and every answer that could tell its watcher something."""

    def __init__(self, stack: Stack, host: Client, game: str, notes: str) -> None:
        self.game = game
        self._stack = stack
        self._asked = 0
        self._session = requests.Session()
        self._session.trust_env = False
        self.tokens = [host.claim_seat(game, seat, f"Person {seat}")["token"] for seat in range(SEATS)]
        self.public = [host.token, host._json("PUT", f"/games/{game}/spectators")["spectator_token"]]
        self.seen: list[Any] = []
        host.with_token(self.tokens[1]).keep_notes(game, 1, notes)
        self.streams: list[Follower] = []
        self.follow(self.tokens[WATCHER], self.public[1])

    def follow(self, *tokens: str, after: int | None = None) -> None:
        """Opens streams of both kinds for each token."""
        address = f"{self._stack.address}/v1/games/{self.game}/stream"
        headers = {"X-Request-Id": "stream-of-twin"}
        self.streams += [Follower(address, token, kind, after, headers) for token in tokens for kind in (EVENTS, LINES)]

    def send(self, token: str, method: str, path: str, **rest: Any) -> requests.Response:
        """Sends a request under an id that its counterpart at the twin has too."""
        self._asked += 1
        headers = {"Authorization": f"Bearer {token}", "X-Request-Id": f"twin-{self._asked}", **rest.pop("headers", {})}
        return self._session.request(
            method, f"{self._stack.address}/v1/games/{self.game}{path}", headers=headers, timeout=10, **rest
        )

    def watch(self, method: str, path: str, *, token: str | None = None, **rest: Any) -> None:
        """Sends a request of the watcher, or of somebody else who knows no more, and keeps every byte of the answer."""
        answer = self.send(token or self.tokens[WATCHER], method, path, **rest)
        headers = [(name, value) for name, value in answer.headers.items() if name != "Date"]
        self.seen.append((method, path, answer.status_code, self.plain(str(headers)), self.plain(answer.text)))

    def close(self) -> None:
        """Ends its streams, which take places from those of other tests."""
        for stream in self.streams:
            stream.close()

    def plain(self, text: str) -> str:
        """A text without the id of this game and without times."""
        return MOMENT.sub("THEN", text.replace(self.game, "GAME"))

    def look_around(self, version: int) -> None:
        """Asks for everything that can be asked for."""
        for path in ("", f"/commits?after={version - 1}", "/commits", "/scores", "/record"):
            self.watch("GET", path)
        for token in self.public:
            for path in ("", f"/commits?after={version - 1}", "/scores"):
                self.watch("GET", path, token=token)
        for seat in range(SEATS):
            self.watch("GET", f"/decisions/{version}.{seat}")
            self.watch("GET", f"/seats/{seat}/notes")
        self.watch("GET", "", headers={"If-None-Match": f'"{version}.{WATCHER}"'})


@pytest.mark.parametrize("name", [name for name in rulesets() if ruleset(name)["seats"]["max"] >= SEATS])
def test_a_seat_cannot_tell_twin_games_apart(stack, host, name):
    rules = rules_for(name, seats=SEATS)
    pair = twins(rules, LENGTH, VARIETY)
    games = _started(stack, rules, pair)
    with ExitStack() as held:
        both = [held.enter_context(closing(Twin(stack, host, game, notes)))
                for game, notes in zip(games, ("short", "a longer one"), strict=True)]
        _play(stack, rules, pair, both)
    _saw_the_same(both)
    assert {status for _, _, status, _, _ in both[0].seen} == {200, 201, 304, 403, 404, 409, 422}
    _logged_the_same(stack, both)
    _logged_no_secret(stack, rules)


@pytest.mark.rule("VIEW-7")
def test_nobody_finds_out_what_lies_in_a_stack_not_even_its_owner(stack, host):
    rules = rules_for("card_game", seats=SEATS, options={"first_player": 0})
    pair = stack_twins(rules)
    games = _started(stack, rules, pair)
    for number, game in enumerate(games):
        people = [host.with_token(host.claim_seat(game, seat, f"Person {seat}")["token"]) for seat in range(SEATS)]
        for step in pair.steps:
            people[step.seat].answer(game, step.decision, step.moves[number])
    last = len(pair.steps) + 1

    until(lambda: not Figures.of(stack.site.ports).total("whistlestop_held_requests"), "room for many streams", 40)
    both = [Twin(stack, host, game, "") for game in games]
    _look_around(stack, both, last)
    for twin in both:
        for after in (0, last // 2):
            twin.follow(*twin.tokens[:2], twin.public[1], after=after)
        for token in (*twin.tokens, *twin.public):
            for path in ("", "/commits", "/commits?after=1&limit=3", "/commits?after=1&wait=5", "/scores", "/record"):
                twin.watch("GET", path, token=token)
        for step in pair.steps:
            path = f"/decisions/{step.decision}"
            twin.watch("GET", path, token=twin.tokens[step.seat])
            for move in step.moves:
                twin.watch("PUT", f"{path}/answer", token=twin.tokens[step.seat], json={"move": move})
    until(lambda: all(stream.has(last) for twin in both for stream in twin.streams), "the last commit on all streams")

    _saw_the_same(both)
    assert {status for method, _, status, _, _ in both[0].seen if method == "PUT"} == {200, 409}
    assert all(stream.items[0]["kind"] == "view" for twin in both for stream in twin.streams)


def _started(stack: Stack, rules: Rules, pair: Twins) -> list[str]:
    """Puts both games into the store as if they had just been started."""
    nonce = secrets.token_bytes(32)
    secret = Secret(pair.seed, nonce)
    games = []
    with connect(stack.site.data_url("store"), decode_responses=True) as connection:
        adapters = Adapters(
            EventStore(connection), Agenda(connection), Waiting(connection), WorkStore(connection), rules=None
        )
        for start in pair.starts:
            now = now_ms()
            game = Game(
                id=secrets.token_hex(8), owner="dev", ruleset=rules.id, options=rules.options, created=moment(now),
                answer_limit=None, commitment=commitment(nonce, pair.seed), seed_by="server",
                seats=tuple(Seat(f"Person {seat}", None, 1) for seat in range(SEATS)), spectators=1, revision=0,
                quarantined=None,
            )  # fmt: skip
            adapters.store.create(game, secret, digest=game.id, now=now, start_due=now + FAR_AWAY_MS)
            commit = Commit(1, moment(now), None, None, None, False, start.events, start.chance)
            assert append(adapters, game, rules, empty_state(rules), commit)
            games.append(game.id)
    return games


def _play(stack: Stack, rules: Rules, pair: Twins, both: list[Twin]) -> None:
    for version, step in enumerate(pair.steps, start=1):
        if version % 8 == 1:
            _look_around(stack, both, version)
        for twin, move in zip(both, step.moves, strict=True):
            path = f"/decisions/{step.decision}"
            for refused in step.refused:
                twin.watch("PUT", f"{path}/answer", json={"move": refused})
            if step.seat == WATCHER:
                twin.watch("GET", path)
                twin.watch("PUT", f"{path}/answer", json={"move": move})
                twin.watch("PUT", f"{path}/answer", json={"move": move})
                twin.watch("PUT", f"{path}/answer", json={"move": {"move": "Pass"}})
            else:
                answer = twin.send(twin.tokens[step.seat], "PUT", f"{path}/answer", json={"move": move})
                assert (answer.status_code, answer.json()["version"]) == (201, version + 1), answer.text
                twin.watch("GET", "")
    last = len(pair.steps) + 1
    _look_around(stack, both, last)
    until(lambda: all(stream.has(last) for twin in both for stream in twin.streams), "the last commit on all streams")


def _look_around(stack: Stack, both: list[Twin], version: int) -> None:
    """Looks at both games when scoring has read them, for else it reads more for one than for the other."""
    with connect(stack.site.data_url("store"), decode_responses=True) as connection:
        for twin in both:
            key, name = shard_key(shard_of(twin.game), "agenda"), member(PROJECT, twin.game)
            until(lambda key=key, name=name: connection.zscore(key, name) is None, "scoring to have read the game")
            twin.look_around(version)


def _saw_the_same(both: list[Twin]) -> None:
    one, other = both
    for mine, theirs in zip(one.seen, other.seen, strict=True):
        assert mine == theirs
    for mine, theirs in zip(one.streams, other.streams, strict=True):
        assert len(mine.raw) == len(theirs.raw)
        assert one.plain(mine.raw.decode()) == other.plain(theirs.raw.decode())
        assert one.plain(str(_but_date(mine))) == other.plain(str(_but_date(theirs)))


def _but_date(stream: Follower) -> Json:
    return {name: value for name, value in stream.answered.items() if name != "Date"}


def _logged_the_same(stack: Stack, both: list[Twin]) -> None:
    """What was logged for each request is the same; what was logged in the background is of the same kinds."""
    by_request: list[dict[Any, list[Json]]] = [defaultdict(list), defaultdict(list)]
    background: list[set[str]] = [set(), set()]
    for program in stack.site.ports:
        for line in (stack.site.var / "logs" / f"{program}.log").read_text().splitlines():
            for number, twin in enumerate(both):
                if twin.game in line:
                    logged = json.loads(twin.plain(line))
                    logged.pop("ms", None)
                    request = logged.pop("request_id", "")
                    if request.startswith("twin-"):
                        by_request[number][program, request].append(logged)
                    else:
                        background[number].add(json.dumps({**logged, "version": None}))
    assert by_request[0] == by_request[1]
    assert background[0] == background[1]
    assert {program for program, _ in by_request[0]} == {"gateway", "game_state", "scoring"}


def _logged_no_secret(stack: Stack, rules: Rules) -> None:
    """No line of any game holds a card, a ticket, a track, or a move."""
    words = [f'"{word}"' for word in (*rules.kinds, *rules.move_classes)]
    names = [*words, *rules.board.tickets, *rules.board.tracks]
    secret = re.compile("|".join(map(re.escape, names)))
    for program in stack.site.ports:
        for line in (stack.site.var / "logs" / f"{program}.log").read_text().splitlines():
            assert secret.search(line) is None, line
