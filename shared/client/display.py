"""How games, choices and scores look in a terminal."""

from __future__ import annotations

from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from shared.catalog import rules_for
from shared.client.words import counted, holder, letters, source_words
from shared.kernel import move_from_plain, print_move

Json = dict[str, Any]

SOURCES = {
    "track": "tracks", "token": "tokens", "capture": "captures", "ticket": "tickets", "longest_path": "longest path",
    "most_tickets": "most tickets", "globetrotter": "globetrotter", "alvin": "Alvin", "big_city": "big cities",
}  # fmt: skip


def game_view(game: Json) -> RenderableType:
    """A game as its caller sees it."""
    position = game["position"]
    head = Text(f"{game['game']}  {game['ruleset']}  {game['status']}, version {game['version']}", style="bold")
    columns = _columns(position) if position else {}
    table = Table("seat", "held by", *columns, box=None, header_style="dim")
    for seat in game["seats"]:
        number = seat["seat"]
        mark = "*" if any(decision["seat"] == number for decision in game["decisions"]) else " "
        table.add_row(f"{mark}{number}", holder(seat), *(values[number] for values in columns.values()))
    parts: list[RenderableType] = [head, table]
    if position:
        parts += map(Text, _open(position))
        if game["viewer"] != "spectator":
            parts += map(Text, _own(position, game["viewer"]))
    for decision in game["decisions"]:
        until = f", until {decision['deadline']}" if decision["deadline"] else ""
        parts.append(Text(f"decision {decision['decision']}: seat {decision['seat']}, {decision['kind']}{until}"))
    return Group(*parts)


def _columns(position: Json) -> dict[str, list[str]]:
    """What everybody sees of each seat, by heading; which there are depends on the parts of the position."""
    seats = range(position["seats"])
    columns = {"points": list(map(str, position["points"]))}
    if "tracks" in position:
        columns["trains"] = list(map(str, position["tracks"]["trains"]))
    columns["cards"] = list(map(str, position["cards"]["sizes"]))
    held = position["tickets"]["counts"]
    columns["tickets"] = [counted(each) if isinstance(each, dict) else str(each) for each in held]
    if passengers := position.get("passengers"):
        standing = [_of(seat, passengers["standing"]) for seat in seats]
        columns["passengers"] = [f"{left} left{at and ', in '}{at}" for left, at in
                                 zip(passengers["reserve"], standing, strict=True)]
        columns["tokens"] = [str(sum(map(len, tokens.values()))) for tokens in passengers["tokens"]]
    if markers := position.get("markers"):
        columns["starts in"] = [city or "" for city in markers["starts"]]
        columns["markers on"] = [_of(seat, markers["owners"]) for seat in seats]
    if yards := position.get("yards"):
        columns["yard"] = [", ".join(_row(colour, **row) for colour, row in rows.items()) for rows in yards["rows"]]
        columns["stack"] = list(map(str, yards["stack_sizes"]))
        columns["completed"] = [str(len(done)) for done in yards["completed"]]
    return columns


def _open(position: Json) -> list[str]:
    """What everybody sees on the table."""
    lines = [f"display: {', '.join(position['cards']['display']) or 'empty'}"]
    if passengers := position.get("passengers"):
        tops = {city: stack[0] for city, stack in passengers["stacks"].items() if stack}
        lines.append(f"tokens on top: {', '.join(f'{city} {value}' for city, value in tops.items())}")
    if alvin := position.get("alvin"):
        by = f"captured by seat {alvin['captures'][-1]['seat']}" if alvin["captures"] else "captured by nobody yet"
        lines.append(f"Alvin: in {alvin['city']}, {by}")
    return lines


def _own(position: Json, seat: int) -> list[str]:
    """What only the seat itself sees."""
    done = position.get("completed", [])
    tickets = [f"{ticket} (done)" if ticket in done else ticket for ticket in position["tickets"]["hands"][seat]]
    cards = position["cards"]["hands"][seat]
    lines = [f"your cards: {counted(cards)}", f"your tickets: {', '.join(tickets) or 'none'}"]
    if offered := position["tickets"]["offers"][seat]:
        lines.append(f"offered to you: {', '.join(offered)}")
    if "yards" in position and (stack := position["yards"]["stacks"][seat]):
        lines.append(f"your stack: {counted(stack)}")
    return lines


def _of(seat: int, owners: dict[str, int]) -> str:
    return ", ".join(city for city, owner in owners.items() if owner == seat)


def _row(colour: str, cards: int, locomotives: int) -> str:
    return f"{cards} {colour}" + (f" + {locomotives} locomotive" if locomotives else "")


def choices(decision: Json) -> RenderableType:
    """The legal answers to a decision, numbered, in the notation of moves; with the letters of the cards, if any."""
    view = decision["view"]
    rules = rules_for(view["ruleset"], seats=view["seats"], options=view["options"])
    moves = [move_from_plain(rules, move) for move in decision["legal_moves"]]
    has_cards = any(field.shape == "cards" for move in moves for _, field in move.fields)
    table = Table("", "legal answer", box=None, header_style="dim")
    for number, move in enumerate(moves):
        table.add_row(str(number), print_move(rules, move))
    return Group(table, Text(f"cards: {letters(rules)}")) if has_cards else table


def score_table(scores: Json) -> Table:
    """Standings, and the points of every seat by source; where totals are equal also what breaks the tie."""
    seats = scores["seats"]
    scored = {reason for seat in seats for reason in seat["by_reason"]}
    reasons = [*[reason for reason in SOURCES if reason in scored], *sorted(scored - SOURCES.keys())]
    final = scores["status"] == "final"
    title = "final score" if final else f"score so far, version {scores['version']}"
    are_tied = final and len({seat["total"] for seat in seats}) < len(seats)
    ties = list(seats[0]["ties"]) if are_tied else []
    table = Table("rank", "seat", "held by", title=f"{scores['game']}: {title}")
    for reason in reasons:
        table.add_column(SOURCES.get(reason, reason.replace("_", " ")), justify="right")
    table.add_column("total", justify="right", style="bold")
    for name in ties:
        table.add_column(f"ties: {name.replace('_', ' ')}", justify="right")
    for seat in sorted(seats, key=lambda seat: (seat.get("rank", 0), -seat["total"])):
        points = [str(seat["by_reason"].get(reason, "")) for reason in reasons]
        broken = [str(seat["ties"][name]) for name in ties]
        table.add_row(str(seat.get("rank", "")), str(seat["seat"]), holder(seat), *points, str(seat["total"]), *broken)
    return table


def evidence_table(scores: Json) -> Table:
    """What the points were for, but for those of the own tracks: tickets, bonuses, tokens, what markers scored."""
    table = Table("seat", "for", "points", "rule", box=None, header_style="dim")
    for seat in scores["seats"]:
        for lines in _together(seat["lines"]):
            points = sum(line["points"] for line in lines)
            table.add_row(f"{seat['seat']} {holder(seat)}", source_words(lines), f"{points:+d}", lines[0]["rule"])
    return table


def _together(lines: list[Json]) -> list[list[Json]]:
    """The lines of each row: all tokens make one, and so do all tracks that one marker scored."""
    rows: dict[Any, list[Json]] = {}
    for place, line in enumerate(lines):
        marker = line["evidence"].get("marker")
        if line["reason"] != "track" or marker:
            rows.setdefault(marker or ("token" if line["reason"] == "token" else place), []).append(line)
    return list(rows.values())
