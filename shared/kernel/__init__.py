"""The games' rules as a library: pure functions on positions, with no I/O, clock or hidden luck.

    rules = rules_for("usa@1", seats=2)                    # from shared.catalog
    state, events = new_game(rules, FastChance(1))
    decision = state.decisions[0]
    moves = legal_moves(rules, state, decision)
    advance(rules, state, decision, moves[0], FastChance(2))
    print(print_position(rules, view_for(rules, state, 0)))

Nothing but the names exported here is imported from outside the kernel.
"""

from shared.kernel.audit import fold_log, verify_draws
from shared.kernel.board import GRAY, Board
from shared.kernel.cards import Cards
from shared.kernel.chance import Chance, FastChance, KeyedChance, commit_key, commitment
from shared.kernel.decisions import Decision
from shared.kernel.determinize import determinize
from shared.kernel.engine import (
    Commit,
    advance,
    check,
    decide,
    default_move,
    empty_state,
    fold,
    is_legal,
    legal_moves,
    new_game,
    play_checked,
)
from shared.kernel.events import Event, ResultRecorded
from shared.kernel.fields import Cost
from shared.kernel.graph import longest_trail
from shared.kernel.kinds import (
    ALVIN,
    ALVIN_CITY,
    ANNOUNCE_SPLIT,
    CARDS,
    DECISION_NAMES,
    KEEP_TICKETS,
    MARKER,
    MARKERS,
    OPENING_TICKETS,
    PASSENGERS,
    PLACE_PASSENGER,
    SECOND_CARD,
    STARTING_CITY,
    TICKETS,
    TRACKS,
    TURN,
    YARDS,
)
from shared.kernel.markers import Markers
from shared.kernel.mechanic import Mechanic
from shared.kernel.mechanics import MECHANICS
from shared.kernel.mechanics.alvin import MoveAlvin, Whereabouts
from shared.kernel.mechanics.city_markers import ChooseStartingCity, PlaceMarker
from shared.kernel.mechanics.claim import ClaimTrack, TrackClaimed
from shared.kernel.mechanics.draw_tickets import DrawTickets
from shared.kernel.mechanics.merchandise import MovePassenger, tokens_fetched
from shared.kernel.mechanics.on_the_track import CompleteTickets
from shared.kernel.mechanics.passengers import PlacePassenger
from shared.kernel.mechanics.split_tickets import AnnounceSplit
from shared.kernel.mechanics.tickets import KeepTickets, completed
from shared.kernel.mechanics.train_cards import DrawFromDeck, DrawFromDisplay
from shared.kernel.mechanics.yard import PlaceCards
from shared.kernel.moves import Decline, Move, Pass
from shared.kernel.network import Network
from shared.kernel.notation import parse_move, parse_position, position_header, print_move, print_position
from shared.kernel.passengers import Passengers
from shared.kernel.ruleset import Rules, compile_rules
from shared.kernel.scoring import Line, ScoreSheet, running_score, score
from shared.kernel.serde import (
    commit_from_plain,
    commit_to_plain,
    events_from_plain,
    events_to_plain,
    move_from_plain,
    move_to_plain,
    state_from_plain,
    state_to_plain,
)
from shared.kernel.state import SPECTATOR, Part, State, View
from shared.kernel.ticket_deck import Tickets, bits
from shared.kernel.tracks import NOBODY, Tracks
from shared.kernel.views import first_served, redact, view_for
from shared.kernel.violations import (
    CODES,
    DecisionNotOpen,
    Malformed,
    MalformedMove,
    RecountError,
    RuleViolation,
)
from shared.kernel.yards import Yards

__all__ = [
    "ALVIN",
    "ALVIN_CITY",
    "ANNOUNCE_SPLIT",
    "CARDS",
    "CODES",
    "DECISION_NAMES",
    "GRAY",
    "KEEP_TICKETS",
    "MARKER",
    "MARKERS",
    "MECHANICS",
    "NOBODY",
    "OPENING_TICKETS",
    "PASSENGERS",
    "PLACE_PASSENGER",
    "SECOND_CARD",
    "SPECTATOR",
    "STARTING_CITY",
    "TICKETS",
    "TRACKS",
    "TURN",
    "YARDS",
    "AnnounceSplit",
    "Board",
    "Cards",
    "Chance",
    "ChooseStartingCity",
    "ClaimTrack",
    "Commit",
    "Cost",
    "CompleteTickets",
    "Decision",
    "DecisionNotOpen",
    "Decline",
    "DrawFromDeck",
    "DrawFromDisplay",
    "DrawTickets",
    "Event",
    "FastChance",
    "KeepTickets",
    "KeyedChance",
    "Line",
    "Malformed",
    "MalformedMove",
    "Markers",
    "Mechanic",
    "Move",
    "MoveAlvin",
    "MovePassenger",
    "Network",
    "Part",
    "Pass",
    "Passengers",
    "PlaceCards",
    "PlaceMarker",
    "PlacePassenger",
    "RecountError",
    "ResultRecorded",
    "RuleViolation",
    "Rules",
    "ScoreSheet",
    "State",
    "Tickets",
    "TrackClaimed",
    "Tracks",
    "View",
    "Whereabouts",
    "Yards",
    "advance",
    "bits",
    "check",
    "commit_from_plain",
    "commit_key",
    "commit_to_plain",
    "commitment",
    "compile_rules",
    "completed",
    "decide",
    "default_move",
    "determinize",
    "empty_state",
    "events_from_plain",
    "events_to_plain",
    "first_served",
    "fold",
    "fold_log",
    "is_legal",
    "legal_moves",
    "longest_trail",
    "move_from_plain",
    "move_to_plain",
    "new_game",
    "parse_move",
    "parse_position",
    "play_checked",
    "position_header",
    "print_move",
    "print_position",
    "redact",
    "running_score",
    "score",
    "state_from_plain",
    "state_to_plain",
    "tokens_fetched",
    "verify_draws",
    "view_for",
]
