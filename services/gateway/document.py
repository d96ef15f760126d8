"""The committed OpenAPI document: `python -m services.gateway.document` writes openapi.json anew."""

from __future__ import annotations

import json
from typing import Any

from services.gateway.app import create_gateway
from services.gateway.docs import FILE
from services.gateway.settings import Tuning
from shared.web import Settings

NOWHERE = "redis://localhost"
NOBODY = "http://localhost"


def document() -> dict[str, Any]:
    """Gives the document as the app describes itself now; needs no other service."""
    settings = Settings("gateway", store_url=NOWHERE, broker_url=NOWHERE, token_secret="-" * 32, rules_url=NOBODY,
                        game_state_url=NOBODY, scoring_url=NOBODY, ai_url=NOBODY)
    app = create_gateway(settings, Tuning())
    return app.extensions["flask-smorest"]["apis"][""]["ext_obj"].spec.to_dict()


def render(found: dict[str, Any]) -> str:
    """Gives a document as the text of the file."""
    return json.dumps(found, indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    FILE.write_text(render(document()))
