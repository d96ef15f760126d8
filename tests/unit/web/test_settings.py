"""Settings are checked before anything is served, and the message says what to do."""

from __future__ import annotations

import pytest

from shared.web.settings import CHECKS, NEEDED, Settings, SettingsError

GOOD = {
    "STORE_URL": "redis://:very-secret@store:6379/0", "BROKER_URL": "redis://broker:6379/0",
    "GATEWAY_URL": "http://gateway:8000", "GAME_STATE_URL": "http://game-state:8000", "RULES_URL": "http://rules:8000",
    "SCORING_URL": "http://scoring:8000", "AI_URL": "https://ai", "SERVICE_SECRET": "s" * 32, "TOKEN_SECRET": "t" * 40,
    "BOT_TOKEN": "bt_1",
}


@pytest.fixture
def environment(monkeypatch):
    for name in CHECKS:
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(f"{name}_FILE", raising=False)
    for name, value in GOOD.items():
        monkeypatch.setenv(name, value)
    return monkeypatch


@pytest.mark.parametrize("service", NEEDED)
def test_service_gets_what_it_needs_and_nothing_else(environment, service: str) -> None:
    settings = Settings.read(service)
    for name, value in GOOD.items():
        assert getattr(settings, name.lower()) == (value if name in NEEDED[service] else "")
    assert (settings.service, settings.log_level) == (service, "INFO")


@pytest.mark.parametrize(("name", "value", "found", "needed"), [
    ("STORE_URL", "", "nothing", "redis://"),
    ("STORE_URL", "http://store", "12 characters", "redis://"),
    ("STORE_URL", "redis://", "8 characters", "redis://"),
    ("RULES_URL", "rules:8000", "'rules:8000'", "http://"),
    ("RULES_URL", "http://", "'http://'", "http://"),
    ("SERVICE_SECRET", "short", "5 characters", "at least 32"),
    ("LOG_LEVEL", "LOUD", "'LOUD'", "DEBUG, INFO"),
])
def test_wrong_setting_is_named_with_what_was_found_and_what_is_needed(environment, name, value, found, needed) -> None:
    environment.setenv(name, value)
    with pytest.raises(SettingsError) as error:
        Settings.read("game_state")
    (fault,) = error.value.faults
    assert fault.startswith(f"{name}: found {found}, needed ")
    assert needed in fault


def test_all_faults_are_told_at_once_and_the_process_exits_with_2(environment, capsys) -> None:
    for name in ("STORE_URL", "BROKER_URL"):
        environment.delenv(name)
    with pytest.raises(SystemExit) as ended:
        Settings.load("game_state")
    told = capsys.readouterr().err
    assert ended.value.code == 2
    assert "game_state" in told
    assert "STORE_URL: found nothing" in told
    assert "BROKER_URL: found nothing" in told


def test_faults_never_show_a_secret(environment, capsys) -> None:
    environment.setenv("SERVICE_SECRET", "hunter2")
    environment.setenv("STORE_URL", "http://:hunter2@store")
    with pytest.raises(SystemExit):
        Settings.load("gateway")
    assert "hunter2" not in capsys.readouterr().err


def test_settings_in_print_show_no_secret(environment) -> None:
    shown = repr(Settings.read("gateway"))
    assert "sss" not in shown
    assert "ttt" not in shown
    assert "very-secret" not in shown


def test_setting_may_come_from_a_file(environment, tmp_path) -> None:
    (tmp_path / "secret").write_text("f" * 40 + "\n")
    environment.delenv("SERVICE_SECRET")
    environment.setenv("SERVICE_SECRET_FILE", str(tmp_path / "secret"))
    assert Settings.read("rules").service_secret == "f" * 40


def test_file_that_cannot_be_read_is_named(environment, tmp_path) -> None:
    environment.setenv("SERVICE_SECRET_FILE", str(tmp_path / "missing"))
    with pytest.raises(SettingsError, match="SERVICE_SECRET_FILE"):
        Settings.read("rules")


def test_log_level_may_be_written_small(environment) -> None:
    environment.setenv("LOG_LEVEL", "warning")
    assert Settings.read("rules").log_level == "warning"
