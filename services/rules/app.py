"""The factory of the rules service."""

from __future__ import annotations

from services.rules.resources import lookups, rulings
from shared.web import Service, Settings, create_app


def create_rules(settings: Settings) -> Service:
    """Gives the app of the rules service, which needs nothing but itself to be ready."""
    app = create_app("rules", settings, allowed={"rulings": {"gateway", "game_state"}, "lookups": {"gateway"}})
    app.register_blueprint(rulings)
    app.register_blueprint(lookups)
    return app
