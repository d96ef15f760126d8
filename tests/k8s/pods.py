"""That pods run the roles of the code with what these need, no more, and may do nothing else. Every check gives its
faults in words."""

from __future__ import annotations

import os
import re
import runpy
from collections.abc import Iterator
from functools import cache
from unittest.mock import patch

from marshmallow import ValidationError

from deploy.roles import ROLES
from services.gateway.settings import TUNED
from services.rules.app import create_rules
from shared.contracts.settings import SETTINGS
from shared.web import Settings
from tests.k8s.manifests import DATA, K8S, ONCE, Manifests, role_of

UNITS = {"m": 1e-3, "Ki": 2**10, "Mi": 2**20, "Gi": 2**30, "mb": 2**20, "gb": 2**30, "": 1}
KNOWN = {**SETTINGS, **TUNED}
USER = 10001
RESTRICTED = {"allowPrivilegeEscalation": False, "readOnlyRootFilesystem": True, "capabilities": {"drop": ["ALL"]}}
MOST_CPU, MOST_MEMORY = 4, 16 * 2**30


def image(manifests: Manifests) -> Iterator[str]:
    """Pods of the image start it as its Dockerfile means: its user, its ports, a role that it has."""
    dockerfile = (K8S.parent / "deploy" / "Dockerfile").read_text()
    exposed = {int(port) for port in re.search(r"^EXPOSE (.+)$", dockerfile, re.M)[1].split()}
    user = int(re.search(r"^USER (\d+)", dockerfile, re.M)[1])
    if 'ENTRYPOINT ["python", "-m", "deploy.roles"]' not in dockerfile:
        yield "the image does not take a role as its argument"
    for name, template, container in manifests.pods():
        if name in DATA:
            continue
        if template["spec"]["securityContext"]["runAsUser"] != user:
            yield f"{name} does not run as the user of the image"
        if not re.search(r"(^|/)whistlestop:.+", container["image"]):
            yield f"{name} runs {container['image']}"
        if extra := {port["containerPort"] for port in container.get("ports", ())} - exposed:
            yield f"{name}: nothing listens on {extra}"
        if ("command" in container) != (name == ONCE):
            yield f"{name} has another command than the image"


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
        given = {env["name"].removesuffix("_FILE") for env in container.get("env", ())}
        if missing := set(role.needed) - given:
            yield f"{name} lacks {', '.join(sorted(missing))}"
        if idle := given - set(role.needed) - TUNED.keys():
            yield f"{name} has no use for {', '.join(sorted(idle))}"
        secrets = {(volume["secret"]["secretName"], item["key"]) for volume in template["spec"]["volumes"]
                   if "secret" in volume for item in volume["secret"]["items"]}
        if idle := secrets - {pair for setting in role.needed for pair in _places(setting)}:
            yield f"{name} has no use for the secrets {', '.join(sorted(key for _, key in idle))}"
    for setting, value in {**manifests.data("addresses"), **manifests.data("settings")}.items():
        try:
            KNOWN[setting].check(value)
        except (KeyError, ValidationError) as error:
            yield f"{setting}: {error}"


def addresses(manifests: Manifests) -> Iterator[str]:
    """Each address is a service of that name and port."""
    ports = {(one["metadata"]["name"], port["port"]) for one in manifests.of("Service")
             for port in one["spec"]["ports"]}
    used = {env["name"] for _, _, container in manifests.pods() for env in container.get("env", ())
            if "configMapKeyRef" in env.get("valueFrom", {})}
    for setting, url in manifests.data("addresses").items():
        found = re.fullmatch(r"(?:http|redis)://([\w-]+):(\d+)(?:/0)?", url)
        if setting in used and (found is None or (found[1], int(found[2])) not in ports):
            yield f"{setting}: nobody serves {url}"


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
            if probe.get("timeoutSeconds", 1) > probe.get("periodSeconds", 10):
                yield f"{name}: {kind} waits longer than its period"
            target = probe.get("httpGet") or probe.get("tcpSocket")
            if target is None:
                continue
            if not manifests.has_port(name, target["port"]):
                yield f"{name}: {kind} asks a port {target['port']} that it has not"
            role = ROLES.get(role_of(name))
            routes = service_routes() if role and role.is_service else {"/metrics"}
            if "path" in target and target["path"] not in routes:
                yield f"{name}: {kind} asks {target['path']}, which nobody answers"
            if kind == "readinessProbe" and role and target["path"] != role.ready_path:
                yield f"{name} is ready by {target['path']}"


