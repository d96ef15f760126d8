"""Every queue, task and published feed by name: the only place where these words are written."""

from __future__ import annotations

AI_INTERACTIVE = "ai.interactive"
AI_FALLBACK = "ai.fallback"
AI_BATCH = "ai.batch"
SCORING_COMMITS = "scoring.commits"
MAINTENANCE = "maintenance"
ARENA = "arena"

AI_ANSWER = "ai.answer"
AI_ANSWER_FALLBACK = "ai.answer_fallback"
SCORING_PROJECT = "scoring.project"
SCORING_RECORD_RESULT = "scoring.record_result"
MAINTENANCE_START_GAME = "maintenance.start_game"
MAINTENANCE_FORCE_ANSWER = "maintenance.force_answer"
MAINTENANCE_AUDIT = "maintenance.audit"
ARENA_PLAY = "arena.play"

QUEUE_OF = {
    AI_ANSWER: AI_INTERACTIVE,
    AI_ANSWER_FALLBACK: AI_FALLBACK,
    SCORING_PROJECT: SCORING_COMMITS,
    SCORING_RECORD_RESULT: SCORING_COMMITS,
    MAINTENANCE_START_GAME: MAINTENANCE,
    MAINTENANCE_FORCE_ANSWER: MAINTENANCE,
    MAINTENANCE_AUDIT: MAINTENANCE,
    ARENA_PLAY: ARENA,
}
"""The queue each task is sent to unless the sender names another."""

FOR_NOBODY = frozenset((AI_BATCH, ARENA))
"""The queues for whose tasks nobody waits: a worker takes from them only while its other queues are empty."""

SHARDS = 16
"""Games are spread over this many shards, by crc32 of the game id; fixed for ever."""

WAKE_CHANNEL = "gs:wake"
"""Pub/sub channel of game-state; a message is the number of a shard whose agenda has new work."""


def feed_of(shard: int) -> str:
    """Gives the key of a shard's feed: a stream of (game, version, external bots that have got work).

    It is the one key of game-state that others may read.
    """
    return f"gs:{{s{shard:02d}}}:feed"
