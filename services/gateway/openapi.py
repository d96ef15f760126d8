"""How the public API describes itself as OpenAPI 3.1."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from flask import Flask
from marshmallow import fields
from werkzeug.routing import BaseConverter

from services.gateway.tokens import BOT, PLATFORM, SEAT, SPECTATOR
from shared.contracts.fields import DECISION, EXTERNAL_BOT, GAME, ID, RULE, RULESET, Mapping
from shared.contracts.moves import MOVES, Move
from shared.contracts.problems import PROBLEM_TYPE, ProblemSchema
from shared.contracts.work import WORK
from shared.web import Api
from shared.web.problems import common_problem

DESCRIPTION = """\
Whistlestop hosts rail-route board games. A platform creates games with its key and claims seats for its users; each
seat has a token that plays it. Whoever must choose has one open decision; a move answers it, exactly once, so every
request here can be repeated without harm.

To try it here, give the tokens you have at `Authorize`: a platform key to create a game and claim a seat, then that
seat's token to play. Where several are good for a resource, the one that stands last in that dialog is sent.

Errors are RFC 9457 problem details. What does not exist and what the caller may not see give the same 404. Unknown
fields of a request are refused; unknown fields of an answer must be ignored.
"""
TOKENS = {
    PLATFORM: "Key of a platform (`pk_…`): creates and hosts games, sees them as a spectator.",
    SEAT: "Token of one seat (`st_…`): plays it. Claiming the seat gives it.",
    SPECTATOR: "Token for spectators of one game (`sp_…`). Creating the game gives it.",
    BOT: "Token of a bot (`bt_…`): plays the seats that the bot holds. Creating the bot gives it.",
}


class _Id(BaseConverter):
    """A path segment that fits a pattern; any other address does not exist."""

    pattern = ""

    def __init_subclass__(cls) -> None:
        cls.regex = cls.pattern.strip("^$").replace("(", "(?:")


class _Seat(BaseConverter):
    """A seat number. In the pattern, so that a number too large is no address, not one with other methods."""

    regex = "[0-9]"

    def to_python(self, value: str) -> int:
        return int(value)


class _Game(_Id):
    pattern = GAME


class _Decision(_Id):
    pattern = DECISION


class _Ruleset(_Id):
    pattern = RULESET


class _Rule(_Id):
    pattern = RULE


class _Name(_Id):
    pattern = ID


class _Bot(_Id):
    pattern = EXTERNAL_BOT


class _Work(_Id):
    pattern = WORK


CONVERTERS = {"game": _Game, "decision": _Decision, "ruleset": _Ruleset, "rule": _Rule, "name": _Name,
              "bot": _Bot, "work": _Work}


class PublicApi(Api):
    """The gateway's OpenAPI side: every refusal is a described problem, every kind of token a security scheme."""

    DEFAULT_ERROR_RESPONSE_NAME = None

    def __init__(self, app: Flask) -> None:
        app.config.update(
            API_TITLE="Whistlestop",
            API_SPEC_OPTIONS={"info": {"description": DESCRIPTION, "license": {"name": "MIT", "identifier": "MIT"}}},
        )
        app.url_map.converters.update(CONVERTERS, seat=_Seat)
        super().__init__(app)
        for converter in CONVERTERS.values():
            self.register_converter(converter, lambda found: {"type": "string", "pattern": found.pattern})
        self.register_converter(_Seat, lambda _: {"type": "integer", "minimum": 0, "maximum": 9})
        for kind, about in TOKENS.items():
            scheme = {"type": "http", "scheme": "bearer", "description": about}
            self.spec.components.security_scheme(kind, scheme)
        self.ma_plugin.converter.add_attribute_function(_moves_by_name)
        self.ma_plugin.converter.add_attribute_function(_bounds_of_mapping)

    def _register_responses(self) -> None:
        for status in HTTPStatus:
            if status >= HTTPStatus.BAD_REQUEST:
                self.spec.components.response(status.name, _described(status), lazy=True)


    def _register_pagination_header(self) -> None:
        """Pages have a cursor here, not the library's header."""


def _described(status: HTTPStatus) -> dict[str, Any]:
    example = {**common_problem(status).plain(), "request_id": "5f0c1a8e9d3b7a42"}
    described: dict[str, Any] = {
        "description": example["detail"],
        "content": {PROBLEM_TYPE: {"schema": ProblemSchema, "example": example}},
    }
    if status in (HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE):
        described["headers"] = {"Retry-After": {"description": "Seconds to wait.", "schema": {"type": "integer"}}}
    if status == HTTPStatus.UNAUTHORIZED:
        described["headers"] = {"WWW-Authenticate": {"schema": {"type": "string"}}}
    return described


def _moves_by_name(converter: Any, field: fields.Field, **_: Any) -> dict[str, Any]:
    if not isinstance(field, Move):
        return {}
    references = {name: converter.resolve_nested_schema(schema) for name, schema in MOVES.items()}
    mapping = {name: reference["$ref"] for name, reference in references.items()}
    return {"oneOf": list(references.values()), "discriminator": {"propertyName": "move", "mapping": mapping}}


def _bounds_of_mapping(_: Any, field: fields.Field, **__: Any) -> dict[str, Any]:
    if not isinstance(field, Mapping):
        return {}
    least, most = field.size
    return {"minProperties": least, "maxProperties": most, "propertyNames": {"pattern": ID}}
