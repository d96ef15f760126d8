"""Set-up of Old West: seats, trains, tickets and starting cities (BASE-1 to BASE-5, OW-3 to OW-5)."""

from __future__ import annotations

from typing import Any

import pytest

from shared.kernel import FastChance, Malformed, Rules, State, default_move, new_game, print_move, view_for
from tests.unit.kernel.play import answer, count, decision_of, listed_moves, names, old_west, refusal, shown

CITIES = ["denver", "seattle", "phoenix", "boise", "helena", "fresno"]


def tickets_kept(rules: Rules, keep: int = 3, seed: int = 1) -> State:
    """A new game in which every seat has kept the first of its tickets."""
    state, _ = new_game(rules, FastChance(seed))
    for seat in range(rules.seats):
        offer = shown(rules, state, "offers").split("/")[seat].split(",")
        answer(rules, state, f"KeepTickets {','.join(offer[:keep])}", seat=seat)
    return state


@pytest.mark.rule("BASE-1")
@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_o11_two_to_six_seats(seats: int) -> None:
    assert new_game(old_west(seats), FastChance(1))[0].seats == seats


@pytest.mark.rule("BASE-1")
@pytest.mark.parametrize("seats", [0, 1, 7, -1, 10])
def test_o11_no_other_number(seats: int) -> None:
    with pytest.raises(Malformed, match="BASE-1") as error:
        old_west(seats)
    assert error.value.pointer == "/seats"


@pytest.mark.rule("BASE-2")
def test_o15_forty_trains_each() -> None:
    rules = old_west(6)
    assert shown(rules, new_game(rules, FastChance(1))[0], "trains") == "/".join(["40"] * 6)


@pytest.mark.rule("BASE-3")
@pytest.mark.rule("BASE-4")
def test_hands_then_the_display_then_tickets() -> None:
    rules = old_west(6)
    for seed in range(100):  # a deal without a reset of the display
        state, events = new_game(rules, FastChance(seed))
        if not count(events, "DisplayReset"):
            break
    assert names(events) == (
        ["FirstSeatChosen"]
        + ["CardDrawn"] * 24
        + ["CardTurnedUp"] * 5
        + ["TicketsOffered"] * 6
        + ["DecisionOpened"] * 6
    )
    assert state.parts[0].deck_size == 110 - 24 - 5
    assert {decision.name for decision in state.decisions} == {"opening_tickets"}


@pytest.mark.rule("OW-4")
@pytest.mark.rule("BASE-5")
def test_t01_five_tickets_are_dealt_and_three_kept_at_least() -> None:
    rules = old_west(3)
    state, _ = new_game(rules, FastChance(1))
    offers = [part.split(",") for part in shown(rules, state, "offers").split("/")]
    assert [len(offer) for offer in offers] == [5, 5, 5]
    assert len(listed_moves(rules, state, 0)) == 10 + 5 + 1
    two, three = ",".join(offers[0][:2]), ",".join(offers[0][:3])
    assert refusal(rules, state, f"KeepTickets {two}", 0) == ("too_few_tickets_kept", "OW-4", {"needed": 3, "came": 2})
    answer(rules, state, f"KeepTickets {three}", seat=0)
    answer(rules, state, f"KeepTickets {','.join(offers[1])}", seat=1)
    assert state.parts[2].deck_sizes == [35]


@pytest.mark.rule("OW-4")
@pytest.mark.rule("BASE-5")
def test_o16_t06_t08_tickets_go_under_the_deck_shuffled_together_once_all_have_chosen() -> None:
    """O-16, T-06, T-08: nothing happens before the last choice, and then the starting cities come, not a turn."""
    rules = old_west(2, first_player=0)
    state, _ = new_game(rules, FastChance(1))
    offers = [part.split(",") for part in shown(rules, state, "offers").split("/")]
    before = [layer.tickets for layer in state.parts[2].layers]
    events = answer(rules, state, f"KeepTickets {','.join(offers[1][:3])}", seat=1)
    assert names(events) == ["TicketsChosen"]
    assert [layer.tickets for layer in state.parts[2].layers] == before
    events = answer(rules, state, f"KeepTickets {','.join(offers[0][:4])}", seat=0)
    assert names(events) == ["TicketsChosen", "TicketsKept", "TicketsKept", "TicketsShuffledUnder", "DecisionOpened"]
    layers = state.parts[2].layers
    assert layers[0].tickets == before[0]
    assert {rules.board.tickets[ticket] for ticket in range(50) if layers[1].tickets >> ticket & 1} == {
        offers[0][4], *offers[1][3:],
    }  # fmt: skip
    assert [(d.seat, d.name) for d in state.decisions] == [(1, "starting_city")]


