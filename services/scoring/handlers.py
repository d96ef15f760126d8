"""Use cases of scoring: read a game's new commits, record its result, show its scores. All may run twice at once."""

from __future__ import annotations

import logging
import time
from datetime import datetime
from typing import Any

from prometheus_client import Counter, Histogram

from services.scoring.adapters import Adapters
from services.scoring.projection import Projection
from shared.catalog import rules_for
from shared.kernel import (
    RecountError,
    View,
    commit_from_plain,
    empty_state,
    fold,
    fold_log,
    running_score,
    score,
    view_for,
)

log = logging.getLogger(__name__)

LAG = Histogram(
    "whistlestop_projection_lag_seconds",
    "How old the first commit of a game that was not read yet had become when it was read.",
    buckets=(0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 600, 3600),
)
RESULTS = Counter("whistlestop_results_total", "Final sheets computed, by what became of them.", ["outcome"])

Json = dict[str, Any]


def project(adapters: Adapters, game: str) -> Projection:
    """Reads the commits that are new and keeps the position after them; tells nobody.

    Raises Problem when game-state cannot be asked.
    """
    projection = adapters.projections.load(game) or _unread(adapters, game)
    read_before = projection.version
    for plain in adapters.game_state.commits(game, read_before):
        if projection.version == read_before:
            LAG.observe(max(0.0, time.time() - datetime.fromisoformat(plain["at"]).timestamp()))
        fold(projection.rules, projection.position, commit_from_plain(projection.rules, plain))
    if projection.position.over and isinstance(projection.position, View):
        projection = _read_whole(adapters, game)  # from its end on a game is served unredacted, which no view can be
    if projection.version > read_before:
        adapters.projections.save(game, projection)
    return projection


def acknowledge(adapters: Adapters, game: str) -> None:
    """Reads what is new and tells game-state how far it has read, which takes the game off the agenda."""
    adapters.game_state.note_projected(game, project(adapters, game).version)


def record_result(adapters: Adapters, game: str) -> None:
    """Computes the final sheet from the whole log and records it in the game.

    If the points scored in play do not recount (BASE-42) nothing is recorded: the log says so, and a metric.
    """
    final = _read_whole(adapters, game)
    try:
        sheet = score(final.rules, final.position)
    except RecountError as error:
        RESULTS.labels("recount_differs").inc()
        log.error("the recount differs: %s", error, extra={"game": game, "version": final.version})
        return
    adapters.game_state.record_result(game, sheet.plain())
    RESULTS.labels("recorded").inc()


def scores(adapters: Adapters, game: str, caller: str | None) -> Json:
    """The scores of a game that `caller` may see: openly scored points (VIEW-2), or the sheet once it is recorded.

    Raises the Problem with which game-state refuses the caller.
    """
    shown = adapters.game_state.game(game, caller)
    sheet = shown["result"]
    status = "final" if sheet else "pending" if shown["status"] == "over" else "running"
    version = shown["version"]
    lines = sheet
    if not sheet:
        projection = adapters.projections.load(game)
        if projection is None or projection.version < version:
            projection = project(adapters, game)
        version, lines = projection.version, running_score(projection.rules, projection.position).plain()
    return {
        "game": game,
        "status": status,
        "version": version,
        "seats": [_seat(held, scored) for held, scored in zip(shown["seats"], lines["seats"], strict=True)],
        "sheet": sheet,
    }


def _unread(adapters: Adapters, game: str) -> Projection:
    """Nothing read yet: the view of an empty board."""
    shown = adapters.game_state.game(game)
    rules = rules_for(shown["ruleset"], seats=len(shown["seats"]), options=shown["options"])
    return Projection(rules, view_for(rules, empty_state(rules), None))


def _read_whole(adapters: Adapters, game: str) -> Projection:
    """A finished game, read from its first commit to its last with nothing hidden."""
    record = adapters.game_state.record(game)
    rules = rules_for(record["ruleset"], seats=record["seats"], options=record["options"])
    return Projection(rules, fold_log(rules, [commit_from_plain(rules, plain) for plain in record["commits"]]))


def _seat(held: Json, scored: Json) -> Json:
    by_reason: dict[str, int] = {}
    for line in scored["lines"]:
        by_reason[line["reason"]] = by_reason.get(line["reason"], 0) + line["points"]
    return {"seat": held["seat"], "name": held["name"], "bot": held["bot"], **scored, "by_reason": by_reason}
