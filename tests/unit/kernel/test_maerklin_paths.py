"""Which of the many legal passenger moves are listed (MK-11 to MK-15), against slow searches that share no code."""

from __future__ import annotations

import random
from collections import defaultdict

import pytest

from shared.kernel import (
    CARDS,
    NOBODY,
    PASSENGERS,
    TRACKS,
    MovePassenger,
    Rules,
    State,
    check,
    legal_moves,
    parse_position,
    print_position,
    tokens_fetched,
)
from tests.unit.kernel.play import decision_of, listed_moves, maerklin, position


def crowded(seed: int, seats: int, cards: int, tracks: int = 200) -> tuple[Rules, State]:
    """A board on which the seats have grown until nobody has trains for more, seat 0 with up to three passengers."""
    luck = random.Random(seed)
    rules = maerklin(seats)
    board = rules.board
    state = position(rules)
    part = state.parts[TRACKS]
    stuck = 0
    for turn in range(tracks):
        seat = turn % seats
        own = part.cities(rules, seat)
        fits = [t for t in range(len(board.tracks)) if part.open[seat][t] and board.lengths[t] <= part.trains[seat]]
        near = [t for t in fits if own & set(board.ends[t])]
        stuck = 0 if fits else stuck + 1
        if stuck == seats:
            break
        if fits:
            track = luck.choice(near if near and luck.random() < 0.8 else fits)
            part.claim(rules, seat, track)
            part.trains[seat] -= board.lengths[track]
    places = luck.sample(sorted(part.cities(rules, 0) - board.dead_ends), 3)
    line = print_position(rules, state).replace("hands=-", f"hands=N{cards}" if cards else "hands=-", 1)
    names = ",".join(board.cities[city] for city in places)
    points = line.index(" points=")
    line = line[:points] + line[line.index(" ", points + 1) :]  # counted anew
    return rules, parse_position(rules, f"{line} passengers={names}{'/-' * (seats - 1)}")


def steps(rules: Rules, state: State) -> dict[int, list[tuple[int, int, int]]]:
    """For each city the claimed tracks that lead to no country: track, city, cost."""
    found = defaultdict(list)
    for track, owner in enumerate(state.parts[TRACKS].owners):
        a, b = rules.board.ends[track]
        if owner != NOBODY and a not in rules.board.dead_ends and b not in rules.board.dead_ends:
            found[a].append((track, b, int(owner != 0)))
            found[b].append((track, a, int(owner != 0)))
    return found


def fewest_cards(rules: Rules, state: State, start: int, cards: int) -> dict[int, int]:
    """For every city within reach how many passenger cards it takes to get there."""
    costs = {start: 0}
    onward = steps(rules, state)
    for _ in rules.board.cities:
        for city in list(costs):
            for _, other, cost in onward[city]:
                costs[other] = min(costs.get(other, 99), costs[city] + cost)
    return {city: cost for city, cost in costs.items() if cost <= cards and city != start}


def best_value(rules: Rules, state: State, start: int, cards: int) -> int:
    """The most that any path fetches, by trying them all."""
    onward = steps(rules, state)
    tops = state.parts[PASSENGERS].tops
    best = 0

    def walk(city: int, left: int, used: frozenset[int], seen: frozenset[int], value: int) -> None:
        nonlocal best
        best = max(best, value)
        for track, other, cost in onward[city]:
            if track not in used and cost <= left:
                worth = value if other in seen else value + tops[other]
                walk(other, left - cost, used | {track}, seen | {other}, worth)

    walk(start, cards, frozenset(), frozenset({start}), 0)
    return best


def value_of(rules: Rules, state: State, move: MovePassenger) -> int:
    """What a path fetches; the kernel says the same."""
    tops = state.parts[PASSENGERS].tops
    value = sum(tops[city] for city in set(cities_of(rules, move)) - {move.city})
    assert value == sum(worth for _, worth in tokens_fetched(rules, state, move))
    return value


def cities_of(rules: Rules, move: MovePassenger) -> list[int]:
    """The cities that a path enters, in order."""
    at, entered = move.city, []
    for track in move.path:
        (at,) = set(rules.board.ends[track]) - {at}
        entered.append(at)
    return entered


