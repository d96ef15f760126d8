"""Neighbours of the gateway for its tests: small services with games in memory, served over loopback HTTP."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import redis
from flask import Blueprint, Flask, Response, jsonify, request

from shared.contracts.callers import CALLER_HEADER
from shared.contracts.queues import SHARDS, feed_of
from shared.web import Problem, Settings, create_app
from shared.web.service_auth import allow

Json = dict[str, Any]

SERVICE_SECRET = "a secret that the services of a test share"
MOMENT = "2026-11-29T21:40:00.123Z"
TURN = {"move": "DrawFromDeck"}
AGAINST_THE_RULES = {"move": "Pass"}
VIOLATION = {"code": "pass_not_allowed", "rule": "BASE-9", "text": "A player may not pass while …", "data": {}}


@dataclass
class Seat:
    """A seat of a fake game."""

    name: str | None = None
    bot: str | None = None
    epoch: int = 0


@dataclass
class FakeGame:
    """A game whose moves mean nothing: every turn draws from the deck and opens the next seat's turn."""

    id: str
    owner: str
    seats: list[Seat]
    spectators: int = 1
    commits: list[Json] = field(default_factory=list)
    answers: dict[str, tuple[int, Json]] = field(default_factory=dict)
    notes: dict[int, str] = field(default_factory=dict)
    sheet: Json | None = None
    oldest: int = 1

    @property
    def version(self) -> int:
        return len(self.commits)

    @property
    def turn(self) -> int:
        return (self.version - 1) % len(self.seats)

    @property
    def decision(self) -> str | None:
        """The open decision: the turn of one seat."""
        return f"{self.version}.{self.turn}" if self.version and self.sheet is None else None

    def append(self, *, decision: str | None = None, move: Json | None = None, event: str = "CardDrawn") -> int:
        """Adds a commit; gives its version."""
        seat = int(decision.split(".")[1]) if decision else None
        self.commits.append({
            "version": self.version + 1, "at": MOMENT, "seat": seat, "decision": decision, "move": move,
            "forced": False, "events": [{"event": event, "seat": seat, "card": "red"}],
        })  # fmt: skip
        return self.version

    def shown(self, viewer: int | str) -> Json:
        """The game for a viewer."""
        status = "waiting" if not self.version else "playing" if self.sheet is None else "over"
        return {
            "game": self.id, "status": status, "ruleset": "usa@1", "options": {}, "created": MOMENT,
            "answer_limit": None, "commitment": "ab" * 32, "seed_by": "server", "nonce": None, "seed": None,
            "seats": [{"seat": number, "name": seat.name, "bot": seat.bot, "taken": bool(seat.name or seat.bot)}
                      for number, seat in enumerate(self.seats)],
            "version": self.version, "viewer": viewer, "decisions": self.decisions(), "result": self.sheet,
            "position": self.position(viewer) if self.version else None,
        }  # fmt: skip

    def decisions(self) -> list[Json]:
        """The open decisions."""
        if self.decision is None:
            return []
        return [{"decision": self.decision, "seat": self.turn, "kind": "turn", "deadline": None}]

    def position(self, viewer: int | str) -> Json:
        """A view of a position in which only its viewer is told."""
        return {
            "ruleset": "usa@1", "seats": len(self.seats), "options": {}, "version": self.version, "viewer": viewer,
            "turn": self.turn, "over": self.sheet is not None, "points": [0] * len(self.seats),
            "decisions": [{"decision": found["decision"], "seat": found["seat"], "kind": "turn"}
                          for found in self.decisions()],
            "cards": {"hand_of": viewer}, "tracks": {}, "tickets": {},
        }  # fmt: skip

    def redacted(self, viewer: int | str) -> list[Json]:
        """The commits for a viewer: a drawn card is shown to its seat only."""
        return [
            {**commit, "events": [{**event, "card": event["card"] if event["seat"] == viewer else None}
                                  for event in commit["events"]]}
            for commit in self.commits
        ]  # fmt: skip


