"""A bot that runs elsewhere plays a hosted game from its own process, is killed and comes back; and what its makers are
told to type works as it stands."""

from __future__ import annotations

import os
import re
import secrets
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import requests

from deploy.local import Stack
from deploy.local.programs import ROOT
from shared.client import Client
from tests.e2e.proofs import answers_of, prove, wait_for_result, wait_for_version
from tests.polling import until

pytestmark = [pytest.mark.xdist_group("in peace"), pytest.mark.timeout(300)]

TEMPLATE = ROOT / "shared/client/template_bot.py"
PAGE = ROOT / "shared/client/README.md"
OWN = ("WHISTLESTOP_URL", "WHISTLESTOP_TOKEN", "VAR")
SOME = 12
"""Commits in which both seats have had something to choose."""


class Running:
    """A process of a bot, and what it says."""

    def __init__(self, process: subprocess.Popen, output: Path) -> None:
        self.process = process
        self._output = output

    def said(self, words: str) -> bool:
        return words in self._output.read_text()


@contextmanager
def bot_process(folder: Path, command: list[str], env: dict[str, str]) -> Iterator[Running]:
    """Runs a bot in a process group of its own for as long as the block lasts."""
    kept = {name: value for name, value in os.environ.items() if name not in OWN}
    output = folder / f"bot-{secrets.token_hex(4)}.log"
    with output.open("w") as out:
        process = subprocess.Popen(command, cwd=folder, env=kept | env, stdout=out, stderr=out, start_new_session=True)
    try:
        yield Running(process, output)
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.wait(10)


def replaced(stack: Stack, bot: str) -> dict[str, int]:
    """How often another was asked for a bot, by reason."""
    told = requests.get(f"http://127.0.0.1:{stack.site.ports['agenda']}/metrics", timeout=5).text
    found = re.findall(rf'^whistlestop_replaced_bots_total{{bot="{bot}",reason="(\w+)"}} (\S+)$', told, re.MULTILINE)
    return {reason: int(float(count)) for reason, count in found}


def test_a_bot_is_killed_in_the_middle_of_a_game_replaced_and_goes_on(stack: Stack, host: Client, tmp_path: Path):
    made = host.create_bot({"bot": secrets.token_hex(4), "about": "Of a test."})
    env = {"WHISTLESTOP_URL": stack.address, "WHISTLESTOP_TOKEN": made["token"], "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "shared.client", "bot", "run", str(TEMPLATE)]
    created = host.create_game("usa", [{"bot": made["bot"]}, {"bot": "greedy"}])
    game = created["game"]

    with bot_process(tmp_path, command, env) as bot:
        version = wait_for_version(host, game, 2 * SOME)
        assert bot.said(f"{made['bot']} plays at {stack.address}") and bot.said(f"{game} begins: usa@1, 2 seats")
        assert replaced(stack, made["bot"]) == {}
        os.killpg(bot.process.pid, signal.SIGKILL)
    killed = wait_for_version(host, game, version + 1)
    until(lambda: sum(replaced(stack, made["bot"]).values()) >= 2, "the fallback to be asked twice", seconds=90)
    back = wait_for_version(host, game, killed + 1)

    with bot_process(tmp_path, command, env) as bot:
        wait_for_version(host, game, back + SOME)
        assert bot.said(f"{game} goes on")
        asked = replaced(stack, made["bot"])
        points = wait_for_result(host, game, seconds=150)["result"]["seats"][0]["total"]
        until(lambda: bot.said(f"{game} is over: seat 0 has {points} points"), "the last line")
        assert replaced(stack, made["bot"]) == asked, "it was replaced though it was there"
        bot.process.send_signal(signal.SIGTERM)
        assert bot.process.wait(30) == 0

    record = prove(stack, host, created)
    assert not any(answer["forced"] for answer in answers_of(record)), "the default answered, not the fallback"
    assert {"untaken", "expired"} >= asked.keys() and asked["untaken"] >= 1


def test_what_makers_of_bots_are_told_to_type(stack: Stack, host: Client, tmp_path: Path):
    """Four commands beside `make up`: the bot plays a game to its end, then Ctrl-C."""
    (tmp_path / "shared").symlink_to(ROOT / "shared")
    [block] = re.findall(r"^```bash\n(.*?)^```$", PAGE.read_text(), re.MULTILINE | re.DOTALL)
    assert len(block.splitlines()) == 4
    env = {"WHISTLESTOP_URL": stack.address, "WHISTLESTOP_TOKEN": stack.platform_key,
           "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}  # fmt: skip
    with bot_process(tmp_path, ["bash", "-e", "-c", block], env) as bot:
        until(lambda: bot.said("is over: seat 0 has "), "the end of the game", seconds=150)
        os.killpg(bot.process.pid, signal.SIGINT)
        bot.process.wait(30)
        assert bot.said("dev.my_bot plays at") and bot.said("ending") and not bot.said("Traceback")
    assert "dev.my_bot" in [found["bot"] for found in host.bots()]
    host.delete_bot("dev.my_bot")
