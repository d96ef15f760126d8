"""Celery tasks of the bots. Each may run twice or late: a decision is answered once, whoever comes first."""

from __future__ import annotations

import functools
from typing import Any

from celery import signals

from services.ai import worker
from services.ai.bots import FALLBACK
from services.ai.guard import limit_memory
from shared.client import Client
from shared.contracts.logs import bind
from shared.contracts.queues import AI_ANSWER, AI_ANSWER_FALLBACK
from shared.tasks.app import celery
from shared.web import Settings

PATIENCE_SECONDS = 4.0


@celery.task(name=AI_ANSWER)
def answer(game: str, decision: str, bot: str) -> None:
    """Answers a decision with the bot that holds the seat."""
    bind(bot=bot, answer=worker.answer(_client(), game, decision, bot))


@celery.task(name=AI_ANSWER_FALLBACK)
def answer_fallback(game: str, decision: str) -> None:
    """Answers a decision whose own bot did not, in time or at all."""
    bind(bot=FALLBACK, answer=worker.answer(_client(), game, decision, FALLBACK))


@signals.worker_process_init.connect
def begin(**_: Any) -> None:
    """Limits what bots can take of each pool process."""
    limit_memory()


@functools.cache
def _client() -> Client:
    settings = Settings.load("bots")
    return Client(settings.gateway_url, settings.bot_token, patience=PATIENCE_SECONDS)
