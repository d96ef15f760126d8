"""Everything stops in good order and starts again on the same folder: games go on where they were."""

from __future__ import annotations

import secrets

import pytest

from deploy.local.processes import of_stack
from tests.e2e.playing import at_the_table, seat_people
from tests.e2e.proofs import prove, wait_for_result, wait_for_version

pytestmark = [pytest.mark.xdist_group("in trouble"), pytest.mark.timeout(180)]


def test_opening_choices_and_offers_survive_a_restart(mortal, mortal_host):
    created = mortal_host.create_game("usa", [{}, {}, {}, {"bot": "greedy"}])
    game = created["game"]
    people = seat_people(mortal_host, game, [0, 1, 2], seed=secrets.randbelow(10**6))
    wait_for_version(mortal_host, game, 2)
    chosen = people[0].answer("1.0")
    views = {seat: person.client.view(game) for seat, person in people.items()}
    choices = {seat: people[seat].client.decision(game, f"1.{seat}") for seat in (1, 2)}

    mortal.stop()
    assert list(of_stack(mortal.site.var)) == []
    mortal.start()

    assert {seat: person.client.view(game) for seat, person in people.items()} == views
    assert {seat: people[seat].client.decision(game, f"1.{seat}") for seat in (1, 2)} == choices
    again = people[0].client.answer(game, "1.0", chosen["move"])
    assert (again["first"], again["version"]) == (False, chosen["version"])
    with at_the_table(people.values()):
        wait_for_result(mortal_host, game)
    record = prove(mortal, mortal_host, created)
    kept = next(event for event in record["commits"][4]["events"] if event["event"] == "TicketsKept")
    assert kept["tickets"] == chosen["move"]["tickets"]
