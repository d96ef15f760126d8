"""The resources of the public API, one module a noun."""

from __future__ import annotations

from services.gateway.resources.arenas import arenas
from services.gateway.resources.bots import bots
from services.gateway.resources.commits import commits
from services.gateway.resources.decisions import decisions
from services.gateway.resources.games import games
from services.gateway.resources.notes import notes
from services.gateway.resources.rulesets import rulesets
from services.gateway.resources.scores import scores
from services.gateway.resources.seats import seats
from services.gateway.resources.streams import streams
from services.gateway.resources.validations import validations
from services.gateway.resources.work import work

BLUEPRINTS = (games, seats, notes, decisions, commits, streams, scores, rulesets, bots, work, arenas, validations)
