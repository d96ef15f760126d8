"""Märklin's set-up: decks, trains, passengers, and the opening with announced splits (MK-1 to MK-5)."""

from __future__ import annotations

import pytest

from shared.catalog import rules_for
from shared.kernel import CARDS, PASSENGERS, TRACKS, FastChance, Malformed, Rules, State, new_game, view_for
from tests.unit.kernel.play import (
    answer,
    decision_of,
    listed_moves,
    maerklin,
    names,
    refusal,
    shown,
)

SPLITS = ["4short,0long", "3short,1long", "2short,2long", "1short,3long", "0short,4long"]


def started(seats: int = 2, first: int = 0, seed: int = 1) -> tuple[Rules, State]:
    rules = maerklin(seats, first_player=first)
    return rules, new_game(rules, FastChance(seed))[0]


def announce(rules: Rules, state: State, *splits: str) -> None:
    """The seats announce these splits, one after the other."""
    for number, split in enumerate(splits):
        answer(rules, state, f"AnnounceSplit {split}", FastChance(number))


def offer_of(rules: Rules, state: State, seat: int) -> list[str]:
    return shown(rules, state, "offers").split("/")[seat].split(",")


@pytest.mark.rule("BASE-1")
@pytest.mark.parametrize("seats", [1, 6])
def test_two_to_five_seats(seats: int) -> None:
    with pytest.raises(Malformed, match="2 to 5"):
        rules_for("maerklin", seats)
    assert [maerklin(number).seats for number in (2, 5)] == [2, 5]


@pytest.mark.rule("BASE-2")
@pytest.mark.rule("MK-2")
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_45_trains_and_3_passengers_each(seats: int) -> None:
    rules, state = started(seats)
    assert state.parts[TRACKS].trains == [45] * seats
    assert state.parts[PASSENGERS].reserve == [3] * seats
    assert state.points == [0] * seats


@pytest.mark.rule("MK-1")
@pytest.mark.rule("BASE-3")
def test_d20_118_cards() -> None:
    rules, state = started(5)
    counts = dict(zip(rules.kinds, rules.deck_counts, strict=True))
    colours = ("purple", "blue", "orange", "white", "green", "yellow", "black", "red")
    assert counts == {**dict.fromkeys(colours, 11), "locomotive": 14, "plus_four": 6, "passenger": 10}
    cards = state.parts[CARDS]
    assert sum(cards.sizes) + cards.deck_size + cards.discard_size + len(cards.display) == 118
    assert cards.sizes == [4] * 5


@pytest.mark.rule("MK-3")
def test_all_74_tokens_lie_in_their_cities() -> None:
    rules, state = started()
    stacks = state.parts[PASSENGERS].plain(rules)["stacks"]
    assert sum(len(stack) for stack in stacks.values()) == 74
    some = [stacks[city] for city in ("berlin", "koeln", "bremen", "ulm")]
    assert some == [[7, 6, 5, 4], [4, 3, 2], [3, 2, 1], [2]]
    assert "schweiz" not in stacks


@pytest.mark.rule("MK-4")
def test_two_decks_of_23() -> None:
    rules, state = started()
    assert state.parts[2].plain(rules)["deck_size"] == {"short": 23, "long": 23}


@pytest.mark.rule("MK-5")
def test_splits_are_announced_in_turn_order_and_all_draw_before_anyone_chooses() -> None:
    rules, state = started(3, first=1)
    asked = []
    for number in range(3):
        decision = decision_of(state)
        asked.append((decision.seat, decision.name))
        events = answer(rules, state, "AnnounceSplit 1short,3long", FastChance(number))
        assert names(events)[0] == "TicketsOffered"
    assert asked == [(1, "announce_split"), (2, "announce_split"), (0, "announce_split")]
    assert [(d.seat, d.name) for d in state.decisions] == [(seat, "opening_tickets") for seat in range(3)]
    assert state.turn == 1


@pytest.mark.rule("MK-5")
@pytest.mark.parametrize("split", SPLITS)
def test_any_split_of_four_is_drawn_as_announced(split: str) -> None:
    rules, state = started()
    assert listed_moves(rules, state) == [f"AnnounceSplit {each}" for each in SPLITS]
    announce(rules, state, split)
    kinds = [rules.board.ticket_kinds[rules.board.ticket_of[ticket]] for ticket in offer_of(rules, state, 0)]
    assert f"{kinds.count('short')}short,{kinds.count('long')}long" == split


