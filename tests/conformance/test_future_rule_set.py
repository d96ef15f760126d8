"""A rule set that nobody has thought of passes the tests as they stand: its file is all it takes."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from shared.catalog import ruleset
from shared.compiled import BUILD

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.timeout(300)
NAME = "branch_line"  # the first of all by name, and not for two


def made_up() -> dict[str, object]:
    """The base game on its board with other cards, numbers, ends and ties, for three or four."""
    source = json.loads(json.dumps(ruleset("usa")))
    source |= {"id": NAME, "revision": 3, "name": "Branch Line", "about": "A short game on the big board."}
    source["seats"] |= {"min": 3, "max": 4}
    source["cards"] = [card | {"count": card["count"] - 2} for card in source["cards"]]
    mechanics = source["mechanics"]
    mechanics["train_cards"]["opening_hand"] = 6
    mechanics["display"] |= {"size": 4, "reset_at": {"locomotive": 2}}
    mechanics["claim"] |= {"trains": 20, "points": {str(length): 2 * length for length in range(1, 7)}}
    mechanics["parallel_tracks"]["one_of_group_up_to_seats"] = 4
    mechanics["draw_tickets"] |= {"opening": 4, "number": 2}
    mechanics["last_round"]["trains"] = 1
    del mechanics["longest_path"]
    mechanics["most_tickets"] = {"points": 8, "reason": "globetrotter", "rule": "OW-13"}
    source["ties"]["by"] = ["tickets"]
    return source


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy with one rule set more and its goldens written."""
    folder = tmp_path_factory.mktemp("checkout")
    for name in ("deploy", "services", "shared", "tests"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__", Path(__file__).name))
    shutil.copy(ROOT / "pyproject.toml", folder)
    if BUILD.is_dir():  # the kernel is the same, so a compiled form of it still is
        shutil.copytree(BUILD, folder / BUILD.relative_to(ROOT))
    path = folder / "shared" / "catalog" / "rulesets" / f"{NAME}.json"
    path.write_text(json.dumps(made_up()), encoding="utf-8")
    run(folder, "tests.golden.playthrough")
    run(folder, "tests.golden.perft")
    return folder


def run(folder: Path, *arguments: str) -> str:
    """Runs a module there; gives what it printed, fails with it where that does not end well."""
    env = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
    done = subprocess.run(
        [sys.executable, "-m", *arguments], cwd=folder, env=env, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize("folders", ["conformance golden property", "service/ai service/scoring"])
def test_it_passes_the_tests_of_every_rule_set(checkout: Path, folders: str) -> None:
    printed = run(checkout, "pytest", "-q", *[f"tests/{folder}" for folder in folders.split()], "-k", NAME)
    assert " passed" in printed
    assert "skipped" not in printed


def test_what_holds_for_all_rule_sets_together_still_does(checkout: Path) -> None:
    names = "test_mechanics or rule_set_has or rules_are_compiled_once or test_there_is_no or have_every_event"
    assert " passed" in run(checkout, "pytest", "-q", "tests/conformance", "tests/golden", "-k", names)


def test_many_games_of_it_lose_nothing(checkout: Path) -> None:
    assert NAME in run(checkout, "tests.soak", "--ruleset", NAME, "--games", "5")
