"""The bot that knows nothing but the rules."""

from __future__ import annotations

from shared.client import Bot, Question
from shared.kernel import Move


class RandomBot(Bot):
    """Any legal move is as good as another."""

    name = "random"
    about = "Chooses among the legal moves, each as likely as the others."

    def choose(self, question: Question) -> Move:
        return question.legal_moves[question.chance.below(len(question.legal_moves))]
