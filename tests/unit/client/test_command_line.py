"""The command line: what it prints, and how it ends."""

from __future__ import annotations

import copy
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from flask import Response

from shared.catalog import rules_for, ruleset
from shared.client import local_stack
from shared.client.__main__ import main
from shared.client.bot_commands import own_bots
from shared.client.loading import load_bot
from shared.kernel import legal_moves, move_to_plain, running_score, state_to_plain, view_for
from shared.web import Problem
from tests.kernel_games import Game, play
from tests.records import record_of
from tests.unit.client.conftest import Script

SEED = 23
RULES = rules_for("usa@1", 2)
TEMPLATE = Path(__file__).parents[3] / "shared/client/template_bot.py"
BOTS = {"bots": [{"bot": "greedy", "rulesets": ["usa@1"], "about": "Plans."}]}
Json = dict[str, Any]


@pytest.fixture(scope="module")
def game() -> Game:
    """A whole game."""
    return play(RULES, SEED)


Run = Callable[..., Result]


@pytest.fixture(autouse=True)
def no_local_stack(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A stack that runs on this machine is none of these tests' business, nor is who uses it."""
    monkeypatch.setattr(local_stack, "VAR", tmp_path)
    for name in ("WHISTLESTOP_URL", "WHISTLESTOP_TOKEN"):
        monkeypatch.delenv(name, raising=False)


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
    listed = text[text.index("Commands:"):].split("\n\n")[0]
    assert [line.split()[0] for line in listed.splitlines()[1:]] == list(main.commands)
    assert "..." not in listed, "a first sentence is too long to be listed whole"
    for command in ("create", "claim", "show", "answer", "watch", "verify"):
        assert f"python -m shared.client {command} " in text


COMMANDS = {**main.commands, **{f"bot {name}": command for name, command in own_bots.commands.items()}}


@pytest.mark.parametrize("name", COMMANDS)
def test_help_of_each_command_has_an_example_that_can_be_typed(
    name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copy(TEMPLATE, "my_bot.py")
    text = CliRunner().invoke(main, [*name.split(), "--help"]).output
    typed = re.findall(rf"python -m shared.client {name}\b([^)\n]*)", text)
    assert typed, f"no example of {name}"
    for words in typed:
        given = words.replace("shared/client/template_bot.py", str(TEMPLATE))
        understood = COMMANDS[name].make_context(name, shlex.split(given)).params
        assert set(understood) == {param.name for param in COMMANDS[name].params}
    assert "local stack" not in text


def test_help_about_bots_teaches_to_make_one() -> None:
    text = CliRunner().invoke(main, ["bot", "--help"]).output
    for words in ("make up", "template_bot.py > my_bot.py", "bot create my_bot.py", "--seat dev.my_bot",
                  "bot run my_bot.py", "make arena BOTS=my_bot.py,greedy"):
        assert words in text


def test_a_bot_is_created_from_its_file_and_only_the_token_goes_to_standard_output(script: Script, run: Run) -> None:
    script.replies = [({"bot": "acme.template", "token": "bt_new", "about": "x", "rulesets": []}, 201)]
    made = run("bot", "create", str(TEMPLATE), "--at-once", "8", "--ruleset", "usa", "--ruleset", "old_west")
    assert (made.exit_code, made.stdout) == (0, "bt_new\n") and "--seat acme.template" in made.stderr
    bot = load_bot(TEMPLATE)
    assert script.requests[0][:3] == ("POST", "/v1/bots", {
        "bot": "template", "about": bot.about, "concurrency": 8, "rulesets": ["usa", "old_west"]})
    run("bot", "create", str(TEMPLATE))
    assert script.requests[1][2] == {"bot": "template", "about": bot.about}


def test_a_bot_that_exists_is_told_with_what_to_do(script: Script, run: Run) -> None:
    script.replies = [Problem(409, "bot_exists", "There is a bot acme.template already.")]
    refused = run("bot", "create", str(TEMPLATE))
    assert refused.exit_code == 1 and "bot token NAME" in refused.output


def test_a_bots_token_is_renewed_and_a_bot_deleted(script: Script, run: Run) -> None:
    script.replies = [{"bot": "acme.x", "token": "bt_newer"}, Response(status=204)]
    assert run("bot", "token", "acme.x").stdout == "bt_newer\n"
    assert run("bot", "delete", "acme.x").exit_code == 0
    assert script.paths == ["PUT /bots/acme.x/token", "DELETE /bots/acme.x"]


@pytest.mark.parametrize("command", ["create", "run"])
def test_a_file_without_a_bot_is_refused_before_anybody_is_asked(script: Script, run: Run, command: str) -> None:
    refused = run("bot", command, __file__)
    assert refused.exit_code == 2 and "must define one subclass of Bot" in refused.output
    assert script.requests == []


def test_rulesets_lists_games_and_bots(script: Script, run: Run) -> None:
    source = ruleset("old_west")
    shown = {name: source[name] for name in ("name", "about", "board", "seats", "options")}
    script.replies = [{"rulesets": [{"ruleset": "old_west@1", **shown}]}, BOTS]
    text = run("rulesets").output
    assert "old_west@1, 2 to 6 seats" in text and "greedy" in text
    assert "alvin (true): whether Alvin is in the game (OPT-3)" in text


def test_create_tells_bots_from_people_and_free_seats(script: Script, run: Run, game: Game) -> None:
    script.replies = [BOTS, ({**shown(game, 1, None), "spectator_token": "sp_x"}, 201)]
    result = run("create", "usa", "--seat", "greedy", "--seat", "free", "--seat", "person:Ann",
                 "--option", "first_player=1", "--option", "alvin=off", "--answer-limit", "9")
    assert result.exit_code == 0 and "sp_x" in result.output
    assert script.requests[1][2] == {"ruleset": "usa", "seats": [{"bot": "greedy"}, {}, {"name": "Ann"}],
                                     "options": {"first_player": 1, "alvin": "off"}, "answer_limit": 9}


def test_a_misspelt_bot_is_no_person(script: Script, run: Run) -> None:
    """It silently became one: the game waited for a person called gredy."""
    script.replies = [BOTS]
    result = run("create", "usa", "--seat", "gredy", "--seat", "free")
    assert result.exit_code == 2
    assert "no bot is called gredy (did you mean greedy?); there are greedy" in result.output
    assert "person:gredy" in result.output
    assert script.paths == ["GET /bots"], "nothing was created"


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
    [({}, "Fly", "MOVE"), ({}, "9999", "the answers are 0 to "), ({"status": "answered", "commit": 7}, "0", "commit 7"),
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


def test_a_broken_rule_is_told_by_its_id_and_text_with_what_to_do(script: Script, run: Run) -> None:
    """Its data were printed as a dict."""
    data = {"needed": 5, "colours": ["red", "blue"]}
    broken = {"code": "mixed_colours", "rule": "BASE-24", "text": "The payment is ...", "data": data}
    script.replies = [Problem(422, "rule_violation", violations=[broken])]
    result = run("show", "g")
    assert result.exit_code == 1
    assert "  BASE-24: The payment is ...\n  Here: mixed colours, needed 5, colours red, blue.\n" in result.output
    assert "`answer GAME DECISION` lists the legal answers" in result.output
    assert "{" not in result.output


WRONG = {"pointer": "/seats", "code": "out_of_range", "detail": "too many"}


@pytest.mark.parametrize(("problem", "told"), [
    (Problem(422, "invalid_request", errors=[WRONG]), "/seats: too many"),
    (Problem(422, "invalid_request", errors=[{**WRONG, "pointer": "/ruleset"}]), "`rulesets` lists"),
    (Problem(401, "token_missing"), "WHISTLESTOP_TOKEN"),
    (Problem(403, "token_not_allowed"), "WHISTLESTOP_TOKEN"),
    (Problem(404, "game_not_found"), "Is the id whole"),
    (Problem(409, "decision_answered"), "`show GAME` tells"),
    (Problem(409, "game_not_over"), "`watch GAME`"),
])
def test_every_refusal_says_what_to_do(script: Script, run: Run, problem: Problem, told: str) -> None:
    script.replies = [problem]
    result = run("show", "g")
    assert result.exit_code == 1
    assert f"{problem.status} {problem.code}" in result.output
    assert told in result.output


@pytest.mark.parametrize("url", ["127.0.0.1:8000", "localhost", "ftp://host", "http://", "http:/host",
                                 "http://host:port", "http://[::1"])
def test_an_address_that_is_none_is_refused_without_a_traceback(url: str) -> None:
    result = CliRunner().invoke(main, ["--url", url, "rulesets"])
    assert result.exit_code == 2
    assert f"'{url}' is no address of a gateway; such as http://127.0.0.1:8000 is needed" in result.output


@pytest.mark.parametrize("token", ["st_one\nst_two", "st_\N{EURO SIGN}", "  "])
def test_a_token_that_can_be_none_is_refused_and_not_shown(url: str, token: str) -> None:
    result = CliRunner().invoke(main, ["--url", url, "--token", token, "rulesets"])
    assert result.exit_code == 2
    assert "a token is one word" in result.output
    assert "two" not in result.output and "\N{EURO SIGN}" not in result.output


def test_a_server_that_is_no_gateway_is_told_without_a_traceback(script: Script, run: Run) -> None:
    script.replies = [lambda: Response("<html>", mimetype="text/html")]
    result = run("rulesets")
    assert result.exit_code == 1
    assert "answers, but not as a gateway of Whistlestop does" in result.output


def test_an_id_cannot_reach_another_resource(script: Script, run: Run) -> None:
    script.replies = [Problem(404, "not_found")]
    assert run("show", "../rulesets").exit_code == 1
    assert script.paths == ["GET /games/../rulesets"], "sent as one part, %2F and all"


def told(folder: Path, **changed: Any) -> None:
    """Writes what a stack tells of itself."""
    (folder / "stack.json").write_text(json.dumps({"supervisor": os.getpid(), **changed}))


def test_the_running_local_stack_is_used_when_no_address_is_given_and_said_so(
    script: Script, url: str, tmp_path: Path
) -> None:
    """The port in var/stack.json was ignored."""
    told(tmp_path, address=url)
    script.replies = [{"rulesets": []}, BOTS]
    result = CliRunner().invoke(main, ["rulesets"])
    assert result.exit_code == 0
    assert result.stderr == f"Using the local stack at {url}; WHISTLESTOP_URL or --url names another.\n"
    assert script.paths == ["GET /rulesets", "GET /bots"]


def test_a_local_stack_that_is_gone_is_not_used(script: Script, url: str, tmp_path: Path) -> None:
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    told(tmp_path, address=url, supervisor=ended.pid)
    script.replies = [{"rulesets": []}, BOTS]
    assert CliRunner().invoke(main, ["--url", url, "rulesets"]).stderr == ""
    assert local_stack.address() is None
