"""What a bot is: something that chooses among the legal moves from the view of its own seat."""

from __future__ import annotations

from shared.kernel import Chance, Decision, Move, Rules, View


class Bot:
    """Base of all bots. One instance serves every game at once, so it keeps nothing: its memory are the notes."""

    name: str = ""
    about: str = ""

    def choose(
        self, rules: Rules, view: View, decision: Decision, legal_moves: list[Move], notes: str, chance: Chance
    ) -> tuple[Move, str]:
        """The move to answer `decision` with, and the notes to keep with the game (at most 4 KB).

        `view` is what the decision's seat may see (VIEW-9); `legal_moves` is never empty. The same question with the
        same `chance` must give the same answer.
        """
        raise NotImplementedError
