"""The state of a running stack on one page, for a person: `make status`."""

from __future__ import annotations

import time
from collections.abc import Callable

from rich.console import Group, RenderableType
from rich.table import Table

from deploy.local.figures import Figures
from deploy.local.stack import Stack
from shared.contracts import queues

MEBIBYTE = 1024 * 1024
HALF, MOST = 0.5, 0.95


def page(stack: Stack) -> RenderableType:
    """Everything that can be seen of a stack from outside, programs first."""
    about = f"Whistlestop at {stack.address}, for {_span(time.time() - stack.started_at)}, data in {stack.site.var}"
    return Group(about, _programs(stack), "", _overview(Figures.of(stack.site.ports)))


def _programs(stack: Stack) -> Table:
    table = Table("program", "state", "process", "port", "memory (PSS, MiB)", box=None, header_style="dim")
    memory, states, pids = stack.memory(), stack.states(), stack.pids()
    for name, state in states.items():
        used = f"{memory[name] / MEBIBYTE:.0f}" if name in memory else ""
        table.add_row(name, state, str(pids.get(name, "")), str(stack.site.ports[name]), used)
    table.add_row("supervisor", "", "", "", f"{memory['supervisor'] / MEBIBYTE:.0f}")
    table.add_row("total", "", "", "", f"{sum(memory.values()) / MEBIBYTE:.0f}", style="bold")
    return table


def _overview(figures: Figures) -> Table:
    table = Table("", "since its programs started", box=None, header_style="dim")
    for name, program, words in LINES:
        table.add_row(name, words(figures) if program in figures.read else f"unknown: {program} does not answer")
    return table


def _games(figures: Figures) -> str:
    commits = figures.by("whistlestop_commits_total", "kind")
    return (f"{figures.total('whistlestop_live_games'):.0f} live; {commits.get('start', 0):.0f} began,"
            f" {commits.get('result', 0):.0f} ended")


def _waiting(figures: Figures) -> str:
    return "; ".join(f"for {holder}: {_ages(figures, holder) or 'none'}" for holder in ("bots", "people"))


def _ages(figures: Figures, holder: str) -> str:
    counts = figures.by("whistlestop_waiting_decisions", "age", holder=holder)
    return ", ".join(f"{number:.0f} {'longer' if age == 'older' else f'up to {age}'}" for age, number in counts.items()
                     if number)


def _answers(figures: Figures) -> str:
    answers = figures.by("whistlestop_bot_answers_total", "bot", outcome="answered")
    each = ", ".join(f"{bot} {number:.0f}" for bot, number in answers.items())
    return f"{sum(answers.values()):.0f} {f'({each})' if each else ''}"


def _latency(figures: Figures) -> str:
    return _shares(figures, "whistlestop_answer_seconds", by="bots")


def _fallbacks(figures: Figures) -> str:
    moves = figures.total("whistlestop_bot_answers_total", outcome="fallback")
    asked = figures.total("whistlestop_agenda_sent_total", task=queues.AI_ANSWER_FALLBACK)
    forced = figures.total("whistlestop_commits_total", kind="forced")
    return f"{moves:.0f} moves by a fallback, which was asked {asked:.0f} times; {forced:.0f} answers by default"


def _agenda(figures: Figures) -> str:
    return f"what is due has waited for {_span(figures.total('whistlestop_agenda_lag_seconds'))} at most"


def _queues(figures: Figures) -> str:
    oldest = figures.by("whistlestop_queue_oldest_seconds", "queue")
    depths = figures.by("whistlestop_queue_depth", "queue")
    waiting = [f"{depth:.0f} in {queue}{f' for {_span(oldest[queue])}' if queue in oldest else ''}"
               for queue, depth in depths.items() if depth]
    return ", ".join(waiting) or "empty"


def _failed(figures: Figures) -> str:
    tasks = figures.by("whistlestop_task_seconds_count", "task", outcome="failed")
    return ", ".join(f"{task} {number:.0f}" for task, number in tasks.items()) or "none"


def _projection(figures: Figures) -> str:
    return _shares(figures, "whistlestop_projection_lag_seconds")


def _streams(figures: Figures) -> str:
    held = figures.by("whistlestop_held_requests", "kind")
    return f"{held.get('stream', 0):.0f} streams open, {held.get('wait', 0):.0f} long polls waiting"


def _requests(figures: Figures) -> str:
    statuses = figures.by("whistlestop_request_seconds_count", "status", service="gateway")
    failed = sum(number for status, number in statuses.items() if status.startswith("5"))
    return f"{sum(statuses.values()):.0f} answered, {failed:.0f} of them with a 5xx"


def _alarms(figures: Figures) -> str:
    repaired, quarantined = (figures.total(f"whistlestop_{what}_games_total") for what in ("repaired", "quarantined"))
    return f"{repaired:.0f} games repaired from their log, {quarantined:.0f} taken out of service"


LINES: tuple[tuple[str, str, Callable[[Figures], str]], ...] = (
    ("games", "game_state", _games),
    ("decisions that wait", "game_state", _waiting),
    ("answers of bots", "bots", _answers),
    ("question to answer", "game_state", _latency),
    ("fallbacks", "bots", _fallbacks),
    ("agenda", "game_state", _agenda),
    ("queues", "agenda", _queues),
    ("failed tasks", "tasks", _failed),
    ("commit to score", "tasks", _projection),
    ("streams", "gateway", _streams),
    ("requests from outside", "gateway", _requests),
    ("alarms", "game_state", _alarms),
)
"""What is shown, the program that measures it, and how it is said."""


def _shares(figures: Figures, histogram: str, **labels: str) -> str:
    half, most = (figures.within(histogram, share, **labels) for share in (HALF, MOST))
    if half is None or most is None:
        return "none yet"
    return f"half within {_span(half)}, {MOST:.0%} within {_span(most)}"


def _span(seconds: float) -> str:
    """A time in words: 25 ms, 2.5 s, 12 min, 3 h, 2 d."""
    if seconds == float("inf"):
        return "any time"
    for unit, size in (("d", 86400), ("h", 3600), ("min", 60), ("s", 1)):
        if seconds >= 2 * size or unit == "s" and seconds >= 1:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds * 1000:.3g} ms"
