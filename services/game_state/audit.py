"""The audit of a game: whether everything kept beside the log still says what the log says (P-20)."""

from __future__ import annotations

import json
import logging

from services.game_state import present
from services.game_state.adapters import Adapters
from services.game_state.agenda import AUDIT, RESULT, member
from services.game_state.appending import by_holder, due_of_decisions
from services.game_state.clock import now_ms
from services.game_state.metrics import REPAIRED_GAMES
from services.game_state.positions import load, quarantine, rules_of
from services.game_state.records import Answer, Stored
from services.game_state.replay import CorruptLog, head_at, replay
from shared.kernel import Decision, Rules, State, state_to_plain

log = logging.getLogger(__name__)


def audit(adapters: Adapters, game_id: str) -> list[str]:
    """Compares head, answers and agenda of a game with its log and repairs what differs; gives what was repaired.

    A corrupt log takes the game out of service; a game whose log folds again comes back into it. A game that moves
    on meanwhile is left for the next time.
    Raises Problem 404 for an unknown game.
    """
    stored = load(adapters, game_id)
    if stored.version == 0:
        return []
    rules = rules_of(stored.game)
    try:
        state, answers = replay(rules, adapters.store.log(game_id))
    except CorruptLog as error:
        quarantine(adapters, stored.game, error)
        return ["quarantine"]
    stored = load(adapters, game_id)
    if stored.version != state.version:
        return []
    if stored.game.quarantined is not None:
        adapters.store.set_quarantine(game_id, None)
    repaired = _repair(adapters, stored, rules, state, answers)
    for part in repaired:
        log.error("repaired the %s from the log", part, extra={"game": game_id, "version": stored.version})
    if repaired:
        REPAIRED_GAMES.inc()
    if state.over and present.result(adapters, stored.game, state.version) is not None:
        adapters.agenda.remove(game_id, [member(AUDIT, game_id)])
    return repaired


def _repair(
    adapters: Adapters, stored: Stored, rules: Rules, state: State, answers: dict[str, Answer]
) -> list[str]:
    game_id = stored.game.id
    repaired = []
    if not _is_head_right(stored, rules, state) and adapters.store.set_head(game_id, head_at(rules, state)):
        repaired.append("head")
    kept = adapters.store.answers(game_id)
    if any(kept.get(decision) != str(answer) for decision, answer in answers.items()):
        adapters.store.set_answers(game_id, answers)
        repaired.append("answers")
    opened = [(decision, present.time_of(adapters, stored.game, decision.opened)) for decision in state.decisions]
    if adapters.agenda.restore(game_id, _due(adapters, stored, state, opened)):
        repaired.append("agenda")
    if adapters.waiting.restore(game_id, state.version, answers, by_holder(stored.game, opened)):
        repaired.append("waiting")
    return repaired


def _is_head_right(stored: Stored, rules: Rules, state: State) -> bool:
    head = stored.head
    if head is None or head.version != state.version or head.is_over != state.over:
        return False
    try:
        return json.loads(head.state) == json.loads(json.dumps(state_to_plain(rules, state)))
    except ValueError:
        return False


def _due(adapters: Adapters, stored: Stored, state: State, opened: list[tuple[Decision, int]]) -> dict[str, int]:
    due = due_of_decisions(stored.game, opened)
    if state.over and present.result(adapters, stored.game, state.version) is None:
        due[member(RESULT, stored.game.id)] = now_ms()
    return due
