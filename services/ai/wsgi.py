"""What gunicorn serves: `gunicorn -c python:shared.web.gunicorn services.ai.wsgi:app`."""

from __future__ import annotations

from services.ai.app import create_ai
from shared.web import Settings

app = create_ai(Settings.load("ai"))
