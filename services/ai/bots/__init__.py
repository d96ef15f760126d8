"""The bots: every module of this package is asked for the bots it defines. A new bot is a new file."""

from __future__ import annotations

import pkgutil
from importlib import import_module

from shared.client import Bot

FALLBACK = "random"


def _found() -> dict[str, Bot]:
    modules = [import_module(f"{__name__}.{module.name}") for module in pkgutil.iter_modules(__path__)]
    classes = [
        member
        for module in modules
        for member in vars(module).values()
        if isinstance(member, type) and issubclass(member, Bot) and member.__module__ == module.__name__ and member.name
    ]
    return {cls.name: cls() for cls in sorted(classes, key=lambda cls: cls.name)}


BOTS: dict[str, Bot] = _found()

__all__ = ["BOTS", "FALLBACK"]
