"""The manifests of k8s/ as an operator would send them to a cluster."""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import yaml

Json = dict[str, Any]
K8S = Path(__file__).parents[2] / "k8s"
NAME = "app.kubernetes.io/name"
POD_KINDS = ("Deployment", "StatefulSet", "Job")
DATA = ("store", "broker")
ONCE = "accounts"
"""The job that runs once: it serves nothing and is not probed."""
COMPONENTS = tuple(sorted(folder.name for folder in (K8S / "components").iterdir()))
SITES = {
    "base": ("base",),
    **{overlay.name: (f"overlays/{overlay.name}",) for overlay in sorted((K8S / "overlays").iterdir())},
    **{f"base with {component}": ("base", f"components/{component}") for component in COMPONENTS},
    "prod with external-data": ("overlays/prod", "components/external-data"),
}
"""Everything that is rendered: what it is called, and its folders, components last."""
HASHED = re.compile(r"-[0-9a-z]{10}$")
HINT = "there is no kubectl, which renders the manifests; `k8s/kubectl.sh build/bin` gets one: put it on the PATH"


class Manifests:
    """All objects of a rendered site."""

    def __init__(self, objects: list[Json]) -> None:
        self.objects = objects

    def of(self, *kinds: str) -> list[Json]:
        """The objects of these kinds."""
        return [one for one in self.objects if one["kind"] in kinds]

    def names(self, kind: str) -> set[str]:
        """The names of the objects of a kind."""
        return {one["metadata"]["name"] for one in self.of(kind)}

    def data(self, name: str) -> Json:
        """What a ConfigMap holds, named with its hash or without; nothing if it is not there."""
        return next((one["data"] for one in self.of("ConfigMap")
                     if name in (one["metadata"]["name"], HASHED.sub("", one["metadata"]["name"]))), {})

    def pods(self) -> Iterator[tuple[str, Json, Json]]:
        """Every pod template: its name, the template, its one container."""
        for one in self.of(*POD_KINDS):
            template = one["spec"]["template"]
            yield one["metadata"]["name"], template, template["spec"]["containers"][0]

    def labels(self) -> dict[str, Json]:
        """The labels of every pod by its name."""
        return {name: template["metadata"]["labels"] for name, template, _ in self.pods()}

    def ports(self, pod: str) -> list[Json]:
        """The ports of the pods of this name."""
        return [port for name, _, container in self.pods() if name == pod for port in container.get("ports", ())]

    def has_port(self, pod: str, port: str | int) -> bool:
        """Whether the pods of this name have a port of this name or number."""
        return any(port in (given.get("name"), given["containerPort"]) for given in self.ports(pod))

    def selected(self, selector: Json) -> set[str]:
        """The names of the pods that a selector finds."""
        return {name for name, labels in self.labels().items() if _fits(labels, selector)}


def role_of(name: str) -> str:
    """The role that a deployment of this name runs."""
    return name.replace("-", "_")


@cache
def rendered(site: str) -> list[Json]:
    """The objects of one of SITES; copy them before changing them."""
    with tempfile.TemporaryDirectory() as folder:
        base, *components = (os.path.relpath(K8S / part, os.path.realpath(folder)) for part in SITES[site])
        kustomization = {"resources": [base], "components": components, "namespace": "whistlestop"}
        Path(folder, "kustomization.yaml").write_text(yaml.safe_dump(kustomization))
        done = subprocess.run(["kubectl", "kustomize", folder], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return list(yaml.safe_load_all(done.stdout))


def _fits(labels: Json, selector: Json) -> bool:
    holds = {"In": lambda value, values: value in values, "NotIn": lambda value, values: value not in values}
    return (selector.get("matchLabels", {}).items() <= labels.items()
            and all(holds[term["operator"]](labels.get(term["key"]), term["values"])
                    for term in selector.get("matchExpressions", ())))
