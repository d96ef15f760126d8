"""The manifests of k8s/: every overlay fits the schemas of four Kubernetes versions, and what they name exists."""

from __future__ import annotations

import copy
import shutil
import subprocess
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from kubernetes_validate import utils, validate
from packaging.version import Version

from tests.k8s.checks import CHECKS, Manifests

ROOT = Path(__file__).parents[2]
OVERLAYS = ("dev", "prod")
VERSIONS = sorted(set(utils.all_versions()), key=Version)[-4:]
CUSTOM = ("ScaledObject",)
pytestmark = [
    pytest.mark.xdist_group("k8s"),
    pytest.mark.skipif(shutil.which("kubectl") is None, reason="there is no kubectl, which renders the manifests"),
]


@cache
def rendered(overlay: str) -> list[dict[str, Any]]:
    done = subprocess.run(["kubectl", "kustomize", f"k8s/overlays/{overlay}"], cwd=ROOT, capture_output=True, text=True,
                          check=False)
    assert done.returncode == 0, done.stderr
    return list(yaml.safe_load_all(done.stdout))


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("overlay", OVERLAYS)
def test_every_object_fits_the_schema_of_its_kind(overlay: str, version: str) -> None:
    for one in rendered(overlay):
        if one["kind"] not in CUSTOM:
            validate(one, version, strict=True)


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("overlay", OVERLAYS)
def test_what_manifests_name_exists_and_fits(overlay: str, check: Callable) -> None:
    assert list(check(Manifests(rendered(overlay)))) == []


def test_production_holds_no_secret_and_is_strict() -> None:
    prod = Manifests(rendered("prod"))
    assert prod.of("Secret") == []
    assert prod.data("whistlestop-all")["STAGE"] == "production"
    (store,) = (one for one in prod.of("StatefulSet") if one["metadata"]["name"] == "store")
    args = store["spec"]["template"]["spec"]["containers"][0]["args"]
    assert args[args.index("--appendfsync") + 1] == "always" and args[args.index("--appendonly") + 1] == "yes"


def container(one: dict[str, Any]) -> dict[str, Any]:
    return one["spec"]["template"]["spec"]["containers"][0]


def bots_queue(one: dict[str, Any]) -> None:
    one["spec"]["triggers"][0]["metadata"]["listName"] = "gossip"


BROKEN: dict[str, tuple[str, str, Callable[[dict[str, Any]], Any], str]] = {
    "a service selects nobody": ("Service", "rules", lambda one: one["spec"]["selector"].update(
        {"app.kubernetes.io/name": "rule"}), "service rules selects no pod: rule"),
    "a port is not there": ("Service", "rules", lambda one: one["spec"]["ports"][0].update(targetPort="https"),
                            "service rules: the pods have no port https"),
    "nobody is scaled": ("HorizontalPodAutoscaler", "rules", lambda one: one["spec"]["scaleTargetRef"].update(
        name="rule"), "HorizontalPodAutoscaler: there is no deployment rule"),
    "a queue that does not exist": ("ScaledObject", "bots", bots_queue, "bots takes from no queue gossip"),
    "an account is lost": ("Deployment", "rules", lambda one: one["spec"]["template"]["spec"].update(
        serviceAccountName="nobody"), "rules: there is no service account nobody"),
    "a setting is lost": ("Deployment", "gateway", lambda one: container(one)["env"].pop(0), "gateway lacks STORE_URL"),
    "a setting is wrong": ("ConfigMap", "whistlestop", lambda one: one["data"].update(RULES_URL="rules:8000"),
                           "RULES_URL: "),
    "another role": ("Deployment", "rules", lambda one: container(one).update(args=["rule"]), "rules runs ['rule']"),
    "a secret too many": ("Deployment", "rules", lambda one: one["spec"]["template"]["spec"]["volumes"][1]["secret"][
        "items"].append({"key": "token_secret", "path": "t"}), "rules is given the secrets service_secret, tok"),
    "a probe asks nobody": ("Deployment", "rules", lambda one: container(one)["readinessProbe"]["httpGet"].update(
        path="/ready"), "rules: readinessProbe asks /ready, which nobody answers"),
    "root": ("Deployment", "rules", lambda one: one["spec"]["template"]["spec"]["securityContext"].update(
        runAsNonRoot=False), "rules may run as root"),
    "more than the limit": ("Deployment", "rules", lambda one: container(one)["resources"]["requests"].update(
        memory="2Gi"), "rules requests more than its limit"),
    "no time to end": ("Deployment", "rules", lambda one: one["spec"]["template"]["spec"].update(
        terminationGracePeriodSeconds=20), "rules is killed before it has ended"),
    "a closed way": ("NetworkPolicy", "rules", lambda one: one["spec"]["ingress"][0]["from"].pop(),
                     "in: game-state to rules"),
}


@pytest.mark.parametrize(("kind", "name", "breaks", "fault"), BROKEN.values(), ids=BROKEN)
def test_what_is_broken_is_found(kind: str, name: str, breaks: Callable, fault: str) -> None:
    objects = copy.deepcopy(rendered("prod"))
    (one,) = (one for one in objects if (one["kind"], one["metadata"]["name"]) == (kind, name))
    breaks(one)
    found = [fault for check in CHECKS for fault in check(Manifests(objects))]
    assert [line for line in found if line.startswith(fault)], found
