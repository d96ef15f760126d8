"""The factory of the scoring service."""

from __future__ import annotations

from services.scoring.adapters import Adapters, adapters_of
from services.scoring.resources import blueprint
from shared.web import Service, Settings, create_app
from shared.web.store import attach_store


def create_scoring(settings: Settings) -> Service:
    """Gives the app of the scoring service; it connects to the store and to game-state on first use."""
    app = create_app("scoring", settings, allowed={"scores": {"gateway"}})
    adapters: Adapters = adapters_of(settings, attach_store(app, decode_responses=True))
    app.extensions["adapters"] = adapters
    app.register_blueprint(blueprint)
    return app
