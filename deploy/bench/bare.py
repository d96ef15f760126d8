"""The chain of a move with nothing in it: three apps that pass a request on, and one round trip to the store.

`gunicorn -c python:shared.web.gunicorn deploy.bench.bare:app`, the same settings as the services. From the environment:
NEXT_URL (ask there before answering), STORE_URL (a round trip there before answering); both may be missing.
"""

from __future__ import annotations

import os

import redis
import requests
from flask import Flask, Response, jsonify, request
from requests.adapters import HTTPAdapter

TIMEOUT = (0.5, 3.0)


def create_hop(next_url: str, store_url: str) -> Flask:
    """Gives one hop of the chain."""
    app = Flask(__name__, static_folder=None)
    session = requests.Session()
    session.trust_env = False
    session.mount("http://", HTTPAdapter(pool_maxsize=64))
    store = redis.Redis.from_url(store_url) if store_url else None

    @app.put("/<path:path>")
    def hop(path: str) -> tuple[Response, int]:
        request.get_json()
        if next_url:
            session.put(f"{next_url}/{path}", data=request.get_data(), timeout=TIMEOUT,
                        headers={"Content-Type": "application/json"}).raise_for_status()
        if store is not None:
            store.ping()
        return jsonify(done=True), 201

    return app


app = create_hop(os.environ.get("NEXT_URL", ""), os.environ.get("STORE_URL", ""))
