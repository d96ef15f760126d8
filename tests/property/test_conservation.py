"""Nothing is ever lost or made up, after every commit; and the ledger that says so misses nothing."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from shared.catalog import rules_for
from shared.kernel import (
    ALVIN,
    CARDS,
    MARKERS,
    NOBODY,
    PASSENGERS,
    TICKETS,
    TRACKS,
    YARDS,
    Rules,
    State,
)
from tests.conservation import BOOKS, Ledger
from tests.kernel_games import ALL_RULES, Game, play
from tests.property.games import for_every_game

Tamper = Callable[[State], None]


@for_every_game()
def test_nothing_is_lost_or_made_up(rules: Rules, seed: int) -> None:
    game, ledger = play(rules, seed), Ledger(rules)
    for commit, state in zip(game.commits, game.states, strict=True):
        assert ledger.follow(commit, state) == [], commit.version


def test_every_part_of_a_state_has_its_book() -> None:
    kept = {slot for rules in ALL_RULES for slot, holder in enumerate(rules.holders) if holder is not None}
    assert set(BOOKS) == kept


def lose_a_card(state: State) -> None:
    cards = state.parts[CARDS]
    cards.discard[0] -= 1
    cards.discard_size -= 1


def swap_a_card(state: State) -> None:
    hand = max(state.parts[CARDS].hands, key=sum)
    kind = hand.index(max(hand))
    hand[kind] -= 1
    hand[kind - 1] += 1


def miscount_a_hand(state: State) -> None:
    state.parts[CARDS].sizes[1] += 1


def miscount_the_deck(state: State) -> None:
    state.parts[CARDS].deck_size += 1


def miscount_the_discards(state: State) -> None:
    state.parts[CARDS].discard_size += 1


def borrow_a_card(state: State) -> None:
    mine, other = state.parts[CARDS].hands
    kind = mine.index(0)
    mine[kind] -= 1
    other[kind] += 1


def know_too_much(state: State) -> None:
    cards = state.parts[CARDS]
    cards.known[0] = [number + 1 for number in cards.hands[0]]


def lose_a_train(state: State) -> None:
    state.parts[TRACKS].trains[0] -= 1


def take_a_track(state: State) -> None:
    owners = state.parts[TRACKS].owners
    owners[owners.index(1)] = 0


def lose_a_ticket(state: State) -> None:
    tickets = state.parts[TICKETS]
    seat = next(seat for seat, hand in enumerate(tickets.hands) if hand)
    tickets.hands[seat] &= tickets.hands[seat] - 1


def double_a_ticket(state: State) -> None:
    tickets = state.parts[TICKETS]
    seat = next(seat for seat, hand in enumerate(tickets.hands) if hand)
    tickets.hands[seat - 1] |= tickets.hands[seat]


def miscount_tickets(state: State) -> None:
    state.parts[TICKETS].counts[0][0] += 1


def miscount_ticket_deck(state: State) -> None:
    state.parts[TICKETS].deck_sizes[0] += 1


def miscount_a_layer(state: State) -> None:
    layers = state.parts[TICKETS].layers
    next(iter(layers)).size += 1


def mix_ticket_decks(state: State) -> None:
    layers = state.parts[TICKETS].layers
    short, long = [next(layer for layer in layers if layer.deck == deck) for deck in (0, 1)]
    short.tickets, long.tickets = long.tickets, short.tickets


def move_a_marker(state: State) -> None:
    owners = state.parts[MARKERS].owners
    owners[owners.index(0)] = NOBODY
    owners[owners.index(NOBODY)] = 0


def move_a_start(state: State) -> None:
    state.parts[MARKERS].starts[0] = -1


def win_a_marker(state: State) -> None:
    state.parts[MARKERS].most += 1


def move_alvin(state: State) -> None:
    state.parts[ALVIN].city += 1


def lose_a_passenger(state: State) -> None:
    standing = state.parts[PASSENGERS].standing
    standing[next(city for city, seat in enumerate(standing) if seat != NOBODY)] = NOBODY


def win_a_passenger(state: State) -> None:
    state.parts[PASSENGERS].reserve[0] += 1


def take_a_token(state: State) -> None:
    takers = state.parts[PASSENGERS].takers
    city = next(city for city, seats in enumerate(takers) if seats)
    takers[city] = (*takers[city][:-1], 1 - takers[city][-1])


def miscount_a_top_token(state: State) -> None:
    tops = state.parts[PASSENGERS].tops
    tops[next(city for city, value in enumerate(tops) if value)] += 1


def lose_a_row_card(state: State) -> None:
    rows = next(rows for rows in state.parts[YARDS].rows if any(rows))
    rows[rows.index(max(rows))] -= 1


def lose_a_wild_of_a_row(state: State) -> None:
    wilds = next(wilds for wilds in state.parts[YARDS].wilds if any(wilds))
    wilds[wilds.index(max(wilds))] -= 1


def swap_a_stack(state: State) -> None:
    state.parts[YARDS].stacks.reverse()


def miscount_a_stack(state: State) -> None:
    state.parts[YARDS].sizes[0] += 1


def win_a_point(state: State) -> None:
    state.points[0] += 1


TAMPERED: list[tuple[str, Tamper, str]] = [
    ("usa", lose_a_card, "purple cards: "),
    ("usa", swap_a_card, " cards: "),
    ("usa", miscount_a_hand, "sizes of hands: "),
    ("usa", miscount_the_deck, "size of the deck: "),
    ("usa", miscount_the_discards, "size of the discard pile: "),
    ("usa", borrow_a_card, "cards fewer than none: "),
    ("usa", know_too_much, "known cards: "),
    ("usa", lose_a_train, "trains: "),
    ("usa", take_a_track, "owners of tracks: "),
    ("usa", lose_a_ticket, "places of tickets: "),
    ("usa", double_a_ticket, "places of tickets: "),
    ("maerklin", miscount_tickets, "tickets of hands: "),
    ("maerklin", miscount_ticket_deck, "sizes of ticket decks: "),
    ("maerklin", miscount_a_layer, "sizes of ticket layers: "),
    ("maerklin", mix_ticket_decks, "tickets in another deck: "),
    ("old_west", move_a_marker, "markers on the board: "),
    ("old_west", move_a_start, "starting cities: "),
    ("old_west", win_a_marker, "markers left: "),
    ("old_west", move_alvin, "Alvin's city: "),
    ("maerklin", lose_a_passenger, "passengers on the board: "),
    ("maerklin", lose_a_passenger, "passengers that moved: "),
    ("maerklin", win_a_passenger, "passengers in reserve: "),
    ("maerklin", take_a_token, "tokens of seats: "),
    ("maerklin", miscount_a_top_token, "top tokens: "),
    ("card_game", lose_a_row_card, "rows: "),
    ("card_game", lose_a_wild_of_a_row, "wilds on rows: "),
    ("card_game", swap_a_stack, "stacks: "),
    ("card_game", miscount_a_stack, "sizes of stacks: "),
    ("usa", win_a_point, "points: "),
]


def possible(tamper: Tamper, state: State) -> bool:
    """Whether there is in this position what is tampered with; the position stays as it is."""
    try:
        tamper(state.copy())
    except (StopIteration, ValueError):
        return False
    return True


@pytest.mark.parametrize(("name", "tamper", "named"), TAMPERED, ids=lambda value: getattr(value, "__name__", ""))
def test_a_tampered_position_is_found_out(name: str, tamper: Tamper, named: str) -> None:
    game: Game = play(rules_for(name, 2), 1)
    place = max(place for place, state in enumerate(game.states) if possible(tamper, state))
    ledger = Ledger(game.rules)
    for commit, state in zip(game.commits[:place], game.states, strict=False):
        assert ledger.follow(commit, state) == []
    tampered = game.states[place].copy()
    tamper(tampered)
    assert any(named in wrong for wrong in ledger.follow(game.commits[place], tampered))


def test_a_token_that_does_not_lie_on_top_is_found_out() -> None:
    game = play(rules_for("maerklin", 2), 1)
    ledger = Ledger(game.rules)
    for commit, state in zip(game.commits, game.states, strict=True):
        moved = [event for event in commit.events if type(event).__name__ == "PassengerMoved" and event.tokens]
        if moved:
            city, value = moved[0].tokens[0]
            moved[0].tokens = ((city, value + 1), *moved[0].tokens[1:])
            assert any("tokens taken: " in wrong for wrong in ledger.follow(commit, state))
            return
        assert ledger.follow(commit, state) == []
    raise AssertionError("nobody took a token")