@pytest.mark.rule("OW-5")
@pytest.mark.parametrize(
    ("seats", "first", "order"),
    [(2, 0, [1, 0]), (2, 1, [0, 1]), (3, 1, [0, 2, 1]), (6, 2, [1, 0, 5, 4, 3, 2])],
)
def test_o01_starting_cities_go_backwards_from_the_last_seat_to_the_first(
    seats: int, first: int, order: list[int]
) -> None:
    rules = old_west(seats, first_player=first)
    state = tickets_kept(rules)
    for seat in order:
        assert [(d.seat, d.name) for d in state.decisions] == [(seat, "starting_city")]
        events = answer(rules, state, f"ChooseStartingCity {CITIES[seat]}")
    assert names(events) == ["StartingCityChosen", "TurnStarted"]
    assert [(d.seat, d.name) for d in state.decisions] == [(first, "turn")]
    assert shown(rules, state, "starts") == "/".join(CITIES[:seats])


@pytest.mark.rule("OW-5")
def test_o01_not_a_city_that_has_a_marker() -> None:
    rules = old_west(2, first_player=0)
    state = tickets_kept(rules)
    assert len(listed_moves(rules, state)) == 40
    answer(rules, state, "ChooseStartingCity denver")
    expected = ("city_marked", "OW-5", {"city": "denver", "owner": 1})
    assert refusal(rules, state, "ChooseStartingCity denver") == expected
    assert len(listed_moves(rules, state)) == 39


@pytest.mark.rule("OW-5")
@pytest.mark.rule("OPT-3")
def test_o01_o10_roswell_is_closed_with_alvin_only() -> None:
    rules = old_west(2)
    state = tickets_kept(rules)
    assert refusal(rules, state, "ChooseStartingCity roswell") == ("city_closed", "OW-5", {"city": "roswell"})
    rules = old_west(2, alvin=False)
    state = tickets_kept(rules)
    assert len(listed_moves(rules, state)) == 41
    answer(rules, state, "ChooseStartingCity roswell")
    assert shown(rules, state, "starts").count("roswell") == 1


@pytest.mark.rule("OW-5")
@pytest.mark.parametrize("move", ["DrawFromDeck", "Decline", "Pass", "DrawTickets", "MoveAlvin denver"])
def test_nothing_else_answers_before_the_starting_cities_are_chosen(move: str) -> None:
    rules = old_west(2)
    state = tickets_kept(rules)
    data = {"decision": "starting_city", "move": move.split()[0]}
    assert refusal(rules, state, move) == ("starting_city_due", "OW-5", data)
    assert refusal(rules, state, "PlaceMarker denver L2")[:2] == ("starting_city_due", "OW-5")


@pytest.mark.rule("OW-3")
@pytest.mark.rule("OW-5")
def test_the_starting_city_takes_one_of_three_markers() -> None:
    rules = old_west(2, first_player=0)
    state = tickets_kept(rules)
    assert [state.parts[3].left(seat) for seat in (0, 1)] == [3, 3]
    answer(rules, state, "ChooseStartingCity denver")
    assert [state.parts[3].left(seat) for seat in (0, 1)] == [3, 2]


@pytest.mark.rule("VIEW-6")
def test_starting_cities_are_public_as_soon_as_each_is_placed() -> None:
    rules = old_west(3, first_player=0)
    state = tickets_kept(rules)
    events = answer(rules, state, "ChooseStartingCity denver")
    for viewer in (None, 0, 1):
        assert shown(rules, view_for(rules, state, viewer), "starts") == "-/-/denver"
        assert [event.seen_by(rules, state, -1 if viewer is None else viewer) for event in events] == events


@pytest.mark.rule("VIEW-12")
def test_a_starting_city_takes_no_luck_and_leaves_hands_alone() -> None:
    rules = old_west(2, first_player=0)
    state = tickets_kept(rules)
    before = shown(rules, state, "hands")
    answer(rules, state, "ChooseStartingCity denver")
    assert shown(rules, state, "hands") == before


@pytest.mark.rule("BASE-44")
@pytest.mark.rule("OW-5")
def test_by_default_the_first_free_city_of_the_board() -> None:
    rules = old_west(2, first_player=0)
    state = tickets_kept(rules)
    for city in ("albuquerque", "ashland"):
        assert print_move(rules, default_move(rules, state, decision_of(state))) == f"ChooseStartingCity {city}"
        answer(rules, state, f"ChooseStartingCity {city}")


@pytest.mark.rule("OPT-1")
@pytest.mark.rule("OPT-3")
def test_options_and_their_defaults() -> None:
    assert old_west(2).options == {"first_player": "random", "alvin": True}


@pytest.mark.rule("OPT-3")
@pytest.mark.rule("OPT-5")
@pytest.mark.parametrize("value", [0, 1, "on", "true", None, [], {}])
def test_alvin_is_a_flag_and_nothing_else(value: Any) -> None:
    with pytest.raises(Malformed) as error:
        old_west(2, alvin=value)
    assert error.value.pointer == "/options/alvin"


@pytest.mark.rule("OPT-5")
@pytest.mark.parametrize("option", ["novice", "seed", "Alvin"])
def test_an_option_of_another_game_is_refused(option: str) -> None:
    with pytest.raises(Malformed, match="OPT-5") as error:
        old_west(2, **{option: True})
    assert error.value.pointer == f"/options/{option}"
