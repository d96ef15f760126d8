"""The image and deploy/compose.yaml: whole games by the public door, while containers are killed, paused, cut off."""

from __future__ import annotations

import pytest

from deploy.roles import ROLES
from tests.containers.site import Site, missing
from tests.e2e.proofs import answers_of, wait_for_result, wait_for_version
from tests.polling import until

pytestmark = [
    pytest.mark.xdist_group("containers"),
    pytest.mark.timeout(300),
    pytest.mark.skipif(bool(missing()), reason=f"containers are not tested: {missing()}"),
]

BOTS = [{"bot": "greedy"}, {"bot": "random"}, {"bot": "planner"}]


def play(site: Site, ruleset: str, disturb) -> None:
    """Plays a game that `disturb` disturbs in the middle; it must go on and end with a log without a gap."""
    game = site.host.create_game(ruleset, BOTS)["game"]
    reached = wait_for_version(site.host, game, 12)

    disturb()

    wait_for_result(site.host, game)
    commits = site.host.record(game)["commits"]
    assert [commit["version"] for commit in commits] == list(range(1, len(commits) + 1))
    assert len(commits) > reached + 10, "it was over before"
    answered = [answer["decision"] for answer in answers_of({"commits": commits})]
    assert len(answered) == len(set(answered))


@pytest.mark.parametrize("ruleset", ["usa", "card_game"])
def test_a_whole_game_in_containers(site: Site, ruleset: str) -> None:
    play(site, ruleset, lambda: None)


@pytest.mark.parametrize("killed", ["store", "broker", "game-state", "bots"])
def test_a_game_ends_though_a_container_is_killed(site: Site, killed: str) -> None:
    def kill() -> None:
        site.compose("kill", killed)
        site.compose("up", "--detach", "--no-deps", killed)

    play(site, "usa", kill)


def test_a_game_ends_though_a_container_is_paused(site: Site) -> None:
    """The others wait for an answer that does not come, and give up in time."""

    def pause() -> None:
        site.compose("pause", "rules")
        until(lambda: site.fails("/v1/rules/BASE-1"), "the rules to be missed")
        site.compose("unpause", "rules")

    play(site, "old_west", pause)


def test_a_game_ends_though_a_network_is_cut(site: Site) -> None:
    def cut() -> None:
        site.cut("game-state")
        until(lambda: site.fails("/v1/games"), "game-state to be missed")
        site.mend("game-state")

    play(site, "maerklin", cut)


def test_nothing_runs_as_root_or_may_write_or_has_a_secret_in_its_environment(site: Site) -> None:
    containers = {container["Config"]["Labels"]["com.docker.compose.service"]: container
                  for container in site.containers()}
    assert {name.replace("_", "-") for name in ROLES} | {"store", "broker", "accounts"} == set(containers)
    secrets = [path.read_text().strip() for path in site.secrets.iterdir()]
    for name, container in containers.items():
        assert container["Config"]["User"] in ("10001:10001", "999:999"), name
        assert container["HostConfig"]["ReadonlyRootfs"] and container["HostConfig"]["CapDrop"] == ["ALL"], name
        assert container["HostConfig"]["Memory"] > 0 or name == "accounts"
        given = " ".join([*(container["Config"]["Env"] or []), *(container["Config"]["Cmd"] or [])])
        assert not any(secret in given for secret in secrets), name
