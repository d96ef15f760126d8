"""The client: one method for each thing the public API can do."""

from __future__ import annotations

import json
import re
import threading
import time
import uuid
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote, urlsplit

import requests

from shared.client.errors import Unreachable, problem_of
from shared.contracts.logs import REQUEST_ID_HEADER, bound_request_id

CONNECT_SECONDS = 3.0
READ_SECONDS = 10.0
STREAM_SILENCE_SECONDS = 60.0
LATER = frozenset({429, 503})
ENDED = 204
HELD = 201
REOPEN_SECONDS = 0.2
NDJSON = "application/x-ndjson"

Json = dict[str, Any]


class Client:
    """Talks to one gateway as whoever holds `token`: a platform, a seat, a spectator or a bot.

    Every request here may be repeated without harm (a new game carries an Idempotency-Key), so each is retried for up
    to `patience` seconds when the gateway cannot be reached, asks to come back later (503) or to slow down (429).
    Raises `ApiProblem` or one of its kinds when the gateway refuses, `Unreachable` when no answer came in time;
    ValueError at once for an address or a token that can be none.
    """

    def __init__(self, base_url: str, token: str | None = None, *, patience: float = 10.0) -> None:
        self.base_url = _address(base_url)
        self.token = _one_word(token) if token else None
        self.patience = patience
        self._local = threading.local()

    def with_token(self, token: str) -> Client:
        """The same gateway, spoken to as somebody else."""
        return Client(self.base_url, token, patience=self.patience)

    def patient(self, seconds: float) -> Client:
        """The same gateway and caller, with another patience."""
        return Client(self.base_url, self.token, patience=seconds)

    # Looking things up

    def rulesets(self) -> list[Json]:
        """The rule sets that can be played."""
        return self._json("GET", "/rulesets")["rulesets"]

    def rule(self, rule: str) -> Json:
        """The text of a rule by its id, such as BASE-24."""
        return self._json("GET", _path("rules", rule))

    def bots(self) -> list[Json]:
        """The bots that can take a seat."""
        return self._json("GET", "/bots")["bots"]

    # Hosting

    def create_game(
        self,
        ruleset: str,
        seats: list[Json],
        *,
        options: Json | None = None,
        seed: str | None = None,
        answer_limit: int | None = None,
        key: str | None = None,
    ) -> Json:
        """A new game; `seats` are `{"bot": name}`, `{"name": ...}` or `{}` for a free one.

        `key` names this creation: creating again with the same key gives the same game.
        """
        body: Json = {"ruleset": ruleset, "seats": seats, "options": options or {}}
        if seed is not None:
            body["seed"] = seed
        if answer_limit is not None:
            body["answer_limit"] = answer_limit
        return self._json("POST", "/games", body, headers={"Idempotency-Key": key or uuid.uuid4().hex})

    def claim_seat(self, game: str, seat: int, name: str) -> Json:
        """Gives the seat to `name`: {"seat", "name", "token"}. Done again it gives a new token and ends the old one."""
        return self._json("PUT", _path("games", game, "seats", seat), {"name": name})

    # Bots of one's own

    def create_bot(self, asked: Json) -> Json:
        """A new bot of the platform, {"bot": name, "about", ...}, with its token, which is shown this once.

        Raises `Conflict` when it is there already: `renew_bot_token` gives it another token.
        """
        return self._json("POST", "/bots", asked)

    def renew_bot_token(self, bot: str) -> str:
        """A new token of a bot of the platform; the earlier ones are void."""
        return self._json("PUT", _path("bots", bot, "token"))["token"]

    def delete_bot(self, bot: str) -> None:
        """Deletes a bot of the platform and ends its tokens."""
        self._send("DELETE", _path("bots", bot))

    def own_bot(self) -> Json:
        """The bot whose token this client has."""
        return self._json("GET", "/bots/me")

    def turns(self) -> Iterator[Json]:
        """What the bot has to do, {"game", "decision", "seat", "deadline"}, now and as it comes up; it does not end.

        When the stream breaks and is taken up again, all that is still to do comes again.
        """
        give_up = time.monotonic() + self.patience
        while True:
            try:
                with self._open("/bots/me/stream", {"Accept": NDJSON}) as response:
                    for line in response.iter_lines(chunk_size=None):
                        give_up = time.monotonic() + self.patience
                        if line:
                            yield json.loads(line)
            except (requests.RequestException, json.JSONDecodeError) as error:
                if time.monotonic() > give_up:
                    raise Unreachable(f"the stream of turns broke and could not be taken up again: {error}") from error
            time.sleep(REOPEN_SECONDS)

    def take_work(self, *, wait: int = 0) -> Json | None:
        """A decision for this caller alone, {"work", "lease" (seconds), "question"}; None if there is none.

        While there is none it waits up to `wait` seconds for one. An answer that got lost costs the decision: its lease
        ends, and another answers for the bot.
        """
        params = {"wait": wait} if wait else {}
        response = self._send("POST", "/bots/me/work", params=params, read=READ_SECONDS + wait)
        return response.json() if response.status_code == HELD else None

    def answer_work(self, work: str, move: Json) -> Json:
        """Answers with work, as `answer` does; raises `Conflict` also when it is not held any more."""
        response = self._send("PUT", _path("bots", "me", "work", work, "answer"), {"move": move})
        return {**response.json(), "first": response.status_code == 201}

    def abort_work(self, work: str) -> None:
        """Gives work back, for another worker of the bot or, the second time, the fallback."""
        self._send("DELETE", _path("bots", "me", "work", work))

    # Experiments

    def create_arena(self, asked: Json, *, key: str | None = None) -> Json:
        """A new arena, as it is asked for: {"ruleset", "entrants": [{"bot": name}], "games", ...}.

        `key` names this creation: creating again with the same key gives the same arena.
        """
        return self._json("POST", "/arenas", asked, headers={"Idempotency-Key": key or uuid.uuid4().hex})

    def arenas(self) -> Iterator[Json]:
        """The platform's arenas, the newest first."""
        cursor = None
        while True:
            page = self._json("GET", "/arenas", params={"cursor": cursor} if cursor else {})
            yield from page["arenas"]
            if (cursor := page["next"]) is None:
                return

    def arena(self, arena: str) -> Json:
        """How far an arena is, and what its games tell so far."""
        return self._json("GET", _path("arenas", arena))

    def cancel_arena(self, arena: str) -> Json:
        """Ends an arena; what it has stays."""
        return self._json("DELETE", _path("arenas", arena))

    def arena_records(self, arena: str) -> Iterator[Json]:
        """The records of an arena's games that are over, where they were asked for, by their numbers."""
        seen: Json = {}
        give_up = time.monotonic() + self.patience
        while True:
            try:
                with self._open(_path("arenas", arena, "records"), {"Accept": NDJSON}, params=seen) as response:
                    for line in response.iter_lines(chunk_size=None):
                        record = json.loads(line)
                        yield record
                        seen = {"after": record["number"]}
                        give_up = time.monotonic() + self.patience
                    return
            except (requests.RequestException, json.JSONDecodeError) as error:
                if time.monotonic() > give_up:
                    raise Unreachable(f"the records of {arena} broke off: {error}") from error
            time.sleep(REOPEN_SECONDS)

    # Playing and watching

    def view(self, game: str) -> Json:
        """The game as this caller may see it."""
        return self._json("GET", _path("games", game))

    def decision(self, game: str, decision: str) -> Json:
        """One decision: open or answered; for its own seat while open with the view, the legal moves and the notes."""
        return self._json("GET", _path("games", game, "decisions", decision))

    def answer(self, game: str, decision: str, move: Json) -> Json:
        """Answers a decision; `first` in the result tells whether this call did it (or an earlier one, the same).

        Raises `RuleBroken` for a move against the rules, `Conflict` when it was answered otherwise or is not open.
        """
        response = self._send("PUT", _path("games", game, "decisions", decision, "answer"), {"move": move})
        return {**response.json(), "first": response.status_code == 201}

    def notes(self, game: str, seat: int) -> str:
        """What the seat has kept for itself with the game."""
        return self._json("GET", _path("games", game, "seats", seat, "notes"))["notes"]

    def keep_notes(self, game: str, seat: int, notes: str) -> None:
        """Keeps up to 4 KB with the game, returned only to the seat."""
        self._send("PUT", _path("games", game, "seats", seat, "notes"), {"notes": notes})

    def commits(self, game: str, after: int = 0, *, wait: int = 0) -> Json:
        """The commits after a version: {"version": head, "commits": [...]}.

        While there are none it waits up to `wait` seconds for the first. Where some of them are closed (VIEW-7) the
        page holds a `position` of that version too, to go on from.
        """
        params = {"after": after} | ({"wait": wait} if wait else {})
        return self._json("GET", _path("games", game, "commits"), params=params, read=READ_SECONDS + wait)

    def stream(self, game: str, after: int | None = None) -> Iterator[Json]:
        """The game as this caller may see it, then every commit as it happens, until the result is recorded.

        With `after` it starts with the commits after that version. A stream that breaks is taken up where it broke.
        """
        seen = after
        give_up = time.monotonic() + self.patience
        while True:
            try:
                with self._open_stream(game, seen) as response:
                    if response.status_code == ENDED:
                        return
                    for line in filter(None, response.iter_lines(chunk_size=None)):
                        item = json.loads(line)
                        yield item
                        if _is_last(item):
                            return
                        seen = item["version"]
                        give_up = time.monotonic() + self.patience
            except (requests.RequestException, json.JSONDecodeError) as error:
                if time.monotonic() > give_up:
                    raise Unreachable(f"the stream of {game} broke and could not be taken up again: {error}") from error
            time.sleep(REOPEN_SECONDS)

    def scores(self, game: str) -> Json:
        """The public score so far, or the final sheet."""
        return self._json("GET", _path("games", game, "scores"))

    def record(self, game: str) -> Json:
        """The whole record of a finished game, with nonce, seed and every chance outcome: what `verify` audits."""
        return self._json("GET", _path("games", game, "record"))

    # How it is sent

    def _json(self, method: str, path: str, body: Json | None = None, **rest: Any) -> Json:
        response = self._send(method, path, body, **rest)
        try:
            return response.json()
        except requests.JSONDecodeError:
            raise Unreachable(f"{self.base_url} answers, but not as a gateway of Whistlestop does") from None

    def _send(
        self,
        method: str,
        path: str,
        body: Json | None = None,
        *,
        params: Json | None = None,
        headers: dict[str, str] | None = None,
        read: float = READ_SECONDS,
    ) -> requests.Response:
        """Sends a request that may be repeated, and repeats it while that can help."""
        give_up = time.monotonic() + self.patience
        pause = 0.1
        while True:
            wait = pause
            try:
                response = self._session().request(
                    method,
                    f"{self.base_url}/v1{path}",
                    json=body,
                    params=params,
                    headers=self._headers(headers),
                    timeout=(CONNECT_SECONDS, read),
                )
                if response.status_code not in LATER:
                    if response.ok:
                        return response
                    raise problem_of(response)
                refusal: Exception = problem_of(response)
                wait = max(pause, _retry_after(response))
            except requests.RequestException as error:
                refusal = Unreachable(f"{self.base_url} does not answer: {error}")
            if time.monotonic() + wait > give_up:
                raise refusal
            time.sleep(wait)
            pause = min(pause * 2, 2.0)

    def _open_stream(self, game: str, after: int | None) -> requests.Response:
        resume = {"Last-Event-ID": str(after)} if after is not None else {}
        return self._open(_path("games", game, "stream"), {"Accept": NDJSON, **resume})

    def _open(self, path: str, headers: dict[str, str], params: Json | None = None) -> requests.Response:
        """Opens an answer that is read while it comes. Raises requests.RequestException where it may be tried again."""
        response = self._session().get(
            f"{self.base_url}/v1{path}",
            headers=self._headers(headers),
            params=params,
            stream=True,
            timeout=(CONNECT_SECONDS, STREAM_SILENCE_SECONDS),
        )
        if response.status_code in LATER:
            raise requests.RequestException(str(problem_of(response)))
        if not response.ok:
            raise problem_of(response)
        return response

    def _headers(self, more: dict[str, str] | None) -> dict[str, str]:
        own = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        if request_id := bound_request_id():
            own[REQUEST_ID_HEADER] = request_id
        return own | (more or {})

    def _session(self) -> requests.Session:
        """One per thread: a session is not safe to share."""
        if not hasattr(self._local, "session"):
            self._local.session = requests.Session()
            self._local.session.trust_env = False
        return self._local.session


def _address(base_url: str) -> str:
    """The address of a gateway without a slash at its end. Raises ValueError where it is none."""
    try:
        parts = urlsplit(base_url)
        is_address = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        is_address = False
    if not is_address:
        raise ValueError(f"{base_url!r} is no address of a gateway; such as http://127.0.0.1:8000 is needed")
    return base_url.rstrip("/")


def _one_word(token: str) -> str:
    """The token without white space around it. Raises ValueError, which does not show it, where it can be none."""
    word = token.strip()
    if not re.fullmatch(r"[!-~]+", word):
        raise ValueError("a token is one word of plain characters, such as pk_..., st_..., sp_... or bt_...")
    return word


def _path(*parts: str | int) -> str:
    return "".join(f"/{quote(str(part), safe='')}" for part in parts)


def _retry_after(response: requests.Response) -> float:
    try:
        return float(response.headers.get("Retry-After", 0))
    except ValueError:
        return 0.0


def _is_last(item: Json) -> bool:
    """Whether nothing can follow: the game with its result, or the commit that recorded it."""
    if "events" not in item:
        return item["result"] is not None
    return any(event["event"] == "ResultRecorded" for event in item["events"])
