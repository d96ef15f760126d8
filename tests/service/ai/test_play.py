"""Games between bots in one process: put aside anywhere they go on as if nothing had been, and no bot stops them."""

from __future__ import annotations

import json
import os
import signal
import time
from pathlib import Path

import pytest
from billiard.einfo import ExceptionWithTraceback
from billiard.pool import Pool

from services.ai import failures
from services.ai import play as playing
from services.ai.arenas.results import record_of, result_of
from services.ai.bots import BOTS, FALLBACK
from services.ai.guard import Guard
from services.ai.play import BotGame, Endless
from shared.catalog import rules_for, ruleset, rulesets
from shared.client import Bot, Question
from shared.client.verify import verify
from shared.contracts.commits import RecordSchema
from shared.kernel import ALVIN, TURN, Move, MoveAlvin, Rules, print_position, state_to_plain
from tests.polling import until
from tests.service.ai import odd_bots
from tests.service.ai.odd_bots import EVERY, Odd

AT = "2026-11-29T12:00:00.000Z"
SEED = bytes(range(32))
USA = rules_for("usa@1", 2)
ALL = [rules_for(name, ruleset(name)["seats"]["max"]) for name in rulesets()]
QUICK = {"cpu_seconds": 0.2, "clock_seconds": 0.4}


def game_of(rules: Rules, *names: str, **more: object) -> BotGame:
    """A new game of these bots, which take turns on the seats."""
    bots = [BOTS[names[seat % len(names)]] for seat in range(rules.seats)]
    return BotGame(rules, bots, SEED, fallback=BOTS[FALLBACK], at=AT, **more)


@pytest.mark.parametrize("rules", ALL, ids=lambda rules: rules.id)
def test_a_game_put_aside_after_every_decision_is_the_same_game(rules: Rules) -> None:
    whole = game_of(rules, "greedy", "random")
    assert whole.play()
    parts = game_of(rules, "greedy", "random")
    while not parts.play(until=time.monotonic()):
        aside = json.loads(json.dumps(parts.plain()))
        assert parts.state.version == aside["position"]["version"] < whole.state.version
        parts = game_of(rules, "greedy", "random", aside=aside)
    entrants = range(rules.seats)
    assert record_of(parts, 7, entrants, AT) == record_of(whole, 7, entrants, AT)
    timeless = [_without_time(result_of(game, 7, entrants)) for game in (parts, whole)]
    assert timeless[0] == timeless[1]


def _without_time(result: dict) -> dict:
    return {**result, "seats": [{**seat, "ms": 0, "speeds": 0} for seat in result["seats"]]}


def test_the_record_is_that_of_a_hosted_game_and_holds() -> None:
    game = game_of(USA, "greedy")
    game.play()
    record = json.loads(json.dumps(record_of(game, 3, [1, 0], AT)))
    assert (record.pop("number"), record.pop("entrants")) == (3, [1, 0])
    assert RecordSchema().load({**record, "game": "g"})
    assert [finding.what for finding in verify(record) if not finding.is_right] == []


def test_the_result_says_what_happened() -> None:
    game = game_of(USA, "greedy", "random")
    game.play()
    result = result_of(game, 0, [1, 0])
    commits = record_of(game, 0, [1, 0], AT)["commits"]
    answers = [commit for commit in commits if commit["decision"]]
    sheet = commits[-1]["events"][0]["sheet"]
    events = [event for commit in commits for event in commit["events"]]
    assert result["decisions"] == len(answers) == sum(seat["decisions"] for seat in result["seats"])
    assert result["turns"] == sum(event["event"] == "TurnStarted" for event in events)
    assert sorted(result["tracks"]) == sorted(e["track"] for e in events if e["event"] == "TrackClaimed")
    for seat, found in enumerate(result["seats"]):
        lines = sheet["seats"][seat]["lines"]
        assert found["entrant"] == 1 - seat and found["rank"] == sheet["seats"][seat]["rank"]
        assert found["points"] == sheet["seats"][seat]["total"] == sum(found["reasons"].values())
        assert found["tickets"] == {line["evidence"]["ticket"]: line["points"] > 0
                                    for line in lines if line["reason"] == "ticket"}
        assert sum(found["speeds"].values()) == found["decisions"] and found["ms"] > 0 and not found["failures"]


