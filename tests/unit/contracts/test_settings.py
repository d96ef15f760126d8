"""Settings are checked before anything is served, and the message says what to do."""

from __future__ import annotations

import pytest

from services.gateway.settings import TUNED, Tuning
from shared.contracts.queues import QUEUE_OF
from shared.contracts.settings import NEEDED, SETTINGS, WORK, Settings, SettingsError, read

GOOD = {
    "STORE_URL": "redis://:very-secret@store:6379/0", "BROKER_URL": "redis://broker:6379/0",
    "GATEWAY_URL": "http://gateway:8000", "GAME_STATE_URL": "http://game-state:8000", "RULES_URL": "http://rules:8000",
    "SCORING_URL": "http://scoring:8000", "AI_URL": "https://ai", "SERVICE_SECRET": "s" * 32, "TOKEN_SECRET": "t" * 40,
    "BOT_TOKEN": "bt_1",
}


@pytest.fixture
def environment(monkeypatch):
    for name in (*SETTINGS, *TUNED):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(f"{name}_FILE", raising=False)
    for name, value in GOOD.items():
        monkeypatch.setenv(name, value)
    return monkeypatch


@pytest.mark.parametrize("service", NEEDED)
def test_service_gets_what_it_needs_and_nothing_else(environment, service: str) -> None:
    settings = Settings.load(service)
    for name, value in GOOD.items():
        assert getattr(settings, name.lower()) == (value if name in NEEDED[service] else "")
    assert (settings.service, settings.log_level) == (service, "INFO")


@pytest.mark.parametrize(("name", "value", "found", "needed"), [
    ("STORE_URL", "", "nothing", "redis://"),
    ("STORE_URL", "http://store", "12 characters", "redis://"),
    ("STORE_URL", "redis://", "8 characters", "redis://"),
    ("STORE_URL", "redis://store:port", "18 characters", "redis://"),
    ("BROKER_URL", "unix:///run/redis.sock", "22 characters", "redis://"),
    ("RULES_URL", "rules:8000", "'rules:8000'", "http://"),
    ("RULES_URL", "http://", "'http://'", "http://"),
    ("RULES_URL", "http://rules:80000", "'http://rules:80000'", "http://"),
    ("SERVICE_SECRET", "short", "5 characters", "at least 32"),
    ("BOT_TOKEN", "pk_1", "4 characters", "bt_"),
    ("LOG_LEVEL", "LOUD", "'LOUD'", "DEBUG, INFO"),
    ("BIND", "nowhere", "'nowhere'", "127.0.0.1:8000"),
    ("BIND", "127.0.0.1:99999", "'127.0.0.1:99999'", "127.0.0.1:8000"),
    ("WORKERS", "0", "'0'", "at least 1"),
    ("THREADS", "many", "'many'", "at least 1"),
    ("GRACEFUL_SECONDS", "-1", "'-1'", "at least 0"),
    ("METRICS_PORT", "65536", "'65536'", "1 to 65535"),
    ("PROMETHEUS_MULTIPROC_DIR", "/nowhere", "'/nowhere'", "a folder that exists"),
])
def test_wrong_setting_is_named_with_what_was_found_and_what_is_needed(environment, name, value, found, needed) -> None:
    environment.setenv(name, value)
    with pytest.raises(SettingsError) as error:
        read(SETTINGS)
    (fault,) = error.value.faults
    assert fault.startswith(f"{name}: found {found}, needed ")
    assert needed in fault


def test_what_is_right_is_read(environment) -> None:
    right = {"STORE_URL": "unix:///run/redis.sock", "BROKER_URL": "rediss://:very-secret@broker", "WORKERS": "2",
             "BIND": "unix:/run/it", "METRICS_PORT": "9100"}
    for name, value in right.items():
        environment.setenv(name, value)
    values = read(SETTINGS)
    assert {name: values[name] for name in right} == right
    assert (values["THREADS"], values["METRICS_HOST"]) == ("8", "127.0.0.1")


def test_every_queue_is_some_kind_of_work_with_settings_of_its_own() -> None:
    assert set(QUEUE_OF.values()) <= set(WORK)
    assert set(WORK.values()) <= set(NEEDED)


@pytest.mark.parametrize(("name", "value"), [("MAX_STREAMS", "many"), ("MAX_WAITS", "-1"), ("HEARTBEAT_SECONDS", "0"),
                                             ("HEARTBEAT_SECONDS", "nan"), ("RATE_SEAT", "fast"), ("THREADS", "48")])
def test_gateway_that_is_tuned_wrongly_says_how(environment, capsys, name: str, value: str) -> None:
    environment.setenv("THREADS", "64")
    environment.setenv(name, value)
    with pytest.raises(SystemExit) as ended:
        Tuning.load()
    assert ended.value.code == 2
    assert f"  {name}: found '{value}', needed " in capsys.readouterr().err


def test_streams_and_waits_leave_threads_to_the_others(environment) -> None:
    environment.setenv("THREADS", "49")
    assert Tuning.load() == Tuning()


def test_all_faults_are_told_at_once_and_the_process_exits_with_2(environment, capsys) -> None:
    for name in ("STORE_URL", "RULES_URL"):
        environment.delenv(name)
    with pytest.raises(SystemExit) as ended:
        Settings.load("game_state")
    told = capsys.readouterr().err
    assert ended.value.code == 2
    assert "game_state" in told
    assert "STORE_URL: found nothing" in told
    assert "RULES_URL: found nothing" in told


def test_faults_never_show_a_secret(environment, capsys) -> None:
    environment.setenv("SERVICE_SECRET", "hunter2")
    environment.setenv("STORE_URL", "http://:hunter2@store")
    with pytest.raises(SystemExit):
        Settings.load("gateway")
    assert "hunter2" not in capsys.readouterr().err


def test_settings_in_print_show_no_secret(environment) -> None:
    shown = repr(Settings.load("gateway"))
    assert "sss" not in shown
    assert "ttt" not in shown
    assert "very-secret" not in shown


def test_setting_may_come_from_a_file(environment, tmp_path) -> None:
    (tmp_path / "secret").write_text("f" * 40 + "\n")
    environment.delenv("SERVICE_SECRET")
    environment.setenv("SERVICE_SECRET_FILE", str(tmp_path / "secret"))
    assert Settings.load("rules").service_secret == "f" * 40


def test_file_that_cannot_be_read_is_named(environment, tmp_path) -> None:
    environment.setenv("SERVICE_SECRET_FILE", str(tmp_path / "missing"))
    with pytest.raises(SettingsError, match="SERVICE_SECRET_FILE"):
        read(["SERVICE_SECRET"])


def test_log_level_may_be_written_small(environment) -> None:
    environment.setenv("LOG_LEVEL", "warning")
    assert Settings.load("rules").log_level == "warning"