class FakeGameState:
    """game-state with games in memory, which writes the feeds as the real one does."""

    def __init__(self, store: redis.Redis) -> None:
        self.games: dict[str, FakeGame] = {}
        self.by_key: dict[str, str] = {}
        self.asked: list[tuple[str, str, str | None]] = []
        self.failing: Problem | None = None
        self.silent = False
        self.turns: dict[str, list[Json]] = {}
        self._store = store

    def app(self, name: str = "game_state") -> Flask:
        """Gives the service's app; as "scoring", which asks game-state for the same caller, it knows the scores."""
        app = create_app(name, Settings(name, service_secret=SERVICE_SECRET))
        app.before_request(self._note)
        for rule, methods in ROUTES.items():
            for method, do in methods.items():
                view = allow("gateway")(partial(getattr(self, do)))
                app.add_url_rule(rule, f"{method} {rule}", view, methods=[method])
        return app

    def add(self, game: str, *seats: Seat, owner: str = "acme", started: bool = True) -> FakeGame:
        """Puts a game in, started or with its seats still to take."""
        made = self.games[game] = FakeGame(game, owner, list(seats or (Seat("Ann", epoch=1), Seat("Bo", epoch=1))))
        if started:
            made.append(event="GameStarted")
        return made

    def commit(self, game: str, **about: Any) -> int:
        """Adds a commit to a game and tells the feed, unless it is silent."""
        version = self.games[game].append(**about)
        if not self.silent:
            self._store.xadd(feed_of(sum(game.encode()) % SHARDS), {"game": game, "version": version})
        return version

    def ask_bot(self, bot: str, game: str, decision: str = "1.0", deadline: str = MOMENT) -> Json:
        """Makes a decision an external bot's work and tells the feed."""
        turn = {"game": game, "decision": decision, "seat": 0, "deadline": deadline}
        self.turns.setdefault(bot, []).append(turn)
        self._store.xadd(feed_of(sum(game.encode()) % SHARDS), {"game": game, "bots": f"some.other {bot}"})
        return turn

    def finish(self, game: str) -> int:
        """Ends a game: records its result."""
        self.games[game].sheet = {"seats": []}
        return self.commit(game, event="ResultRecorded")

    def _note(self) -> None:
        self.asked.append((request.method, request.path, request.headers.get(CALLER_HEADER)))
        if self.failing is not None and request.blueprint != "operations":
            raise self.failing

    def _viewer(self, game: str) -> tuple[FakeGame, int | str]:
        """The game and who looks, as the caller's header has it."""
        found = self.games.get(game)
        kind, *about = request.headers[CALLER_HEADER].split(":")
        if found is not None:
            if kind == "owner" and about == [found.owner]:
                return found, "spectator"
            if kind == "bot" and (held := {"spectator", *_held_by(about[0], found)}) != {"spectator"}:
                if (seat := self._seat_asked_for()) not in held:
                    raise Problem(403, "not_your_seat", "This is another seat's to see or do.")
                return found, seat
            if kind in ("seat", "spectator") and about[0] == game:
                epoch = found.seats[int(about[1])].epoch if kind == "seat" else found.spectators
                if int(about[-1]) != epoch:
                    raise Problem(401, "token_revoked", "This token has been replaced by a newer one.")
                return found, int(about[1]) if kind == "seat" else "spectator"
        raise Problem(404, "game_not_found", "Words that the gateway need not repeat.")

    @staticmethod
    def _seat_asked_for() -> int | str:
        """The seat that a bot means: named in the query, the path or the decision."""
        named = {**request.args, **request.view_args}
        seat = named.get("seat", named.get("decision", "").rpartition(".")[2])
        return "spectator" if seat == "" else int(seat)

    def _own(self, game: str, seat: int) -> FakeGame:
        found, viewer = self._viewer(game)
        if viewer != seat:
            raise Problem(403, "not_your_seat", "This is another seat's to see or do.")
        return found

    def create(self) -> tuple[Response, int]:
        asked = request.get_json()
        key = asked.get("idempotency_key")
        if key in self.by_key:
            return jsonify(self.games[self.by_key[key]].shown("spectator")), 200
        seats = [Seat(seat.get("name"), seat.get("bot")) for seat in asked["seats"]]
        game = self.add(f"new{len(self.games)}", *seats, owner=asked["owner"], started=False)
        if key:
            self.by_key[key] = game.id
        return jsonify(game.shown("spectator")), 201

    def listing(self) -> Response:
        own = [game.shown("spectator") for game in self.games.values() if game.owner == request.args["owner"]]
        kept = ("game", "status", "ruleset", "created", "version", "seats")
        return jsonify(games=[{name: game[name] for name in kept} for game in own], next=None)

    def show(self, game: str) -> Response:
        found, viewer = self._viewer(game)
        response = jsonify(found.shown(viewer))
        response.set_etag(f"{found.version}.{viewer}")
        return response.make_conditional(request)

    def claim(self, game: str, seat: int) -> tuple[Response, int]:
        found, _ = self._viewer(game)
        held, name = found.seats[seat], request.get_json()["name"]
        if held.name not in (None, name):
            raise Problem(409, "seat_taken", "This seat is taken.")
        status = 200 if held.name else 201
        held.name, held.epoch = name, held.epoch + 1
        return jsonify(seat=seat, name=name, epoch=held.epoch), status

    def leave(self, game: str, seat: int) -> tuple[str, int]:
        found, viewer = self._viewer(game)
        if viewer not in (seat, "spectator"):
            raise Problem(403, "not_your_seat", "This is another seat's to see or do.")
        found.seats[seat].epoch += 1
        return "", 204

    def raise_spectators(self, game: str) -> Response:
        found, _ = self._viewer(game)
        found.spectators += 1
        return jsonify(epoch=found.spectators)

    def read_notes(self, game: str, seat: int) -> Response:
        return jsonify(notes=self._own(game, seat).notes.get(seat, ""))

    def keep_notes(self, game: str, seat: int) -> Response:
        notes = self._own(game, seat).notes[seat] = request.get_json()["notes"]
        return jsonify(notes=notes)

    def show_decision(self, game: str, decision: str) -> Response:
        found, viewer = self._viewer(game)
        answered = found.answers.get(decision)
        if answered is None and decision != found.decision:
            raise Problem(404, "decision_not_found", "There is no such decision.")
        opened, seat = map(int, decision.split("."))
        shown = {
            "decision": decision, "game": game, "seat": seat, "kind": "turn", "opened": opened, "deadline": None,
            "status": "answered" if answered else "open", "commit": answered[0] if answered else None,
        }  # fmt: skip
        if not answered and viewer == seat:
            shown |= {"view": found.position(viewer), "legal_moves": [TURN], "notes": found.notes.get(seat, "")}
        return jsonify(shown)

    def answer(self, game: str, decision: str) -> tuple[Response, int]:
        found = self._own(game, int(decision.split(".")[1]))
        move = request.get_json()["move"]
        status = 200
        if decision not in found.answers:
            if decision != found.decision:
                raise Problem(409, "decision_not_open", "This decision is not open.")
            if move == AGAINST_THE_RULES:
                raise Problem(422, "rule_violation", "The move is against the rules.", violations=[VIOLATION])
            found.answers[decision] = (self.commit(game, decision=decision, move=move), move)
            status = 201
        version, given = found.answers[decision]
        if given != move:
            raise Problem(409, "decision_answered", "This decision has another answer.")
        commit = found.redacted(int(decision.split(".")[1]))[version - 1]
        response = jsonify(decision=decision, version=version, commit=commit)
        response.headers["Location"] = f"/games/{game}/commits?after={version - 1}&limit=1"
        return response, status

    def list_turns(self) -> Response:
        return jsonify(turns=self._turns())

    def take_work(self) -> tuple[Response, int] | tuple[str, int]:
        if request.get_json()["most"] == 1 and self._turns():
            raise Problem(429, "too_much_work", "You hold 1 decisions of at most 1.", retry_after=1)
        if not self._turns():
            return "", 204
        turn = self._turns().pop(0)
        return jsonify(work=f"{turn['game']}.{turn['decision']}.{'0' * 16}", lease=15, question=turn), 201

    def answer_work(self, held: str) -> tuple[Response, int]:
        self._own_work(held)
        if request.get_json()["move"] != TURN:
            raise Problem(409, "work_expired", "You have held this work for too long.")
        response = jsonify(decision="1.0", version=2, commit={"version": 2, "move": TURN})
        response.headers["Location"] = f"/games/{held.split('.')[0]}/commits?after=1&limit=1"
        return response, 201

    def abort_work(self, held: str) -> tuple[str, int]:
        self._own_work(held)
        return "", 204

    def _turns(self) -> list[Json]:
        kind, bot = request.headers[CALLER_HEADER].split(":")
        return self.turns.setdefault(bot, []) if kind == "bot" else []

    def _own_work(self, held: str) -> None:
        if not held.startswith("held.1.0.") or request.headers[CALLER_HEADER] != "bot:acme.careful":
            raise Problem(404, "work_not_found", "Words that the gateway need not repeat.")

    def list_commits(self, game: str) -> Response:
        found, viewer = self._viewer(game)
        after, limit = int(request.args.get("after", 0)), int(request.args.get("limit", 100))
        closed = {"position": found.position(viewer)} if after + 1 < found.oldest else {}
        after = max(after, found.oldest - 1)
        page = found.redacted(viewer)[after:after + limit]
        return jsonify(game=game, version=found.version, commits=page, **closed)

    def record(self, game: str) -> Response:
        found, _ = self._viewer(game)
        if found.sheet is None:
            raise Problem(409, "game_not_over", "The record opens when the game is over.")
        commits = [{**commit, "chance": [[110, 5]]} for commit in found.commits]
        return jsonify(game=game, ruleset="usa@1", options={}, seats=len(found.seats), commitment="ab" * 32,
                       nonce="cd" * 32, seed="ef" * 32, commits=commits)

    def score(self, game: str) -> Response:
        """What the scoring service says of a game; it asks game-state for the same caller."""
        found, _ = self._viewer(game)
        return jsonify(game=game, status="running", version=found.version, sheet=None,
                       seats=[{"seat": number, "points": 0} for number in range(len(found.seats))])


