"""The manifests of k8s/: everything fits the schemas of four Kubernetes versions, and what they name exists."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from kubernetes_validate import ValidationError, utils, validate
from packaging.version import Version

from tests.k8s import custom, monitoring, network, pods, references
from tests.k8s.manifests import HINT, K8S, SITES, Manifests, rendered

VERSIONS = sorted(set(utils.all_versions()), key=Version)[-4:]
CHECKS = (
    references.labels, references.selectors, references.targets, references.doors, references.references,
    pods.image, pods.settings, pods.addresses, pods.probes, pods.hardening, pods.quantities, pods.endings,
    pods.data_servers, network.policies, monitoring.read, monitoring.alerts, monitoring.dashboard, custom.forms,
)  # fmt: skip
pytestmark = [pytest.mark.xdist_group("k8s"), pytest.mark.skipif(not shutil.which("kubectl"), reason=HINT)]


@pytest.mark.parametrize("version", VERSIONS)
def test_every_object_fits_the_schema_of_its_kind(version: str) -> None:
    distinct = {json.dumps(one): one for site in SITES for one in rendered(site) if one["kind"] not in custom.KINDS}
    for one in distinct.values():
        validate(one, version, strict=True)


def test_the_schemas_know_every_field_and_its_type() -> None:
    (service,) = (one for one in rendered("base") if (one["kind"], one["metadata"]["name"]) == ("Service", "rules"))
    for wrong in ({"selectors": {}}, {"ports": [{"port": "eighty"}]}):
        for version in VERSIONS:
            with pytest.raises(ValidationError):
                validate({**service, "spec": {**service["spec"], **wrong}}, version, strict=True)


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("site", SITES)
def test_what_manifests_name_exists_and_fits(site: str, check: Callable) -> None:
    assert list(check(Manifests(rendered(site)))) == []


def test_production_holds_no_secret_and_is_strict() -> None:
    prod = Manifests(rendered("prod"))
    assert prod.of("Secret") == []
    assert prod.data("settings")["STAGE"] == "production"
    (store,) = (container for name, _, container in prod.pods() if name == "store")
    assert "--appendfsync always" in store["args"]


def test_every_role_of_production_that_people_wait_for_may_lose_a_node() -> None:
    prod = Manifests(rendered("prod"))
    least = {one["spec"]["scaleTargetRef"]["name"]: one["spec"].get("minReplicas", one["spec"].get("minReplicaCount"))
             for one in prod.of("HorizontalPodAutoscaler", "ScaledObject")}
    least |= {one["metadata"]["name"]: one["spec"]["replicas"] for one in prod.of("Deployment")
              if "replicas" in one["spec"]}
    assert {name for name, count in least.items() if count < 2} <= {"arenas"}
    assert least.keys() == prod.names("Deployment")


def test_the_diagram_draws_what_the_roles_have_addresses_for() -> None:
    assert network.diagram() - {("client", "gateway")} == network.addressed()


def test_an_overlay_and_a_component_need_no_change_here_to_be_tested() -> None:
    kustomizations = {str(path.parent.relative_to(K8S)) for path in K8S.rglob("kustomization.yaml")}
    assert kustomizations == {str(Path(folder)) for folders in SITES.values() for folder in folders}
