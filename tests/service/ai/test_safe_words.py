"""What a bot's error says is logged, what it quotes is not."""

from __future__ import annotations

import re

import pytest

from services.ai.safe_words import LONGEST, safe_words
from shared.catalog import rules_for, ruleset, rulesets
from shared.kernel import KeyedChance, legal_moves, move_to_plain, new_game, print_position, state_to_plain, view_for
from tests.service.ai.odd_bots import Speechless

USA = rules_for("usa@1", 2)


@pytest.mark.parametrize(
    "error",
    [KeyError("stack"), IndexError("list index out of range"), ZeroDivisionError("division by zero"),
     AttributeError("'NoneType' object has no attribute 'tracks'"), ValueError("a move against the rules")],
    ids=repr,
)  # fmt: skip
def test_what_went_wrong_is_told(error: Exception) -> None:
    assert safe_words(error, USA) == f"{type(error).__name__}: {error}"


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ("3 is not in list", "# is not in list"),
        ("no red, no reds, no Black", "no #, no #, no #"),
        ("boston-miami", "#"),
        ("from New York to new_york", "from # # to #"),
        ("hand R3L1 or RRB", "hand # or #"),
        ("saving_blue_for_later", "#"),
        ("[0, 4, 0, 12]", "[#, #, #, #]"),
        ("{'locomotive': 2}", "{'#': #}"),
    ],
)
def test_what_it_quotes_is_not(said: str, words: str) -> None:
    assert safe_words(ValueError(said), USA) == f"ValueError: {words}"


@pytest.mark.parametrize("name", rulesets())
def test_no_position_and_no_move_can_be_read_from_the_words(name: str) -> None:
    rules = rules_for(name, ruleset(name)["seats"]["min"])
    left: set[str] = set()
    for key in (b"1" * 32, b"2" * 32):
        state, _ = new_game(rules, KeyedChance(key))
        view = view_for(rules, state, state.decisions[0].seat)
        moves = [move_to_plain(rules, move) for move in legal_moves(rules, view, state.decisions[0])]
        for quoted in (print_position(rules, view), state_to_plain(rules, view), moves):
            left |= set(re.findall(r"[\w-]+", safe_words(ValueError(str(quoted)[-LONGEST:]), rules)))
    assert left.isdisjoint([*rules.kinds, *rules.board.cities, *rules.board.tickets, *rules.board.tracks])
    assert not any(char.isdigit() for word in left for char in word)


def test_without_rules_or_words_the_kind_is_told() -> None:
    assert safe_words(KeyError("boston-miami"), None) == "KeyError"
    assert safe_words(AssertionError(), USA) == "AssertionError"


def test_an_error_that_cannot_say_what_it_is_goes_by_its_kind() -> None:
    assert safe_words(Speechless(), USA) == "Speechless"


def test_long_words_are_cut() -> None:
    assert safe_words(ValueError("x" * 5000), USA) == f"ValueError: {'x' * LONGEST}"
    assert safe_words(ValueError(f"{'x' * (LONGEST - 4)} boston"), USA).endswith("x #"), "half a name is a name"
