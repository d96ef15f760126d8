"""That what manifests name exists: pods, ports, accounts, settings, secrets, what is scaled. Every check gives its
faults in words."""

from __future__ import annotations

from collections.abc import Iterator

from deploy.roles import ROLES
from services.gateway.settings import Tuning
from shared.web.app import BODY_LIMIT
from tests.k8s.manifests import DATA, NAME, POD_KINDS, Json, Manifests, role_of

SECRET_KEYS = {
    "whistlestop": {"service_secret", "token_secret", "bot_token", "platform_key"},  # deploy/images/secrets.sh
    "store": {"url"}, "broker": {"url", "username", "password"},  # components/external-data
}  # fmt: skip
NGINX = "nginx.ingress.kubernetes.io/"
SELECTING = ("PodDisruptionBudget", "NetworkPolicy", "PodMonitor")


def labels(manifests: Manifests) -> Iterator[str]:
    """Pods are named like what makes them, and what makes them finds them."""
    for one in manifests.of(*POD_KINDS):
        name, template = one["metadata"]["name"], one["spec"]["template"]
        if template["metadata"]["labels"].get(NAME) != name:
            yield f"{name}: its pods have another {NAME}"
        if one["kind"] != "Job" and name not in manifests.selected(one["spec"]["selector"]):
            yield f"{name} does not select its own pods"


def selectors(manifests: Manifests) -> Iterator[str]:
    """Services, budgets, policies and monitors select pods that exist; services send to ports that these have."""
    for service in manifests.of("Service"):
        found = manifests.selected({"matchLabels": service["spec"]["selector"]})
        if found != {service["metadata"]["name"]}:
            yield f"service {service['metadata']['name']} selects {', '.join(sorted(found)) or 'no pod'}"
        for pod in found:
            for port in service["spec"]["ports"]:
                if not manifests.has_port(pod, port["targetPort"]):
                    yield f"service {pod}: the pods have no port {port['targetPort']}"
    for one in manifests.of(*SELECTING):
        selector = one["spec"].get("selector") or one["spec"].get("podSelector")
        if not manifests.selected(selector):
            yield f"{one['kind']} {one['metadata']['name']} selects no pod"


def targets(manifests: Manifests) -> Iterator[str]:
    """What is scaled exists, once, with requests to measure by; queues are those that the role takes from."""
    scaled: list[str] = []
    for one in manifests.of("HorizontalPodAutoscaler", "ScaledObject"):
        name = one["spec"]["scaleTargetRef"]["name"]
        scaled.append(name)
        if name not in manifests.names("Deployment"):
            yield f"{one['kind']}: there is no deployment {name}"
        else:
            yield from _triggers(manifests, name, one["spec"].get("triggers", ()))
        spec = one["spec"]
        least, most = (spec.get(f"{end}Replicas", spec.get(f"{end}ReplicaCount", 0)) for end in ("min", "max"))
        if least > most:
            yield f"{name} is scaled from {least} to {most}"
    if twice := {name for name in scaled if scaled.count(name) > 1}:
        yield f"scaled twice: {', '.join(sorted(twice))}"
    for one in manifests.of("Deployment"):
        if "replicas" in one["spec"] and one["metadata"]["name"] in scaled:
            yield f"{one['metadata']['name']} has a fixed number of replicas and is scaled"


def _triggers(manifests: Manifests, name: str, triggers: list[Json]) -> Iterator[str]:
    for trigger in triggers:
        queue, address = trigger["metadata"]["listName"], trigger["metadata"]["address"]
        if queue not in ROLES[role_of(name)].queues:
            yield f"{name} takes from no queue {queue}"
        if "authenticationRef" in trigger:
            reference = trigger["authenticationRef"]["name"]
            if reference not in manifests.names("TriggerAuthentication"):
                yield f"{name}: there is no authentication {reference}"
        elif address.split(".")[0] not in manifests.names("Service"):
            yield f"{name}: there is no service {address}"


def doors(manifests: Manifests) -> Iterator[str]:
    """The ingress sends to a port of a service, and lets streams and the largest body pass."""
    services = {one["metadata"]["name"]: {port["name"] for port in one["spec"]["ports"]}
                for one in manifests.of("Service")}
    for one in manifests.of("Ingress"):
        told = {key.removeprefix(NGINX): value for key, value in one["metadata"]["annotations"].items()}
        if told["proxy-buffering"] != "off":
            yield f"ingress: proxy-buffering is {told['proxy-buffering']}"
        if int(told["proxy-read-timeout"]) < 2 * Tuning.heartbeat:
            yield f"ingress: a silent stream is cut after {told['proxy-read-timeout']} s"
        if int(told["proxy-body-size"].removesuffix("k")) * 1024 < BODY_LIMIT:
            yield f"ingress: bodies of {told['proxy-body-size']} are less than what the gateway takes"
        hosts = {host for tls in one["spec"]["tls"] for host in tls["hosts"]}
        for rule in one["spec"]["rules"]:
            if rule["host"] not in hosts:
                yield f"ingress: no certificate for {rule['host']}"
            for path in rule["http"]["paths"]:
                service = path["backend"]["service"]
                if service["port"]["name"] not in services.get(service["name"], ()):
                    yield f"ingress: there is no port {service['port']['name']} of a service {service['name']}"


def references(manifests: Manifests) -> Iterator[str]:
    """Accounts, settings, secrets and volumes that pods name exist."""
    for name, template, container in manifests.pods():
        spec = template["spec"]
        if spec.get("serviceAccountName") != name or name not in manifests.names("ServiceAccount"):
            yield f"{name}: there is no service account {spec.get('serviceAccountName')} of its own"
        for source in container.get("envFrom", ()):
            if source["configMapRef"]["name"] not in manifests.names("ConfigMap"):
                yield f"{name}: there is no config map {source['configMapRef']['name']}"
        for given in container.get("env", ()):
            source = given.get("valueFrom", {})
            ref = source.get("configMapKeyRef")
            if ref and ref["key"] not in manifests.data(ref["name"]):
                yield f"{name}: config map {ref['name']} has no {ref['key']}"
            ref = source.get("secretKeyRef")
            if ref and ref["key"] not in SECRET_KEYS.get(ref["name"], ()):
                yield f"{name}: secret {ref['name']} has no {ref['key']}"
        yield from _files(name, spec, container)
    for one in manifests.of("Secret"):
        if one["stringData"].keys() != SECRET_KEYS.get(one["metadata"]["name"]):
            yield f"secret {one['metadata']['name']} holds {', '.join(one['stringData'])}"


def _files(name: str, spec: Json, container: Json) -> Iterator[str]:
    volumes = {volume["name"]: volume for volume in spec.get("volumes", ())}
    claimed = {"data"} if name in DATA else set()
    mounts = {mount["name"]: mount["mountPath"] for mount in container.get("volumeMounts", ())}
    if odd := (volumes.keys() | claimed) ^ mounts.keys():
        yield f"{name}: volumes that are not mounted, or mounts without a volume: {', '.join(sorted(odd))}"
    found = set()
    for volume, path in mounts.items():
        secret = volumes.get(volume, {}).get("secret", {})
        for item in secret.get("items", ()):
            found.add(f"{path}/{item['path']}")
            if item["key"] not in SECRET_KEYS.get(secret["secretName"], ()):
                yield f"{name}: secret {secret['secretName']} has no {item['key']}"
    for given in container.get("env", ()):
        if given["name"].endswith("_FILE") and given["value"] not in found:
            yield f"{name}: {given['name']} is {given['value']}, which is not mounted"
