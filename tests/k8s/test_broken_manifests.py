"""Manifests that are broken on purpose, each in one place: the checks find every one and say what is wrong."""

from __future__ import annotations

import copy
from typing import Any, NamedTuple

import pytest

from tests.k8s.manifests import HASHED, Manifests, rendered
from tests.k8s.test_manifests import CHECKS, pytestmark  # noqa: F401

GONE = object()
POD = "spec template spec"
CONTAINER = f"{POD} containers 0"
SPEC = "spec template"
NAME = "app.kubernetes.io/name"


class Broken(NamedTuple):
    """What is put where in which object, and how the fault that is then found begins."""

    kind: str
    name: str
    path: str
    value: Any
    fault: str
    site: str = "prod"


BROKEN = {
    "pods of another name": Broken("Deployment", "rules", f"{SPEC} metadata labels {NAME}", "rule",
                                   "rules: its pods have"),
    "pods that nobody counts": Broken("Deployment", "rules", f"spec selector matchLabels {NAME}", "rule",
                                      "rules does not select its own pods"),
    "a service of nobody": Broken("Service", "rules", f"spec selector {NAME}", "rule", "service rules selects no pod"),
    "a service of others": Broken("Service", "rules", f"spec selector {NAME}", "ai", "service rules selects ai"),
    "a port that pods lack": Broken("Service", "rules", "spec ports 0 targetPort", "https",
                                    "service rules: the pods have no port https"),
    "a budget of nobody": Broken("PodDisruptionBudget", "rules", f"spec selector matchLabels {NAME}", "rule",
                                 "PodDisruptionBudget rules selects no pod"),
    "nobody is scaled": Broken("HorizontalPodAutoscaler", "rules", "spec scaleTargetRef name", "rule",
                               "HorizontalPodAutoscaler: there is no deployment rule"),
    "fewest above most": Broken("HorizontalPodAutoscaler", "rules", "spec minReplicas", 20, "rules is scaled from 20"),
    "scaled twice": Broken("ScaledObject", "arenas", "spec scaleTargetRef name", "bots", "scaled twice: bots"),
    "fixed and scaled": Broken("Deployment", "rules", "spec replicas", 2, "rules has a fixed number"),
    "an unknown queue": Broken("ScaledObject", "bots", "spec triggers 0 metadata listName", "gossip",
                               "bots takes from no queue gossip"),
    "a queue of others": Broken("ScaledObject", "arenas", "spec triggers 0 metadata listName", "ai.batch",
                                "arenas takes from no queue ai.batch"),
    "queues on no server": Broken("ScaledObject", "bots", "spec triggers 1 metadata address", "brokers:6379",
                                  "bots: there is no service brokers:6379"),
    "no password for queues": Broken("ScaledObject", "bots", "spec triggers 1 authenticationRef name", "brokers",
                                     "bots: there is no authentication brokers", "prod with external-data"),
    "a door to nowhere": Broken("Ingress", "gateway", "spec rules 0 http paths 0 backend service port name", "https",
                                "ingress: there is no port https"),
    "a door without certificate": Broken("Ingress", "gateway", "spec rules 0 host", "other.example",
                                         "ingress: no certif"),
    "a door that buffers": Broken("Ingress", "gateway",
                                  "metadata annotations nginx.ingress.kubernetes.io/proxy-buffering",
                                  "on", "ingress: proxy-buffering is on"),
    "a door that cuts streams": Broken("Ingress", "gateway",
                                       "metadata annotations nginx.ingress.kubernetes.io/proxy-read-timeout", "10",
                                       "ingress: a silent stream is cut after 10 s"),
    "a door too narrow": Broken("Ingress", "gateway",
                                "metadata annotations nginx.ingress.kubernetes.io/proxy-body-size",
                                "1k", "ingress: bodies of 1k"),
    "an account of nobody": Broken("Deployment", "rules", f"{POD} serviceAccountName", "nobody",
                                   "rules: there is no service account nobody"),
    "settings that are lost": Broken("Deployment", "rules", f"{CONTAINER} envFrom 0 configMapRef name", "setting",
                                     "rules: there is no config map setting"),
    "an address that is lost": Broken("ConfigMap", "addresses", "data RULES_URL", GONE,
                                      "gateway: config map addresses"),
    "a secret that nobody made": Broken("Deployment", "rules", f"{POD} volumes 1 secret items 0 key", "service_key",
                                        "rules: secret whistlestop has no service_key"),
    "a Secret too short": Broken("Secret", "whistlestop", "stringData bot_token", GONE, "secret whistlestop holds",
                                 "dev"),
    "a volume that is not mounted": Broken("Deployment", "rules", f"{CONTAINER} volumeMounts 0", GONE,
                                           "rules: volumes that"),
    "a secret in another place": Broken("Deployment", "rules", f"{CONTAINER} volumeMounts 1 mountPath", "/secrets",
                                        "rules: SERVICE_SECRET_FILE is"),
    "another image": Broken("Deployment", "rules", f"{CONTAINER} image", "nginx:1", "rules runs nginx:1"),
    "another command": Broken("Deployment", "rules", f"{CONTAINER} command", ["sh"], "rules has another command"),
    "a port of nobody": Broken("Deployment", "rules", f"{CONTAINER} ports 0 containerPort", 8080,
                               "rules: nothing listens on {8080}"),
    "a role that is lost": Broken("Deployment", "rules", "metadata name", "ruler",
                                  "not the roles that there are: ruler, ru"),
    "a role that there is not": Broken("Deployment", "rules", f"{CONTAINER} args", ["rule"], "rules runs ['rule']"),
    "a setting that is lost": Broken("Deployment", "gateway", f"{CONTAINER} env 0", GONE, "gateway lacks STORE_URL"),
    "a setting too many": Broken("Deployment", "rules", f"{CONTAINER} env 0 name", "TOKEN_SECRET_FILE",
                                 "rules has no use for TOKEN_SECRET"),
    "a secret too many": Broken("Deployment", "rules", f"{POD} volumes 1 secret items 0 key", "token_secret",
                                "rules has no use for the secrets token_secret"),
    "a setting that is wrong": Broken("ConfigMap", "addresses", "data RULES_URL", "rules:8000", "RULES_URL: "),
    "a setting of nobody": Broken("ConfigMap", "settings", "data LOGLEVEL", "INFO", "LOGLEVEL: "),
    "an address of nobody": Broken("ConfigMap", "addresses", "data RULES_URL", "http://rules:80",
                                   "RULES_URL: nobody serves"),
    "no probe": Broken("Deployment", "rules", f"{CONTAINER} livenessProbe", GONE, "rules has no livenessProbe"),
    "a probe of nobody": Broken("Deployment", "rules", f"{CONTAINER} livenessProbe httpGet path", "/health",
                                "rules: livenessProbe asks /health, which nobody answers"),
    "a probe at no port": Broken("Deployment", "bots", f"{CONTAINER} livenessProbe httpGet port", "http",
                                 "bots: livenessProbe asks a port http"),
    "a probe that never ends": Broken("Deployment", "rules", f"{CONTAINER} readinessProbe timeoutSeconds", 30,
                                      "rules: readinessProbe waits longer"),
    "ready too early": Broken("Deployment", "rules", f"{CONTAINER} readinessProbe httpGet path", "/healthz",
                              "rules is ready by /healthz"),
    "root": Broken("Deployment", "rules", f"{POD} securityContext runAsNonRoot", False, "rules may run as root"),
    "a writable root": Broken("StatefulSet", "store", f"{CONTAINER} securityContext readOnlyRootFilesystem", False,
                              "store may write"),
    "no seccomp": Broken("Job", "accounts", f"{POD} securityContext seccompProfile", GONE,
                         "accounts may call anything"),
    "a token": Broken("Deployment", "rules", f"{POD} automountServiceAccountToken", GONE, "rules gets a token"),
    "an account with a token": Broken("ServiceAccount", "rules", "automountServiceAccountToken", True,
                                      "account rules hands"),
    "the network of the node": Broken("Deployment", "rules", f"{POD} hostNetwork", True, "rules has hostNetwork"),
    "a lax namespace": Broken("Namespace", "whistlestop", "metadata labels pod-security.kubernetes.io/enforce",
                              "baseline",
                              "the namespace lets pods"),
    "more than the limit": Broken("Deployment", "rules", f"{CONTAINER} resources requests memory", "2Gi",
                                  "rules requests more than its limit"),
    "no limit": Broken("Deployment", "rules", f"{CONTAINER} resources limits", GONE, "rules has no limits"),
    "more than a node": Broken("Deployment", "rules", f"{CONTAINER} resources requests cpu", "64",
                               "rules wants more than"),
    "a large /tmp": Broken("Deployment", "rules", f"{POD} volumes 0 emptyDir sizeLimit", "128Mi",
                           "rules: tmp takes up"),
    "a gap in the roll": Broken("Deployment", "rules", "spec strategy rollingUpdate maxUnavailable", 1,
                                "rules has too few"),
    "all on one node": Broken("Deployment", "rules", f"{POD} topologySpreadConstraints", GONE,
                              "rules may have all its"),
    "no pause at the end": Broken("Deployment", "rules", f"{CONTAINER} lifecycle", GONE, "rules ends while others"),
    "no time to end": Broken("Deployment", "rules", f"{POD} terminationGracePeriodSeconds", 20,
                             "rules is killed before it"),
    "no time for a task": Broken("Deployment", "bots", f"{POD} terminationGracePeriodSeconds", 10,
                                 "bots is killed before"),
    "a store that forgets": Broken("StatefulSet", "store", f"{CONTAINER} args 0", "--appendonly no",
                                   "store may forget"),
    "a broker that evicts": Broken("StatefulSet", "broker", f"{CONTAINER} args 4", "--maxmemory-policy allkeys-lru",
                                   "broker may forget"),
    "a store too full": Broken("StatefulSet", "store", f"{CONTAINER} args 3", "--maxmemory 4gb",
                               "store is killed before"),
    "a store beside its volume": Broken("StatefulSet", "store", f"{CONTAINER} args 5", "--dir /tmp",
                                        "store writes to no vol"),
    "nothing denied": Broken("NetworkPolicy", "nothing", "spec policyTypes", ["Ingress"],
                             "what nobody allows is not denied"),
    "a closed way in": Broken("NetworkPolicy", "rules", "spec ingress 0 from 1", GONE, "in: game-state to rules"),
    "a closed way out": Broken("NetworkPolicy", "game-state", "spec egress 0", GONE, "out: game-state to rules"),
    "a way too many": Broken("NetworkPolicy", "rules", f"spec ingress 0 from 1 podSelector matchLabels {NAME}", "bots",
                             "in: bots to rules"),
    "a way for all": Broken("NetworkPolicy", "rules", "spec ingress 0 from", GONE, "rules: ingress of everybody"),
    "a way that does not count": Broken("NetworkPolicy", "rules", "spec policyTypes", ["Egress"],
                                        "rules: its ingress has no"),
    "a way to another port": Broken("NetworkPolicy", "rules", "spec ingress 0 ports 0 port", 80, "rules: ports [80]"),
    "a way to the world": Broken("NetworkPolicy", "bots", "spec egress 0 to", [{"ipBlock": {"cidr": "0.0.0.0/0"}}],
                                 "bots: egress of"),
    "names at any port": Broken("NetworkPolicy", "names", "spec egress 0 ports 0 port", 443, "more than names"),
    "a door for anybody": Broken("NetworkPolicy", "public", "spec ingress 0 from 0 namespaceSelector", {},
                                 "public: anybody may call gateway"),
    "another door": Broken("NetworkPolicy", "public", f"spec podSelector matchLabels {NAME}", "ai",
                           "public: gateway may call ai"),
    "a store of strangers": Broken("NetworkPolicy", "external-store", "spec podSelector matchExpressions 0 values 0",
                                   "rules",
                                   "external-store: gateway, rules", "prod with external-data"),
    "a role that is not read": Broken("PodMonitor", "whistlestop", "spec selector matchExpressions 0 values 0", "rules",
                                      "read are "),
    "a port that is not read": Broken("PodMonitor", "whistlestop", "spec podMetricsEndpoints 1", GONE,
                                      "agenda is read at no"),
    "an alert on nothing": Broken("PrometheusRule", "whistlestop", "spec groups 0 rules 4 expr",
                                  "max(whistlestop_agenda_seconds) > 30",
                                  "AgendaLate: nobody measures whistlestop_agenda_se"),
    "an alert on no label": Broken("PrometheusRule", "whistlestop", "spec groups 0 rules 4 expr",
                                   'whistlestop_agenda_lag_seconds{shard="1"} > 30',
                                   "AgendaLate: whistlestop_agenda_lag_seconds"),
    "an alert on no queue": Broken("PrometheusRule", "whistlestop", "spec groups 0 rules 4 expr",
                                   'whistlestop_queue_depth{queue="gossip"} > 30', "AgendaLate: queue is never gossip"),
    "an alert by no label": Broken("PrometheusRule", "whistlestop", "spec groups 0 rules 4 expr",
                                   "max by (shard) (whistlestop_agenda_lag_seconds) > 30",
                                   "AgendaLate: groups by shard"),
    "an alert nobody can read": Broken("PrometheusRule", "whistlestop", "spec groups 0 rules 4 expr", "max(",
                                       "AgendaLate: "),
    "an alert that says nothing": Broken("PrometheusRule", "whistlestop",
                                         "spec groups 0 rules 4 annotations description",
                                         GONE, "AgendaLate does not say"),
    "an alert with a gap": Broken("PrometheusRule", "whistlestop", "spec groups 0 rules 4 annotations summary",
                                  "{{ $labels.shard }}", "AgendaLate names shard, which it has not"),
    "a field that KEDA does not know": Broken("ScaledObject", "bots", "spec minReplicas", 1,
                                              "ScaledObject bots: $: Additional properties"),
    "an interval without unit": Broken("PodMonitor", "whistlestop", "spec podMetricsEndpoints 0 interval", "15",
                                       "PodMonitor whistlestop: $.podMetricsEndpoints[0].interval"),
}
DASHBOARD = {
    "a panel of nothing": ("whistlestop_live_games", "whistlestop_games",
                           "Live games: nobody measures whistlestop_games"),
    "a panel over another": ('"x": 8, "y": 0', '"x": 4, "y": 0', "Requests with a 5xx a second covers another panel"),
    "two panels of one id": ('"id": 2,', '"id": 1,', "two panels have one id"),
}


