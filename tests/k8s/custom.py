"""The kinds that Kubernetes itself does not know: schemas of what is used of them, strict."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from jsonschema import Draft202012Validator

from shared.contracts.queues import QUEUE_OF
from tests.k8s.manifests import Manifests

Schema = dict[str, Any]
TEXT = {"type": "string", "minLength": 1}
TIME = {"type": "string", "pattern": "^[0-9]+[smh]$"}
COUNT = {"type": "integer", "minimum": 0}


def _exactly(optional: tuple[str, ...] = (), **properties: Schema) -> Schema:
    return {"type": "object", "properties": properties, "additionalProperties": False,
            "required": [name for name in properties if name not in optional]}  # fmt: skip


def _each(schema: Schema) -> Schema:
    return {"type": "array", "items": schema, "minItems": 1}


SELECTOR = _exactly(matchExpressions=_each(_exactly(
    key=TEXT, operator={"enum": ["In", "NotIn"]}, values=_each(TEXT))))  # fmt: skip
REDIS = _exactly(
    ("enableTLS",), address={"type": "string", "pattern": r"^[\w.-]+:\d+$"},
    listName={"enum": sorted(set(QUEUE_OF.values()))},
    listLength={"type": "string", "pattern": "^[1-9][0-9]*$"}, enableTLS={"enum": ["true", "false"]},
)  # fmt: skip
KINDS = {
    "ScaledObject": ("keda.sh/v1alpha1", _exactly(
        scaleTargetRef=_exactly(name=TEXT), minReplicaCount=COUNT, maxReplicaCount={**COUNT, "minimum": 1},
        triggers=_each(_exactly(("authenticationRef",), type={"const": "redis"}, metadata=REDIS,
                                authenticationRef=_exactly(name=TEXT))))),
    "TriggerAuthentication": ("keda.sh/v1alpha1", _exactly(
        secretTargetRef=_each(_exactly(parameter={"enum": ["username", "password"]}, name=TEXT, key=TEXT)))),
    "PodMonitor": ("monitoring.coreos.com/v1", _exactly(
        selector=SELECTOR, namespaceSelector=_exactly(matchNames=_each(TEXT)), podTargetLabels=_each(TEXT),
        podMetricsEndpoints=_each(_exactly(port=TEXT, path={"const": "/metrics"}, interval=TIME)))),
    "PrometheusRule": ("monitoring.coreos.com/v1", _exactly(groups=_each(_exactly(name=TEXT, rules=_each(_exactly(
        **{"alert": TEXT, "expr": TEXT, "for": TIME, "labels": {"type": "object", "additionalProperties": TEXT},
           "annotations": {"type": "object", "additionalProperties": TEXT}})))))),
}  # fmt: skip
"""The version and the schema of the spec of each kind."""


def forms(manifests: Manifests) -> Iterator[str]:
    """Gives, in words, where an object of these kinds does not fit."""
    for one in manifests.of(*KINDS):
        version, schema = KINDS[one["kind"]]
        name = f"{one['kind']} {one['metadata']['name']}"
        if one["apiVersion"] != version:
            yield f"{name}: {one['apiVersion']}"
        for error in Draft202012Validator(schema).iter_errors(one["spec"]):
            yield f"{name}: {error.json_path}: {error.message}"
