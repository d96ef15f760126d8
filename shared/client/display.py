"""How games, moves and scores read in a terminal."""

from __future__ import annotations

from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from shared.catalog import rules_for
from shared.kernel import move_from_plain, print_move

Json = dict[str, Any]

SOURCES = {"track": "tracks", "ticket": "tickets", "longest_path": "longest path"}


def holder(seat: Json) -> str:
    """Who plays a seat."""
    if seat["bot"]:
        return f"{seat['bot']} (bot)"
    return seat["name"] or "free"


def cards(counts: dict[str, int]) -> str:
    """Cards in words: "3 red, 1 locomotive"."""
    return ", ".join(f"{number} {kind}" for kind, number in counts.items()) or "none"


def move_words(move: Json | None) -> str:
    """A move in words; what the reader may not see is left out."""
    if move is None:
        return "nothing"
    match move["move"]:
        case "ClaimTrack":
            return f"claims {move['track']} for {cards(move['payment'])}"
        case "DrawFromDisplay":
            return f"takes {move['card']} from the display"
        case "DrawFromDeck":
            return "draws from the deck"
        case "DrawTickets":
            return "draws tickets"
        case "KeepTickets":
            kept = move["tickets"]
            return f"keeps {', '.join(kept)}" if kept and None not in kept else "keeps tickets"
        case "Pass":
            return "passes"
        case other:
            rest = ", ".join(f"{name} {value}" for name, value in move.items() if name != "move")
            return f"{other} {rest}".strip()


def commit_words(commit: Json, seats: list[Json]) -> str:
    """A commit on one line."""
    if commit["seat"] is None:
        happened = {event["event"] for event in commit["events"]}
        return "the result is recorded" if "ResultRecorded" in happened else "the game starts"
    note = " (in its place: time was up)" if commit["forced"] else ""
    return f"{holder(seats[commit['seat']])}, seat {commit['seat']}, {move_words(commit['move'])}{note}"


def game_view(game: Json) -> RenderableType:
    """A game as its caller sees it."""
    position = game["position"]
    head = Text(f"{game['game']}  {game['ruleset']}  {game['status']}, version {game['version']}", style="bold")
    table = Table("seat", "held by", "points", "trains", "cards", "tickets", box=None, header_style="dim")
    for seat in game["seats"]:
        number = seat["seat"]
        mark = "*" if any(decision["seat"] == number for decision in game["decisions"]) else " "
        shown = ["", "", "", ""]
        if position:
            trains = position["tracks"]["trains"] if "tracks" in position else [""] * len(game["seats"])
            shown = [str(values[number]) for values in (
                position["points"], trains, position["cards"]["sizes"], position["tickets"]["counts"])]
        table.add_row(f"{mark}{number}", holder(seat), *shown)
    parts: list[RenderableType] = [head, table]
    if position:
        parts.append(Text(f"display: {', '.join(position['cards']['display']) or 'empty'}"))
        if game["viewer"] != "spectator":
            parts.append(_own(position, game["viewer"]))
    for decision in game["decisions"]:
        until = f", until {decision['deadline']}" if decision["deadline"] else ""
        parts.append(Text(f"decision {decision['decision']}: seat {decision['seat']}, {decision['kind']}{until}"))
    return Group(*parts)


def _own(position: Json, seat: int) -> Text:
    """What only the seat itself sees."""
    done = position.get("completed", [])
    tickets = [f"{ticket} (done)" if ticket in done else ticket for ticket in position["tickets"]["hands"][seat]]
    lines = [f"your cards: {cards(position['cards']['hands'][seat])}", f"your tickets: {', '.join(tickets) or 'none'}"]
    if offered := position["tickets"]["offers"][seat]:
        lines.append(f"offered to you: {', '.join(offered)}")
    return Text("\n".join(lines))


def choices(decision: Json) -> Table:
    """The legal answers to a decision, numbered, in the notation of moves."""
    view = decision["view"]
    rules = rules_for(view["ruleset"], seats=view["seats"], options=view["options"])
    table = Table("", "legal answer", box=None, header_style="dim")
    for number, move in enumerate(decision["legal_moves"]):
        table.add_row(str(number), print_move(rules, move_from_plain(rules, move)))
    return table


def score_table(scores: Json) -> Table:
    """Standings, and the points of every seat by source."""
    seats = scores["seats"]
    scored = {reason for seat in seats for reason in seat["by_reason"]}
    reasons = [*[reason for reason in SOURCES if reason in scored], *sorted(scored - SOURCES.keys())]
    final = scores["status"] == "final"
    title = "final score" if final else f"score so far, version {scores['version']}"
    table = Table(title=f"{scores['game']}: {title}")
    for heading in ("rank", "seat", "held by"):
        table.add_column(heading)
    for reason in reasons:
        table.add_column(SOURCES.get(reason, reason.replace("_", " ")), justify="right")
    table.add_column("total", justify="right", style="bold")
    for seat in sorted(seats, key=lambda seat: (seat.get("rank", 0), -seat["total"])):
        points = [str(seat["by_reason"][reason]) if reason in seat["by_reason"] else "" for reason in reasons]
        table.add_row(str(seat.get("rank", "")), str(seat["seat"]), holder(seat), *points, str(seat["total"]))
    return table


def evidence_table(scores: Json) -> Table:
    """What the points beside the tracks were for: every ticket, done or not, and the bonuses."""
    table = Table("seat", "for", "points", "rule", box=None, header_style="dim")
    for seat in scores["seats"]:
        for line in seat["lines"]:
            if line["reason"] != "track":
                table.add_row(f"{seat['seat']} {holder(seat)}", *line_words(line))
    return table


def line_words(line: Json) -> tuple[str, str, str]:
    """A line of a sheet: what for, points, rule."""
    evidence = line["evidence"]
    what = line["reason"].replace("_", " ")
    if "ticket" in evidence:
        what = f"ticket {evidence['ticket']}: {'done' if line['points'] > 0 else 'failed'}"
    elif "city" in evidence:
        what = f"{what} {evidence['city']}"
    elif "length" in evidence:
        what = f"{what}, {evidence['length']} long"
    return what, f"{line['points']:+d}", line["rule"]
