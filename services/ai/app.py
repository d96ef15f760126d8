"""The factory of the AI service: which bots there are. The bots themselves run in Celery workers (tasks.py)."""

from __future__ import annotations

from services.ai.resources import blueprint
from shared.web import Service, Settings, create_app


def create_ai(settings: Settings) -> Service:
    """Gives the app of the AI service, which needs nothing but itself to be ready."""
    app = create_app("ai", settings, allowed={"bots": {"gateway"}})
    app.register_blueprint(blueprint)
    return app
