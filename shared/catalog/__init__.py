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
from shared.catalog.variants import Fault, Unplayable, board_faults, variant

__all__ = [
    "DEFAULT_RULESET",
    "Fault",
    "UnknownId",
    "Unplayable",
    "board",
    "board_faults",
    "rule_text",
    "rules_for",
    "ruleset",
    "rulesets",
    "variant",
]
