"""Which moves are legal, read a second time straight from rules.md: slow, and sharing no code with the mechanics."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, product
from typing import Any

from shared.catalog import ruleset
from shared.kernel import (
    CARDS,
    GRAY,
    MARKERS,
    NOBODY,
    PASSENGERS,
    TICKETS,
    TRACKS,
    YARDS,
    AnnounceSplit,
    ChooseStartingCity,
    ClaimTrack,
    CompleteTickets,
    Decision,
    Decline,
    DrawFromDeck,
    DrawFromDisplay,
    DrawTickets,
    KeepTickets,
    Move,
    MoveAlvin,
    MovePassenger,
    Pass,
    PlaceCards,
    PlaceMarker,
    PlacePassenger,
    Rules,
    State,
)

#: The mechanics whose moves are judged here; a rule set with others needs a reading of its own.
MECHANICS_READ = {
    "turns", "train_cards", "display", "claim", "parallel_tracks", "draw_tickets", "tickets", "last_round",
    "longest_path", "most_tickets", "growing_network", "alvin", "city_markers", "split_tickets", "passengers",
    "merchandise", "yard", "on_the_track", "big_cities",
}  # fmt: skip


def is_read(rules: Rules) -> bool:
    """Whether all moves of the rule set are judged here."""
    return set(rules.by_name) <= MECHANICS_READ


def _config(rules: Rules, mechanic: str) -> dict[str, Any]:
    return ruleset(rules.id)["mechanics"][mechanic]


def can_draw(rules: Rules, state: State) -> bool:
    """BASE-17, BASE-18, CG-9."""
    cards = state.parts[CARDS]
    return any(map(any, cards.deck)) or (rules.replenishes and any(cards.discard))


def can_take(rules: Rules, state: State) -> bool:
    """BASE-18, CG-9: whether cards of the display can be drawn."""
    return can_draw(rules, state) or not rules.replenishes


def is_open(rules: Rules, state: State, seat: int, track: int) -> bool:
    """BASE-23, BASE-25, BASE-26, OW-6, without the trains."""
    owners = state.parts[TRACKS].owners
    board = rules.board
    group = [u for u in range(len(board.tracks)) if set(board.ends[u]) == set(board.ends[track])]
    holders = {owners[u] for u in group} - {NOBODY}
    if owners[track] != NOBODY or seat in holders or not touches_own(rules, state, seat, track):
        return False
    return rules.seats > _config(rules, "parallel_tracks")["one_of_group_up_to_seats"] or not holders


def touches_own(rules: Rules, state: State, seat: int, track: int) -> bool:
    """OW-6."""
    if "growing_network" not in rules.by_name:
        return True
    own = {city for t, owner in enumerate(state.parts[TRACKS].owners) if owner == seat for city in rules.board.ends[t]}
    return bool({state.parts[MARKERS].starts[seat], *own} & set(rules.board.ends[track]))


def takes_marker(rules: Rules, state: State, city: int) -> bool:
    """OW-5, OW-8, OPT-3: whether a marker can stand there."""
    closed = "alvin" in rules.by_name and rules.board.cities[city] == "roswell"
    return not closed and state.parts[MARKERS].owners[city] == NOBODY


def pays_for_marker(rules: Rules, state: State, seat: int, payment: dict[int, int]) -> bool:
    """OW-8: two cards of one colour, either or both of which may be locomotives."""
    hand = state.parts[CARDS].hands[seat]
    return (
        sum(payment.values()) == 2
        and all(0 < number <= hand[kind] for kind, number in payment.items())
        and len(set(payment) - {rules.wild}) <= 1
    )


def markers_listed(rules: Rules, state: State, seat: int) -> list[Move]:
    """The markers that are listed: by city and colour held with the fewest wilds, and wilds alone."""
    hand = state.parts[CARDS].hands[seat]
    moves: list[Move] = []
    for city in rules.board.ends[state.parts[TRACKS].last]:
        for kind in range(len(rules.kinds)):
            plain = min(hand[kind], 2)
            pair = {kind: 2} if plain == 2 else {kind: 1, rules.wild: 1}
            if plain and takes_marker(rules, state, city) and pays_for_marker(rules, state, seat, pair):
                moves.append(PlaceMarker(city, tuple(sorted(pair.items()))))
    return moves


def is_payment(rules: Rules, state: State, seat: int, track: int, payment: dict[int, int]) -> bool:
    """BASE-24, OW-7, MK-8, MK-9c."""
    hand = state.parts[CARDS].hands[seat]
    wilds = wilds_for(rules, track)
    colours = [kind for kind in payment if kind not in wilds]
    needed = rules.board.colours[track]
    return (
        sum(payment.values()) == rules.board.lengths[track]
        and all(kind < rules.colours for kind in colours)
        and all(0 < number <= hand[kind] for kind, number in payment.items())
        and len(colours) <= 1
        and (needed == GRAY or not colours or colours[0] == needed)
        and payment.get(rules.wild, 0) >= rules.board.locomotives[track]
    )


def wilds_for(rules: Rules, track: int) -> list[int]:
    """MK-8: the kinds of wilds that may be played on a track, those for long tracks only before the others."""
    wilds = [(kind, card) for kind, card in enumerate(ruleset(rules.id)["cards"]) if card.get("role") == "wild"]
    playable = [(card.get("from_length", 1), kind) for kind, card in wilds]
    return [kind for least, kind in sorted(playable, reverse=True) if least <= rules.board.lengths[track]]


def payments(rules: Rules, state: State, seat: int, track: int) -> list[dict[int, int]]:
    """Every valid payment for a track."""
    length = rules.board.lengths[track]
    wilds = wilds_for(rules, track)
    found: list[dict[int, int]] = []
    for numbers in product(range(length + 1), repeat=len(wilds)):
        left = length - sum(numbers)
        pairs = list(zip(wilds, numbers, strict=True))
        for colour in range(rules.colours) if left > 0 else range(1) if left == 0 else ():
            found.append({kind: number for kind, number in [(colour, left), *pairs] if number})
    return [payment for payment in found if is_payment(rules, state, seat, track, payment)]


def canonical_claims(rules: Rules, state: State, seat: int) -> list[Move]:
    """The claims that are listed: per colour held the payment with the fewest wilds, those for long tracks only first,
    and wilds alone unless the track's own colour is held."""
    hand = state.parts[CARDS].hands[seat]
    claims: list[Move] = []
    for track, length in enumerate(rules.board.lengths):
        if not is_open(rules, state, seat, track) or state.parts[TRACKS].trains[seat] < length:
            continue
        best: dict[int, dict[int, int]] = {}
        for payment in payments(rules, state, seat, track):
            colour = next((kind for kind in payment if kind < rules.colours), rules.wild)
            if colour not in best or dearness(rules, payment) < dearness(rules, best[colour]):
                best[colour] = payment
        own = rules.board.colours[track]
        if own != GRAY and hand[own]:
            best.pop(rules.wild, None)
        claims += [ClaimTrack(track, tuple(sorted(payment.items()))) for payment in best.values()]
    return claims


