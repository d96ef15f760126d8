"""What gunicorn serves: `gunicorn -c python:shared.web.gunicorn services.scoring.wsgi:app`."""

from __future__ import annotations

from services.scoring.app import create_scoring
from shared.web import Settings

app = create_scoring(Settings.load("scoring"))
