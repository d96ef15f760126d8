from __future__ import annotations

from tests.game_state import gs, rules_url

__all__ = ["gs", "rules_url"]
