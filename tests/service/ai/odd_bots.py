"""Bots that fail, each in its own way, on some of their decisions; else they play like the random bot."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Callable

from services.ai.bots import BOTS
from shared.client import Bot, Question
from shared.kernel import Decline, Move

EVERY = 9
"""They fail at every ninth version."""


def throw(question: Question) -> Move:
    raise LookupError("lost its way")


def leave(question: Question) -> Move:
    raise RecursionError


class Speechless(Exception):
    """An error that cannot say what it is."""

    def __str__(self) -> str:
        raise LookupError("no words")


def throw_what_has_no_words(question: Question) -> Move:
    raise Speechless


def end_the_process(question: Question) -> Move:
    sys.exit(3)


def interrupt(question: Question) -> Move:
    raise KeyboardInterrupt


def break_a_rule(question: Question) -> Move:
    return Decline()


def give_no_move(question: Question) -> Move:
    return "the red one"  # type: ignore[return-value]


def write_too_much(question: Question) -> Move:
    question.notes = "x" * 5000
    return question.legal_moves[0]


def compute_for_ever(question: Question) -> Move:
    while True:
        with contextlib.suppress(Exception):
            sum(range(1000))


def wait_for_ever(question: Question) -> Move:
    while True:
        time.sleep(3600)


def eat_memory(question: Question) -> Move:
    eaten = []
    while True:
        eaten.append(bytearray(64 << 20))


class Odd(Bot):
    """Does what it is told at some of its decisions."""

    about = "Only in tests."

    def __init__(self, does: Callable[[Question], Move], every: int = EVERY) -> None:
        self.name = does.__name__
        self.does = does
        self.every = every

    def choose(self, question: Question) -> Move:
        if question.view.version % self.every == 0:
            return self.does(question)
        return BOTS["random"].choose(question)