@pytest.mark.rule("MK-5")
@pytest.mark.parametrize(("split", "came"), [("2short,1long", 3), ("3short,2long", 5), ("0short,0long", 0)])
def test_any_other_number_is_refused(split: str, came: int) -> None:
    rules, state = started()
    data = {"needed": 4, "came": came}
    assert refusal(rules, state, f"AnnounceSplit {split}") == ("wrong_split_size", "MK-5", data)


@pytest.mark.rule("MK-5")
@pytest.mark.parametrize("move", ["DrawFromDeck", "KeepTickets bremen-duesseldorf,muenchen-stuttgart", "Pass"])
def test_nothing_but_a_split_comes_first(move: str) -> None:
    rules, state = started()
    data = {"decision": "announce_split", "move": move.split()[0]}
    assert refusal(rules, state, move) == ("split_due", "MK-5", data)


@pytest.mark.rule("MK-5")
def test_a_split_is_not_announced_again_while_tickets_are_chosen() -> None:
    rules, state = started()
    announce(rules, state, "2short,2long", "2short,2long")
    code, rule, _ = refusal(rules, state, "AnnounceSplit 2short,2long", seat=0)
    assert (code, rule) == ("tickets_due", "BASE-5")


@pytest.mark.rule("MK-5")
def test_at_least_two_are_kept() -> None:
    rules, state = started()
    announce(rules, state, "2short,2long", "4short,0long")
    offer = offer_of(rules, state, 1)
    refused = refusal(rules, state, f"KeepTickets {offer[0]}", seat=1)
    assert refused == ("too_few_tickets_kept", "MK-5", {"needed": 2, "came": 1})
    answer(rules, state, f"KeepTickets {','.join(offer[:2])}", seat=1)
    assert [decision.seat for decision in state.decisions] == [0]


@pytest.mark.rule("MK-5")
def test_what_is_not_kept_is_shuffled_back_into_its_deck() -> None:
    rules, state = started()
    announce(rules, state, "3short,1long", "0short,4long")
    first, second = offer_of(rules, state, 0), offer_of(rules, state, 1)
    answer(rules, state, f"KeepTickets {first[0]},{first[1]}", seat=0)
    assert "TicketsShuffledIn" in names(answer(rules, state, f"KeepTickets {','.join(second[:3])}", seat=1))
    tickets = state.parts[2].plain(rules)
    assert tickets["deck_size"] == {"short": 21, "long": 20}
    layers = {layer["deck"]: layer for layer in tickets["deck"]}
    assert len(tickets["deck"]) == 2, "each deck is one layer: any of its tickets may come up next"
    assert first[2] in layers["short"]["tickets"]
    assert {first[3], second[3]} < set(layers["long"]["tickets"])
    assert layers["short"]["known"] == [[first[2]], []]
    assert layers["long"]["known"] == [[first[3]], [second[3]]]
    assert decision_of(state).name == "turn"


@pytest.mark.rule("MK-5")
def test_keeping_all_leaves_the_decks_as_they_are() -> None:
    rules, state = started()
    announce(rules, state, "2short,2long", "2short,2long")
    answer(rules, state, f"KeepTickets {','.join(offer_of(rules, state, 0))}", seat=0)
    events = answer(rules, state, f"KeepTickets {','.join(offer_of(rules, state, 1))}", seat=1)
    assert names(events) == ["TicketsChosen", "TicketsKept", "TicketsKept", "TurnStarted"]
    assert shown(rules, state, "tickets").count(",") == 6


@pytest.mark.rule("VIEW-5")
@pytest.mark.rule("MK-5")
def test_an_announced_split_is_public_and_what_was_drawn_is_not() -> None:
    rules, state = started()
    announce(rules, state, "3short,1long")
    for viewer in (1, None):
        assert shown(rules, view_for(rules, state, viewer), "offers") == "?3short,?1long/-"
    assert shown(rules, view_for(rules, state, 0), "offers") == shown(rules, state, "offers")
