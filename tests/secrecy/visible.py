"""What stays hidden of each event from everybody but its seat, as the VIEW rules say. A new event is entered here."""

from __future__ import annotations

#: By event: the fields that only its own seat may see.
HIDDEN_FIELDS: dict[str, set[str]] = {
    "CardDrawn": {"card"},
    "TicketsOffered": {"tickets"},
    "TicketsChosen": {"tickets"},
    "TicketsKept": {"tickets"},
    "TicketsReturned": {"tickets"},
    "TicketsShuffledUnder": {"tickets"},
}
#: The events that everybody sees whole.
PUBLIC: set[str] = {
    "FirstSeatChosen", "DecisionOpened", "TurnStarted", "TurnEnded", "LastRoundStarted", "GameEnded", "ResultRecorded",
    "CardTaken", "CardTurnedUp", "DisplayReset", "DeckReshuffled", "TrackClaimed", "HandsRevealed", "TicketsRevealed",
}  # fmt: skip
#: Hidden fields that do not even tell others how many there are (VIEW-4).
NUMBER_HIDDEN = {("TicketsChosen", "tickets")}
#: By move: the fields that only the mover may see.
HIDDEN_IN_MOVES: dict[str, set[str]] = {"KeepTickets": {"tickets"}}
