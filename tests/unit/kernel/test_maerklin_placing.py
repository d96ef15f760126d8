"""Placing a passenger after a claim (MK-2, MK-10)."""

from __future__ import annotations

import pytest

from shared.kernel import Malformed, events_from_plain, state_from_plain, state_to_plain, view_for
from tests.unit.kernel.play import (
    answer,
    answers,
    decision_of,
    listed_moves,
    maerklin,
    names,
    position,
    refusal,
    shown,
)

BERLIN_LEIPZIG = "ClaimTrack berlin-leipzig-orange O4"
ASKED = "display=RRBWK tracks=berlin-leipzig-orange/- last_claim=berlin-leipzig-orange ask=place_passenger"


@pytest.mark.rule("MK-10")
def test_m01_a_claim_opens_the_choice_between_its_two_cities() -> None:
    rules = maerklin()
    state = position(rules, "hands=O4/- display=RRBWK")
    events = answer(rules, state, BERLIN_LEIPZIG)
    assert names(events) == ["TrackClaimed", "DecisionOpened"]
    assert (decision_of(state).seat, decision_of(state).name) == (0, "place_passenger")
    assert listed_moves(rules, state) == ["PlacePassenger berlin", "PlacePassenger leipzig", "Decline"]
    events = answer(rules, state, "PlacePassenger leipzig")
    assert names(events) == ["PassengerPlaced", "TurnEnded", "TurnStarted"]
    assert shown(rules, state, "passengers") == "leipzig/-"
    assert state.parts[5].reserve == [2, 3]
    assert (decision_of(state).seat, decision_of(state).name) == (1, "turn")


@pytest.mark.rule("MK-10")
def test_it_may_be_declined() -> None:
    rules = maerklin()
    state = position(rules, ASKED)
    assert names(answer(rules, state, "Decline")) == ["TurnEnded", "TurnStarted"]
    assert state.parts[5].reserve == [3, 3]
    assert shown(rules, state, "passengers") == ""


@pytest.mark.rule("MK-10")
@pytest.mark.parametrize("city", ["dresden", "schweiz"])
def test_only_a_city_of_that_track(city: str) -> None:
    rules = maerklin()
    state = position(rules, ASKED)
    data = {"city": city, "track": "berlin-leipzig-orange"}
    assert refusal(rules, state, f"PlacePassenger {city}") == ("city_not_on_track", "MK-10", data)


@pytest.mark.rule("MK-10")
@pytest.mark.parametrize(("passengers", "owner"), [("-/berlin", 1), ("berlin/-", 0)])
def test_m01_not_where_a_passenger_of_anyone_stands(passengers: str, owner: int) -> None:
    rules = maerklin()
    state = position(rules, f"passengers={passengers} {ASKED}")
    data = {"city": "berlin", "owner": owner}
    assert refusal(rules, state, "PlacePassenger berlin") == ("city_occupied", "MK-10", data)
    assert listed_moves(rules, state) == ["PlacePassenger leipzig", "Decline"]


@pytest.mark.rule("MK-10")
def test_m02_not_in_a_country() -> None:
    rules = maerklin()
    state = position(rules, "hands=G1/- display=RRBWK")
    answer(rules, state, "ClaimTrack frankreich-saarbruecken-green G1")
    assert listed_moves(rules, state) == ["PlacePassenger saarbruecken", "Decline"]
    refused = refusal(rules, state, "PlacePassenger frankreich")
    assert refused == ("country_closed", "MK-10", {"country": "frankreich"})


@pytest.mark.rule("MK-10")
@pytest.mark.parametrize(
    ("text", "claim", "asked"),
    [
        ("reserve=1/3", BERLIN_LEIPZIG, True),
        ("reserve=0/3", BERLIN_LEIPZIG, False),
        ("passengers=berlin,kiel,ulm/-", BERLIN_LEIPZIG, False),
        ("passengers=berlin/leipzig", BERLIN_LEIPZIG, False),
        ("passengers=-/berlin", BERLIN_LEIPZIG, True),
        ("passengers=-/saarbruecken", "ClaimTrack frankreich-saarbruecken-green O0G1", False),
    ],
)
def test_it_is_asked_with_a_passenger_left_and_a_free_city_and_only_then(text: str, claim: str, asked: bool) -> None:
    rules = maerklin()
    state = position(rules, f"hands=O4G1/- display=RRBWK {text}")
    events = answer(rules, state, claim.replace("O0", ""))
    assert ("DecisionOpened" in names(events)) == asked
    assert decision_of(state).seat == (0 if asked else 1)


@pytest.mark.rule("MK-10")
@pytest.mark.parametrize("move", ["DrawFromDeck", BERLIN_LEIPZIG, "Pass", "AnnounceSplit 2short,2long"])
def test_nothing_else_comes_before_the_choice(move: str) -> None:
    rules = maerklin()
    state = position(rules, f"hands=O4/- {ASKED}")
    data = {"decision": "place_passenger", "move": move.split()[0]}
    assert refusal(rules, state, move) == ("passenger_due", "MK-10", data)


