"""What gunicorn serves: `gunicorn -c python:shared.web.gunicorn services.game_state.wsgi:app`."""

from __future__ import annotations

from services.game_state.app import create_game_state
from shared.web import Settings

app = create_game_state(Settings.load("game_state"))