def dearness(rules: Rules, payment: dict[int, int]) -> tuple[int, int]:
    """What is spared first: wilds of any kind, then those that serve on every track."""
    return sum(number for kind, number in payment.items() if kind >= rules.colours), payment.get(rules.wild, 0)


def is_split(state: State, split: tuple[int, ...]) -> bool:
    """MK-5 to MK-7."""
    sizes = state.parts[TICKETS].deck_sizes
    fits = all(number <= size for number, size in zip(split, sizes, strict=True))
    return fits and sum(split) == min(4, sum(sizes)) > 0


def takes_passenger(rules: Rules, state: State, city: int) -> bool:
    """MK-10."""
    ends = rules.board.ends[state.parts[TRACKS].last]
    return city in ends and city not in rules.board.dead_ends and state.parts[PASSENGERS].standing[city] == NOBODY


def is_journey(rules: Rules, state: State, seat: int, move: MovePassenger) -> bool:
    """MK-11 to MK-14."""
    owners = state.parts[TRACKS].owners
    cities = [{move.city}]
    for track in move.path:
        ends = set(rules.board.ends[track])
        cities.append(ends - cities[-1] if cities[-1] <= ends else set())
    foreign = [track for track in move.path if owners[track] not in (seat, NOBODY)]
    return (
        state.parts[PASSENGERS].standing[move.city] == seat
        and 0 < len(move.path) == len(set(move.path))
        and all(len(city) == 1 and not city & rules.board.dead_ends for city in cities)
        and all(owners[track] != NOBODY for track in move.path)
        and len(foreign) == move.cards <= state.parts[CARDS].hands[seat][rules.kind_of["passenger"]]
    )


