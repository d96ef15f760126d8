"""How arenas look in a terminal: progress, and tables of what their games tell."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from rich.console import Console, Group, RenderableType
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from shared.client.display import SOURCES

NEVER_SHOWN = 12
"""Names of tracks that nobody used are listed up to so many."""

Json = dict[str, Any]


@contextmanager
def progress(console: Console, games: int) -> Iterator[Callable[[int], None]]:
    """Shows a progress bar for as long as the block lasts; gives what to call with the games done so far."""
    columns = (TextColumn("Playing"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("", total=games)
        yield lambda done: bar.update(task, completed=done)


def arena_tables(arena: Json) -> RenderableType:
    """Everything an arena tells: entrants, their points by source, seats, tickets, tracks, length."""
    statistics = arena["statistics"]
    names = [f"{number} {entrant['bot']}" for number, entrant in enumerate(arena["entrants"])]
    head = (f"{arena['ruleset']}, {arena['seats']} seats, {statistics['games']} of {arena['games']} games,"
            f" seed {arena['seed']}")
    parts: list[RenderableType] = [Text(head, style="bold")]
    if arena["games"] % arena["round"]:
        parts.append(Text(f"Balanced are only multiples of {arena['round']} games.", style="dim"))
    if not statistics["games"]:
        return Group(*parts, _warnings(names, statistics))
    parts += ["", _entrants(names, statistics), "", _sources(names, statistics), "", _seats(statistics)]
    if any(ticket["kept"] for ticket in statistics["tickets"].values()):
        parts += ["", _tickets(statistics)]
    return Group(*parts, "", _board(statistics), _warnings(names, statistics))


def _entrants(names: Sequence[str], statistics: Json) -> Table:
    """From strong to weak: victories with their 95 % interval, rating and points with their deviation, tickets a game,
    CPU time of half the decisions at most."""
    table = _table("entrant", ("games", "won", "rating", "points", "median", "done", "failed", "ms"))
    ranked = sorted(zip(names, statistics["entrants"], strict=True), key=lambda pair: -pair[1]["rating"]["mu"])
    for name, entrant in ranked:
        points, tickets = entrant["points"], entrant["tickets"]
        if points is None:
            table.add_row(name, "0")
            continue
        table.add_row(
            name, str(entrant["games"]), _share(entrant),
            f"{entrant['rating']['mu']:.1f}±{entrant['rating']['sigma']:.1f}",
            f"{points['mean']:.1f}±{_number(points['stdev']) or '?'}", f"{points['median']:g}",
            f"{tickets['completed']:.1f}", f"{tickets['failed']:.1f}", f"{entrant['milliseconds']['median']:.2f}",
        )  # fmt: skip
    return table


def _sources(names: Sequence[str], statistics: Json) -> Table:
    scored = {reason for entrant in statistics["entrants"] for reason in entrant["by_reason"]}
    reasons = [*[reason for reason in SOURCES if reason in scored], *sorted(scored - SOURCES.keys())]
    table = _table("points a game", [SOURCES.get(reason, reason.replace("_", " ")) for reason in reasons])
    for name, entrant in zip(names, statistics["entrants"], strict=True):
        table.add_row(name, *(_number(entrant["by_reason"].get(reason)) for reason in reasons))
    return table


def _seats(statistics: Json) -> Table:
    table = _table("seat", ("games", "won"))
    for number, seat in enumerate(statistics["seats"]):
        table.add_row(str(number), str(seat["games"]), _share(seat))
    return table


def _tickets(statistics: Json) -> Table:
    """From those that are completed seldom to those that always are."""
    table = _table("ticket", ("kept", "completed"))
    kept = {name: ticket for name, ticket in statistics["tickets"].items() if ticket["kept"]}
    for name, ticket in sorted(kept.items(), key=lambda pair: pair[1]["completed"] / pair[1]["kept"]):
        table.add_row(name, str(ticket["kept"]), f"{ticket['completed'] / ticket['kept']:.0%}")
    return table


def _board(statistics: Json) -> Text:
    decisions, turns = statistics["length"]["decisions"], statistics["length"]["turns"]
    lines = [f"A game has {turns['mean']:.1f} turns ({turns['least']} to {turns['most']}),"
             f" {decisions['mean']:.1f} decisions ({decisions['least']} to {decisions['most']})."]
    if statistics["tracks"]:
        never = statistics["never_used"]
        more = ", ..." if len(never) > NEVER_SHOWN else ""
        lines.append(f"{len(never)} of {len(statistics['tracks'])} tracks were never used"
                     f"{': ' if never else ''}{', '.join(never[:NEVER_SHOWN])}{more}.")
    return Text("\n".join(lines))


def _warnings(names: Sequence[str], statistics: Json) -> Text:
    lines = [f"{name} failed: {number} decisions, {reason}"
             for name, entrant in zip(names, statistics["entrants"], strict=True)
             for reason, number in entrant["failures"].items()]
    lines += [f"{number} games given up: {reason}" for reason, number in statistics["abandoned"].items()]
    return Text("\n".join(lines), style="red")


def _table(subject: str, headings: Sequence[str]) -> Table:
    table = Table(box=None, padding=(0, 1, 0, 0), pad_edge=False, header_style="bold")
    table.add_column(subject, no_wrap=True)
    for heading in headings:
        table.add_column(heading, justify="right", no_wrap=True)
    return table


def _share(of: Json) -> str:
    if of["win_rate"] is None:
        return ""
    low, high = of["interval"]
    return f"{of['win_rate']:.0%} [{100 * low:.0f}-{100 * high:.0f}]"


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.1f}"
