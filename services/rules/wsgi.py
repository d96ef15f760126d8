"""What gunicorn serves: `gunicorn -c python:shared.web.gunicorn services.rules.wsgi:app`."""

from __future__ import annotations

from services.rules.app import create_rules
from shared.web import Settings

app = create_rules(Settings.load("rules"))