@pytest.mark.usefixtures("scarce_memory")
@pytest.mark.parametrize(
    ("does", "reason"),
    [
        (odd_bots.throw, failures.THREW),
        (odd_bots.leave, failures.THREW),
        (odd_bots.throw_what_has_no_words, failures.THREW),
        (odd_bots.end_the_process, failures.THREW),
        (odd_bots.interrupt, failures.THREW),
        (odd_bots.write_too_much, failures.THREW),
        (odd_bots.break_a_rule, failures.ILLEGAL),
        (odd_bots.give_no_move, failures.ILLEGAL),
        (odd_bots.compute_for_ever, failures.TOO_SLOW),
        (odd_bots.wait_for_ever, failures.TOO_SLOW),
        (odd_bots.eat_memory, failures.OUT_OF_MEMORY),
    ],
    ids=lambda value: getattr(value, "__name__", value),
)
def test_a_bot_that_fails_loses_that_decision_and_the_reason_is_counted(does, reason: str) -> None:
    slow = reason == failures.TOO_SLOW
    every = 60 if slow else EVERY
    game = BotGame(USA, [Odd(does, every), BOTS["random"]], SEED, fallback=BOTS[FALLBACK], at=AT)
    with Guard(**QUICK) if slow else Guard() as guard:
        assert game.play(guard=guard)
    failed = sum(commit.seat == 0 and (commit.version - 1) % every == 0 for commit in game.commits[1:])
    assert failed and game.seats[0].failures == {reason: failed}
    assert not game.seats[1].failures and game.seats[0].decisions > failed


def test_a_worker_that_is_told_to_end_ends_while_a_bot_thinks(tmp_path: Path) -> None:
    process = tmp_path / "process"
    pool = Pool(1, lost_worker_timeout=0.1)
    try:
        played = pool.apply_async(wait_in_a_game, (process,))
        os.kill(int(until(lambda: process.exists() and process.read_text(), "the bot to think")), signal.SIGTERM)
        with pytest.raises(ExceptionWithTraceback, match="exited prematurely: signal 15"):
            played.get(timeout=20)
    finally:
        pool.terminate()


def wait_in_a_game(process: Path) -> None:
    def wait(question: Question) -> Move:
        process.write_text(str(os.getpid()))
        return odd_bots.wait_for_ever(question)

    BotGame(USA, [Odd(wait, every=1)] * 2, SEED, fallback=BOTS[FALLBACK]).play()


def test_without_a_fallback_the_failure_is_raised() -> None:
    with pytest.raises(LookupError):
        playing.play(USA, [Odd(odd_bots.throw), BOTS["random"]], 1)
    with pytest.raises(failures.Illegal):
        playing.play(USA, [Odd(odd_bots.break_a_rule), BOTS["random"]], 1)


def test_a_bot_cannot_send_alvin_where_no_track_leads() -> None:
    """Cities counted from behind are the same to a list, yet no claim would ever find him there (OW-10)."""
    rules = rules_for("old_west@1", 2)
    game = BotGame(rules, [Odd(hide_alvin, every=1)] * 2, bytes(32), fallback=BOTS[FALLBACK])
    assert game.play()
    alvin = game.state.parts[ALVIN]
    failed = sum(seat.failures[failures.ILLEGAL] for seat in game.seats)
    assert alvin.city >= 0 and failed == len(alvin.captures) > 0


def hide_alvin(question: Question) -> Move:
    move = BOTS["greedy"].choose(question)
    return MoveAlvin(move.city - len(question.rules.board.cities)) if isinstance(move, MoveAlvin) else move


def test_a_game_that_does_not_end_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(playing, "MOST_DECISIONS", 40)
    with pytest.raises(Endless, match="usa@1: not over after 40 decisions"):
        game_of(USA, "random").play()


def test_turns_are_counted_where_they_begin() -> None:
    game = game_of(USA, "random")
    game.play(until=time.monotonic())
    assert [held.turns for held in game.seats] == [0, 0]
    while game.state.decisions[0].kind != TURN:
        game.play(until=time.monotonic())
    turn = state_to_plain(USA, game.state)["turn"]
    game.play(until=time.monotonic())
    assert game.seats[turn].turns == sum(held.turns for held in game.seats) == 1


class Counting(Bot):
    """Counts its own decisions in its notes, and plays like another bot."""

    name = "counting"

    def __init__(self, other: Bot) -> None:
        self.other = other
        self.seen: dict[int, list[str]] = {}

    def choose(self, question: Question) -> Move:
        self.seen.setdefault(question.seat, []).append(question.notes)
        question.notes = str(len(self.seen[question.seat]))
        return self.other.choose(question)


def test_each_seat_gets_its_own_notes_back() -> None:
    bot = Counting(BOTS["greedy"])
    playing.play(USA, [bot] * 2, 1)
    for seen in bot.seen.values():
        assert len(seen) > 20 and seen == ["", *map(str, range(1, len(seen)))]


def test_the_same_luck_plays_the_same_game() -> None:
    ends = [print_position(USA, playing.play(USA, [BOTS["random"]] * 2, seed)) for seed in (5, 5, 6)]
    assert ends[0] == ends[1] != ends[2]


def test_a_bots_own_luck_moves_no_card() -> None:
    class Gambler(Bot):
        name = "gambler"

        def choose(self, question: Question) -> Move:
            for _ in range(7):
                question.chance.below(6)
            return BOTS["greedy"].choose(question)

    ends = [print_position(USA, playing.play(USA, [bot] * 2, 3)) for bot in (BOTS["greedy"], Gambler())]
    assert ends[0] == ends[1]
