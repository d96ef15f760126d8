"""What stays hidden of each event from everybody but its seat, as the VIEW rules say. A new event is entered here."""

from __future__ import annotations

from shared.catalog import ruleset
from shared.kernel import Rules

#: By event: the fields that only its own seat may see.
HIDDEN_FIELDS: dict[str, set[str]] = {
    "CardDrawn": {"card"},
    "TicketsOffered": {"tickets"},
    "TicketsChosen": {"tickets"},
    "TicketsKept": {"tickets"},
    "TicketsReturned": {"tickets"},
    "TicketsShuffledUnder": {"tickets"},
    "TicketsShuffledIn": {"tickets"},
    "StacksOpened": {"stacks"},
    "TicketsClaimed": {"tickets"},
}
#: The events that everybody sees whole.
PUBLIC: set[str] = {
    "FirstSeatChosen", "DecisionOpened", "TurnStarted", "TurnEnded", "LastRoundStarted", "GameEnded", "ResultRecorded",
    "CardTaken", "CardTurnedUp", "DisplayReset", "DeckReshuffled", "TrackClaimed", "HandsRevealed", "TicketsRevealed",
    "StartingCityChosen", "TrackScored", "AlvinCaptured", "AlvinMoved", "MarkerPlaced", "PassengerPlaced",
    "PassengerMoved", "CardGiven", "RowsMoved", "CardsPlaced", "RowRobbed", "QuietTurnsCounted", "DeckDiscarded",
    "TicketsCompleted", "SecondHalfStarted",
}  # fmt: skip
#: Events whose hidden field is a list by seat, of which each seat sees its own entry.
BY_SEAT = {"TicketsShuffledUnder", "TicketsShuffledIn", "StacksOpened"}
#: Hidden fields that do not even tell others how many there are (VIEW-4).
NUMBER_HIDDEN = {("TicketsChosen", "tickets"), ("TicketsClaimed", "tickets")}
#: By move: the fields that only the mover may see.
HIDDEN_IN_MOVES: dict[str, set[str]] = {"KeepTickets": {"tickets"}, "CompleteTickets": {"tickets"}}
#: Events that make public, or tell an owner, what was hidden till then (CG-18, CG-22).
REVEALING = {"DeckDiscarded", "StacksOpened", "TicketsCompleted"}
#: The events that only rule sets with this mechanic know.
OF_MECHANIC: dict[str, set[str]] = {
    "claim": {"TrackClaimed"},
    "city_markers": {"StartingCityChosen", "MarkerPlaced", "TrackScored"},
    "alvin": {"AlvinCaptured", "AlvinMoved"},
    "passengers": {"PassengerPlaced"},
    "merchandise": {"PassengerMoved"},
    "yard": {"CardGiven", "RowsMoved", "CardsPlaced", "RowRobbed", "QuietTurnsCounted", "DeckDiscarded"},
    "on_the_track": {"StacksOpened", "TicketsClaimed", "TicketsCompleted", "SecondHalfStarted"},
}


def events_of(rules: Rules) -> set[str]:
    """The events that can happen in games of the rule set."""
    mechanics = ruleset(rules.id)["mechanics"]
    never = {event for name, events in OF_MECHANIC.items() if name not in rules.by_name for event in events}
    back = mechanics["tickets"]["opening"]["returned"]
    never.add("TicketsShuffledUnder" if back == "shuffled_in" else "TicketsShuffledIn")
    if not mechanics["display"]["reset_at"]:
        never.add("DisplayReset")
    if not rules.replenishes:
        never.add("DeckReshuffled")
    if mechanics.get("yard", {}).get("halves", {}).get(str(rules.seats)) != 2:
        never.add("SecondHalfStarted")
    return set(rules.event_classes) - never
