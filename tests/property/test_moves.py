"""What is listed is legal, what is legal by the rules is accepted, and nothing else is."""

from __future__ import annotations

import random

import pytest

from shared.catalog import rule_text
from shared.kernel import (
    CARDS,
    CODES,
    NOBODY,
    PASSENGERS,
    TICKETS,
    TRACKS,
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
    MalformedMove,
    Move,
    MoveAlvin,
    MovePassenger,
    Pass,
    PlaceCards,
    PlaceMarker,
    PlacePassenger,
    Rules,
    RuleViolation,
    State,
    advance,
    bits,
    check,
    decide,
    default_move,
    is_legal,
    legal_moves,
    move_from_plain,
    move_to_plain,
    view_for,
)
from tests.kernel_games import ALL_RULES, Game, chance_of, play, text_of_state
from tests.property import reference
from tests.property.games import for_every_game

#: Rule sets all of whose mechanics the second reading knows.
READ_TWICE = [rules for rules in ALL_RULES if reference.is_read(rules)]


def decisions_of(game: Game, number: int, luck: random.Random) -> list[tuple[State, Decision]]:
    """Some of the open decisions of a game."""
    return [(game.states[v], d) for v in game.sample(number, luck) for d in game.states[v].decisions]


@for_every_game()
def test_every_listed_move_is_accepted_and_listed_once(rules: Rules, seed: int) -> None:
    game = play(rules, seed)
    for state, decision in decisions_of(game, 40, random.Random(seed)):
        moves = legal_moves(rules, state, decision)
        assert moves and len(set(moves)) == len(moves)
        for move in moves:
            check(rules, state, decision, move)


@for_every_game(examples=4)
def test_every_listed_move_can_be_played(rules: Rules, seed: int) -> None:
    game = play(rules, seed)
    for state, decision in decisions_of(game, 3, random.Random(seed)):
        before = text_of_state(rules, state)
        for move in legal_moves(rules, state, decision):
            after = state.copy()
            events = advance(rules, after, decision, move, chance_of(seed, state.version + 1))
            assert after.version == state.version + 1
            assert after.decision(decision.id) is None
            assert after.over or after.decisions
            assert decide(rules, state, decision, move, chance_of(seed, state.version + 1)) == events
        assert text_of_state(rules, state) == before, "decide and copies leave the state as it is"


@for_every_game()
def test_the_view_of_a_seat_lists_what_the_state_lists(rules: Rules, seed: int) -> None:
    game = play(rules, seed)
    for state, decision in decisions_of(game, 15, random.Random(seed)):
        view = view_for(rules, state, decision.seat)
        assert legal_moves(rules, view, decision) == legal_moves(rules, state, decision)
        assert default_move(rules, view, decision) == default_move(rules, state, decision)


@for_every_game()
def test_the_default_is_always_legal(rules: Rules, seed: int) -> None:
    game = play(rules, seed)
    for state in game.states:
        for decision in state.decisions:
            check(rules, state, decision, default_move(rules, state, decision))


@for_every_game(examples=3, among=READ_TWICE)
def test_lists_are_those_of_a_second_reading_of_the_rules(rules: Rules, seed: int) -> None:
    game = play(rules, seed)
    for state, decision in decisions_of(game, 12, random.Random(seed)):
        moves = legal_moves(rules, state, decision)
        journeys = [move for move in moves if isinstance(move, MovePassenger)]
        assert bool(journeys) == reference.can_travel(rules, state, decision)
        suggested = [move for move in moves[:1] if isinstance(move, CompleteTickets) and len(move.tickets) > 1]
        expected = reference.legal_list(rules, state, decision) + journeys + suggested or [Pass()]
        assert reference.as_counter(moves) == reference.as_counter(expected)


def with_cities(rules: Rules, decision: Decision, hand: list[int], luck: random.Random) -> list[Move]:
    """Choices of cities, and markers with all sorts of payments."""
    if decision.name not in ("starting_city", "alvin_city", "marker"):
        return [Decline(), ChooseStartingCity(0), MoveAlvin(0), PlaceMarker(0, ((rules.wild, 2),))]
    cities = range(len(rules.board.cities))
    moves: list[Move] = [Decline(), *map(ChooseStartingCity, cities), *map(MoveAlvin, cities)]
    kinds = [kind for kind in range(len(rules.kinds)) if hand[kind] or luck.random() < 0.2]
    pairs = [{one: 2} if one == other else {one: 1, other: 1} for one in kinds for other in kinds]
    pairs += [{kind: number} for kind in kinds for number in (1, 3)]
    return moves + [PlaceMarker(city, tuple(sorted(pair.items()))) for city in cities for pair in pairs]


def journeys(rules: Rules, state: State, seat: int, luck: random.Random) -> list[Move]:
    """Walks of passengers, most of them wrong somewhere."""
    owners = state.parts[TRACKS].owners
    standing = [city for city, owner in enumerate(state.parts[PASSENGERS].standing) if owner != NOBODY]
    moves: list[Move] = []
    for _ in range(30):
        start = at = luck.choice(standing or [0])
        path: list[int] = []
        for _ in range(luck.randrange(6)):
            near = [t for t, ends in enumerate(rules.board.ends) if at in ends and owners[t] != NOBODY]
            path.append(luck.choice(near if near and luck.random() < 0.95 else range(len(owners))))
            at = next((city for city in rules.board.ends[path[-1]] if city != at), at)
        cost = sum(owners[track] not in (seat, NOBODY) for track in path)
        moves.append(MovePassenger(start, tuple(path), max(0, cost + luck.choice((0, 0, 0, -1, 1)))))
    return moves


