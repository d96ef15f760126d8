"""What `make compile` says where the kernel cannot be compiled; that it can be is what `make test-compiled` shows."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from deploy import compile as compiling

ROOT = Path(__file__).parents[3]


def test_without_a_c_compiler_it_says_so_and_builds_nothing(tmp_path: Path) -> None:
    for name in ("deploy/__init__.py", "deploy/compile.py", "shared/__init__.py", "shared/compiled.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    env = {**os.environ, "PATH": str(tmp_path), "WHISTLESTOP_KERNEL": "plain"}
    done = subprocess.run(
        [sys.executable, "-m", "deploy.compile"], cwd=tmp_path, env=env, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == compiling.UNABLE, done.stderr
    assert "cannot be compiled: there is no C compiler" in done.stdout
    assert "apt-get install gcc" in done.stdout
    assert not (tmp_path / "build").exists()


def test_without_the_headers_of_python_it_says_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(sysconfig, "get_config_var", lambda name: sys.executable)  # there is such a program
    monkeypatch.setattr(sysconfig, "get_path", lambda name: str(tmp_path))
    assert compiling.missing().startswith(f"{tmp_path} has no Python.h")