def can_travel(rules: Rules, state: State, decision: Decision) -> bool:
    """Whether any passenger can move: if so, over a single track."""
    if "merchandise" not in rules.by_name or decision.name != "turn":
        return False
    tracks = range(len(rules.board.tracks))
    single = [MovePassenger(city, (t,), cards) for t in tracks for city in rules.board.ends[t] for cards in (0, 1)]
    return any(is_journey(rules, state, decision.seat, move) for move in single)


def is_placement(rules: Rules, state: State, seat: int, placed: dict[int, int]) -> bool:
    """CG-10 to CG-13, CG-15."""
    hand = state.parts[CARDS].hands[seat]
    colours = [kind for kind in placed if kind != rules.wild]
    size = sum(placed.values())
    one_row = len(colours) == 1 and size >= 2
    three = len(colours) == 3 and size == 3
    lengths = [
        [rows[colour] + wilds[colour] for colour in colours]
        for rows, wilds in zip(state.parts[YARDS].rows, state.parts[YARDS].wilds, strict=True)
    ]
    return (
        (one_row or three)
        and all(0 < number <= hand[kind] for kind, number in placed.items())
        and not any(lengths.pop(seat))
        and all(length < (size if one_row else 1) for row in lengths for length in row)
    )


def placements(rules: Rules, state: State, seat: int) -> list[Move]:
    """The placements that are listed: rows with the fewest wilds for their colour and length, and sets of three."""
    hand = state.parts[CARDS].hands[seat]
    rows = [
        {colour: size - wilds, rules.wild: wilds}
        for colour in range(rules.colours)
        for size in range(2, hand[colour] + hand[rules.wild] + 1)
        for wilds in [max(0, size - hand[colour])]
    ]
    sets = [dict.fromkeys(three, 1) for three in combinations(range(rules.colours), 3)]
    found = [{kind: number for kind, number in placed.items() if number} for placed in rows + sets]
    return [PlaceCards(tuple(p.items())) for p in found if is_placement(rules, state, seat, p)]


def is_claim(rules: Rules, state: State, seat: int, tickets: tuple[int, ...]) -> bool:
    """CG-20, CG-22."""
    held, stack = state.parts[TICKETS].hands[seat], state.parts[YARDS].stacks[seat]
    short = 0
    for colour in range(rules.colours):
        short += max(0, sum(rules.board.ticket_costs[ticket][colour] for ticket in tickets) - stack[colour])
    return all(held >> ticket & 1 for ticket in tickets) and short <= stack[rules.wild]


def claims(rules: Rules, state: State, seat: int) -> list[Move]:
    """The claims that are listed besides the suggestion: each ticket alone, and none."""
    single = [(ticket,) for ticket in range(len(rules.board.tickets))]
    return [CompleteTickets(claim) for claim in [(), *single] if is_claim(rules, state, seat, claim)]


