"""Every rule of the rule sets that exist has a test, every test cites rules that exist, and every violation code is
named by a test. Read from the tests' source, so that a test which is skipped or deselected counts as well."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from shared.catalog import ruleset, rulesets
from shared.kernel import CODES

ROOT = Path(__file__).parents[2]
RULE_LINE = re.compile(r"^- \*\*([A-Z]+)(-\d+[a-z]?)\*\* ", re.MULTILINE)


def rules_by_section() -> dict[str, set[str]]:
    """The ids of rules.md by section, such as BASE."""
    sections: dict[str, set[str]] = {}
    for section, number in RULE_LINE.findall((ROOT / "shared/catalog/rules.md").read_text()):
        prefix = "OPTIONS" if section == "OPT" else section
        sections.setdefault(prefix, set()).add(section + number)
    return sections


@cache
def syntax_of_tests() -> list[tuple[str, ast.AST]]:
    """Every call and every constant of every file under tests but this one, with the file's path."""
    return [
        (str(path.relative_to(ROOT)), node)
        for path in sorted((ROOT / "tests").rglob("*.py"))
        if path != Path(__file__)
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call | ast.Constant)
    ]


@cache
def cited_rules() -> dict[str, str]:
    """The ids named in `pytest.mark.rule(...)`, with a file that does it."""
    cited = {}
    for path, node in syntax_of_tests():
        match node:
            case ast.Call(func=ast.Attribute(attr="rule", value=ast.Attribute(attr="mark")), args=args):
                assert args, f"{path}:{node.lineno} cites no rule"
                cited |= {arg.value: path for arg in args if isinstance(arg, ast.Constant)}
    return cited


def named_codes() -> set[str]:
    return {
        node.value
        for _, node in syntax_of_tests()
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value in CODES
    }


def required_sections() -> set[str]:
    return {section for name in rulesets() for section in ruleset(name)["rules"]}


def test_the_sections_of_every_rule_set_exist() -> None:
    assert required_sections() >= {"BASE", "USA", "VIEW", "OPTIONS"}
    assert required_sections() <= set(rules_by_section())


@pytest.mark.parametrize("section", sorted(required_sections()))
def test_every_rule_has_a_test(section: str) -> None:
    assert sorted(rules_by_section()[section] - set(cited_rules())) == []


def test_every_cited_rule_exists() -> None:
    known = set().union(*rules_by_section().values())
    assert {rule: path for rule, path in cited_rules().items() if rule not in known} == {}


def test_every_violation_code_is_named_by_a_test() -> None:
    assert sorted(CODES - named_codes()) == []


def test_every_rule_named_by_a_violation_exists() -> None:
    """In the kernel's source, where a code of CODES comes with the id of a rule."""
    known = set().union(*rules_by_section().values())
    for path in sorted((ROOT / "shared/kernel").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            match node:
                case ast.Call(func=ast.Name(id="RuleViolation"), args=[_, ast.Constant(value=rule), _]):
                    assert rule in known, f"{path.relative_to(ROOT)}:{node.lineno}"