@pytest.mark.parametrize("broken", BROKEN.values(), ids=BROKEN)
def test_what_is_broken_is_found(broken: Broken) -> None:
    objects = copy.deepcopy(rendered(broken.site))
    (one,) = (one for one in objects
              if (one["kind"], HASHED.sub("", one["metadata"]["name"])) == (broken.kind, broken.name))
    put(one, broken.path, broken.value)
    assert any(fault.startswith(broken.fault) for fault in faults(objects)), faults(objects)


@pytest.mark.parametrize(("right", "wrong", "fault"), DASHBOARD.values(), ids=DASHBOARD)
def test_a_broken_dashboard_is_found(right: str, wrong: str, fault: str) -> None:
    objects = copy.deepcopy(rendered("prod"))
    data = Manifests(objects).data("dashboard")
    assert right in data["whistlestop.json"]
    data["whistlestop.json"] = data["whistlestop.json"].replace(right, wrong)
    assert fault in faults(objects)


def put(one: Any, path: str, value: Any) -> None:
    """Sets what is at a path, or takes it away."""
    *way, last = (int(step) if step.isdecimal() else step for step in path.split())
    for step in way:
        one = one[step]
    if value is GONE:
        del one[last]
    else:
        one[last] = value


def faults(objects: list[dict[str, Any]]) -> list[str]:
    """All that all checks find."""
    return [fault for check in CHECKS for fault in check(Manifests(objects))]
