"""A bot in a file of one's own: found, or it is said why not."""

from __future__ import annotations

from pathlib import Path

import pytest

from shared.client.loading import NoBot, load_bot

ONE = """
from shared.client import Bot
class Base(Bot):
    def choose(self, question):
        return question.legal_moves[0]
class One(Base):
    name = "one"
    about = "Of a test."
"""


def write(folder: Path, text: str, name: str = "my_bot.py") -> Path:
    file = folder / name
    file.write_text(text)
    return file


def test_the_one_bot_of_a_file_is_found_beside_its_bases(tmp_path: Path) -> None:
    bot = load_bot(write(tmp_path, ONE))
    assert (bot.name, bot.about) == ("one", "Of a test.")


def test_a_file_may_import_what_lies_beside_it(tmp_path: Path) -> None:
    write(tmp_path, "WORDS = 'Of a helper.'", "helper_of_a_test.py")
    text = "import helper_of_a_test\n" + ONE.replace('"Of a test."', "helper_of_a_test.WORDS")
    assert load_bot(write(tmp_path, text)).about == "Of a helper."


def test_two_files_of_one_name_are_two_bots(tmp_path: Path) -> None:
    for folder in ("old", "new"):
        (tmp_path / folder).mkdir()
        write(tmp_path / folder, ONE.replace("Of a test.", folder))
    old, new = (load_bot(tmp_path / folder / "my_bot.py") for folder in ("old", "new"))
    assert (old.about, new.about) == ("old", "new") and type(old).__module__ != type(new).__module__


def test_the_template_is_such_a_file_and_short() -> None:
    file = Path(__file__).parents[3] / "shared/client/template_bot.py"
    assert load_bot(file).name == "template"
    assert len(file.read_text().splitlines()) < 40


@pytest.mark.parametrize(("text", "why"), [
    ("", "must define one subclass of Bot with a name, and defines none"),
    ("from shared.client import Bot", "defines none"),
    (ONE.replace('name = "one"', ""), "defines none"),
    (ONE + "class Two(One):\n    name = 'two'", "defines one, two"),
    (ONE.replace('"one"', '"No Name"'), "the name 'No Name' must be of a-z"),
    (ONE.replace('"one"', '"' + "x" * 41 + '"'), "at most 40"),
    (ONE.replace('"Of a test."', '""'), "one must say in `about` what it does"),
    ("import nothing_of_this_name", "cannot be run: ModuleNotFoundError: No module named 'nothing_of_this_name'"),
    ("1 / 0", "cannot be run: ZeroDivisionError"),
    ("class", "cannot be run: SyntaxError"),
])  # fmt: skip
def test_a_file_without_a_bot_is_told_what_it_lacks(tmp_path: Path, text: str, why: str) -> None:
    with pytest.raises(NoBot) as told:
        load_bot(write(tmp_path, text))
    assert why in str(told.value)


def test_a_file_that_is_none_is_told(tmp_path: Path) -> None:
    for path in (tmp_path / "absent.py", tmp_path, write(tmp_path, "{}", "bot.json")):
        with pytest.raises(NoBot):
            load_bot(path)
