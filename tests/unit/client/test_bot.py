"""A question to a bot: the same whenever it is asked, from the API's answer or from parts."""

from __future__ import annotations

from typing import Any

import pytest

from shared.catalog import rules_for
from shared.client import Bot, Question
from shared.kernel import FastChance, Malformed, legal_moves, move_to_plain, new_game, state_to_plain, view_for

RULES = rules_for("usa@1", 2)


def asked(game: str = "g") -> dict[str, Any]:
    """What the API answers when seat 1 asks for its first decision."""
    state, _ = new_game(RULES, FastChance(4))
    decision = state.decision("1.1")
    moves = [move_to_plain(RULES, move) for move in legal_moves(RULES, state, decision)]
    view = state_to_plain(RULES, view_for(RULES, state, 1))
    return {"game": game, "decision": "1.1", "seat": 1, "view": view, "legal_moves": moves, "notes": "blue"}


def test_a_question_holds_what_the_api_says() -> None:
    plain = asked()
    question = Question.from_plain(plain)
    assert (question.rules.id, question.rules.seats, question.rules.options) == ("usa@1", 2, RULES.options)
    assert (question.seat, question.decision.id, question.notes) == (1, "1.1", "blue")
    assert state_to_plain(RULES, question.view) == plain["view"]
    assert [move_to_plain(RULES, move) for move in question.legal_moves] == plain["legal_moves"]
    assert (question.seconds, Question.from_plain(plain, seconds=0.2).seconds) == (1.0, 0.2)


def test_its_luck_is_the_same_for_the_same_decision_of_the_same_game_only() -> None:
    def luck(game: str) -> list[int]:
        chance = Question.from_plain(asked(game)).chance
        return [chance.below(1000) for _ in range(5)]

    assert luck("g") == luck("g") != luck("h")


def test_a_view_of_somebody_else_is_no_question() -> None:
    for decision in ("1.0", "7.1"):
        with pytest.raises(Malformed, match=f"the seat that decision {decision} is open for"):
            Question.from_plain({**asked(), "decision": decision})


def test_notes_that_cannot_be_kept_are_refused_where_they_are_assigned() -> None:
    question = Question.from_plain(asked())
    question.notes = "ü" * 2048
    with pytest.raises(ValueError, match="4098 bytes: at most 4096"):
        question.notes += "xx"
    assert question.notes == "ü" * 2048


def test_a_bot_that_chooses_nothing_says_so() -> None:
    with pytest.raises(NotImplementedError):
        Bot().choose(Question.from_plain(asked()))
