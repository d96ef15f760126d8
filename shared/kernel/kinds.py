"""Small int kinds of decisions, moves and events: the compiled rule tables are indexed by them."""

from __future__ import annotations

from typing import Final

# decisions
OPENING_TICKETS: Final = 0
TURN: Final = 1
SECOND_CARD: Final = 2
KEEP_TICKETS: Final = 3
STARTING_CITY: Final = 4
ALVIN_CITY: Final = 5
MARKER: Final = 6
ANNOUNCE_SPLIT: Final = 7
PLACE_PASSENGER: Final = 8
COMPLETE_TICKETS: Final = 9
DECISION_NAMES: Final = (
    "opening_tickets", "turn", "second_card", "keep_tickets", "starting_city", "alvin_city", "marker",
    "announce_split", "place_passenger", "complete_tickets",
)  # fmt: skip
SIMULTANEOUS: Final = (OPENING_TICKETS, COMPLETE_TICKETS)  # open for several seats at once
#: asked of any seat; any other is asked of the seat whose turn it is
BETWEEN_TURNS: Final = (OPENING_TICKETS, STARTING_CITY, ANNOUNCE_SPLIT, COMPLETE_TICKETS)
#: asked of the seat that claimed the last track, about that claim
AFTER_CLAIM: Final = (ALVIN_CITY, MARKER, PLACE_PASSENGER)

# moves
PASS: Final = 0
DRAW_FROM_DECK: Final = 1
DRAW_FROM_DISPLAY: Final = 2
CLAIM_TRACK: Final = 3
DRAW_TICKETS: Final = 4
KEEP_TICKETS_MOVE: Final = 5
DECLINE: Final = 6
CHOOSE_STARTING_CITY: Final = 7
MOVE_ALVIN: Final = 8
PLACE_MARKER: Final = 9
ANNOUNCE_SPLIT_MOVE: Final = 10
PLACE_PASSENGER_MOVE: Final = 11
MOVE_PASSENGER: Final = 12
PLACE_CARDS: Final = 13
COMPLETE_TICKETS_MOVE: Final = 14
MOVE_KINDS: Final = 15

# events
FIRST_SEAT_CHOSEN: Final = 0
DECISION_OPENED: Final = 1
TURN_STARTED: Final = 2
TURN_ENDED: Final = 3
LAST_ROUND_STARTED: Final = 4
GAME_ENDED: Final = 5
RESULT_RECORDED: Final = 6
CARD_DRAWN: Final = 7
CARD_TAKEN: Final = 8
CARD_TURNED_UP: Final = 9
DISPLAY_RESET: Final = 10
DECK_RESHUFFLED: Final = 11
TRACK_CLAIMED: Final = 12
TICKETS_OFFERED: Final = 13
TICKETS_CHOSEN: Final = 14
TICKETS_KEPT: Final = 15
TICKETS_RETURNED: Final = 16
TICKETS_SHUFFLED_UNDER: Final = 17
HANDS_REVEALED: Final = 18
TICKETS_REVEALED: Final = 19
TICKETS_SHUFFLED_IN: Final = 20
STARTING_CITY_CHOSEN: Final = 21
TRACK_SCORED: Final = 22
ALVIN_CAPTURED: Final = 23
ALVIN_MOVED: Final = 24
MARKER_PLACED: Final = 25
PASSENGER_PLACED: Final = 26
PASSENGER_MOVED: Final = 27
CARD_GIVEN: Final = 28
ROWS_MOVED: Final = 29
CARDS_PLACED: Final = 30
ROW_ROBBED: Final = 31
QUIET_TURNS_COUNTED: Final = 32
DECK_DISCARDED: Final = 33
STACKS_OPENED: Final = 34
TICKETS_CLAIMED: Final = 35
TICKETS_COMPLETED: Final = 36
SECOND_HALF_STARTED: Final = 37
EVENT_KINDS: Final = 38

# slots of State.parts
CARDS: Final = 0
TRACKS: Final = 1
TICKETS: Final = 2
MARKERS: Final = 3
ALVIN: Final = 4
PASSENGERS: Final = 5
YARDS: Final = 6
PART_NAMES: Final = ("cards", "tracks", "tickets", "markers", "alvin", "passengers", "yards")
#: a part stands after those that it looks at: decks are by default what is nowhere else
PARSE_ORDER: Final = (YARDS, TRACKS, TICKETS, MARKERS, ALVIN, PASSENGERS, CARDS)
