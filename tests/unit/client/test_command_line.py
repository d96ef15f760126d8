"""The command line: what it prints, and how it ends."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest
from click.testing import CliRunner, Result
from flask import Response

from shared.catalog import rules_for, ruleset
from shared.client.__main__ import main
from shared.kernel import legal_moves, move_to_plain, running_score, state_to_plain, view_for
from shared.web import Problem
from tests.kernel_games import Game, play
from tests.records import record_of
from tests.unit.client.conftest import Script

SEED = 23
RULES = rules_for("usa@1", 2)
BOTS = {"bots": [{"bot": "greedy", "rulesets": ["usa@1"], "about": "Plans."}]}
Json = dict[str, Any]


@pytest.fixture(scope="module")
def game() -> Game:
    """A whole game."""
    return play(RULES, SEED)


Run = Callable[..., Result]


@pytest.fixture
def run(url: str) -> Run:
    """Runs a command as Ann's."""

    def run_command(*words: str) -> Result:
        return CliRunner().invoke(main, list(words), env={"WHISTLESTOP_URL": url, "WHISTLESTOP_TOKEN": "st_ann"})

    return run_command


def shown(game: Game, version: int, viewer: int | None = 0) -> Json:
    """A game as the API shows it."""
    state = game.states[version - 1]
    return {
        "game": "g", "status": "playing", "ruleset": "usa@1", "version": version, "result": None,
        "viewer": "spectator" if viewer is None else viewer,
        "seats": [{"seat": 0, "name": "Ann", "bot": None, "taken": True},
                  {"seat": 1, "name": None, "bot": "greedy", "taken": True}],
        "decisions": [{"decision": d.id, "seat": d.seat, "kind": d.name, "deadline": None} for d in state.decisions],
        "position": state_to_plain(RULES, view_for(RULES, state, viewer)),
    }  # fmt: skip


def asked(game: Game) -> Json:
    """A turn of seat 0, as its seat sees it."""
    state = next(state for state in game.states[30:] if state.decisions[0].name == "turn" and state.turn == 0)
    decision = state.decisions[0]
    view = view_for(RULES, state, 0)
    return {"decision": decision.id, "status": "open", "seat": 0, "view": state_to_plain(RULES, view),
            "legal_moves": [move_to_plain(RULES, move) for move in legal_moves(RULES, view, decision)]}


def test_help_teaches_a_game_by_hand() -> None:
    text = CliRunner().invoke(main, ["--help"]).output
    for command in ("rulesets", "create", "claim", "show", "watch", "answer", "scores", "verify"):
        assert f"python -m shared.client {command}" in text or f"  {command}  " in text


def test_rulesets_lists_games_and_bots(script: Script, run: Run) -> None:
    source = ruleset("old_west")
    shown = {name: source[name] for name in ("name", "about", "board", "seats", "options")}
    script.replies = [{"rulesets": [{"ruleset": "old_west@1", **shown}]}, BOTS]
    text = run("rulesets").output
    assert "old_west@1, 2 to 6 seats" in text and "greedy" in text
    assert "alvin (true): whether Alvin is in the game (OPT-3)" in text


def test_create_tells_bots_from_people_and_free_seats(script: Script, run: Run, game: Game) -> None:
    script.replies = [BOTS, ({**shown(game, 1, None), "spectator_token": "sp_x"}, 201)]
    result = run("create", "usa", "--seat", "greedy", "--seat", "free", "--seat", "Ann", "--option", "first_player=1",
                 "--option", "alvin=off", "--answer-limit", "9")
    assert result.exit_code == 0 and "sp_x" in result.output
    assert script.requests[1][2] == {"ruleset": "usa", "seats": [{"bot": "greedy"}, {}, {"name": "Ann"}],
                                     "options": {"first_player": 1, "alvin": "off"}, "answer_limit": 9}


def test_claim_prints_the_token_alone(script: Script, run: Run) -> None:
    script.replies = [({"seat": 1, "name": "Ann", "token": "st_new"}, 201)]
    assert run("claim", "g", "1", "Ann").output == "st_new\n"


def test_show_is_the_seats_view(script: Script, run: Run, game: Game) -> None:
    script.replies = [shown(game, 60)]
    text = run("show", "g").output
    assert "your cards" in text and "Ann" in text and "greedy (bot)" in text and "display" in text
    script.replies = [shown(game, 60, None)]
    assert "your cards" not in run("show", "g").output
    script.replies = [shown(game, 1)]
    assert "offered to you" in run("show", "g").output


