"""A bot to begin with: copy this file, give the bot a name of its own and better ideas.

    python -m shared.client bot create my_bot.py     with the key of a platform: makes the bot, prints its token
    python -m shared.client bot run my_bot.py        with that token: plays wherever the bot holds a seat
    make arena BOTS=my_bot.py,greedy                 plays here, without any stack
"""

from __future__ import annotations

from shared.client import Bot, Question, run
from shared.kernel import ClaimTrack, DrawTickets, Move


class Template(Bot):
    """It claims the longest track that it can pay for. It draws cards until then, and no tickets if it can help it."""

    name = "template"
    about = "Claims the longest track it can, else draws cards."

    def choose(self, question: Question) -> Move:
        """Gives one of `question.legal_moves`; shared/client/bot.py tells what else there is to know."""
        lengths = question.rules.board.lengths
        claims = [move for move in question.legal_moves if isinstance(move, ClaimTrack)]
        if claims:
            return max(claims, key=lambda claim: lengths[claim.track])
        others = [move for move in question.legal_moves if not isinstance(move, DrawTickets)]
        return others[question.chance.below(len(others))] if others else question.legal_moves[0]


if __name__ == "__main__":
    run(Template())
