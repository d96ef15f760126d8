"""What the use cases work with: the store, the agenda, waiting decisions, work of bots, and the rules service."""

from __future__ import annotations

from dataclasses import dataclass

from services.game_state.agenda import Agenda
from services.game_state.event_store import EventStore
from services.game_state.rules_service import RulesService
from services.game_state.waiting import Waiting
from services.game_state.work_store import WorkStore


@dataclass(frozen=True)
class Adapters:
    """The service's way to everything outside it."""

    store: EventStore
    agenda: Agenda
    waiting: Waiting
    work: WorkStore
    rules: RulesService
