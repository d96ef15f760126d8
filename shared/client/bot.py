"""What a bot is: something that chooses among the legal moves from the view of its own seat.

    class First(Bot):
        name = "first"
        about = "Always makes the first legal move."

        def choose(self, question: Question) -> Move:
            return question.legal_moves[0]
"""

from __future__ import annotations

import hashlib
from typing import Any

from shared.catalog import rules_for
from shared.contracts.notes import MOST_BYTES
from shared.kernel import Chance, Decision, FastChance, Malformed, Move, Rules, View, move_from_plain, state_from_plain

SECONDS = 1.0

Json = dict[str, Any]


class Question:
    """One open decision as its seat sees it.

    rules        the rule set of the game, compiled
    view         what the seat may see (VIEW-9)
    decision     what must be decided
    legal_moves  never empty; any other valid payment is as good an answer
    notes        what the bot kept at its last decision of this game; assign a text to keep it (at most 4 KB)
    chance       luck for the bot to use, the same whenever this decision of this game is asked
    seconds      the time that the bot may think
    """

    def __init__(
        self,
        rules: Rules,
        view: View,
        decision: Decision,
        legal_moves: list[Move],
        notes: str,
        chance: Chance,
        seconds: float = SECONDS,
    ) -> None:
        self.rules = rules
        self.view = view
        self.decision = decision
        self.legal_moves = legal_moves
        self.notes = notes
        self.chance = chance
        self.seconds = seconds

    @classmethod
    def from_plain(cls, asked: Json, seconds: float = SECONDS) -> Question:
        """The question of an open decision, as the API gives it to its own seat.

        Raises Malformed for a view that cannot be read or is not that of a seat which must decide.
        """
        plain = asked["view"]
        rules = rules_for(plain["ruleset"], seats=plain["seats"], options=plain["options"])
        view = state_from_plain(rules, plain)
        decision = view.decision(asked["decision"])
        if not isinstance(view, View) or decision is None or view.viewer != decision.seat:
            raise Malformed("/view", f"not the view of the seat that decision {asked['decision']} is open for")
        legal_moves = [move_from_plain(rules, move) for move in asked["legal_moves"]]
        luck = luck_for(asked["game"], decision)
        return cls(rules, view, decision, legal_moves, asked["notes"], luck, seconds)

    @property
    def seat(self) -> int:
        """The seat that must decide."""
        return self.decision.seat

    @property
    def notes(self) -> str:
        """The memory of the bot in this game."""
        return self._notes

    @notes.setter
    def notes(self, notes: str) -> None:
        """Raises ValueError for notes too long to be kept."""
        if (size := len(notes.encode())) > MOST_BYTES:
            raise ValueError(f"notes of {size} bytes: at most {MOST_BYTES} are kept")
        self._notes = notes


class Bot:
    """Base of all bots. One instance serves every game at once, so it keeps nothing: its memory are the notes."""

    name: str = ""
    about: str = ""

    def choose(self, question: Question) -> Move:
        """The move to answer the question with: a legal one. The question is the bot's own, to change as it likes.

        A question may be asked twice, and the first answer counts. The same question must get the same answer, unless
        time is what limits the bot's thinking: then the answers may differ.
        """
        raise NotImplementedError


def luck_for(game: str, decision: Decision) -> Chance:
    """Luck for a bot, the same whenever this decision of the game with this id is asked."""
    digest = hashlib.sha256(f"{game} {decision.id}".encode()).digest()
    return FastChance(int.from_bytes(digest[:8], "big"))
