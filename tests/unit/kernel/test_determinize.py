"""Possible worlds: exact chances on small positions, found by following every outcome."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction

import pytest

from shared.kernel import CARDS, TICKETS, FastChance, State, View, bits, determinize, print_position, view_for
from tests.unit.kernel.play import ALL_CARDS, ALL_TICKETS, played_log, position, usa


class Branching:
    """Follows a script and then takes the first outcome, keeping what could have come."""

    def __init__(self, script: tuple[int, ...]) -> None:
        self.script: tuple[int, ...] = script
        self.sizes: list[int] = []

    def below(self, n: int) -> int:
        place = len(self.sizes)
        self.sizes.append(n)
        return self.script[place] if place < len(self.script) else 0


def chances(view: View, fact: Callable[[State], str]) -> dict[str, Fraction]:
    """The exact chance of each fact over all outcomes."""
    found: Counter[str] = Counter()
    scripts: list[tuple[int, ...]] = [()]
    while scripts:
        script = scripts.pop()
        chance = Branching(script)
        world = determinize(usa(view.seats), view, chance)
        weight = Fraction(1)
        for n in chance.sizes:
            weight /= n
        found[fact(world)] += weight  # type: ignore[assignment]
        padded = script + (0,) * (len(chance.sizes) - len(script))
        for place in range(len(script), len(chance.sizes)):
            scripts += [(*padded[:place], other) for other in range(1, chance.sizes[place])]
    assert sum(found.values()) == 1
    return dict(found)  # type: ignore[arg-type]


def test_it_takes_a_view_and_nothing_else() -> None:
    rules = usa(2)
    with pytest.raises(TypeError, match="(?i)view"):
        determinize(rules, position(rules), FastChance(1))  # type: ignore[arg-type]


def test_an_unknown_card_is_any_of_the_unseen_ones() -> None:
    # two red cards, a blue one and a locomotive are unseen: three in the deck and one in the hand of seat 1
    view = position(usa(2), f"viewer=0 hands=P12B11O12W12G12Y12K12R10L13/?1 tickets={ALL_TICKETS}/-")
    assert isinstance(view, View)
    assert view.parts[CARDS].deck_size == 3
    letters = "PBOWGYKRL"
    hands = chances(view, lambda world: letters[world.parts[CARDS].hands[1].index(1)])
    assert hands == {"R": Fraction(1, 2), "B": Fraction(1, 4), "L": Fraction(1, 4)}


def test_publicly_known_cards_stay_in_the_hand() -> None:
    view = position(usa(2), f"viewer=0 hands=P12B11O12W12G12Y12K12R9L13/R1?1 known=-/R1 tickets={ALL_TICKETS}/-")
    hands = chances(view, lambda world: str(world.parts[CARDS].hands[1]))
    assert hands == {
        "[0, 0, 0, 0, 0, 0, 0, 2, 0]": Fraction(1, 2),
        "[0, 1, 0, 0, 0, 0, 0, 1, 0]": Fraction(1, 4),
        "[0, 0, 0, 0, 0, 0, 0, 1, 1]": Fraction(1, 4),
    }


def but(*tickets: str) -> str:
    """All cards and all tickets but these, in the hand of seat 0."""
    held = ",".join(ticket for ticket in ALL_TICKETS.split(",") if ticket not in tickets)
    return f"viewer=0 hands={ALL_CARDS}/- tickets={held}"


def left_in_deck(world: State) -> str:
    names = usa(world.seats).board.tickets
    return " ".join(names[ticket] for layer in world.parts[TICKETS].layers for ticket in bits(layer.tickets))


def test_a_ticket_drawn_from_a_layer_is_not_put_back_there() -> None:
    """Seat 0 put boston-miami under the deck, seat 1 another; seat 1 has drawn one of the two. It once came out as
    two in three that boston-miami is left: where it was found gone, it could be dealt back."""
    held = but("boston-miami", "denver-el_paso", "duluth-houston")
    view = position(usa(2), f"{held}/?2 ticket_deck=?1:boston-miami/-:2/1")
    assert isinstance(view, View)
    assert chances(view, left_in_deck) == {
        "boston-miami": Fraction(1, 2),
        "denver-el_paso": Fraction(1, 4),
        "duluth-houston": Fraction(1, 4),
    }


def test_a_ticket_put_under_the_deck_by_its_seat_stays_there_until_somebody_draws() -> None:
    held = but("boston-miami", "denver-el_paso", "duluth-houston")
    view = position(usa(2), f"{held}/?1 ticket_deck=?1:boston-miami/-:1/1|?1:-/-:1/1")
    assert isinstance(view, View)
    assert chances(view, left_in_deck) == {
        "boston-miami denver-el_paso": Fraction(1, 2),
        "boston-miami duluth-houston": Fraction(1, 2),
    }


def test_two_known_tickets_of_a_layer_leave_it_with_equal_chance() -> None:
    held = but("boston-miami", "denver-el_paso", "duluth-houston")
    view = position(usa(2), f"{held}/?1 ticket_deck=?2:boston-miami,denver-el_paso/-:3/2")
    assert isinstance(view, View)
    assert chances(view, left_in_deck) == {
        "boston-miami denver-el_paso": Fraction(1, 3),
        "boston-miami duluth-houston": Fraction(1, 3),
        "denver-el_paso duluth-houston": Fraction(1, 3),
    }


def test_a_spectator_knows_no_ticket() -> None:
    view = position(usa(2), "viewer=spectator tickets=?27/?2 ticket_deck=?1:-/-:2/1")
    assert isinstance(view, View)
    world = determinize(usa(2), view, FastChance(3))
    assert world.parts[TICKETS].hands[0].bit_count() == 27


def test_a_hidden_opening_choice_is_one_that_could_have_been_made() -> None:
    rules = usa(2)
    offers = "boston-miami,denver-el_paso,duluth-houston/?3"
    view = position(rules, f"viewer=0 offers={offers} chosen=-/? ask=1.0:opening_tickets")
    assert isinstance(view, View)
    sizes = set()
    for seed in range(20):
        tickets = determinize(rules, view, FastChance(seed)).parts[TICKETS]
        assert set(bits(tickets.chosen[1])) <= set(tickets.offers[1])
        sizes.add(tickets.chosen[1].bit_count())
    assert sizes == {2, 3}


@pytest.mark.parametrize("seats", [2, 4])
def test_a_world_looks_to_the_viewer_as_before(seats: int) -> None:
    rules = usa(seats)
    for moves in (0, 1, 30, 80, 150):
        state, _ = played_log(rules, seed=moves, moves=moves)
        for viewer in (0, seats - 1, None):
            view = view_for(rules, state, viewer)
            world = determinize(rules, view, FastChance(moves))
            assert print_position(rules, view_for(rules, world, viewer)) == print_position(rules, view)