def test_watch_prints_every_commit(script: Script, run: Run, game: Game) -> None:
    commits = record_of(game, SEED)["commits"]
    stream = [json.dumps(item) + "\n" for item in (shown(game, 1, None), *commits[1:])]
    script.replies = [shown(game, 1, None), lambda: Response(stream, mimetype="application/x-ndjson")]
    text = run("watch", "g").output
    assert "claims" in text and "keeps" in text and "the result is recorded" in text
    assert all(f"{commit['version']:>4}  " in text for commit in commits[1:])
    script.replies = [shown(game, 1, None), lambda: Response(stream, mimetype="application/x-ndjson")]
    assert [json.loads(line) for line in run("watch", "g", "--json").output.splitlines()][1:] == commits[1:]


def test_answer_lists_takes_a_number_or_a_move_in_notation(script: Script, run: Run, game: Game) -> None:
    question = asked(game)
    script.replies = [question]
    assert "DrawFromDeck" in run("answer", "g", question["decision"]).output
    for word in ("0", "DrawFromDeck"):
        script.replies = [question, ({"version": 40, "commit": {"move": {"move": "DrawFromDeck"}}}, 201)]
        result = run("answer", "g", question["decision"], word)
        assert "commit 40: draws from the deck" in result.output
        assert script.requests[-1][2] == {"move": {"move": "DrawFromDeck"}}


@pytest.mark.parametrize(
    ("changes", "word", "says"),
    [({}, "Fly", "MOVE"), ({"status": "answered", "commit": 7}, "0", "commit 7"),
     ({"legal_moves": None}, "0", "seat 0")],
)
def test_answer_says_why_not(script: Script, run: Run, game: Game, changes: Json, word: str, says: str) -> None:
    question = {name: value for name, value in {**asked(game), **changes}.items() if value is not None}
    script.replies = [question]
    result = run("answer", "g", question["decision"], word)
    assert result.exit_code != 0 and says in result.output


def test_scores_shows_points_by_source_and_what_the_tickets_were_for(script: Script, run: Run, game: Game) -> None:
    sheet = record_of(game, SEED)["commits"][-1]["events"][0]["sheet"]
    script.replies = [scores(game, sheet, "final")]
    text = run("scores", "g").output
    assert "final score" in text and "tracks" in text and ("done" in text or "failed" in text)
    script.replies = [scores(game, running_score(RULES, game.states[50]).plain(), "running")]
    text = run("scores", "g").output
    assert "score so far" in text and "ticket" not in text.replace("tickets", "")


def scores(game: Game, sheet: Json, status: str) -> Json:
    """Scores as the API gives them."""
    seats = []
    for held, scored in zip(shown(game, 1)["seats"], sheet["seats"], strict=True):
        reasons = {line["reason"]: line["points"] for line in scored["lines"]}
        seats.append({**held, **scored, "by_reason": reasons})
    return {"game": "g", "status": status, "version": 9, "seats": seats, "sheet": sheet if status == "final" else None}


def test_verify_gives_a_verdict_and_an_exit_status(script: Script, run: Run, game: Game) -> None:
    record = record_of(game, SEED)
    script.replies = [record]
    result = run("verify", "g")
    assert result.exit_code == 0 and "The record holds." in result.output and "WRONG" not in result.output
    changed = copy.deepcopy(record)
    changed["seed"] = "00" * 32
    script.replies = [changed]
    result = run("verify", "g")
    assert result.exit_code == 1 and "WRONG" in result.output


def test_refusals_are_told_in_words(script: Script, run: Run) -> None:
    broken = {"code": "wrong_payment_size", "rule": "BASE-24", "text": "The payment is ...", "data": {"needed": 5}}
    script.replies = [Problem(422, "rule_violation", violations=[broken])]
    result = run("show", "g")
    assert result.exit_code == 1 and "BASE-24: The payment is ..." in result.output
    wrong = {"pointer": "/seats", "code": "out_of_range", "detail": "too many"}
    script.replies = [Problem(422, "invalid_request", errors=[wrong])]
    assert "/seats: too many" in run("show", "g").output
    script.replies = [Problem(401, "token_missing")]
    assert "WHISTLESTOP_TOKEN" in run("show", "g").output