def hardening(manifests: Manifests) -> Iterator[str]:
    """No pod has any rights or may write anywhere but to its volumes."""
    for one in manifests.of("Namespace"):
        if one["metadata"]["labels"].get("pod-security.kubernetes.io/enforce") != "restricted":
            yield "the namespace lets pods have rights"
    for one in manifests.of("ServiceAccount"):
        if one.get("automountServiceAccountToken") is not False:
            yield f"account {one['metadata']['name']} hands out its token"
    for name, template, container in manifests.pods():
        spec = template["spec"]
        if spec.get("automountServiceAccountToken") is not False:
            yield f"{name} gets a token of its service account"
        context = spec.get("securityContext", {})
        if not context.get("runAsNonRoot") or context.get("runAsUser") != USER:
            yield f"{name} may run as root"
        if context.get("seccompProfile") != {"type": "RuntimeDefault"}:
            yield f"{name} may call anything of the kernel"
        if container.get("securityContext") != RESTRICTED:
            yield f"{name} may write to its file system, or more"
        if shared := {"hostNetwork", "hostPID", "hostIPC", "initContainers"} & spec.keys():
            yield f"{name} has {', '.join(shared)}"


def quantities(manifests: Manifests) -> Iterator[str]:
    """What pods ask for and what they may take is sane: a request of both, a limit of memory, none above its limit."""
    for name, template, container in manifests.pods():
        resources = container.get("resources", {})
        limits, requests = resources.get("limits", {}), resources.get("requests", {})
        if "memory" not in limits or not {"cpu", "memory"} <= requests.keys():
            yield f"{name} has no limits"
            continue
        if any(amount(requests[what]) > amount(limits[what]) for what in limits):
            yield f"{name} requests more than its limit"
        if amount(requests["cpu"]) > MOST_CPU or amount(limits["memory"]) > MOST_MEMORY:
            yield f"{name} wants more than a node has"
        for volume in template["spec"].get("volumes", ()):
            if amount(volume.get("emptyDir", {}).get("sizeLimit", "0")) > amount(limits["memory"]) / 2:
                yield f"{name}: {volume['name']} takes up its memory"


def endings(manifests: Manifests) -> Iterator[str]:
    """A roll and a drain cost nothing: a successor first, a pause until nobody sends any more, time to end."""
    for one in manifests.of("Deployment"):
        if one["spec"].get("strategy", {}).get("rollingUpdate", {}).get("maxUnavailable") != 0:
            yield f"{one['metadata']['name']} has too few pods while it rolls"
        if not one["spec"]["template"]["spec"].get("topologySpreadConstraints"):
            yield f"{one['metadata']['name']} may have all its pods on one node"
    for name, template, container in manifests.pods():
        role = ROLES.get(role_of(name))
        if role is None:
            continue
        command = container.get("lifecycle", {}).get("preStop", {}).get("exec", {}).get("command", ["sleep", "0"])
        pause = int(command[1])
        if pause < 1:
            yield f"{name} ends while others still send to it"
        longest = int(manifests.data("settings")["GRACEFUL_SECONDS"]) if role.is_service else task_limit()
        if template["spec"].get("terminationGracePeriodSeconds", 30) <= pause + longest:
            yield f"{name} is killed before it has ended"


def data_servers(manifests: Manifests) -> Iterator[str]:
    """The store keeps every change, neither server evicts, and each stays below its limit of memory."""
    for one in manifests.of("StatefulSet"):
        name, container = one["metadata"]["name"], one["spec"]["template"]["spec"]["containers"][0]
        options = dict(argument.removeprefix("--").split(" ", 1) for argument in container["args"])
        if options["appendonly"] != "yes" or options["maxmemory-policy"] != "noeviction":
            yield f"{name} may forget what it holds"
        if amount(options["maxmemory"]) > 0.75 * amount(container["resources"]["limits"]["memory"]):
            yield f"{name} is killed before it refuses what it has no room for"
        mounts = {mount["name"]: mount["mountPath"] for mount in container["volumeMounts"]}
        claims = {claim["metadata"]["name"] for claim in one["spec"]["volumeClaimTemplates"]}
        if options["dir"] not in {path for volume, path in mounts.items() if volume in claims}:
            yield f"{name} writes to no volume of its own"


def amount(quantity: str) -> float:
    """A quantity such as 100m or 64Mi as a number. Raises KeyError for a unit that there is not."""
    digits, unit = re.fullmatch(r"([0-9.]+)(\D*)", str(quantity)).groups()
    return float(digits) * UNITS[unit]


def _places(setting: str) -> Iterator[tuple[str, str]]:
    """Where the secret with the value of a setting may be: a Secret and a key."""
    yield "whistlestop", setting.lower()
    if setting.removesuffix("_URL").lower() in DATA:
        yield setting.removesuffix("_URL").lower(), "url"


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
