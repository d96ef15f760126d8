"""Figures of the games themselves, beside the web layer's figures of requests."""

from __future__ import annotations

from prometheus_client import Counter, Gauge, Histogram

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
WAITING_DECISIONS = Gauge(
    "whistlestop_waiting_decisions",
    "Open decisions by whom they wait for, bots or people, and the least age that holds theirs.",
    ["holder", "age"], multiprocess_mode="mostrecent",
)  # fmt: skip
ANSWER_SECONDS = Histogram(
    "whistlestop_answer_seconds",
    "How long decisions were open before they were answered, by bots, people or default.",
    ["by"], buckets=(0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 600, 3600, 86400),
)  # fmt: skip
