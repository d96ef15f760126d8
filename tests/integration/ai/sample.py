"""A task that somebody waits for, and a bot that asks for it in the middle of its first game."""

from __future__ import annotations

import os

import redis
from celery import signals

from services.ai.bots import BOTS
from shared.client import Bot, Question
from shared.contracts.queues import AI_INTERACTIVE
from shared.kernel import Move
from shared.tasks.app import celery

NOTE = "sample.answer"


@celery.task(name=NOTE)
def answer() -> None:
    """Stands for the answer of a bot in a person's game."""


class Summoner(Bot):
    """Sends that task once, at its first decision ever."""

    name = "summoner"
    about = "Only in tests."

    def choose(self, question: Question) -> Move:
        store = redis.Redis.from_url(os.environ["STORE_URL"])
        if question.view.version == 1 and store.set("sample:summoned", 1, nx=True):
            celery.send_task(NOTE, queue=AI_INTERACTIVE)
        return BOTS["random"].choose(question)


class Hoarder(Bot):
    """Keeps another 64 MiB at every ninth version."""

    name = "hoarder"
    about = "Only in tests."

    def __init__(self) -> None:
        self.hoard: list[bytes] = []

    def choose(self, question: Question) -> Move:
        if question.view.version % 9 == 0:
            self.hoard.append(b"x" * (64 << 20))
        return BOTS["random"].choose(question)


SAMPLES = {bot.name: bot() for bot in (Summoner, Hoarder)}


@signals.worker_init.connect
def seat(**_: object) -> None:
    """Lets them play in a worker."""
    BOTS.update(SAMPLES)
