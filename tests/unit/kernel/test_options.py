"""Options (OPT-1 to OPT-3, OPT-5): what USA has, and that everything else is refused."""

from __future__ import annotations

from typing import Any

import pytest

from shared.kernel import Chance, FastChance, Malformed, new_game, score
from tests.unit.kernel.play import ScriptedChance, opened_game, played_log, position, usa


class FirstOnly:
    """A scripted first seat, then luck of no interest."""

    def __init__(self, first: int) -> None:
        self.first: list[int] = [first]
        self.others: Chance = FastChance(1)

    def below(self, n: int) -> int:
        return self.first.pop() if self.first else self.others.below(n)


@pytest.mark.rule("OPT-1")
@pytest.mark.parametrize("first", [0, 1, 2])
def test_the_first_seat_is_random_by_default(first: int) -> None:
    rules = usa(3)
    assert rules.options == {"first_player": "random"}
    state, events = new_game(rules, FirstOnly(first))
    assert state.turn == first
    assert events[0].plain(rules, "event") == {"event": "FirstSeatChosen", "seat": first}


@pytest.mark.rule("OPT-1")
@pytest.mark.parametrize("first", [0, 1, 2])
def test_the_host_may_choose_it(first: int) -> None:
    rules = usa(3, first_player=first)
    for seed in range(3):
        state = opened_game(rules, seed)
        assert (state.turn, state.decisions[0].seat) == (first, first)


@pytest.mark.rule("OPT-1")
def test_a_chosen_first_seat_takes_no_luck() -> None:
    chance = ScriptedChance()
    with pytest.raises(AssertionError, match="one of 110"):  # the first card is the first draw
        new_game(usa(2, first_player=1), chance)


@pytest.mark.rule("OPT-1")
@pytest.mark.parametrize("value", [3, -1, True, False, 1.0, "0", "youngest", "", None, [], {}])
def test_another_value_is_refused(value: Any) -> None:
    with pytest.raises(Malformed) as error:
        usa(3, first_player=value)
    assert error.value.pointer == "/options/first_player"


@pytest.mark.rule("OPT-2")
@pytest.mark.rule("OPT-3")
@pytest.mark.rule("OPT-5")
@pytest.mark.parametrize("option", ["novice", "alvin", "seed", "First_player", "", "mega"])
@pytest.mark.parametrize("value", [True, False])
def test_an_option_that_usa_has_not_is_refused(option: str, value: bool) -> None:
    """`novice` and `alvin` are options of other games, `seed` is no option of a rule set: also where it says off."""
    with pytest.raises(Malformed, match="OPT-5") as error:
        usa(2, **{option: value})
    assert error.value.pointer == f"/options/{option}"


@pytest.mark.rule("OPT-3")
def test_no_alvin_scores_here() -> None:
    rules = usa(2)
    state, _ = played_log(rules, seed=1)
    reasons = {line.reason for seat in score(rules, state).lines for line in seat}
    assert reasons <= {"track", "ticket", "longest_path"}


@pytest.mark.rule("OPT-2")
def test_no_stack_is_hidden_from_its_owner_here() -> None:
    """What `novice` would show does not exist: a seat's own cards are all in its hand."""
    rules = usa(2)
    state = position(rules, "hands=R3/B2")
    assert set(state.parts[0].plain(rules)) == {
        "hands", "known", "sizes", "deck", "deck_size", "discard", "display", "resets",
    }  # fmt: skip
