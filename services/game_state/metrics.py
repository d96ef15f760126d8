"""Figures of the games themselves, beside the web layer's figures of requests."""

from __future__ import annotations

from prometheus_client import Counter, Gauge

COMMITS = Counter("whistlestop_commits_total", "Commits appended, by what they are.", ["kind"])
OVERTAKEN_COMMITS = Counter(
    "whistlestop_overtaken_commits_total", "Commits decided but not appended: another was first.", ["kind"]
)
REFUSED_MOVES = Counter("whistlestop_refused_moves_total", "Moves refused, by the rule they broke.", ["rule"])
REPAIRED_GAMES = Counter("whistlestop_repaired_games_total", "Games whose caches differed from their log.")
QUARANTINED_GAMES = Counter("whistlestop_quarantined_games_total", "Games taken out of service for a corrupt log.")
AGENDA_LAG = Gauge(
    "whistlestop_agenda_lag_seconds", "How long the oldest due entry of the agenda has waited.",
    multiprocess_mode="mostrecent",
)  # fmt: skip
LIVE_GAMES = Gauge(
    "whistlestop_live_games", "Games that have started and are not over.", multiprocess_mode="mostrecent"
)
