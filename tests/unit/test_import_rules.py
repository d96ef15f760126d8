"""The import rules of the project, and what imports cannot show: read from the source itself."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from shared.catalog.loader import rulesets
from shared.contracts import queues

ROOT = Path(__file__).parents[2]
KERNEL = ROOT / "shared/kernel"
KERNEL_MAY_IMPORT = {"__future__", "typing", "dataclasses", "enum", "abc", "itertools", "functools", "heapq", "hashlib",
                     "hmac"}
KERNEL_MAY_NOT_NAME = {"open", "print", "input", "eval", "exec", "__import__", "float"}
QUEUE_WORDS = {value for name, value in vars(queues).items() if name.isupper() and isinstance(value, str)}


def sources(*folders: str) -> list[Path]:
    return sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))


def nodes(path: Path) -> Iterator[ast.AST]:
    return ast.walk(ast.parse(path.read_text()))


def place(path: Path, node: ast.AST) -> str:
    return f"{path.relative_to(ROOT)}:{node.lineno}"


def strings(path: Path) -> Iterator[ast.Constant]:
    """Gives the strings a module uses; not docstrings, nor the examples in a schema's metadata."""
    tree = ast.parse(path.read_text())
    ignored = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            ignored.add(node.value)
        if isinstance(node, ast.keyword) and node.arg == "metadata":
            ignored |= set(ast.walk(node))
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in ignored:
            yield node


def test_layers_and_services_stand_as_the_contracts_say() -> None:
    lint = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run([lint, "--no-cache"], cwd=ROOT, capture_output=True, text=True, timeout=100, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("path", sources("shared/kernel"), ids=lambda path: path.stem)
def test_kernel_imports_nothing_but_pure_modules(path: Path) -> None:
    imported = {}
    for node in nodes(path):
        if isinstance(node, ast.Import):
            imported |= {alias.name: node for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            imported["." * node.level + (node.module or "")] = node
    strange = [f"{place(path, node)} imports {name}" for name, node in imported.items()
               if name not in KERNEL_MAY_IMPORT and not re.match(r"\.|shared\.kernel(\.|$)", name)]
    assert not strange


@pytest.mark.parametrize("path", sources("shared/kernel"), ids=lambda path: path.stem)
def test_kernel_has_no_files_no_output_and_no_floats(path: Path) -> None:
    found = []
    for node in nodes(path):
        if isinstance(node, ast.Name) and node.id in KERNEL_MAY_NOT_NAME:
            found.append(f"{place(path, node)} names {node.id}")
        if isinstance(node, ast.Constant) and isinstance(node.value, float):
            found.append(f"{place(path, node)} holds the float {node.value}")
        if isinstance(node, ast.BinOp | ast.AugAssign) and isinstance(node.op, ast.Div):
            found.append(f"{place(path, node)} divides to a float")
    assert not found


def test_services_and_shared_layers_never_print() -> None:
    found = [place(path, node) for path in sources("services", "shared") if "client" not in path.parts
             for node in nodes(path) if isinstance(node, ast.Name) and node.id == "print"]
    assert not found


def test_queue_and_task_names_are_written_in_one_place() -> None:
    home = ROOT / "shared/contracts/queues.py"
    found = [f"{place(path, node)} {node.value!r}" for path in sources("services", "shared", "deploy") if path != home
             for node in strings(path) if node.value in QUEUE_WORDS and "." in node.value]
    assert not found


def test_ids_of_rule_sets_are_written_in_the_catalog_only() -> None:
    ids = re.compile(rf"({'|'.join(rulesets())})(@\d+)?")
    found = [f"{place(path, node)} {node.value!r}" for path in sources("services", "shared")
             if (ROOT / "shared/catalog") not in path.parents
             for node in strings(path) if ids.fullmatch(node.value)]
    assert not found


def test_only_the_loader_opens_files_of_the_catalog() -> None:
    openers = {"open", "read_text", "read_bytes"}
    found = []
    for path in sources("shared/catalog", "shared/contracts", "shared/tasks"):
        for node in nodes(path):
            name = getattr(node, "id", None) or getattr(node, "attr", None)
            if name in openers and path.name != "loader.py":
                found.append(place(path, node))
    assert not found
