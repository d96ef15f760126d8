"""Finding the bot in a file of one's own."""

from __future__ import annotations

import importlib.util
import re
import sys
from pathlib import Path

from shared.client.bot import Bot
from shared.contracts.bots import NAME


class NoBot(Exception):
    """There is no bot to be had from a file; the text says why."""


def load_bot(path: str | Path) -> Bot:
    """The bot that a file of Python defines; what lies beside the file can be imported by it.

    Runs the file. Raises NoBot unless it defines one bot with a name and a description, and can be imported.
    """
    file = Path(path).resolve()
    if not file.is_file():
        raise NoBot(f"{path}: there is no such file")
    module_name = str(file)  # so that two files of one name are two modules
    found = importlib.util.spec_from_file_location(module_name, file)
    if found is None or found.loader is None:
        raise NoBot(f"{path} is no file of Python")
    module = importlib.util.module_from_spec(found)
    sys.modules[module_name] = module
    if str(file.parent) not in sys.path:
        sys.path.append(str(file.parent))
    try:
        found.loader.exec_module(module)
    except Exception as error:
        raise NoBot(f"{path} cannot be run: {type(error).__name__}: {error}") from error
    own = [member for member in vars(module).values()
           if isinstance(member, type) and member.__module__ == module_name]  # fmt: skip
    classes = [member for member in own if issubclass(member, Bot) and member.name]
    if len(classes) != 1:
        named = ", ".join(cls.name for cls in classes) or "none"
        raise NoBot(f"{path} must define one subclass of Bot with a name, and defines {named}")
    return _checked(path, classes[0]())


def _checked(path: str | Path, bot: Bot) -> Bot:
    if not re.fullmatch(NAME, bot.name):
        raise NoBot(f"{path}: the name {bot.name!r} must be of a-z, 0-9, _ and -, begin with a letter or digit and have"
                    " at most 40 of them")
    if not bot.about:
        raise NoBot(f"{path}: {bot.name} must say in `about` what it does")
    return bot