def listed(rules: Rules, state: State) -> dict[int, list[MovePassenger]]:
    """The listed passenger moves by the city that they start in."""
    out: dict[int, list[MovePassenger]] = {city: [] for city in state.parts[PASSENGERS].places(0)}
    for move in legal_moves(rules, state, decision_of(state)):
        if isinstance(move, MovePassenger):
            check(rules, state, decision_of(state), move)
            out[move.city].append(move)
    return out


@pytest.mark.rule("MK-11")
@pytest.mark.rule("MK-13")
@pytest.mark.parametrize("seed", range(12))
def test_every_city_within_reach_is_listed_for_the_fewest_cards(seed: int) -> None:
    cards = seed % 5
    rules, state = crowded(seed, seats=2 + seed % 4, cards=cards)
    for start, moves in listed(rules, state).items():
        least: dict[int, int] = {}
        for move in moves:
            target = cities_of(rules, move)[-1]
            least[target] = min(least.get(target, 99), move.cards)
        least.pop(start, None)
        assert least == fewest_cards(rules, state, start, cards)


@pytest.mark.rule("MK-15")
@pytest.mark.parametrize("seed", range(12))
def test_a_dearer_path_to_the_same_city_is_listed_only_if_it_fetches_more(seed: int) -> None:
    rules, state = crowded(seed, seats=4, cards=4)
    for moves in listed(rules, state).values():
        offers = [(cities_of(rules, move)[-1], move.cards, value_of(rules, state, move)) for move in moves]
        assert offers == sorted(offers), "by city, then by cost"
        for one, other in zip(offers, offers[1:], strict=False):
            assert one[0] != other[0] or (one[1] < other[1] and one[2] < other[2])


@pytest.mark.rule("MK-15")
def test_the_best_values_are_found_nearly_always() -> None:
    """Every path is tried on boards half grown; each value listed is one that a path has."""
    found = possible = searches = exact = 0
    for seed in range(25):
        cards = seed % 4
        rules, state = crowded(seed, seats=2 + seed % 3, cards=cards, tracks=26)
        for start, moves in listed(rules, state).items():
            best = best_value(rules, state, start, cards)
            value = max((value_of(rules, state, move) for move in moves), default=0)
            assert value <= best
            found, possible = found + value, possible + best
            searches, exact = searches + 1, exact + (value == best)
    assert exact >= 0.9 * searches
    assert found >= 0.97 * possible


@pytest.mark.rule("MK-13")
def test_without_cards_only_own_tracks_are_listed_and_with_them_others_too() -> None:
    rules = maerklin()
    text = "tracks=berlin-leipzig-orange/chemnitz-leipzig-blue passengers=berlin/-"
    alone = "MovePassenger berlin berlin-leipzig-orange 0"
    moves = [move for move in listed_moves(rules, position(rules, text)) if move.startswith("MovePassenger")]
    assert moves == [alone]
    moves = [move for move in listed_moves(rules, position(rules, f"{text} hands=N1/-")) if "MovePassenger" in move]
    assert moves == ["MovePassenger berlin berlin-leipzig-orange,chemnitz-leipzig-blue 1", alone]


@pytest.mark.rule("MK-15")
def test_a_detour_that_fetches_more_is_taken_where_it_is_free() -> None:
    """From Dresden to Leipzig by the ring of Berlin and Magdeburg: 7 + 2 + 3 instead of 3."""
    rules = maerklin()
    tracks = "dresden-leipzig-black,berlin-leipzig-orange,leipzig-magdeburg-yellow,berlin-magdeburg-red"
    moves = listed_moves(rules, position(rules, f"tracks={tracks}/- passengers=dresden/-"))
    (ring,) = [move for move in moves if move.split()[-1] == "0" and move.count(",") == 3]
    assert set(ring.split()[2].split(",")) == set(tracks.split(","))


@pytest.mark.rule("MK-16")
def test_a_crowded_late_board_has_a_path_for_each_target_and_cost_at_most() -> None:
    """Three passengers and all ten cards: the most that there can be."""
    rules, state = crowded(3, seats=5, cards=10)
    assert state.parts[CARDS].hands[0][rules.kind_of["passenger"]] == 10
    moves = listed(rules, state)
    assert 100 < sum(map(len, moves.values())) < 3 * 35 * 11
