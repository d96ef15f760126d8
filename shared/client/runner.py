"""Plays with a bot wherever it holds a seat: takes its work from the gateway, asks it, answers."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable
from typing import Any

from shared.client import local_stack
from shared.client.advice import advice
from shared.client.bot import Bot, Question
from shared.client.client import Client
from shared.client.errors import ApiProblem, Conflict, Unreachable
from shared.kernel import Move, move_to_plain

WAIT_SECONDS = 5
"""How long to wait for work at a time; whoever is asked to end does so after that, and leaves no work behind."""
PAUSE_SECONDS = 1.0
QUIET_SECONDS = 5.0
LONGEST_QUIET_SECONDS = 300.0
PATIENCE_SECONDS = 5.0
"""Less than a lease, so that an answer that could not be sent is not sent when it is too late."""
TOKEN = "WHISTLESTOP_TOKEN"
URL = "WHISTLESTOP_URL"

Json = dict[str, Any]
Say = Callable[[str], None]


def run(bot: Bot, client: Client | None = None) -> None:
    """Plays with `bot` until SIGTERM or SIGINT; then ends what is at hand. The second one ends it at once.

    Without a client the token is that of WHISTLESTOP_TOKEN, the gateway that of WHISTLESTOP_URL or the local stack.
    Waits for a gateway that is away. Ends the process with words about what to do when the gateway does not let it in.
    """
    runner = Runner(bot, client or _client())

    def end(number: int, _: object) -> None:
        signal.signal(number, signal.SIG_DFL)
        runner.end()

    before = {number: signal.signal(number, end) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        runner.run()
    except ApiProblem as problem:
        sys.exit("\n".join(filter(None, [problem.in_words(), advice(problem)])))
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


class Runner:
    """A bot at work: as many threads as it may hold decisions, one of which at a time waits for work."""

    def __init__(self, bot: Bot, client: Client, say: Say | None = None) -> None:
        self._bot = bot
        self._client = client.patient(PATIENCE_SECONDS)
        self._say = say or _say
        self._games = Games(self._client, self._say)
        self._waiting = threading.Lock()
        self._ends = threading.Event()
        self._is_away = False
        self._failure: Exception | None = None

    def run(self) -> None:
        """Plays until `end`. Raises ApiProblem when the gateway does not let this bot in, or not any more."""
        if (me := self._until_there(self._client.own_bot)) is not None:
            at_once = me["concurrency"]
            where = self._client.base_url
            self._say(f"{me['bot']} plays at {where}, up to {at_once} decisions at once; Ctrl-C ends it")
            self._games.bot = me["bot"]
            workers = [threading.Thread(target=self._work) for _ in range(at_once)]
            for worker in workers:
                worker.start()
            for worker in workers:
                worker.join()
        if self._failure is not None:
            raise self._failure

    def end(self) -> None:
        """Takes no more work."""
        self._say("ending")
        self._ends.set()

    def _work(self) -> None:
        try:
            while (held := self._next()) is not None:
                self._play(held)
        except Exception as error:
            self._fail(error)

    def _fail(self, error: Exception) -> None:
        self._failure = error
        self._ends.set()

    def _next(self) -> Json | None:
        """The next work there is; None when there is to be no more."""
        with self._waiting:
            while not self._ends.is_set():
                asked = time.monotonic()
                held = self._until_there(lambda: self._client.take_work(wait=WAIT_SECONDS))
                if held is not None:
                    return held
                self._games.look()
                self._ends.wait(asked + PAUSE_SECONDS - time.monotonic())
        return None

    def _play(self, held: Json) -> None:
        asked = held["question"]
        where = f"{asked['game']} {asked['decision']}"
        self._games.note(asked)
        try:
            question = Question.from_plain(asked)
            move = _plain(question, self._bot.choose(question))
        except BaseException:  # a bot that wants to end the process would end this thread without a word
            self._say(f"{where}: the bot failed\n{traceback.format_exc()}")
            self._give_back(held)
            return
        try:
            if question.notes != asked["notes"]:
                self._client.keep_notes(asked["game"], asked["seat"], question.notes)
            self._client.answer_work(held["work"], move)
        except Conflict as problem:
            self._say(f"{where}: {problem.in_words()}")
        except ApiProblem as problem:
            self._say(f"{where}: {problem.in_words()}")
            self._give_back(held)
        except Unreachable as error:
            self._say(f"{where}: {error}")
        self._games.look()

    def _give_back(self, held: Json) -> None:
        """Lets another answer. What cannot be given back is taken away when its lease ends."""
        try:
            self._client.abort_work(held["work"])
        except (ApiProblem, Unreachable) as error:
            self._say(f"it could not be given back: {error}")

    def _until_there(self, ask: Callable[[], Json | None]) -> Json | None:
        """The answer, once the gateway is there to give it; None when this is to end or the gateway refuses it."""
        while not self._ends.is_set():
            try:
                answer = ask()
                if self._is_away:
                    self._say("going on")
                self._is_away = False
                return answer
            except (ApiProblem, Unreachable) as error:
                if isinstance(error, ApiProblem) and error.status < 500 and error.status != 429:
                    self._fail(error)
                    return None
                if not self._is_away:
                    self._say(f"{error}; trying again")
                self._is_away = True
                self._ends.wait(PAUSE_SECONDS)
        return None


class Games:
    """The games that a bot is in, for a line when one begins and one when it is over."""

    def __init__(self, client: Client, say: Say) -> None:
        self.bot = ""
        self._client = client
        self._say = say
        self._looks: dict[str, tuple[float, float]] = {}
        """When to look next at each game, and how long after that."""
        self._lock = threading.Lock()

    def note(self, asked: Json) -> None:
        """A decision of a game came up."""
        game, view = asked["game"], asked["view"]
        with self._lock:
            is_new = game not in self._looks
            self._looks[game] = time.monotonic() + QUIET_SECONDS, QUIET_SECONDS
        if is_new:
            begins = "begins" if asked["opened"] == 1 else "goes on"
            self._say(f"{game} {begins}: {view['ruleset']}, {view['seats']} seats")

    def look(self) -> None:
        """Looks whether games of which nothing was heard are over, less and less often."""
        now = time.monotonic()
        with self._lock:
            quiet = {game: pause for game, (at, pause) in self._looks.items() if at <= now}
            for game, pause in quiet.items():
                self._looks[game] = now + pause, min(2 * pause, LONGEST_QUIET_SECONDS)
        for game in quiet:
            try:
                found = self._client.view(game)
            except Unreachable:
                return
            except ApiProblem:
                found = None
            if found is None or found["result"] is not None:
                with self._lock:
                    self._looks.pop(game, None)
            if found is not None and found["result"] is not None:
                self._say(f"{game} is over: {self._how_it_ended(found)}")

    def _how_it_ended(self, game: Json) -> str:
        sheet = game["result"]["seats"]
        own = [sheet[seat["seat"]] for seat in game["seats"] if seat["bot"] == self.bot]
        told = [f"seat {seat['seat']} has {seat['total']} points, rank {seat['rank']} of {len(sheet)}" for seat in own]
        return ", ".join(told)


def _plain(question: Question, move: Any) -> Json:
    if not isinstance(move, Move):
        raise TypeError(f"choose gave {move!r}, not a move such as those of question.legal_moves")
    return move_to_plain(question.rules, move)


def _client() -> Client:
    token = os.environ.get(TOKEN)
    if not token:
        sys.exit(f"Set {TOKEN} to the token of the bot; `python -m shared.client bot create FILE` prints it.")
    url = os.environ.get(URL) or local_stack.address() or local_stack.NOBODY
    try:
        return Client(url, token)
    except ValueError as error:
        sys.exit(str(error))


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()
