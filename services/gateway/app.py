"""The factory of the gateway."""

from __future__ import annotations

import threading

from flask import Response

from services.gateway.callers import install_callers, is_for_the_api
from services.gateway.docs import docs
from services.gateway.external_bots import ExternalBots
from services.gateway.hub import BLOCK_SECONDS, Hub
from services.gateway.neighbours import Neighbour
from services.gateway.openapi import PublicApi
from services.gateway.parts import EXTENSION, Parts
from services.gateway.places import Places
from services.gateway.rates import install_rates
from services.gateway.resources import BLUEPRINTS
from services.gateway.roster import Roster
from services.gateway.settings import Tuning
from services.gateway.tokens import Accounts, SignedTokens
from shared.web import Service, Settings, create_app
from shared.web.shutdown import stopping
from shared.web.store import attach_store, connect_blocking

SAFE = {
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}


def create_gateway(settings: Settings, tuning: Tuning, *, stop: threading.Event = stopping) -> Service:
    """Gives the app of the public door; once `stop` is set its streams and long polls end."""
    app = create_app("gateway", settings, public=True)
    store = attach_store(app, decode_responses=True)
    neighbours = {
        name: Neighbour(settings, name, getattr(settings, f"{name}_url"))
        for name in ("game_state", "rules", "scoring", "ai")
    }
    app.add_readiness("game_state", neighbours["game_state"].ping)
    tokens, accounts = SignedTokens(settings.token_secret), Accounts(store)
    external_bots = ExternalBots(store, accounts)
    app.extensions[EXTENSION] = Parts(
        tuning=tuning,
        tokens=tokens,
        accounts=accounts,
        external_bots=external_bots,
        roster=Roster(neighbours["ai"], external_bots),
        hub=Hub(lambda: connect_blocking(settings.store_url, BLOCK_SECONDS, decode_responses=True), stop),
        streams=Places("stream", tuning.streams),
        waits=Places("wait", tuning.waits),
        **neighbours,
    )
    install_callers(app, tokens, accounts)
    install_rates(app, settings.broker_url, tuning.rates)
    api = PublicApi(app)
    for blueprint in BLUEPRINTS:
        api.register_blueprint(blueprint, url_prefix="/v1")
    app.register_blueprint(docs)
    app.after_request(_guard)
    return app


def _guard(response: Response) -> Response:
    """Keeps answers out of shared caches and foreign pages, unless the resource says otherwise."""
    for name, value in SAFE.items():
        response.headers.setdefault(name, value)
    if is_for_the_api():
        response.vary.add("Authorization")
        response.headers.setdefault("Cache-Control", "private, no-store")
    return response
