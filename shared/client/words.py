"""How cards, tickets, moves, commits and points read in words."""

from __future__ import annotations

from collections import Counter
from typing import Any

from shared.kernel import Rules

Json = dict[str, Any]


def holder(seat: Json) -> str:
    """Who plays a seat."""
    if seat["bot"]:
        return f"{seat['bot']} (bot)"
    return seat["name"] or "free"


def counted(counts: dict[str, int]) -> str:
    """Numbers of things, such as cards: "3 red, 1 locomotive"."""
    return ", ".join(f"{number} {kind}" for kind, number in counts.items()) or "none"


def letters(rules: Rules) -> str:
    """What the letters of the cards stand for in the notation of moves: "R red, L locomotive"."""
    return ", ".join(f"{letter} {kind}" for letter, kind in zip(rules.letters, rules.kinds, strict=True))


def tickets(named: list[str | Json | None] | None) -> str:
    """Tickets by name, or how many there are where their names are hidden (by deck, where there are several)."""
    if named is None:
        return "tickets"
    if all(isinstance(ticket, str) for ticket in named):
        return ", ".join(map(str, named)) or "no ticket"
    decks = Counter(ticket["deck"] if isinstance(ticket, dict) else "" for ticket in named)
    return f"{counted(decks).rstrip()} ticket{'s' if len(named) > 1 else ''}"


def move_words(move: Json | None) -> str:
    """A move in words; what the reader may not see is left out."""
    if move is None:
        return "nothing"
    match move["move"]:
        case "ClaimTrack":
            return f"claims {move['track']} for {counted(move['payment'])}"
        case "DrawFromDisplay":
            return f"takes {move['card']} from the display"
        case "DrawFromDeck":
            return "draws from the deck"
        case "DrawTickets":
            return "draws tickets"
        case "AnnounceSplit":
            return f"draws {counted(move['split'])} tickets"
        case "KeepTickets":
            return f"keeps {tickets(move['tickets'])}"
        case "CompleteTickets":
            return f"names {tickets(move['tickets'])} to complete"
        case "PlaceCards":
            return f"places {counted(move['cards'])} in the yard"
        case "ChooseStartingCity":
            return f"starts in {move['city']}"
        case "PlaceMarker":
            return f"puts a marker on {move['city']} for {counted(move['payment'])}"
        case "MoveAlvin":
            return f"moves Alvin to {move['city']}"
        case "PlacePassenger":
            return f"puts a passenger into {move['city']}"
        case "MovePassenger":
            return f"moves the passenger of {move['city']} over {', '.join(move['path'])}"
        case "Decline":
            return "declines"
        case "Pass":
            return "passes"
        case other:
            rest = ", ".join(f"{name} {value}" for name, value in move.items() if name != "move")
            return f"{other} {rest}".strip()


def event_words(event: Json) -> str:
    """What a move brought about beside what it says itself; "" for everything else that happens."""
    match event["event"]:
        case "TrackClaimed" if event["points"]:
            return f"{event['points']:+d}"
        case "TrackScored":
            by = f" by the marker on {event['marker']}" if event["marker"] else ""
            return f"{event['points']:+d} for seat {event['seat']}{by}"
        case "AlvinCaptured":
            return f"captures Alvin, {event['points']:+d}"
        case "PassengerMoved":
            return f"fetches {', '.join(f'{city} {value}' for city, value in event['tokens'].items()) or 'no token'}"
        case "RowRobbed":
            return f"seat {event['seat']} loses its row of {event['colour']}"
        case "TicketsCompleted":
            done = ", ".join(f"{ticket} with {counted(paid)}" for ticket, paid in event["payments"].items())
            return f"seat {event['seat']} completes {done or 'no ticket'}, {event['points']:+d}"
        case "DisplayReset":
            return "the display is laid out anew"
        case "DeckDiscarded":
            return "the rest of the deck is discarded"
        case "LastRoundStarted":
            return "the last turns begin"
        case "SecondHalfStarted":
            return "the second half begins"
        case "GameEnded":
            return "the game is over"
    return ""


def commit_words(commit: Json, seats: list[Json]) -> str:
    """A commit on one line: who did what, and what came of it."""
    if commit["seat"] is None:
        happened = {event["event"] for event in commit["events"]}
        return "the result is recorded" if "ResultRecorded" in happened else "the game starts"
    note = " (in its place: time was up)" if commit["forced"] else ""
    did = f"{holder(seats[commit['seat']])}, seat {commit['seat']}, {move_words(commit['move'])}{note}"
    return "; ".join([did, *filter(None, map(event_words, commit["events"]))])


def source_words(lines: list[Json]) -> str:
    """What the points of some lines of a sheet were for: one line, or several of one kind."""
    reason, evidence = lines[0]["reason"], lines[0]["evidence"]
    match reason:
        case "track":
            built = ", ".join(f"{line['evidence']['track']} of seat {line['evidence']['claimed_by']}" for line in lines)
            return f"marker on {evidence['marker']}: {built}"
        case "token":
            fetched = ", ".join(f"{line['evidence']['city']} {line['points']}" for line in lines)
            return f"tokens: {fetched}"
        case "ticket":
            paid = f", paid with {counted(evidence['cards'])}" if "cards" in evidence else ""
            return f"ticket {evidence['ticket']}: {'done' if evidence['completed'] else 'failed'}{paid}"
        case "capture":
            return f"Alvin captured in {evidence['city']}"
        case "alvin":
            return f"Alvin held at the end, in {evidence['city']}"
        case "big_city":
            return f"big city {evidence['city']}, tickets completed: {evidence['completed']}"
        case "longest_path":
            return f"longest path, {evidence['length']} long"
    return f"{reason.replace('_', ' ')}, tickets completed: {evidence['completed']}"
