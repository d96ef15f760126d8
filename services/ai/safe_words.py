"""The words of a bot's error for the log, without what they may quote of its hand, its tickets or its notes."""

from __future__ import annotations

import re

from shared.kernel import Rules

LONGEST = 200
BLOT = "#"
WORD = re.compile(r"\w+(?:-\w+)*")
PART = re.compile(r"[^\W_]+")


def safe_words(error: BaseException, rules: Rules | None) -> str:
    """Kind and message of an error, with each number, each hand in notation and each name of a card, city, track or
    ticket blotted out. Without rules to know the names by, the kind alone.
    """
    kind = type(error).__name__
    message = _message(error)
    if rules is None or not message:
        return kind
    names = {part for name in [*rules.kinds, *rules.board.cities] for part in PART.findall(name)}

    def blotted(found: re.Match[str]) -> str:
        word = found[0]
        parts = PART.findall(word.lower())
        tells = (
            any(char.isnumeric() for char in word)
            or set(word) <= set(rules.letters)
            or not names.isdisjoint([*parts, *(part.removesuffix("s") for part in parts)])
        )
        return BLOT if tells else word

    return f"{kind}: {WORD.sub(blotted, message)[:LONGEST]}"


def _message(error: BaseException) -> str:
    """What an error says; nothing where a bot has made it so that it cannot say it."""
    try:
        return str(error)
    except Exception:
        return ""