def _held_by(bot: str, game: FakeGame) -> list[int]:
    """The seats that a bot account plays."""
    return [number for number, seat in enumerate(game.seats) if seat.bot and bot in ("builtin", seat.bot)]


ROUTES = {
    "/games": {"POST": "create", "GET": "listing"},
    "/games/<game>": {"GET": "show"},
    "/games/<game>/seats/<int:seat>": {"PUT": "claim", "DELETE": "leave"},
    "/games/<game>/spectators": {"PUT": "raise_spectators"},
    "/games/<game>/seats/<int:seat>/notes": {"GET": "read_notes", "PUT": "keep_notes"},
    "/games/<game>/decisions/<decision>": {"GET": "show_decision"},
    "/games/<game>/decisions/<decision>/answer": {"PUT": "answer"},
    "/games/<game>/commits": {"GET": "list_commits"},
    "/games/<game>/record": {"GET": "record"},
    "/work": {"GET": "list_turns", "POST": "take_work"},
    "/work/<held>": {"DELETE": "abort_work"},
    "/work/<held>/answer": {"PUT": "answer_work"},
    "/scores/<game>": {"GET": "score"},
}

RULESET = {"ruleset": "usa@1", "name": "United States"}
LOOK_UPS = {
    "/rulesets": {"rulesets": [RULESET]},
    "/rulesets/usa": RULESET,
    "/boards/usa": {"id": "usa", "cities": []},
    "/rules/BASE-24": {"rule": "BASE-24", "text": "The payment is …"},
}


