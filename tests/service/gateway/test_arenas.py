"""Arenas at the public door: for platforms, under their own names, records in one go."""

from __future__ import annotations

import json

import pytest
import requests

from tests.service.gateway.fakes import RECORDS

NEW = {"ruleset": "usa", "entrants": [{"bot": "greedy"}, {"bot": "greedy"}], "games": 7}


def test_a_new_arena_is_asked_for_in_the_name_of_its_platform(gateway, platform):
    made = gateway.send("POST", "/arenas", platform, json=NEW)
    assert (made.status_code, made.headers["Location"]) == (201, "/v1/arenas/new")
    assert made.json()["asked"] == {**NEW, "owner": "acme", "options": {}, "parameters": {}, "records": False}
    again = gateway.send("POST", "/arenas", platform, json=NEW, headers={"Idempotency-Key": "k1"})
    assert (again.status_code, again.json()["asked"]["idempotency_key"]) == (200, "k1")


def test_the_list_is_that_of_the_platform(gateway, platform):
    assert gateway.get("/arenas?limit=3&cursor=c1", platform).json()["asked"] == {
        "owner": "acme", "limit": "3", "cursor": "c1"}


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({**NEW, "games": 0}, "/games"),
        ({**NEW, "games": 10**6}, "/games"),
        ({**NEW, "entrants": [{"bot": "greedy"}]}, "/entrants"),
        ({**NEW, "entrants": [{"bot": "greedy"}, {"name": "Ann"}]}, "/entrants/1/bot"),
        ({**NEW, "owner": "other"}, "/owner"),
        ({"ruleset": "usa", "games": 1}, "/entrants"),
        ({**NEW, "seed": "abc"}, "/seed"),
    ],
)
def test_what_is_no_arena_is_refused_with_the_place(gateway, platform, body, pointer):
    refused = gateway.send("POST", "/arenas", platform, json=body)
    assert refused.status_code == 422 and pointer in [error["pointer"] for error in refused.json()["errors"]]


def numbers(answer: requests.Response) -> list[int]:
    assert answer.headers["Content-Type"].startswith("application/x-ndjson")
    return [json.loads(line)["number"] for line in answer.iter_lines()]


def test_records_come_in_one_go_or_from_a_number_on(gateway, platform):
    assert numbers(gateway.get("/arenas/own/records", platform)) == list(range(RECORDS))
    assert numbers(gateway.get("/arenas/own/records?after=30", platform)) == list(range(31, RECORDS))
    assert numbers(gateway.get(f"/arenas/own/records?after={RECORDS}", platform)) == []
    assert gateway.get("/arenas/own/records?after=x", platform).status_code == 422


def test_records_give_their_place_among_the_streams_back(make_gateway, platform):
    with make_gateway() as gateway:
        for _ in range(40):
            assert gateway.get("/arenas/own/records", platform).status_code == 200
