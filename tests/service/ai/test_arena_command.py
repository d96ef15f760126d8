"""`make arena`: the same games as an arena of the service, counted alike, and wrong options told by name."""

from __future__ import annotations

import copy
import json
import os
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from services.ai.arenas import local as arena
from services.ai.arenas import specification
from services.ai.arenas.local import main
from services.ai.bots import BOTS
from shared.catalog import board
from tests.arenas import Arenas, arenas
from tests.service.ai.odd_bots import Odd

__all__ = ["arenas"]


def run(*options: str, **env: str) -> Result:
    """What the command line says."""
    return CliRunner().invoke(main, options, env=env)


def test_it_plays_the_games_of_the_service(arenas: Arenas, tmp_path: Path) -> None:
    records = tmp_path / "records.ndjson"
    done = run("--bots", "greedy,random,random", "--seats", "2", "--games", "5", "--seed", "7", "--workers", "2",
               "--records", str(records))  # fmt: skip
    assert done.exit_code == 0, done.output
    asked = {"entrants": [{"bot": "greedy"}, {"bot": "random"}, {"bot": "random"}], "seats": 2, "games": 5, "seed": 7}
    shown = arenas.play(arenas.create(**asked, records=True))
    here = sorted(map(json.loads, records.read_text().splitlines()), key=lambda record: record["number"])
    there = arenas.records(shown["arena"])
    assert [_timeless(record) for record in here] == [_timeless(record) for record in there]
    greedy = shown["statistics"]["entrants"][0]
    assert f"{greedy['points']['mean']:.1f}" in done.output and "usa@1, 2 seats, 5 of 5 games, seed 7" in done.output


def _timeless(record: dict[str, Any]) -> dict[str, Any]:
    return {**record, "commits": [{**commit, "at": ""} for commit in record["commits"]]}


def test_the_tables_tell_everything(tmp_path: Path) -> None:
    done = run(RULESET="maerklin", BOTS="random,greedy", GAMES="2")
    for words in ("0 random", "1 greedy", "rating", "tokens", "most tickets", "bremen-duesseldorf", "A game has",
                  "of 110 tracks were never used"):
        assert words in done.output
    assert "Balanced" not in done.output and "Balanced are only multiples of 2 games." in run(GAMES="1").output
    assert "tracks" not in run("--ruleset", "card_game", "--games", "1").output


def test_a_board_and_parameters_may_be_tried(tmp_path: Path) -> None:
    file = tmp_path / "board.json"
    made = copy.deepcopy(board("usa"))
    made["tracks"][3]["length"] = 9
    file.write_text(json.dumps(made))
    refused = run("--board", str(file))
    assert refused.exit_code == 1 and "/board/tracks/3/length: Only tracks of a length up to 6" in refused.output
    longer = {"claim": {"points": {"7": 18, "8": 21, "9": 27}, "trains": 15}}
    done = run("--board", str(file), "--parameters", json.dumps(longer), "--games", "2")
    assert done.exit_code == 0 and "2 of 2 games" in done.output


def test_what_fails_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    from services.ai import play
    from tests.service.ai import odd_bots

    monkeypatch.setitem(BOTS, "throw", odd_bots.Odd(odd_bots.throw))
    assert "0 throw failed: " in run("--bots", "throw,random", "--games", "1").output
    monkeypatch.setattr(play, "MOST_DECISIONS", 50)
    assert "2 games given up: endless" in run("--games", "2").output


@pytest.mark.timeout(60)
def test_a_bot_that_kills_its_process_ends_the_arena_with_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(BOTS, "die", Odd(lambda question: os._exit(1)))
    monkeypatch.setattr(BOTS["die"], "name", "die")
    done = run("--bots", "die,random", "--games", "2", "--workers", "1")
    assert done.exit_code == 1 and "A process that played has died" in done.output and "0 of 2 games" in done.output


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--bots", "greedy,gredy"], "/entrants/1/bot: There are: "),
        (["--bots", "greedy"], "/entrants: This must have 2 to 16 entries."),
        (["--ruleset", "asia"], "/ruleset: There are: card_game, maerklin, old_west, usa."),
        (["--seats", "6"], "/entrants: 6 seats need as many entrants"),
        (["--games", "0"], "/games: This must be 1 to 100000."),
        (["--parameters", "{"], "PARAMETERS is not JSON"),
        (["--parameters", '{"claim": {"wagons": 1}}'], "/parameters/claim/wagons: There are: trains, to_claimer, p"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_wrong_options_are_told_by_name(options: list[str], told: str) -> None:
    done = run(*options)
    assert done.exit_code == 1 and told in done.output


TEMPLATE = Path(__file__).parents[3] / "shared/client/template_bot.py"


@pytest.fixture
def only_built_in_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a test adds to the bots of this process goes with it."""
    monkeypatch.setattr(arena, "BOTS", dict(BOTS))
    monkeypatch.setattr(specification, "BOTS", arena.BOTS)


def test_bots_of_ones_own_play_from_their_files(only_built_in_bots: None, tmp_path: Path) -> None:
    files = [tmp_path / f"bot{number}.py" for number in range(2)]
    for number, file in enumerate(files):
        file.write_text(TEMPLATE.read_text().replace("template", f"mine{number}"))
    done = run("--bots", f"{files[0]},random,{files[1]}", "--games", "6", "--workers", "2")
    assert done.exit_code == 0, done.output
    assert all(name in done.output for name in ("0 mine0", "1 random", "2 mine1", "6 of 6 games"))
    assert "fallback" not in done.output


@pytest.mark.parametrize(("text", "why"), [
    ("", "must define one subclass of Bot"),
    (TEMPLATE.read_text().replace('"template"', '"greedy"'), "there is a bot greedy already"),
])  # fmt: skip
def test_a_file_that_cannot_take_part_is_told(only_built_in_bots: None, tmp_path: Path, text: str, why: str) -> None:
    (tmp_path / "mine.py").write_text(text)
    refused = run("--bots", f"{tmp_path / 'mine.py'},greedy")
    assert refused.exit_code == 1 and why in refused.output
    assert "no such file" in run("--bots", f"{tmp_path / 'absent.py'},greedy").output


def test_two_bots_of_one_name_are_not_taken_for_one(only_built_in_bots: None, tmp_path: Path) -> None:
    for folder in ("old", "new"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "mine.py").write_text(TEMPLATE.read_text().replace("template", "mine"))
    refused = run("--bots", f"{tmp_path / 'old/mine.py'},{tmp_path / 'new/mine.py'}")
    assert refused.exit_code == 1 and "there is a bot mine already" in refused.output


def test_no_service_ever_loads_a_file(arenas: Arenas) -> None:
    for bot in (str(TEMPLATE), "template", "acme.template"):
        refused = arenas.ask(entrants=[{"bot": bot}, {"bot": "random"}])
        assert (refused.status_code, refused.json["errors"][0]["pointer"]) == (422, "/entrants/0/bot")