def rules_app() -> Flask:
    """A rules service that knows one rule set and judges moves by their name."""
    app = create_app("rules", Settings("rules", service_secret=SERVICE_SECRET))

    @app.get("/<path:path>")
    @allow("gateway")
    def look_up(path: str) -> Response:
        if f"/{path}" not in LOOK_UPS:
            raise Problem(404, f"{path.split('/')[0].rstrip('s')}_not_found", "There is no such thing.")
        return jsonify(LOOK_UPS[f"/{path}"])

    @app.post("/validations")
    @allow("gateway")
    def validate() -> Response:
        legal = request.get_json()["move"] != AGAINST_THE_RULES
        return jsonify({"legal": True} if legal else {"legal": False, "violation": VIOLATION})

    return app


RECORDS = 45


def ai_app() -> Flask:
    """An AI service with one bot, and one arena, `own`, of acme."""
    app = create_app("ai", Settings("ai", service_secret=SERVICE_SECRET), allowed={"arenas": {"gateway"}})
    app.register_blueprint(_arenas())

    @app.get("/bots")
    @allow("gateway")
    def bots() -> Response:
        return jsonify(bots=[{"bot": "greedy", "rulesets": ["usa@1"], "about": "Plans cheap connections."}])

    return app


def _arenas() -> Blueprint:
    """An arena service whose one arena has as many records as there are; the last twenty after a number are given."""
    arenas = Blueprint("arenas", __name__)

    @arenas.before_request
    def only_acme() -> None:
        if "arena" in request.view_args and (
                (request.headers[CALLER_HEADER], request.view_args["arena"]) != ("owner:acme", "own")):
            raise Problem(404, "arena_not_found", "Words that the gateway need not repeat.")

    @arenas.post("/arenas")
    def create() -> tuple[Response, int]:
        asked = request.get_json()
        return jsonify(arena="new", asked=asked), 200 if "idempotency_key" in asked else 201

    @arenas.get("/arenas")
    def listing() -> Response:
        return jsonify(arenas=[], next=None, asked=request.args)

    @arenas.route("/arenas/<arena>", methods=["GET", "DELETE"])
    def show(arena: str) -> Response:
        return jsonify(arena=arena, status="running" if request.method == "GET" else "cancelled")

    @arenas.get("/arenas/<arena>/records")
    def records(arena: str) -> Response:
        first = int(request.args.get("after", -1)) + 1
        lines = "".join(json.dumps({"number": number}) + "\n" for number in range(first, min(first + 20, RECORDS)))
        return Response(lines, mimetype="application/x-ndjson")

    return arenas
