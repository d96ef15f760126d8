"""That the policies let through exactly what the README's diagram draws. The check gives its faults in words."""

from __future__ import annotations

import re
from collections.abc import Iterator

from deploy.roles import ROLES
from tests.k8s.manifests import DATA, K8S, NAME, ONCE, Json, Manifests

Edge = tuple[str, str]
OUTSIDE = {("gateway", "public"): "gateway", ("metrics", "monitoring"): None, ("queues", "scaling"): "broker"}
"""Who may call from outside, by the label of their namespace and the policy that says so, and whom they may call."""
PODS = {name.replace("_", "-") for name in ROLES}
NAMES = "names"
EXTERNAL = {"external-store": "store", "external-broker": "broker"}


def diagram() -> set[Edge]:
    """Who opens connections to whom by the README's diagram; data servers open none."""
    text = re.search(r"```mermaid\nflowchart LR\n(.*?)```", (K8S.parent / "README.md").read_text(), re.S)[1]
    edges = set()
    for line in text.splitlines():
        nodes = [re.sub(r"[\[(].*", "", node.strip()) for node in re.split(r"---?>?(?:\|[^|]*\|)?", line)]
        for one, other in zip(nodes, nodes[1:], strict=False):
            edges.add((other, one) if one in DATA else (one, other))
    return {(one.replace("_", "-"), other.replace("_", "-")) for one, other in edges}


def addressed() -> set[Edge]:
    """Who has the address of whom by the settings that the roles need."""
    return {(name.replace("_", "-"), setting.removesuffix("_URL").lower().replace("_", "-"))
            for name, role in ROLES.items() for setting in role.needed if setting.endswith("_URL")}


def policies(manifests: Manifests) -> Iterator[str]:
    """Where there are policies, all is denied but the edges of the diagram, at both ends, to the right ports."""
    found = {one["metadata"]["name"]: one["spec"] for one in manifests.of("NetworkPolicy")}
    if "nothing" not in found:
        return
    if found["nothing"] != {"podSelector": {}, "policyTypes": ["Ingress", "Egress"]}:
        yield "what nobody allows is not denied"
    out, into = set(), set()
    for name, spec in found.items():
        for way, peers, edges in (("egress", "to", out), ("ingress", "from", into)):
            if way in spec and way.title() not in spec["policyTypes"]:
                yield f"{name}: its {way} has no effect"
            for rule in spec.get(way, ()):
                if not rule.get(peers) or not rule.get("ports"):
                    yield f"{name}: {way} of everybody, or to every port"
                    continue
                yield from _rule(manifests, name, spec, rule, way, edges)
    wanted = {edge for edge in diagram() if edge[0] != "client"} | {(ONCE, "store")}
    gone = {(one, other) for one, other in wanted if other not in manifests.labels()}
    for what, edges in (("out", out - gone), ("in", into)):
        if edges != wanted - gone:
            yield f"{what}: " + ", ".join(f"{one} to {other}" for one, other in sorted(edges ^ (wanted - gone)))


def _rule(manifests: Manifests, name: str, spec: Json, rule: Json, way: str, edges: set[Edge]) -> Iterator[str]:
    selected = manifests.selected(spec["podSelector"])
    for peer in rule["to" if way == "egress" else "from"]:
        if peer.keys() == {"podSelector"}:
            callee = peer["podSelector"]["matchLabels"][NAME]
            pairs = {(one, callee) if way == "egress" else (callee, one) for one in selected}
            edges |= pairs
            for _, called in pairs:
                yield from _ports(manifests, name, rule, {called})
        elif name == NAMES:
            if "kube-system" not in str(peer) or {port["port"] for port in rule["ports"]} != {53}:
                yield "more than names may be asked for"
        elif peer.keys() == {"ipBlock"} and name in EXTERNAL:
            users = {one for one, other in diagram() | {(ONCE, "store")} if other == EXTERNAL[name]}
            if selected != users:
                yield f"{name}: {', '.join(sorted(selected ^ users))}"
        elif peer.keys() == {"namespaceSelector"} and way == "ingress":
            caller = peer["namespaceSelector"].get("matchLabels", {}).get("whistlestop/may-call", "anybody")
            callee = OUTSIDE.get((caller, name), "")
            if selected != ({callee} if callee else PODS):
                yield f"{name}: {caller} may call {', '.join(sorted(selected))}"
            yield from _ports(manifests, name, rule, selected)
        else:
            yield f"{name}: {way} of {peer}"


def _ports(manifests: Manifests, name: str, rule: Json, called: set[str]) -> Iterator[str]:
    has = {port["containerPort"] for pod in called for port in manifests.ports(pod)}
    given = {port["port"] for port in rule["ports"]}
    if called & manifests.labels().keys() and given != has:
        yield f"{name}: ports {sorted(given)}, where {', '.join(sorted(called))} listens on {sorted(has)}"
