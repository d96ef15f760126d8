"""What no schema says of manifests: that what they name exists, and that they give each role what it needs. Every check
gives the faults that it finds, in words."""

from __future__ import annotations

import os
import runpy
from collections.abc import Iterator
from functools import cache
from typing import Any
from unittest.mock import patch

from marshmallow import ValidationError

from deploy.roles import ROLES
from services.rules.app import create_rules
from shared.contracts.settings import SETTINGS
from shared.web import Settings

Json = dict[str, Any]
POD_KINDS = ("Deployment", "StatefulSet", "Job")
ONCE = "accounts"  # runs once and is not probed
NAME = "app.kubernetes.io/name"
UNITS = {"m": 1e-3, "Ki": 2**10, "Mi": 2**20, "Gi": 2**30, "": 1}
SECRETS = {name.lower() for name, setting in SETTINGS.items() if setting.is_secret and not name.endswith("_URL")}


class Manifests:
    """All objects of a rendered overlay."""

    def __init__(self, objects: list[Json]) -> None:
        self.objects = objects

    def of(self, *kinds: str) -> list[Json]:
        """The objects of these kinds."""
        return [one for one in self.objects if one["kind"] in kinds]

    def names(self, kind: str) -> set[str]:
        """The names of the objects of a kind."""
        return {one["metadata"]["name"] for one in self.of(kind)}

    def data(self, name: str) -> Json:
        """What a ConfigMap holds; nothing if it is not there."""
        return next((one["data"] for one in self.of("ConfigMap") if one["metadata"]["name"] == name), {})

    def pods(self) -> Iterator[tuple[str, Json, Json]]:
        """Every pod template: its name, the template, its one container."""
        for one in self.of(*POD_KINDS):
            template = one["spec"]["template"]
            yield one["metadata"]["name"], template, template["spec"]["containers"][0]

    def port(self, name: str, port: str | int) -> bool:
        """Whether the pods of this name have a port of this name or number."""
        return any(port in (given.get("name"), given["containerPort"])
                   for pod, _, container in self.pods() if pod == name for given in container.get("ports", ()))


def selectors(manifests: Manifests) -> Iterator[str]:
    """Services, budgets and policies select pods that exist, and ports that these have."""
    pods = {template["metadata"]["labels"][NAME] for _, template, _ in manifests.pods()}
    for service in manifests.of("Service"):
        name = service["spec"]["selector"][NAME]
        if name not in pods:
            yield f"service {service['metadata']['name']} selects no pod: {name}"
        for port in service["spec"]["ports"]:
            if not manifests.port(name, port["targetPort"]):
                yield f"service {name}: the pods have no port {port['targetPort']}"
    for kind in ("PodDisruptionBudget", "NetworkPolicy"):
        for one in manifests.of(kind):
            selector = one["spec"].get("selector") or one["spec"].get("podSelector")
            name = selector.get("matchLabels", {}).get(NAME)
            if name is not None and name not in pods:
                yield f"{kind} {one['metadata']['name']} selects no pod: {name}"


def targets(manifests: Manifests) -> Iterator[str]:
    """What is scaled exists, and the service behind the public door; queues are those that the role takes from."""
    for one in manifests.of("HorizontalPodAutoscaler", "ScaledObject"):
        name = one["spec"]["scaleTargetRef"]["name"]
        if name not in manifests.names("Deployment"):
            yield f"{one['kind']}: there is no deployment {name}"
            continue
        for trigger in one["spec"].get("triggers", ()):
            queue = trigger["metadata"]["listName"]
            if queue not in ROLES[role_of(name)].queues:
                yield f"{name} takes from no queue {queue}"
            host = trigger["metadata"]["address"].split(".")[0]
            if host not in manifests.names("Service"):
                yield f"{name}: there is no service {host}"
    for one in manifests.of("Ingress"):
        for path in (path for rule in one["spec"]["rules"] for path in rule["http"]["paths"]):
            service = path["backend"]["service"]["name"]
            if service not in manifests.names("Service"):
                yield f"ingress: there is no service {service}"


def references(manifests: Manifests) -> Iterator[str]:
    """Accounts, settings and secrets that pods name exist."""
    for name, template, container in manifests.pods():
        spec = template["spec"]
        if spec.get("serviceAccountName") not in manifests.names("ServiceAccount"):
            yield f"{name}: there is no service account {spec.get('serviceAccountName')}"
        for source in container.get("envFrom", ()):
            if source["configMapRef"]["name"] not in manifests.names("ConfigMap"):
                yield f"{name}: there is no config map {source['configMapRef']['name']}"
        for given in container.get("env", ()):
            ref = given.get("valueFrom", {}).get("configMapKeyRef")
            if ref and ref["key"] not in manifests.data(ref["name"]):
                yield f"{name}: config map {ref['name']} has no {ref['key']}"
        mounted = {mount["name"] for mount in container.get("volumeMounts", ())}
        volumes = {volume["name"] for volume in spec.get("volumes", ())}
        if lost := mounted - volumes - {"data"}:
            yield f"{name}: no volume {', '.join(lost)}"


