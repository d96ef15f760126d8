"""The page of `make status`: figures are added up over programs, and what is not known is not made up."""

from __future__ import annotations

import io
import math

import pytest
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from rich.console import Console

from deploy.local import page
from deploy.local.figures import Figures
from deploy.local.processes import free_ports
from deploy.roles import ROLES
from tests.game_state import served


def exposition() -> bytes:
    """What a program that measures all of this answers at /metrics."""
    registry = CollectorRegistry()
    Gauge("whistlestop_live_games", "", registry=registry).set(3)
    commits = Counter("whistlestop_commits", "", ["kind"], registry=registry)
    for kind, number in {"start": 4, "answer": 90, "forced": 2, "result": 1}.items():
        commits.labels(kind).inc(number)
    waiting = Gauge("whistlestop_waiting_decisions", "", ["holder", "age"], registry=registry)
    for holder, age, number in (("bots", "1s", 2), ("bots", "1m", 0), ("people", "1h", 1), ("people", "older", 5)):
        waiting.labels(holder, age).set(number)
    seconds = Histogram("whistlestop_answer_seconds", "", ["by"], buckets=(0.025, 0.1, 2.5), registry=registry)
    for each in (0.01, 0.02, 0.03, 2):
        seconds.labels("bots").observe(each)
    seconds.labels("people").observe(9000)
    return generate_latest(registry)


def metrics_app(environ: object, start_response: object) -> list[bytes]:
    """Answers like every program of a stack."""
    start_response("200 OK", [("Content-Type", "text/plain")])
    return [exposition()]


def shown(figures: Figures) -> dict[str, str]:
    """Gives the lines of the overview by their names."""
    console = Console(file=io.StringIO(), width=200)
    console.print(page._overview(figures))
    lines = console.file.getvalue().splitlines()[1:]
    names = [name for name, _, _ in page.LINES]
    return {name: line.strip().removeprefix(name).strip() for name, line in zip(names, lines, strict=True)}


def test_figures_of_a_program_that_answers_are_shown_and_the_others_are_unknown() -> None:
    nobody = free_ports(1)[0]
    with served(metrics_app) as url:
        ports = dict.fromkeys(ROLES, nobody) | {"game_state": int(url.rpartition(":")[2])}
        figures = Figures.of(ports)
    assert set(figures.read) == {"game_state"}
    lines = shown(figures)
    assert lines["games"] == "3 live; 4 began, 1 ended"
    assert lines["decisions that wait"] == "for bots: 2 up to 1s; for people: 1 up to 1h, 5 longer"
    assert lines["question to answer"] == "half within 25 ms, 95% within 2.5 s"
    assert lines["commit to score"] == "unknown: tasks does not answer"
    assert lines["streams"] == "unknown: gateway does not answer"


def test_a_program_that_has_measured_nothing_yet_says_so() -> None:
    lines = shown(Figures({program: [] for program in ROLES}))
    assert lines["decisions that wait"] == "for bots: none; for people: none"
    assert lines["question to answer"] == "none yet"
    assert lines["queues"] == "empty"
    assert not any("unknown" in line for line in lines.values())


def test_what_several_programs_measure_is_added_up() -> None:
    with served(metrics_app) as url:
        figures = Figures.of(dict.fromkeys(ROLES, int(url.rpartition(":")[2])))
    assert figures.total("whistlestop_live_games") == 3 * len(ROLES)
    assert figures.by("whistlestop_commits_total", "kind")["forced"] == 2 * len(ROLES)
    assert figures.within("whistlestop_answer_seconds", 0.5, by="people") == math.inf


@pytest.mark.parametrize(("seconds", "said"), [
    (0, "0 ms"), (0.025, "25 ms"), (1, "1 s"), (2.5, "2.5 s"), (119, "119 s"), (180, "3 min"), (7200, "2 h"),
    (86400, "24 h"), (200000, "2.31 d"), (math.inf, "any time"),
])
def test_times_are_said_in_words(seconds: float, said: str) -> None:
    assert page._span(seconds) == said
