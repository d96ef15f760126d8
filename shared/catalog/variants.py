"""Rule sets with another board or other parameters, for those who design: all that is wrong is told at once."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any, NamedTuple

from shared.catalog.loader import board as board_of
from shared.catalog.loader import rules_for, ruleset
from shared.kernel import (
    MECHANICS,
    FastChance,
    Malformed,
    Network,
    Rules,
    compile_rules,
    legal_moves,
    new_game,
    state_from_plain,
    state_to_plain,
)

GRAY = "gray"
CARDS = "cards"
SPAN = (0, 60)
"""From the least to the most that a parameter may be: cards of a kind, points ..."""
SPANS = {
    "/parameters/claim/trains": (1, 60),
    "/parameters/draw_tickets/opening": (1, 8),  # every choice of those dealt is a move to list
    "/parameters/draw_tickets/number": (1, 8),
    "/parameters/split_tickets/number": (1, 8),
    "/parameters/yard/halves": (1, 2),
    "/parameters/city_markers/number": (1, 60),  # the first stands at the starting city (OW-3)
}
"""The same for single parameters, or all of a group."""

Json = dict[str, Any]


class Fault(NamedTuple):
    """One thing that is wrong: where, which kind, in words."""

    pointer: str
    code: str
    detail: str


class Unplayable(Exception):
    """A board or parameters with which no game can be played."""

    def __init__(self, faults: list[Fault]) -> None:
        super().__init__("; ".join(f"{fault.pointer}: {fault.detail}" for fault in faults))
        self.faults = faults


def variant(
    ruleset_id: str, seats: int, options: Json, board: Json | None = None, parameters: Json | None = None
) -> Rules:
    """The compiled rule set with a board in place of its own, in the form that `BoardSchema` has, and with other
    parameters: {mechanic: {name: value}} as in its file, and {"cards": {kind: number}}.

    Raises Unplayable with all faults, at /board or /parameters, and what `rules_for` raises.
    """
    own = rules_for(ruleset_id, seats, options)
    if board is None and not parameters:
        return own
    source = copy.deepcopy(ruleset(ruleset_id))
    if faults := list(_override(source, parameters or {})):
        raise Unplayable(faults)
    used = board_of(source["board"]) if board is None else board
    faults = board_faults(used, source) or list(_short_of_tickets(used, source, seats))
    if faults and board is None:  # then it is the parameters that do not fit the rule set's own
        raise Unplayable([Fault("/parameters", code, f"{at[1:]}: {detail}") for at, code, detail in faults[:1]])
    if faults:
        raise Unplayable([fault._replace(pointer=f"/board{fault.pointer}") for fault in faults])
    rules = compile_rules(source, used, seats, options, MECHANICS)
    if not _can_be_dealt(rules):
        raise Unplayable([Fault("/parameters", "cannot_be_dealt", f"There are not enough cards for {seats} seats.")])
    return rules


def board_faults(board: Json, source: Json) -> list[Fault]:
    """What keeps a rule set from being played on a board: names that are not there or there twice, tracks that its
    claims cannot score or pay, parts that no track joins. Pointers are into the board."""
    faults = [*_twice(board, "cities"), *_twice(board, "tracks"), *_twice(board, "tickets")]
    cities = {city["id"] for city in board["cities"]}
    for check in (_cities, _tracks, _tickets):
        faults += check(board, source, cities)
    return faults or list(_unreached(board))


def _twice(board: Json, part: str) -> Iterator[Fault]:
    seen = set()
    for place, entry in enumerate(board[part]):
        if entry["id"] in seen:
            yield Fault(f"/{part}/{place}/id", "duplicate", f"There is another {entry['id']} before.")
        seen.add(entry["id"])


def _cities(board: Json, source: Json, cities: set[str]) -> Iterator[Fault]:
    for place, city in enumerate(board["cities"]):
        tokens = city.get("tokens", [])
        if tokens != sorted(set(tokens), reverse=True):
            yield Fault(f"/cities/{place}/tokens", "not_descending", "The values must go down from the top one.")
    start = source["mechanics"].get("alvin", {}).get("city")
    if start is not None and start not in cities:
        detail = f"Alvin starts in {start}: keep that city, or name another in parameters."
        yield Fault("/cities", "unknown_city", detail)
    for place, bonus in enumerate(board.get("bonus_cards", ())):
        if bonus["city"] not in cities:
            yield Fault(f"/bonus_cards/{place}/city", "unknown_city", f"The board has no city {bonus['city']}.")


def _tracks(board: Json, source: Json, cities: set[str]) -> Iterator[Fault]:
    claim = source["mechanics"].get("claim")
    if claim is None or not board["tracks"]:
        if bool(claim) != bool(board["tracks"]):
            detail = "This rule set is played without a map." if claim is None else "There must be tracks to claim."
            yield Fault("/tracks", "not_allowed", detail)
        return
    colours = [card["kind"] for card in source[CARDS] if "role" not in card]
    longest = len(claim["points"])
    for place, track in enumerate(board["tracks"]):
        at = f"/tracks/{place}"
        yield from _ends(track, cities, at)
        if track["colour"] not in (*colours, GRAY):
            detail = f"A track is one of {', '.join(colours)}, or {GRAY}."
            yield Fault(f"{at}/colour", "unknown_colour", detail)
        if track["length"] > longest:
            detail = f"Only tracks of a length up to {longest} have points; parameters may give some to longer ones."
            yield Fault(f"{at}/length", "no_points", detail)
        elif track["length"] > claim["trains"]:
            detail = f"Nobody can claim it with {claim['trains']} trains."
            yield Fault(f"{at}/length", "too_long", detail)
        if track.get("locomotives", 0) > track["length"]:
            yield Fault(f"{at}/locomotives", "out_of_range", "A track costs no more locomotives than its length.")


def _tickets(board: Json, source: Json, cities: set[str]) -> Iterator[Fault]:
    decks = source.get("ticket_decks")
    colours = [card["kind"] for card in source[CARDS] if "role" not in card]
    for place, ticket in enumerate(board["tickets"]):
        at = f"/tickets/{place}"
        yield from _ends(ticket, cities, at)
        if decks is not None and ticket.get("kind") not in decks:
            yield Fault(f"{at}/kind", "unknown_kind", f"A ticket is one of {', '.join(decks)}.")
        if "claim" not in source["mechanics"] and not ticket.get(CARDS):
            yield Fault(f"{at}/cards", "required", "A ticket is paid with cards here: say which.")
        for colour in ticket.get(CARDS, {}):
            if colour not in colours:
                yield Fault(f"{at}/cards/{colour}", "unknown_colour", f"A card is one of {', '.join(colours)}.")


def _ends(entry: Json, cities: set[str], at: str) -> Iterator[Fault]:
    for end, city in enumerate(entry["cities"]):
        if city not in cities:
            yield Fault(f"{at}/cities/{end}", "unknown_city", f"The board has no city {city}.")
    if len(set(entry["cities"])) < len(entry["cities"]):
        yield Fault(f"{at}/cities", "same_city", "Two different cities are needed.")


def _unreached(board: Json) -> Iterator[Fault]:
    """Cities and tickets that no path reaches; paths end at countries (MK-17)."""
    if not board["tracks"]:
        return
    number = {city["id"]: place for place, city in enumerate(board["cities"])}
    edges = [(place, *(number[city] for city in track["cities"]), track["length"])
             for place, track in enumerate(board["tracks"])]
    countries = frozenset(place for place, city in enumerate(board["cities"]) if city.get("country"))
    network = Network(len(number), edges, countries)
    first = next((place for place in number.values() if place not in countries), 0)
    for city, place in number.items():
        if not network.connected(first, place):
            detail = f"No tracks lead here from {board['cities'][first]['id']}."
            yield Fault(f"/cities/{place}", "disconnected", f"{city}: {detail}")
    for place, ticket in enumerate(board["tickets"]):
        if not network.connected(*(number[city] for city in ticket["cities"])):
            yield Fault(f"/tickets/{place}", "unreachable", f"No tracks join {' and '.join(ticket['cities'])}.")


def _short_of_tickets(board: Json, source: Json, seats: int) -> Iterator[Fault]:
    drawn, split = (source["mechanics"].get(name, {}) for name in ("draw_tickets", "split_tickets"))
    dealt = drawn.get("opening", split.get("number", 0))
    if dealt * seats > len(board["tickets"]):
        detail = f"To deal {dealt} to each of {seats} seats there must be {dealt * seats}."
        yield Fault("/tickets", "too_few_tickets", detail)


def _override(source: Json, parameters: Json) -> Iterator[Fault]:
    """Sets parameters in a rule set; what is no parameter of it is told and left out."""
    counts = {card["kind"]: card["count"] for card in source[CARDS]}
    found = {**source["mechanics"], CARDS: counts}
    yield from _set(found, parameters, "/parameters")
    for card in source[CARDS]:
        card["count"] = counts[card["kind"]]
    claim = source["mechanics"].get("claim", {})
    points = claim.get("points", {})
    if set(points) != {str(length) for length in range(1, len(points) + 1)}:
        yield Fault("/parameters/claim/points", "incomplete", "Every length from 1 on needs its points.")
    dealt, kept = source["mechanics"].get("draw_tickets"), source["mechanics"]["tickets"]
    if dealt is not None and kept["opening"]["keep"] > dealt["opening"]:
        detail = f"No more can be kept than the {dealt['opening']} that are dealt."
        yield Fault("/parameters/tickets/opening/keep", "out_of_range", detail)


def _set(config: Json, changes: Any, at: str) -> Iterator[Fault]:
    if not isinstance(changes, dict):
        yield Fault(at, "wrong_type", "This must be an object.")
        return
    for name, value in changes.items():
        pointer = f"{at}/{name[:80]}"
        known = config.get(name)
        if name not in _settable(config) and not _is_length(name, config):
            yield Fault(pointer, "unknown_parameter", f"There are: {', '.join(_settable(config))}.")
        elif isinstance(known, dict):
            yield from _set(known, value, pointer)
        elif fault := _wrong(known, value, SPANS.get(pointer) or SPANS.get(at, SPAN)):
            yield Fault(pointer, *fault)
        else:
            config[name] = value


def _settable(config: Json) -> list[str]:
    """The names of what may be set: all but the words of the rules."""
    return [name for name, value in config.items() if not isinstance(value, str) or name == "city"]


def _is_length(name: str, config: Json) -> bool:
    """Whether a name is one of the lengths that points are given to, which may become more."""
    return "1" in config and name.isascii() and name.isdecimal()


def _wrong(known: Any, value: Any, span: tuple[int, int]) -> tuple[str, str] | None:
    """Why a value may not stand where `known` stood; None if it may."""
    if isinstance(known, str):
        return None if isinstance(value, str) else ("wrong_type", "This must be a string.")
    if isinstance(known, bool):
        return None if isinstance(value, bool) else ("wrong_type", "This must be true or false.")
    if isinstance(value, bool) or not isinstance(value, int):
        return "wrong_type", "This must be a whole number."
    least, most = span
    return None if least <= value <= most else ("out_of_range", f"This must be {least} to {most}.")


def _can_be_dealt(rules: Rules) -> bool:
    """Whether set-up leads to a whole position, with decisions that can be answered."""
    try:
        state, _ = new_game(rules, FastChance(1))
        state_from_plain(rules, state_to_plain(rules, state))
        return bool(state.decisions) and all(legal_moves(rules, state, decision) for decision in state.decisions)
    except (IndexError, KeyError, ValueError, Malformed):
        return False