def placements(rules: Rules, hand: list[int], luck: random.Random) -> list[Move]:
    """Rows and sets of colours, some with cards that are not held or do not go together."""
    moves: list[Move] = []
    kinds = [kind for kind, number in enumerate(hand) for _ in range(number)] or [0]
    for _ in range(60):
        placed = dict.fromkeys(luck.sample(range(rules.colours), 3), 1)
        if luck.random() < 0.7:
            chosen = [luck.choice(kinds) for _ in range(luck.choice((1, 1, 1, 2)))] + [rules.wild] * luck.randrange(2)
            placed = {kind: luck.randint(1, max(1, hand[kind])) for kind in chosen}
        moves.append(PlaceCards(tuple(sorted(placed.items()))))
    return moves


def strange_moves(rules: Rules, state: State, decision: Decision, luck: random.Random) -> list[Move]:
    """All simple moves, and claims and choices of every kind, most of them against a rule."""
    kinds = range(len(rules.kinds))
    hand = state.parts[CARDS].hands[decision.seat]
    moves: list[Move] = [Pass(), DrawFromDeck(), DrawTickets(), *map(DrawFromDisplay, kinds)]
    tickets = range(len(rules.board.tickets))
    moves += [KeepTickets(tuple(luck.sample(tickets, luck.randrange(4)))) for _ in range(5)]
    for track, length in enumerate(rules.board.lengths):
        colour = luck.choice([kind for kind in kinds if hand[kind]] or list(kinds))
        other = luck.choice(list(kinds))
        wilds = luck.randrange(length + 1)
        size = length + luck.choice((0, 0, 0, 0, -1, 1))
        pairs = {colour: size - wilds, luck.choice([rules.wild, *rules.wild_from]): wilds}
        if luck.random() < 0.2:
            pairs = {other: 1, colour: size - 1, rules.wild: 0}
        payment = tuple(sorted((kind, number) for kind, number in pairs.items() if number > 0))
        moves.append(ClaimTrack(track, payment))
    moves += with_cities(rules, decision, hand, luck)
    if "merchandise" in rules.by_name:
        moves += map(PlacePassenger, range(len(rules.board.cities)))
        moves += [AnnounceSplit((luck.randrange(6), luck.randrange(6))) for _ in range(20)]
        moves += journeys(rules, state, decision.seat, luck)
    if "yard" in rules.by_name:
        moves += placements(rules, hand, luck)
        held = [*bits(state.parts[TICKETS].hands[decision.seat]), luck.choice(tickets)]
        claims = [luck.sample(held, luck.randint(0, min(len(held), 5))) for _ in range(20)]
        moves += [CompleteTickets(tuple(sorted(set(claim)))) for claim in claims]
    for move in legal_moves(rules, state, decision):
        if isinstance(move, KeepTickets):
            moves += [KeepTickets(move.tickets[1:]), KeepTickets((*move.tickets, luck.choice(tickets)))]
    moves = [move for move in moves if type(move).__name__ in rules.move_classes]
    return [move for move in moves if not isinstance(move, KeepTickets) or len(set(move.tickets)) == len(move.tickets)]


@for_every_game(examples=4, among=READ_TWICE)
def test_check_judges_as_a_second_reading_of_the_rules(rules: Rules, seed: int) -> None:
    game = play(rules, seed)
    luck = random.Random(seed)
    for state, decision in decisions_of(game, 12, luck):
        for move in strange_moves(rules, state, decision, luck):
            expected = reference.is_allowed(rules, state, decision, move)
            assert is_legal(rules, state, decision, move) == expected, (move, decision)


def mutated(plain: dict, rules: Rules, luck: random.Random) -> dict:
    """A move with one value changed for another of its kind, or with another name."""
    board = rules.board
    changed = dict(plain)
    name = luck.choice([name for name in plain if name != "move"] or ["move"])
    value = plain[name]
    if name == "move":
        changed[name] = luck.choice(list(rules.move_classes))
    elif isinstance(value, dict):
        card = luck.choice(rules.kinds)
        changed[name] = {**value, card: max(1, value.get(card, 0) + luck.choice((-1, 1)))}
    elif isinstance(value, list):
        changed[name] = value[1:] if luck.random() < 0.5 else [*value, luck.choice(board.tickets)]
    else:
        changed[name] = luck.choice(board.tracks + board.cities + rules.kinds + board.tickets)
    return changed


@for_every_game()
def test_mutated_moves_are_refused_with_a_rule_and_change_nothing(rules: Rules, seed: int) -> None:
    game = play(rules, seed)
    luck = random.Random(seed)
    for state, decision in decisions_of(game, 12, luck):
        before = text_of_state(rules, state)
        chance = chance_of(seed, 0)
        moves = legal_moves(rules, state, decision)
        for move in luck.sample(moves, min(len(moves), 8)):
            try:
                strange = move_from_plain(rules, mutated(move_to_plain(rules, move), rules, luck))
            except MalformedMove as error:
                assert error.pointer.startswith("/")
                continue
            if is_legal(rules, state, decision, strange):
                continue
            with pytest.raises(RuleViolation) as refused:
                advance(rules, state, decision, strange, chance)
            assert refused.value.code in CODES
            assert rule_text(refused.value.rule)
            assert refused.value.data
        assert chance.outcomes == []
        assert text_of_state(rules, state) == before
