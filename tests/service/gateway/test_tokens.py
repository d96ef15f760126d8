"""Tokens cannot be forged and can be revoked; keys are nowhere to be read."""

from __future__ import annotations

import base64
import json
import os
import stat

import pytest
import redis
from click.testing import CliRunner

from services.gateway.accounts import main
from services.gateway.tokens import BOT, PLATFORM, Caller, SignedTokens
from shared.client import local_stack

SECRET = "a secret that nobody else knows, 32 characters"
TOKENS = SignedTokens(SECRET)


def test_a_signed_token_says_who_calls():
    assert TOKENS.read(TOKENS.for_seat("k3m", 2, 7)) == Caller("seat", "k3m", 2, 7)
    assert TOKENS.read(TOKENS.for_spectators("k3m", 1)) == Caller("spectator", "k3m", None, 1)
    assert TOKENS.read(TOKENS.for_seat("k3m", 2, 7)).header == "seat:k3m:2:7"
    assert TOKENS.read(TOKENS.for_spectators("k3m", 1)).header == "spectator:k3m:1"


def _forged() -> list[str]:
    seat, spectator = TOKENS.for_seat("k3m", 0, 1), TOKENS.for_spectators("k3m", 1)
    payload, _, signature = seat[3:].rpartition(".")
    return [
        SignedTokens("another secret, of whoever would like to play").for_seat("k3m", 0, 1),
        f"st_k3m.1.1.{signature}",
        f"st_k3m.0.2.{signature}",
        f"st_other.0.1.{signature}",
        f"st_{payload}.",
        f"st_{payload}",
        f"st_{payload}.{base64.urlsafe_b64encode(bytes(32)).decode().rstrip('=')}",
        f"sp_{seat[3:]}",
        f"st_{spectator[3:]}",
        f"pk_{seat[3:]}",
        seat[:-1],
        seat + "A",
        seat.upper(),
        seat.replace("st_", "st__"),
        f"st_k3m.0.1.9.{signature}",
        "st_",
        "sp_.",
    ]


@pytest.mark.parametrize("token", _forged())
def test_a_forged_token_is_nobodys(gateway, token):
    assert TOKENS.read(token) is None
    assert gateway.get("/games/k3m", token).status_code == 401


def test_a_new_claim_ends_the_earlier_token(gateway, platform):
    gateway.games.add("epochs")
    first = gateway.put("/games/epochs/seats/0", platform, json={"name": "Ann"})
    second = gateway.put("/games/epochs/seats/0", platform, json={"name": "Ann"})
    assert (first.status_code, second.status_code) == (200, 200)

    assert gateway.get("/games/epochs", second.json()["token"]).json()["viewer"] == 0
    revoked = gateway.get("/games/epochs", first.json()["token"])
    assert (revoked.status_code, revoked.json()["code"]) == (401, "token_revoked")
    assert "invalid_token" in revoked.headers["WWW-Authenticate"]


def test_new_spectators_tokens_end_the_earlier_ones(gateway, platform):
    gateway.games.add("watched")
    first, second = (gateway.put("/games/watched/spectators", platform).json()["spectator_token"] for _ in range(2))
    assert gateway.get("/games/watched", second).json()["viewer"] == "spectator"
    assert gateway.get("/games/watched", first).status_code == 401


def test_the_store_holds_no_key(gateway, store_url):
    keys = gateway.accounts.create(PLATFORM, "secretive"), gateway.external_bot("secretive", "own")
    store = redis.Redis.from_url(store_url)
    read = {b"string": store.get, b"set": lambda name: b"".join(store.smembers(name)),
            b"hash": lambda name: b"".join(store.hvals(name))}  # fmt: skip
    held = b"".join(name + read[store.type(name)](name) for name in store.scan_iter("gw:*"))
    assert b"secretive.own" in held
    assert not any(key.encode()[3:] in held for key in keys)


def test_a_revoked_key_opens_nothing(gateway):
    first, second = gateway.accounts.create(PLATFORM, "leaving"), gateway.accounts.create(PLATFORM, "leaving")
    assert [gateway.get("/games", key).status_code for key in (first, second)] == [200, 200]
    assert gateway.accounts.revoke(PLATFORM, "leaving") == 2
    assert [gateway.get("/games", key).status_code for key in (first, second)] == [401, 401]


