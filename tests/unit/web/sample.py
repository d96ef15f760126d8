"""A small service for the tests of the web layer."""

from __future__ import annotations

from typing import Any

from flask.testing import FlaskClient
from flask.views import MethodView
from marshmallow import Schema, fields

from shared.web import Api, Blueprint, Problem, Service, Settings, allow, create_app
from shared.web.service_auth import ServiceToken

SECRET = "a secret that is long enough for tests"
VIOLATION = {"code": "payment_too_small", "rule": "BASE-24", "text": "As many cards as ...", "data": {"needed": 4}}


class PartSchema(Schema):
    count = fields.Integer(required=True, strict=True)


class OrderSchema(Schema):
    name = fields.String(required=True)
    parts = fields.List(fields.Nested(PartSchema))


def sample_service(name: str = "rules", *, public: bool = False) -> Service:
    """Gives a service whose blueprint is open to the gateway, with one method for scoring and one for nobody."""
    settings = Settings(service=name, service_secret=SECRET)
    app = create_app(name, settings, allowed={"orders": {"gateway"}}, public=public)
    orders = Blueprint("orders", "orders")
    unlisted = Blueprint("unlisted", "unlisted")

    @orders.route("/games/<game>/orders")
    class Orders(MethodView):
        @orders.arguments(OrderSchema)
        def post(self, order: dict[str, Any], game: str) -> dict[str, Any]:
            return {"game": game, **order}

        @allow("scoring")
        @orders.arguments(Schema.from_dict({"limit": fields.Integer()}), location="query")
        def get(self, query: dict[str, Any], game: str) -> dict[str, Any]:
            return query

        def delete(self, game: str) -> None:
            raise Problem(422, "rule_violation", "Against the rules.", violations=[VIOLATION], retry_after=3)

        def put(self, game: str) -> None:
            raise KeyError("a secret word in an error")

    @unlisted.route("/unlisted")
    def nobody_may() -> dict[str, Any]:
        return {}

    api = Api(app)
    api.register_blueprint(orders)
    api.register_blueprint(unlisted)
    return app


def calling_as(caller: str, app: Service, callee: str = "rules", secret: str = SECRET) -> FlaskClient:
    """Gives a test client that carries the service token of `caller`."""
    client = app.test_client()
    client.environ_base["HTTP_AUTHORIZATION"] = ServiceToken(secret, caller, callee).header()
    return client
