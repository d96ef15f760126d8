"""A rule set compiled for a number of seats: tables that the engine indexes by small int kinds."""

from __future__ import annotations

from typing import Any

from shared.kernel.board import Board
from shared.kernel.events import EVENTS
from shared.kernel.kinds import DECISION_NAMES, EVENT_KINDS, MOVE_KINDS, PART_NAMES
from shared.kernel.mechanic import Mechanic
from shared.kernel.moves import Move
from shared.kernel.violations import Malformed


class Rules:
    """One rule set, board, number of seats and set of options. Build it with `compile_rules`."""

    def __init__(self, source: dict[str, Any], board: dict[str, Any], seats: int, options: dict[str, Any]) -> None:
        self.id: str = f"{source['id']}@{source['revision']}"
        self.seats: int = seats
        self.options: dict[str, Any] = options
        self.kinds: list[str] = [card["kind"] for card in source["cards"]]
        self.kind_of: dict[str, int] = {kind: number for number, kind in enumerate(self.kinds)}
        self.letters: list[str] = [card["letter"] for card in source["cards"]]
        self.deck_counts: list[int] = [card["count"] for card in source["cards"]]
        self.colours: int = sum(1 for card in source["cards"] if "role" not in card)  # colours come first
        self.wild: int = self.colours  # the locomotive
        #: each kind of wild and the shortest track it may be played on; kinds that pay for nothing; their rules
        roles = [card.get("role", "colour") for card in source["cards"]]
        self.wild_from: dict[int, int] = {
            kind: source["cards"][kind].get("from_length", 1) for kind, role in enumerate(roles) if role == "wild"
        }
        self.no_payment: list[int] = [kind for kind, role in enumerate(roles) if role == "other"]
        self.card_rules: list[str] = [card.get("rule", "BASE-24") for card in source["cards"]]
        self.board: Board = Board(board, self.kinds[: self.colours])
        #: the ticket decks by name, the deck of each ticket, and the mask of each deck
        self.ticket_decks: list[str] = source.get("ticket_decks", ["tickets"])
        self.ticket_deck_of: dict[str, int] = {name: number for number, name in enumerate(self.ticket_decks)}
        self.deck_of_ticket: list[int] = [self.ticket_deck_of[kind] for kind in self.board.ticket_kinds]
        self.ticket_masks: list[int] = [
            sum(1 << ticket for ticket, deck in enumerate(self.deck_of_ticket) if deck == number)
            for number in range(len(self.ticket_decks))
        ]
        #: the shared rules that have one of the rule set's own in their place
        self.replaces: dict[str, str] = source.get("replaces", {})
        self.replenishes: bool = source.get("replenishes", True)  # whether the discard pile becomes the deck
        self.no_markers: set[int] = set()  # cities where no marker may stand (OW-5, OW-8)
        self.mechanics: list[Mechanic] = []
        self.by_name: dict[str, Mechanic] = {}
        self.holders: list[Mechanic | None] = [None] * len(PART_NAMES)
        self.listers: list[list[Mechanic]] = [[] for _ in DECISION_NAMES]
        self.followers: list[Mechanic] = []
        self.limits: list[Mechanic] = []
        self.owners: list[Mechanic | None] = [None] * MOVE_KINDS
        self.reactors: list[list[Mechanic]] = [[] for _ in range(EVENT_KINDS)]
        self.move_classes: dict[str, type[Move]] = {}
        self.event_classes = EVENTS
        self.ties: list[Mechanic] = []
        self.tie_names: list[str] = []
        #: tracks that a claim closes to everybody, and to the claimer alone
        self.closes: list[list[int]] = [[track] for track in range(len(self.board.tracks))]
        self.closes_to_claimer: list[list[int]] = [[] for _ in self.board.tracks]

    def fresh(self, slot: int) -> Any:
        """The part that stands in this slot of State.parts, as it is before set-up."""
        holder = self.holders[slot]
        if holder is None:
            raise ValueError(f"{self.id} has no {PART_NAMES[slot]}")
        return holder.part(self)

    def add(self, name: str, mechanic: Mechanic) -> None:
        """Enters a mechanic into the tables; raises ValueError if another one owns one of its moves."""
        self.mechanics.append(mechanic)
        self.by_name[name] = mechanic
        if mechanic.slot >= 0:
            self.holders[mechanic.slot] = mechanic
        if mechanic.follows_claims:
            self.followers.append(mechanic)
        if mechanic.limits_claims:
            self.limits.append(mechanic)
        for decision_kind in mechanic.lists:
            self.listers[decision_kind].append(mechanic)
        for event_kind in mechanic.reacts:
            self.reactors[event_kind].append(mechanic)
        for move_class in mechanic.owns:
            if self.owners[move_class.kind] is not None:
                raise ValueError(f"two mechanics of {self.id} own {move_class.__name__}")
            self.owners[move_class.kind] = mechanic
            self.move_classes[move_class.__name__] = move_class


def checked_options(source: dict[str, Any], seats: int, options: dict[str, Any]) -> dict[str, Any]:
    """All options with their defaults; raises Malformed for an unknown option or a wrong value (OPT-5)."""
    out: dict[str, Any] = {}
    for name in options:
        if name not in source["options"]:
            raise Malformed(f"/options/{name}", "this rule set has no such option (OPT-5)")
    for name, option in source["options"].items():
        value = options.get(name, option["default"])
        if option["type"] == "flag":
            valid = isinstance(value, bool)
        else:  # a seat, or the option's word for leaving it to chance
            valid = value == option["default"] or (type(value) is int and 0 <= value < seats)
        if not valid:
            raise Malformed(f"/options/{name}", option["about"])
        out[name] = value
    return out


def compile_rules(
    source: dict[str, Any],
    board: dict[str, Any],
    seats: Any,
    options: dict[str, Any],
    mechanics: dict[str, type[Mechanic]],
) -> Rules:
    """The compiled rule set; raises Malformed for a number of seats (BASE-1) or options that it does not have."""
    span = source["seats"]
    if type(seats) is not int or not span["min"] <= seats <= span["max"]:
        raise Malformed("/seats", f"{source['id']} takes {span['min']} to {span['max']} seats ({span['rule']})")
    rules = Rules(source, board, seats, checked_options(source, seats, options))
    for name, config in source["mechanics"].items():
        if rules.options.get(config.get("option"), True):  # a mechanic may be there only with a flag set
            rules.add(name, mechanics[name](rules, config))
    rules.tie_names = list(source["ties"]["by"])
    rules.ties = [rules.by_name[name] for name in rules.tie_names]
    return rules