def is_allowed(rules: Rules, state: State, decision: Decision, move: Move) -> bool:
    """Whether the move may answer the decision, any valid payment included."""
    cards, tickets = state.parts[CARDS], state.parts[TICKETS]
    seat = decision.seat
    match move, decision.name:
        case DrawFromDeck(), "turn" | "second_card":
            return can_draw(rules, state)
        case DrawFromDisplay(card=card), "turn":
            return can_take(rules, state) and card in cards.display
        case DrawFromDisplay(card=card), "second_card":
            return can_take(rules, state) and card in cards.display and card != rules.wild
        case ClaimTrack(track=track, payment=payment), "turn":
            if state.parts[TRACKS].trains[seat] < rules.board.lengths[track]:
                return False
            return is_open(rules, state, seat, track) and is_payment(rules, state, seat, track, dict(payment))
        case DrawTickets(), "turn":
            return any(tickets.deck_sizes)
        case KeepTickets(tickets=kept), "opening_tickets" | "keep_tickets":
            offer = tickets.offers[seat]
            least = _config(rules, "tickets")["opening" if decision.name == "opening_tickets" else "drawing"]["keep"]
            return set(kept) <= set(offer) and len(kept) >= min(least, len(offer))
        case Pass(), "turn":
            return not legal_list(rules, state, decision) and not can_travel(rules, state, decision)
        case ChooseStartingCity(city=city), "starting_city":
            return takes_marker(rules, state, city)
        case MoveAlvin(city=city), "alvin_city":
            return state.parts[MARKERS].owners[city] == seat
        case PlaceMarker(city=city, payment=payment), "marker":
            ends = rules.board.ends[state.parts[TRACKS].last]
            paid = pays_for_marker(rules, state, seat, dict(payment))
            return city in ends and takes_marker(rules, state, city) and paid
        case Decline(), "marker" | "place_passenger":
            return True
        case AnnounceSplit(split=split), "turn" | "announce_split":
            return is_split(state, split)
        case PlacePassenger(city=city), "place_passenger":
            return takes_passenger(rules, state, city)
        case MovePassenger(), "turn":
            return is_journey(rules, state, seat, move)
        case PlaceCards(cards=placed), "turn":
            return is_placement(rules, state, seat, dict(placed))
        case CompleteTickets(tickets=claim), "complete_tickets":
            return is_claim(rules, state, seat, claim)
    return False


def legal_list(rules: Rules, state: State, decision: Decision) -> list[Move]:
    """Everything that is listed, but for a pass and for what is listed as good: paths of passengers, and the set of
    tickets that is suggested."""
    seat = decision.seat
    offer = state.parts[TICKETS].offers[seat]
    candidates: list[Move] = [DrawFromDeck(), DrawTickets()]
    candidates += [DrawFromDisplay(kind) for kind in range(len(rules.kinds))]
    candidates += [move(city) for move in (ChooseStartingCity, MoveAlvin) for city in range(len(rules.board.cities))]
    candidates += [Decline(), *map(PlacePassenger, range(len(rules.board.cities)))]
    if "split_tickets" in rules.by_name:
        candidates += map(AnnounceSplit, product(range(5), repeat=2))
    candidates += [KeepTickets(kept) for number in range(len(offer) + 1) for kept in combinations(offer, number)]
    paid = canonical_claims(rules, state, seat) if decision.name == "turn" else []
    paid += markers_listed(rules, state, seat) if decision.name == "marker" else []
    paid += placements(rules, state, seat) if "yard" in rules.by_name and decision.name == "turn" else []
    paid += claims(rules, state, seat) if decision.name == "complete_tickets" else []
    known = [move for move in candidates if type(move).__name__ in rules.move_classes]
    return [move for move in known if is_allowed(rules, state, decision, move)] + paid


def whole_list(rules: Rules, state: State, decision: Decision, listed: list[Move]) -> list[Move]:
    """Everything that is listed; what is listed as good is taken over from the list, if something of it belongs there.
    """
    journeys = [move for move in listed if isinstance(move, MovePassenger)]
    assert bool(journeys) == can_travel(rules, state, decision)
    suggested = [move for move in listed[:1] if isinstance(move, CompleteTickets) and len(move.tickets) > 1]
    return legal_list(rules, state, decision) + journeys + suggested or [Pass()]


def as_counter(moves: list[Move]) -> Counter[str]:
    """The moves without their order, for comparing."""
    return Counter(map(repr, moves))
