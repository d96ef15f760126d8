"""The games as data: rule sets, boards and the text of every rule."""

from shared.catalog.loader import (
    UnknownId,
    board,
    rule_text,
    rules_for,
    ruleset,
    rulesets,
)

__all__ = ["UnknownId", "board", "rule_text", "rules_for", "ruleset", "rulesets"]
