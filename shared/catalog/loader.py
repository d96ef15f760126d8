"""Reads the catalog's files, the only code that opens them; everything read is kept."""

from __future__ import annotations

import json
import re
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from shared.kernel import MECHANICS, Rules, compile_rules

DEFAULT_RULESET = "usa"  # where none is named, such as in examples

_HERE = Path(__file__).parent
_NAME = re.compile(r"[a-z][a-z0-9_]{0,40}")
_RULE_LINE = re.compile(r"- \*\*([A-Z]+-\d+[a-z]?)\*\* (.+)")
_SOURCE_TAG = re.compile(r" \[[^][]*\]$")


class UnknownId(LookupError):
    """There is no rule set, board or rule of this id."""


def _read(folder: str, name: str) -> dict[str, Any]:
    path = _HERE / folder / f"{name}.json"
    if not _NAME.fullmatch(name) or not path.is_file():
        raise UnknownId(name)
    return json.loads(path.read_text(encoding="utf-8"))


@cache
def rulesets() -> list[str]:
    """The ids of all rule sets, without revisions."""
    return sorted(path.stem for path in (_HERE / "rulesets").glob("*.json"))


@lru_cache(maxsize=64)
def ruleset(ruleset_id: str) -> dict[str, Any]:
    """The rule set "usa" or "usa@1"; raises UnknownId, also for a revision that does not exist."""
    name, at, revision = ruleset_id.partition("@")
    source = _read("rulesets", name)
    if at and revision != str(source["revision"]):
        raise UnknownId(ruleset_id)
    return source


@lru_cache(maxsize=64)
def board(board_id: str) -> dict[str, Any]:
    """The board: cities, tracks, tickets; raises UnknownId."""
    return _read("boards", board_id)


@cache
def _rule_texts() -> dict[str, str]:
    texts: dict[str, str] = {}
    for line in (_HERE / "rules.md").read_text(encoding="utf-8").splitlines():
        match = _RULE_LINE.match(line)
        if match:
            texts[match[1]] = _SOURCE_TAG.sub("", match[2])
    return texts


def rule_text(rule_id: str) -> str:
    """The text of a rule, such as BASE-24, without its sources; raises UnknownId."""
    try:
        return _rule_texts()[rule_id]
    except KeyError:
        raise UnknownId(rule_id) from None


def rules_for(ruleset_id: str, seats: int, options: dict[str, Any] | None = None) -> Rules:
    """The compiled rule set for so many seats and these options.

    Raises UnknownId, and the kernel's Malformed for seats or options that the rule set does not have.
    """
    return _compiled(ruleset_id, seats, json.dumps(options or {}, sort_keys=True))


@lru_cache(maxsize=256, typed=True)
def _compiled(ruleset_id: str, seats: int, options: str) -> Rules:
    source = ruleset(ruleset_id)
    return compile_rules(source, board(source["board"]), seats, json.loads(options), MECHANICS)
