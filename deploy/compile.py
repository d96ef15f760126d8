"""Builds the compiled form of the kernel with mypyc: `make compile`. Nothing needs it; it is twice as fast.

Ends with 0 if the kernel is compiled then, with UNABLE where there is no C compiler.
"""

from __future__ import annotations

import shutil
import sys
import sysconfig
from pathlib import Path
from tempfile import TemporaryDirectory

from mypyc.build import mypycify
from setuptools import Distribution

from shared.compiled import BUILD, SHARED, STAMP, digest, is_current

UNABLE = 3


def missing() -> str:
    """What keeps C code from being compiled here; "" if nothing does."""
    compiler = sysconfig.get_config_var("CC").split()[0]
    if shutil.which(compiler) is None:
        return f"there is no C compiler ({compiler}); Debian and Ubuntu: apt-get install gcc libc6-dev"
    headers = Path(sysconfig.get_path("include"))
    if not (headers / "Python.h").is_file():
        return f"{headers} has no Python.h; Debian and Ubuntu: apt-get install python3.11-dev"
    return ""


def build(folder: Path) -> None:
    """Compiles all modules of the kernel as one unit, so that they call each other directly, into `folder`/lib."""
    extensions = mypycify(
        [str(SHARED / "kernel"), "--cache-dir", str(folder / "mypy")],
        group_name="whistlestop_kernel",
        target_dir=str(folder / "c"),
        opt_level="1",  # 2 and 3 take longer to build and play no faster
        debug_level="0",
    )
    distribution = Distribution({"name": "kernel", "packages": [], "ext_modules": extensions})
    command = distribution.get_command_obj("build_ext")
    command.build_lib, command.build_temp = str(folder / "lib"), str(folder / "temp")
    command.ensure_finalized()
    command.run()


def main() -> None:
    """Compiles the kernel, unless that is done already."""
    if is_current():
        print("The kernel is compiled already.")
        return
    if reason := missing():
        print(f"The kernel cannot be compiled: {reason}. Everything works without, more slowly.")
        sys.exit(UNABLE)
    print("Compiling the kernel (about a minute) ...", flush=True)
    sources = digest()
    BUILD.parent.mkdir(exist_ok=True)
    with TemporaryDirectory(dir=BUILD.parent) as folder:
        build(Path(folder))
        shutil.rmtree(BUILD, ignore_errors=True)
        (Path(folder) / "lib").rename(BUILD)
    STAMP.write_text(sources)
    print(f"Compiled into {BUILD.relative_to(SHARED.parent)}, which is used until the kernel's sources change.")


if __name__ == "__main__":
    main()
