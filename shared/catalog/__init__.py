"""The games as data: rule sets, boards and the text of every rule."""

from shared.catalog.loader import (
    DEFAULT_RULESET,
    UnknownId,
    board,
    rule_text,
    rules_for,
    ruleset,
    rulesets,
)

__all__ = ["DEFAULT_RULESET", "UnknownId", "board", "rule_text", "rules_for", "ruleset", "rulesets"]
