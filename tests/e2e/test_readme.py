"""What the README tells a newcomer to type works as it stands."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from deploy.local.processes import free_ports, of_stack
from deploy.local.programs import ROOT
from tests.polling import until

pytestmark = [pytest.mark.xdist_group("in peace"), pytest.mark.timeout(240)]

OWN = ("STORE_URL", "BROKER_URL", "LOG_LEVEL")


class Terminal:
    """A newcomer's environment, with a port and a folder of its own, and `make up` running in another terminal."""

    def __init__(self, folder: Path) -> None:
        self.var = folder / "var"
        kept = {name: value for name, value in os.environ.items() if name not in OWN}
        self.env = {**kept, "VAR": str(self.var), "PORT": str(free_ports(1)[0])}
        self._output = folder / "output"
        with self._output.open("w") as output:
            self.up = subprocess.Popen(["make", "up"], cwd=ROOT, env=self.env, stdout=output, stderr=output)

    def wait_until_up(self) -> None:
        """Waits for what `make up` says in the end, and takes address and key from it."""
        said = until(lambda: re.search(r"up at (\S+)\s+platform key +(\S+)", self.said()) or self.up.poll(),
                     "make up to say the address and the key", seconds=100)
        assert isinstance(said, re.Match), self.said()
        self.env |= {"WHISTLESTOP": said[1], "KEY": said[2]}

    def said(self) -> str:
        """What `make up` has printed so far."""
        return self._output.read_text()

    def run(self, *command: str) -> str:
        """Runs a command to its end, which must be a good one; gives what it printed."""
        done = subprocess.run(command, cwd=ROOT, env=self.env, capture_output=True, text=True, timeout=120, check=False)
        assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
        return done.stdout


@pytest.fixture(scope="module")
def terminal(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Terminal]:
    """A terminal beside `make up`, which ends with `make down`."""
    opened = Terminal(tmp_path_factory.mktemp("newcomer"))
    try:
        opened.wait_until_up()
        yield opened
    finally:
        opened.run("make", "down")
        opened.up.wait(30)
    assert (opened.up.returncode, list(of_stack(opened.var))) == (0, [])


def test_everything_it_shows_in_bash(terminal):
    """A game by hand, then one of another rule set between bots, then an arena, in one shell."""
    blocks = re.findall(r"^```bash\n(.*?)^```$", (ROOT / "README.md").read_text(), re.MULTILINE | re.DOTALL)

    printed = terminal.run("bash", "-e", "-o", "pipefail", "-c", "\n".join(blocks))

    assert '"code": "rule_violation"' in printed
    assert "pass_not_allowed" in printed
    assert "whether Alvin is in the game (OPT-3)" in printed
    assert "ResultRecorded" in printed
    assert "10 of 10 games" in printed and "ticket" in printed
    assert "final score" in printed and "globetrotter" in printed and "Alvin captured" not in printed


def test_make_demo_proves_itself(terminal):
    printed = terminal.run("make", "demo")
    assert "NO" not in re.findall(r"\b(yes|NO)\b", printed)


def test_make_status_lists_the_processes(terminal):
    printed = terminal.run("make", "status")
    assert all(name in printed for name in ("gateway", "game_state", "rules", "scoring", "bots", "store", "total"))
