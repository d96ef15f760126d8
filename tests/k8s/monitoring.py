"""That what is alarmed on and shown is measured, and that all that measures is read. Every check gives its faults in
words."""

from __future__ import annotations

import importlib
import json
import re
from collections.abc import Iterable, Iterator
from functools import cache

import promql_parser
from prometheus_client.metrics import MetricWrapperBase

from deploy.roles import ROLES
from services.game_state.waiting import AGES, HOLDERS
from services.gateway.app import create_gateway
from services.gateway.settings import Tuning
from shared.contracts import queues
from shared.web import Settings
from tests.k8s.manifests import K8S, Manifests

TARGET = {"job", "namespace", "pod", "app_kubernetes_io_name"}
"""The labels of whom a figure comes from."""
SUFFIXES = {"histogram": ("_bucket", "_count", "_sum"), "counter": ("_total",), "gauge": ("",)}


def read(manifests: Manifests) -> Iterator[str]:
    """Prometheus reads every role, at the port that it has."""
    for one in manifests.of("PodMonitor"):
        selected = manifests.selected(one["spec"]["selector"])
        if {name.replace("-", "_") for name in selected} != set(ROLES):
            yield f"read are {', '.join(sorted(selected))}"
        ports = [endpoint["port"] for endpoint in one["spec"]["podMetricsEndpoints"]]
        for pod in selected:
            if sum(manifests.has_port(pod, port) for port in ports) != 1:
                yield f"{pod} is read at no port, or at two"


def alerts(manifests: Manifests) -> Iterator[str]:
    """Alerts ask for what is measured, and say how bad it is and where to look."""
    for one in manifests.of("PrometheusRule"):
        for alert in (alert for group in one["spec"]["groups"] for alert in group["rules"]):
            name, texts = alert["alert"], alert["annotations"]
            yield from expression(name, alert["expr"])
            if alert["labels"].get("severity") not in ("warning", "critical") or not texts.keys() >= {
                "summary", "description"}:  # fmt: skip
                yield f"{name} does not say how bad it is and where to look"
            groups = re.findall(r"\bby\s*\(([^)]*)\)", alert["expr"])
            has = set(re.split(r",\s*", ",".join(groups))) if groups else TARGET
            if lost := set(re.findall(r"\$labels\.(\w+)", str(texts))) - has:
                yield f"{name} names {', '.join(sorted(lost))}, which it has not"


def dashboard(manifests: Manifests) -> Iterator[str]:
    """The dashboard asks for what is measured, and no panel covers another."""
    text = manifests.data("dashboard").get("whistlestop.json")
    if text is None:
        return
    board = json.loads(text)
    places: set[tuple[int, int]] = set()
    for panel in board["panels"]:
        for target in panel["targets"]:
            yield from expression(panel["title"], target["expr"].replace("$__rate_interval", "5m"))
        at = panel["gridPos"]
        covered = {(x, y) for x in range(at["x"], at["x"] + at["w"]) for y in range(at["y"], at["y"] + at["h"])}
        if covered & places or max(x for x, _ in covered) > 23:
            yield f"{panel['title']} covers another panel"
        places |= covered
    if len({panel["id"] for panel in board["panels"]}) < len(board["panels"]):
        yield "two panels have one id"


def expression(name: str, text: str) -> Iterator[str]:
    """Gives what is wrong with an expression: its form, a figure, label or value that there is not."""
    try:
        parsed = promql_parser.parse(text)
    except ValueError as error:
        yield f"{name}: {error}"
        return
    for selector in _selectors(parsed):
        labels = series().get(selector.name)
        if labels is None:
            yield f"{name}: nobody measures {selector.name}"
            continue
        for matcher in selector.matchers.matchers:
            values = _values().get(matcher.name)
            if matcher.name not in labels | TARGET:
                yield f"{name}: {selector.name} has no label {matcher.name}"
            elif values and not (set(matcher.value.split("|")) <= values):
                yield f"{name}: {matcher.name} is never {matcher.value}"
    for by in re.findall(r"\bby\s*\(([^)]*)\)", text):
        known = TARGET.union(*(series().get(selector.name, set()) for selector in _selectors(parsed)))
        if lost := set(re.split(r",\s*", by)) - known:
            yield f"{name}: groups by {', '.join(sorted(lost))}"


def _selectors(parsed: promql_parser.Expr) -> list[promql_parser.VectorSelector]:
    found = []

    def visit(node: promql_parser.Expr) -> None:
        if isinstance(node, promql_parser.VectorSelector):
            found.append(node)

    promql_parser.walk(parsed, visit)
    return found


@cache
def series() -> dict[str, set[str]]:
    """Every series that the code measures, by name, with its labels."""
    measured = {"up": set()}
    for metric in _metrics():
        family = next(iter(metric.describe()))
        for suffix in SUFFIXES[family.type]:
            measured[family.name + suffix] = {*metric._labelnames, *(["le"] if suffix == "_bucket" else [])}
    return measured


def _metrics() -> Iterable[MetricWrapperBase]:
    root = K8S.parent
    for path in (*root.glob("services/**/*.py"), *root.glob("shared/**/*.py")):
        if re.search(r"from prometheus_client import .*(Counter|Gauge|Histogram)", path.read_text()):
            module = importlib.import_module(".".join(path.relative_to(root).with_suffix("").parts))
            yield from (value for value in vars(module).values() if isinstance(value, MetricWrapperBase))


@cache
def _values() -> dict[str, set[str]]:
    """All that some labels can be."""
    urls = {f"{name}_url": "http://nobody" for name in ("game_state", "rules", "scoring", "ai")}
    settings = Settings("gateway", store_url="redis://nobody", broker_url="memory://", token_secret="-" * 32, **urls)
    routes = {rule.rule for rule in create_gateway(settings, Tuning()).url_map.iter_rules()}
    return {
        "job": {"whistlestop/whistlestop"},  # namespace/monitor
        "service": {name for name, role in ROLES.items() if role.is_service},
        "app_kubernetes_io_name": {name.replace("_", "-") for name in ROLES},
        "queue": set(queues.QUEUE_OF.values()) | {queues.AI_BATCH},
        "task": set(queues.QUEUE_OF), "route": routes, "holder": set(HOLDERS), "age": set(AGES),
        "kind": {"stream", "wait"}, "outcome": {"failed", "done", "answered", "fallback", "repeated", "late"},
    }  # fmt: skip