def test_a_key_of_one_kind_is_not_one_of_the_other(gateway):
    key = gateway.accounts.create(BOT, "mixed")
    assert gateway.accounts.find(key) == Caller(BOT, "mixed")
    assert gateway.accounts.find("pk_" + key[3:]) is None


def _run(store_url: str, *arguments: str):
    return CliRunner().invoke(main, ["--store-url", store_url, *arguments])


def test_ensure_makes_a_key_once_and_keeps_it_valid(gateway, store_url, tmp_path):
    file = tmp_path / "secrets" / "platform_key"
    ensure = ("ensure", "--kind", "platform", "--id", "dev", "--token-file", str(file))
    assert _run(store_url, *ensure).exit_code == 0
    key = file.read_text().strip()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert gateway.accounts.find(key) == Caller(PLATFORM, "dev")

    gateway.accounts.revoke(PLATFORM, "dev")
    assert _run(store_url, *ensure).exit_code == 0
    assert file.read_text().strip() == key
    assert gateway.accounts.find(key) == Caller(PLATFORM, "dev")


def test_ensure_refuses_a_file_that_holds_something_else(store_url, tmp_path):
    file = tmp_path / "bot_token"
    file.write_text("pk_of-a-platform")
    refused = _run(store_url, "ensure", "--kind", "bot", "--id", "builtin", "--token-file", str(file))
    assert refused.exit_code == 1
    assert "bt_" in refused.output


def test_accounts_are_created_listed_and_revoked(gateway, store_url):
    created = _run(store_url, "create", "--kind", "bot", "--id", "listed")
    assert gateway.accounts.find(created.output.strip()) == Caller(BOT, "listed")
    assert "bot\tlisted\t1" in _run(store_url, "list").output
    assert "1 key of bot listed ended" in _run(store_url, "revoke", "--kind", "bot", "--id", "listed").output
    assert "bot\tlisted\t" not in _run(store_url, "list").output
    assert _run(store_url, "create", "--kind", "bot", "--id", "no:colon").exit_code == 2


@pytest.fixture
def nowhere(tmp_path, monkeypatch):
    """No store is named, and no stack runs here unless `stack.json` is written."""
    monkeypatch.setattr(local_stack, "VAR", tmp_path)
    monkeypatch.delenv("STORE_URL", raising=False)
    return tmp_path


def test_accounts_are_those_of_the_running_local_stack_unless_a_store_is_named(gateway, store_url, nowhere):
    told = {"supervisor": os.getpid(), "data_urls": {"store": store_url}}
    (nowhere / "stack.json").write_text(json.dumps(told))
    created = CliRunner().invoke(main, ["create", "--kind", "bot", "--id", "local"])
    assert gateway.accounts.find(created.stdout.strip()) == Caller(BOT, "local")
    assert "Using the store of the local stack" in created.stderr


def test_without_a_store_it_is_said_how_to_name_one(nowhere):
    result = CliRunner().invoke(main, ["list"])
    assert result.exit_code == 2
    assert "make up" in result.output and "STORE_URL" in result.output


@pytest.mark.parametrize("url", ["localhost:6379", "http://:hidden@store", "redis://store:hidden"])
def test_a_store_that_is_none_is_refused_without_a_traceback_and_not_shown(nowhere, url):
    result = _run(url, "list")
    assert result.exit_code == 2
    assert "needed an address such as redis://" in result.output and "hidden" not in result.output


def test_a_store_that_is_away_is_told(nowhere):
    result = _run("redis://127.0.0.1:9", "list")
    assert (result.exit_code, "The store does not answer" in result.output) == (1, True)


@pytest.mark.parametrize("name", main.commands)
def test_help_of_each_command_has_an_example_and_needs_no_store(nowhere, name):
    result = CliRunner().invoke(main, [name, "--help"])
    assert result.exit_code == 0
    assert f"python -m services.gateway.accounts {name}" in result.output