def settings(manifests: Manifests) -> Iterator[str]:
    """Every role runs with what it needs, in values that its process accepts, and with no other secret."""
    deployed = {role_of(name) for name in manifests.names("Deployment")}
    if deployed != set(ROLES):
        yield f"not the roles that there are: {', '.join(sorted(deployed ^ set(ROLES)))}"
    for name, template, container in manifests.pods():
        role = ROLES.get(role_of(name))
        if role is None:
            continue
        if container["args"] != [role.name]:
            yield f"{name} runs {container['args']}"
        given = {env["name"] for env in container.get("env", ())}
        if missing := {setting for setting in role.needed if not {setting, f"{setting}_FILE"} & given}:
            yield f"{name} lacks {', '.join(sorted(missing))}"
        if idle := {env.removesuffix("_FILE") for env in given} - set(role.needed):
            yield f"{name} has no use for {', '.join(sorted(idle))}"
        secrets = {item["key"] for volume in template["spec"]["volumes"] if "secret" in volume
                   for item in volume["secret"]["items"]}
        if secrets != {setting.lower() for setting in role.needed} & SECRETS:
            yield f"{name} is given the secrets {', '.join(sorted(secrets))}"
    for setting, value in {**manifests.data("whistlestop"), **manifests.data("whistlestop-all")}.items():
        try:
            SETTINGS[setting].check(value)
        except (KeyError, ValidationError) as error:
            yield f"{setting}: {error}"


def probes(manifests: Manifests) -> Iterator[str]:
    """What is probed is a port that the pod has, and a route that its process answers."""
    for name, _, container in manifests.pods():
        if name == ONCE:
            continue
        for kind in ("startupProbe", "readinessProbe", "livenessProbe"):
            probe = container.get(kind)
            if probe is None:
                yield f"{name} has no {kind}"
                continue
            target = probe.get("httpGet") or probe["tcpSocket"]
            if not manifests.port(name, target["port"]):
                yield f"{name}: {kind} asks a port {target['port']} that it has not"
            role = ROLES.get(role_of(name))
            routes = service_routes() if role and role.is_service else {"/metrics"}
            if "path" in target and target["path"] not in routes:
                yield f"{name}: {kind} asks {target['path']}, which nobody answers"


def hardening(manifests: Manifests) -> Iterator[str]:
    """No pod has rights, all have limits, and each has time to end in good order."""
    for name, template, container in manifests.pods():
        spec, context = template["spec"], container.get("securityContext", {})
        if spec.get("automountServiceAccountToken") is not False:
            yield f"{name} gets a token of its service account"
        if not spec.get("securityContext", {}).get("runAsNonRoot"):
            yield f"{name} may run as root"
        if not context.get("readOnlyRootFilesystem") or context.get("capabilities") != {"drop": ["ALL"]}:
            yield f"{name} may write to its file system, or more"
        resources = container.get("resources", {})
        limits, requests = resources.get("limits", {}), resources.get("requests", {})
        if "memory" not in limits or not {"cpu", "memory"} <= requests.keys():
            yield f"{name} has no limits"
        elif any(amount(requests[what]) > amount(limits[what]) for what in limits):
            yield f"{name} requests more than its limit"
        role = ROLES.get(role_of(name))
        if role is not None:
            pause = int(container["lifecycle"]["preStop"]["exec"]["command"][1])
            longest = int(manifests.data("whistlestop-all")["GRACEFUL_SECONDS"]) if role.is_service else task_limit()
            if spec.get("terminationGracePeriodSeconds", 30) <= pause + longest:
                yield f"{name} is killed before it has ended"


def edges(manifests: Manifests) -> Iterator[str]:
    """Where there are policies, they let through exactly the calls that roles have addresses for, at both ends."""
    if not manifests.of("NetworkPolicy"):
        return
    called = {setting: setting.removesuffix("_URL").lower().replace("_", "-") for setting in SETTINGS
              if setting.endswith("_URL")}
    wanted = {(name.replace("_", "-"), called[setting]) for name, role in ROLES.items() for setting in role.needed
              if setting in called} | {(ONCE, "store")}
    out, into = set(), set()
    for policy in manifests.of("NetworkPolicy"):
        name = policy["spec"]["podSelector"].get("matchLabels", {}).get(NAME)
        for rule in policy["spec"].get("egress", ()):
            out |= {(name, peer["podSelector"]["matchLabels"][NAME]) for peer in rule["to"] if "podSelector" in peer}
        for rule in policy["spec"].get("ingress", ()):
            into |= {(peer["podSelector"]["matchLabels"][NAME], name) for peer in rule["from"] if "podSelector" in peer}
    for what, found in (("out", out), ("in", into)):
        if found != wanted:
            yield f"{what}: " + ", ".join(f"{one} to {other}" for one, other in sorted(found ^ wanted))


CHECKS = (selectors, targets, references, settings, probes, hardening, edges)


def role_of(name: str) -> str:
    """The role that a deployment of this name runs."""
    return name.replace("-", "_")


def amount(quantity: str) -> float:
    """A quantity such as 100m or 64Mi as a number. Raises KeyError for a unit that there is not."""
    digits = quantity.rstrip("mKiMG")
    return float(digits) * UNITS[quantity[len(digits):]]


@cache
def service_routes() -> set[str]:
    """The routes that every service answers besides its own."""
    app = create_rules(Settings("rules", service_secret="k8s " * 10))
    return {route.rule for route in app.url_map.iter_rules() if "<" not in route.rule}


@cache
def task_limit() -> int:
    """The seconds after which a worker ends a task."""
    with patch.dict(os.environ, BROKER_URL="redis://broker"):
        return runpy.run_module("shared.tasks.config")["task_time_limit"]
