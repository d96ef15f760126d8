"""The bot that knows nothing but the rules."""

from __future__ import annotations

from services.ai.bots.base import Bot
from shared.kernel import Chance, Decision, Move, Rules, View


class RandomBot(Bot):
    """Any legal move is as good as another."""

    name = "random"
    about = "Chooses among the legal moves, each as likely as the others."

    def choose(
        self, rules: Rules, view: View, decision: Decision, legal_moves: list[Move], notes: str, chance: Chance
    ) -> tuple[Move, str]:
        return legal_moves[chance.below(len(legal_moves))], notes
