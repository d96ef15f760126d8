"""Which form of the kernel is imported, tried on a small copy of the package with a build that is no machine code."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import shared

HERE = Path(shared.__file__).parent
STAMP = "from shared.compiled import STAMP, digest; STAMP.write_text(digest())"
FORM = "from shared.kernel import FORM; print(FORM)"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A checkout with a kernel of two modules and a build of it."""
    kernel, built = tmp_path / "shared/kernel", tmp_path / "build/kernel/shared/kernel"
    for folder, form in ((kernel, "plain"), (built, "compiled")):
        folder.mkdir(parents=True)
        (folder / "__init__.py").write_text(f"FORM = {form!r}\n")
    (kernel / "moves.py").write_text("")
    for name in ("__init__.py", "compiled.py"):
        shutil.copy(HERE / name, tmp_path / "shared" / name)
    done = run(tmp_path, STAMP)
    assert done.returncode == 0, done.stderr
    return tmp_path


def run(root: Path, code: str, form: str | None = None) -> subprocess.CompletedProcess[str]:
    """Runs the code in a Python of its own that imports from there."""
    env = {name: value for name, value in os.environ.items() if name != "WHISTLESTOP_KERNEL"}
    env |= {"PYTHONPATH": str(root), "PYTHONDONTWRITEBYTECODE": "1"}
    env |= {} if form is None else {"WHISTLESTOP_KERNEL": form}
    return subprocess.run([sys.executable, "-c", code], cwd=root, env=env, capture_output=True, text=True, timeout=60)


@pytest.mark.parametrize(("form", "imported"), [(None, "compiled"), ("", "compiled"), ("plain", "plain")])
def test_what_is_built_is_imported_unless_its_sources_are_asked_for(
    root: Path, form: str | None, imported: str
) -> None:
    done = run(root, FORM, form)
    assert (done.stdout.strip(), done.returncode) == (imported, 0), done.stderr


def test_another_word_is_no_form(root: Path) -> None:
    done = run(root, FORM, "fast")
    assert done.returncode == 1
    assert "ImportError: WHISTLESTOP_KERNEL is plain, compiled or nothing, not 'fast'" in done.stderr


@pytest.mark.parametrize("change", ["changed", "added", "removed", "renamed", "moved", "never built"])
def test_a_compiled_form_of_other_sources_is_never_used(root: Path, change: str) -> None:
    kernel = root / "shared/kernel"
    match change:
        case "changed":
            (kernel / "moves.py").write_text("#")
        case "added":
            (kernel / "events.py").write_text("")
        case "removed":
            (kernel / "moves.py").unlink()
        case "renamed":
            (kernel / "moves.py").rename(kernel / "events.py")
        case "moved":
            (kernel / "mechanics").mkdir()
            (kernel / "moves.py").rename(kernel / "mechanics/moves.py")
        case "never built":
            shutil.rmtree(root / "build")
    done = run(root, FORM, "compiled")
    assert (done.stdout, done.returncode) == ("", 1)
    assert "holds no kernel compiled from these sources" in done.stderr
    assert "make compile" in done.stderr
    assert run(root, FORM).stdout.strip() == "plain"
