"""Nothing is ever lost or made up: cards, trains and tickets are somewhere, once, after every commit."""

from __future__ import annotations

from collections import Counter

from shared.kernel import ALVIN, CARDS, MARKERS, NOBODY, PASSENGERS, TICKETS, TRACKS, YARDS, Rules, State, bits
from tests.kernel_games import ALL_RULES, play
from tests.property.games import for_every_game


def count_cards(rules: Rules, state: State) -> None:
    cards = state.parts[CARDS]
    for kind, number in enumerate(rules.deck_counts):
        in_piles = sum(layer[kind] for layer in cards.deck) + cards.discard[kind] + cards.display.count(kind)
        held = sum(hand[kind] for hand in cards.hands) + in_yards(rules, state, kind)
        assert in_piles + held == number, rules.kinds[kind]
    assert cards.sizes == [sum(hand) for hand in cards.hands]
    assert cards.deck_size == sum(sum(layer) for layer in cards.deck)
    assert cards.discard_size == sum(cards.discard)
    for hand, known in zip(cards.hands, cards.known, strict=True):
        assert all(0 <= k <= h for k, h in zip(known, hand, strict=True))


def in_yards(rules: Rules, state: State, kind: int) -> int:
    """The cards of a kind in rows and stacks."""
    yards = state.parts[YARDS]
    if yards is None:
        return 0
    assert yards.sizes == [sum(stack) for stack in yards.stacks]
    rows = sum(map(sum, yards.wilds)) if kind == rules.wild else sum(row[kind] for row in yards.rows)
    return rows + sum(stack[kind] for stack in yards.stacks)


def count_trains(rules: Rules, state: State, trains: int) -> None:
    tracks = state.parts[TRACKS]
    used = Counter(dict.fromkeys(range(rules.seats), 0))
    for track, owner in enumerate(tracks.owners):
        if owner != NOBODY:
            used[owner] += rules.board.lengths[track]
    assert [trains - used[seat] for seat in range(rules.seats)] == tracks.trains
    assert min(tracks.trains) >= 0


def count_tickets(rules: Rules, state: State) -> None:
    tickets = state.parts[TICKETS]
    masks = [*tickets.hands, *[layer.tickets for layer in tickets.layers]]
    places = [ticket for mask in masks for ticket in bits(mask)]
    places += [ticket for offer in tickets.offers for ticket in offer]
    places += [ticket for mask in (state.parts[YARDS].completed if state.parts[YARDS] else ()) for ticket in bits(mask)]
    assert sorted(places) == list(range(len(rules.board.tickets)))
    assert [sum(counts) for counts in tickets.counts] == [hand.bit_count() for hand in tickets.hands]
    assert [layer.size for layer in tickets.layers] == [layer.tickets.bit_count() for layer in tickets.layers]
    assert sum(tickets.deck_sizes) == sum(layer.size for layer in tickets.layers)


@for_every_game()
def test_cards_trains_and_tickets_are_conserved(rules: Rules, seed: int) -> None:
    game = play(rules, seed)
    for state in game.states:
        count_cards(rules, state)
        count_tickets(rules, state)
        if state.parts[TRACKS] is not None:
            count_trains(rules, state, game.states[0].parts[TRACKS].trains[0])


@for_every_game(among=[rules for rules in ALL_RULES if "city_markers" in rules.by_name])
def test_markers_stand_where_they_were_put_and_alvin_where_he_was_moved(rules: Rules, seed: int) -> None:
    game = play(rules, seed)
    stand: dict[int, int] = {}
    alvin = rules.board.city_of["roswell"]
    for commit, state in zip(game.commits, game.states, strict=True):
        for event in commit.events:
            match type(event).__name__:
                case "StartingCityChosen" | "MarkerPlaced":
                    assert event.city not in stand
                    stand[event.city] = event.seat
                case "AlvinMoved":
                    alvin = event.city
        markers = state.parts[MARKERS]
        assert {city: seat for city, seat in enumerate(markers.owners) if seat != NOBODY} == stand
        for seat, start in enumerate(markers.starts):
            placed = [city for city, owner in stand.items() if owner == seat]
            assert len(placed) + markers.left(seat) == 3
            assert placed[:1] == ([start] if start >= 0 else [])
        if state.parts[ALVIN] is not None:
            assert state.parts[ALVIN].city == alvin


@for_every_game(among=[rules for rules in ALL_RULES if "merchandise" in rules.by_name])
def test_passengers_and_tokens_are_conserved(rules: Rules, seed: int) -> None:
    game = play(rules, seed)
    stacks = {city: list(stack) for city, stack in enumerate(rules.board.stacks)}
    held: list[Counter[tuple[int, int]]] = [Counter() for _ in range(rules.seats)]
    stand: dict[int, int] = {}
    reserve = [3] * rules.seats
    for commit, state in zip(game.commits, game.states, strict=True):
        for event in commit.events:
            match type(event).__name__:
                case "PassengerPlaced":
                    assert event.city not in stand
                    stand[event.city] = event.seat
                    reserve[event.seat] -= 1
                case "PassengerMoved":
                    assert stand.pop(event.city) == event.seat
                    for city, value in event.tokens:
                        assert stacks[city].pop(0) == value
                        held[event.seat][city, value] += 1
        part = state.parts[PASSENGERS]
        assert part.reserve == reserve
        assert {city: seat for city, seat in enumerate(part.standing) if seat != NOBODY} == stand
        assert [Counter(part.tokens(rules, seat)) for seat in range(rules.seats)] == held
        left = {rules.board.cities[city]: stack for city, stack in stacks.items() if rules.board.stacks[city]}
        assert part.plain(rules)["stacks"] == left


@for_every_game(among=[rules for rules in ALL_RULES if "yard" in rules.by_name])
def test_rows_and_stacks_are_what_was_placed_and_moved(rules: Rules, seed: int) -> None:
    game = play(rules, seed)
    rows: list[dict[int, list[int]]] = [{} for _ in range(rules.seats)]
    stacks: list[Counter[int]] = [Counter() for _ in range(rules.seats)]
    for commit, state in zip(game.commits, game.states, strict=True):
        for event in commit.events:
            match type(event).__name__:
                case "RowsMoved":
                    stacks[event.seat].update(row.pop() for row in rows[event.seat].values())
                    rows[event.seat] = {colour: row for colour, row in rows[event.seat].items() if row}
                case "CardsPlaced":
                    wilds = [rules.wild] * dict(event.cards).get(rules.wild, 0)
                    for colour, number in event.cards:
                        if colour != rules.wild:
                            assert colour not in rows[event.seat]
                            rows[event.seat][colour] = [colour] * number + wilds
                case "RowRobbed":
                    assert rows[event.seat].pop(event.colour)
                case "SecondHalfStarted":
                    rows = [{} for _ in range(rules.seats)]
                    stacks = [Counter() for _ in range(rules.seats)]
        yards = state.parts[YARDS]
        assert [+Counter(dict(enumerate(stack))) for stack in yards.stacks] == stacks
        for seat in range(rules.seats):
            for colour in range(rules.colours):
                row = rows[seat].get(colour, [])
                assert yards.rows[seat][colour] == row.count(colour)
                assert yards.wilds[seat][colour] == row.count(rules.wild)