@pytest.mark.rule("MK-10")
@pytest.mark.parametrize("move", ["PlacePassenger berlin", "Decline"])
def test_a_passenger_comes_with_a_claim_only(move: str) -> None:
    rules = maerklin()
    state = position(rules, "display=RRBWK tracks=berlin-leipzig-orange/- last_claim=berlin-leipzig-orange")
    assert refusal(rules, state, move)[:2] == ("not_an_action", "BASE-7")


@pytest.mark.rule("MK-2")
@pytest.mark.rule("MK-10")
def test_three_passengers_and_no_more() -> None:
    rules = maerklin()
    state = position(rules, "hands=O4R3Y2B1/- display=RRBWK reserve=3/0", top="GGGGGGGGGG")
    for claim, city in (
        (BERLIN_LEIPZIG, "berlin"),
        ("ClaimTrack berlin-magdeburg-red R3", "magdeburg"),
        ("ClaimTrack leipzig-magdeburg-yellow Y2", "leipzig"),
    ):
        answers(rules, state, claim, f"PlacePassenger {city}", "DrawFromDeck", "DrawFromDeck")
    assert shown(rules, state, "passengers") == "berlin,leipzig,magdeburg/-"
    assert "DecisionOpened" not in names(answer(rules, state, "ClaimTrack karlsruhe-mannheim-blue B1"))


@pytest.mark.rule("VIEW-12")
@pytest.mark.rule("MK-10")
def test_passengers_on_the_board_and_in_reserve_are_public() -> None:
    rules = maerklin()
    state = position(rules, "passengers=berlin/kiel reserve=1/2 tokens=ulm:2/- display=RRBWK")
    whole = state.parts[5].plain(rules)
    for viewer in (0, 1, None):
        assert view_for(rules, state, viewer).parts[5].plain(rules) == whole
    assert whole["standing"] == {"berlin": 0, "kiel": 1}
    assert whole["reserve"] == [1, 2]
    assert whole["tokens"] == [{"ulm": [2]}, {}]


@pytest.mark.rule("MK-10")
@pytest.mark.parametrize(
    ("text", "pointer"),
    [
        ("passengers=schweiz/-", "/passengers/standing"),
        ("passengers=berlin/berlin", "/passengers"),
        ("passengers=berlin,kiel,ulm,koeln/-", "/passengers/reserve/0"),
        ("passengers=berlin/- reserve=3/3", "/passengers/reserve/0"),
        ("passengers=atlantis/-", "/passengers"),
        ("passengers=berlin/-/-", "/passengers"),
        ("reserve=3", "/reserve"),
        ("reserve=x/3", "/reserve"),
        ("ask=place_passenger", "/decisions"),
        (ASKED.replace("orange/-", "orange").replace("tracks=", "tracks=-/"), "/decisions"),
        (f"reserve=0/3 {ASKED}", "/decisions"),
        (f"passengers=-/berlin,leipzig {ASKED}", "/decisions"),
        ("tokens=berlin:6/-", "/tokens"),
        ("tokens=berlin:7/berlin:7", "/tokens"),
        ("tokens=berlin:7,berlin:5/-", "/tokens"),
        ("tokens=schweiz:1/-", "/tokens"),
        ("tokens=atlantis:1/-", "/tokens"),
        ("tokens=berlin/-", "/tokens"),
        ("tokens=-", "/tokens"),
    ],
)
def test_positions_that_cannot_be_are_malformed(text: str, pointer: str) -> None:
    with pytest.raises(Malformed) as refused:
        position(maerklin(), text)
    assert refused.value.pointer == pointer


@pytest.mark.rule("MK-15")
@pytest.mark.parametrize(
    ("change", "pointer"),
    [
        ({"standing": ["berlin"]}, "/passengers/standing"),
        ({"standing": {"berlin": 2}}, "/passengers/standing/berlin"),
        ({"tokens": [["berlin"], {}]}, "/passengers/tokens/0"),
        ({"tokens": [{"berlin": []}, {}]}, "/passengers/tokens/0/berlin"),
        ({"tokens": [{"berlin": [6]}, {}]}, "/passengers/tokens"),
        ({"tokens": [{"berlin": [7]}, {}]}, "/passengers/stacks/berlin"),
        ({"reserve": [4, 3]}, "/passengers/reserve/0"),
    ],
)
def test_plain_positions_that_cannot_be_are_malformed(change: dict, pointer: str) -> None:
    rules = maerklin()
    plain = state_to_plain(rules, position(rules, ""))
    plain["passengers"] |= change
    with pytest.raises(Malformed) as error:
        state_from_plain(rules, plain)
    assert error.value.pointer == pointer


@pytest.mark.rule("MK-15")
@pytest.mark.parametrize("tokens", [["berlin"], {"atlantis": 2}, {"berlin": "7"}, {"berlin": -1}])
def test_tokens_of_an_event_that_cannot_be_are_malformed(tokens: object) -> None:
    event = {"event": "PassengerMoved", "seat": 0, "city": "ulm", "path": [], "payment": {}, "tokens": {}, "points": 0}
    (read,) = events_from_plain(maerklin(), [event])
    assert read.plain(maerklin(), "event") == event
    with pytest.raises(Malformed, match="/events/0/tokens"):
        events_from_plain(maerklin(), [event | {"tokens": tokens}])
