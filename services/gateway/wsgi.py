"""What gunicorn serves: `gunicorn -c python:shared.web.gunicorn services.gateway.wsgi:app` with THREADS=64."""

from __future__ import annotations

from services.gateway.app import create_gateway
from services.gateway.settings import Tuning
from shared.web import Settings

app = create_gateway(Settings.load("gateway"), Tuning.load())
