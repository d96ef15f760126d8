"""Whatever comes instead of a position or a move is refused with a pointer, and never a failure of the service."""

from __future__ import annotations

import copy
import json
import random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from shared.kernel import Rules, legal_moves, move_to_plain, print_position, state_to_plain
from tests.kernel_games import Game
from tests.service.rules.conftest import KEY, OPENING, RulesService, question, to_decide

ODD_VALUES = (None, True, -1, 0, 1, 2, 7, 10**12, -(10**30), 1.5, "", "x", "9.0", "red", "é\x00", "1" * 5000, [],
              [None], [[]], {}, {"red": 1}, {"red": -1}, {"red": "1"}, [1, 2, 3, 4, 5, 6])
ODD_TEXTS = ("", "?", "9", "/", ",", "=", "R", "-1", " v=3", "é")
Json = dict[str, Any]


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The path to everything inside a JSON value."""
    if isinstance(value, dict):
        inner = value.items()
    elif isinstance(value, list):
        inner = enumerate(value)
    else:
        return [path]
    return [path, *(found for key, part in inner for found in places(part, (*path, key)))]


def mutated(value: Any, luck: random.Random) -> Any:
    """A copy of a JSON value with one thing wrong: replaced, missing, doubled, or one too many."""
    out = copy.deepcopy(value)
    *way, last = luck.choice([path for path in places(out) if path])
    holder = out
    for key in way:
        holder = holder[key]
    match luck.choice(("replace", "remove", "add", "double", "swap")):
        case "replace":
            holder[last] = copy.deepcopy(luck.choice(ODD_VALUES))
        case "remove":
            del holder[last]
        case "add" if isinstance(holder, dict):
            holder[luck.choice(("", "~/", "extra", "ä" * 300))] = luck.choice(ODD_VALUES)
        case "double" if isinstance(holder, list):
            holder.append(copy.deepcopy(holder[last]))
        case _:
            other = luck.choice([path for path in places(out) if path])
            source = out
            for key in other:
                source = source[key]
            holder[last] = copy.deepcopy(source)
    return out


def check(service: RulesService, path: str, body: Json) -> None:
    """The answer is good, or a refusal that says where."""
    answer = service.post(path, body)
    assert answer.status_code in (200, 422), (answer.json, body)
    if answer.status_code == 422:
        assert answer.json["violations"] or answer.json["errors"], body
        assert all(error["pointer"].startswith("/") and error["detail"] for error in answer.json["errors"])


@settings(max_examples=400, deadline=None, database=None, derandomize=True,
          suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(seed=st.integers(0, 2**40))
def test_a_mutated_position_is_refused_with_a_pointer_or_played(
    service: RulesService, rules: Rules, game: Game, seed: int
) -> None:
    luck = random.Random(seed)
    state = luck.choice(game.states[:-1])
    decision = luck.choice(state.decisions)
    move = move_to_plain(rules, luck.choice(legal_moves(rules, state, decision)))
    position = state_to_plain(rules, state)
    for _ in range(luck.choice((1, 1, 2, 3))):
        position = mutated(position, luck)
    about = question(rules, state, decision.id) | {"position": position}
    check(service, "/decide", about | {"move": move, "key": KEY})
    check(service, "/legal-moves", about)
    check(service, "/validations", about | {"move": move})


@settings(max_examples=200, deadline=None, database=None, derandomize=True,
          suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(seed=st.integers(0, 2**40))
def test_a_mutated_move_is_refused_with_a_pointer_or_played(
    service: RulesService, rules: Rules, game: Game, seed: int
) -> None:
    luck = random.Random(seed)
    state = luck.choice(game.states[:-1])
    decision = luck.choice(state.decisions)
    move = mutated(move_to_plain(rules, luck.choice(legal_moves(rules, state, decision))), luck)
    check(service, "/decide", to_decide(rules, state, move, decision.id))
    check(service, "/validations", question(rules, state, decision.id, move=move))


@settings(max_examples=300, deadline=None, database=None, derandomize=True,
          suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(seed=st.integers(0, 2**40))
def test_a_mutated_notation_is_refused_with_a_pointer_or_played(
    service: RulesService, rules: Rules, game: Game, seed: int
) -> None:
    luck = random.Random(seed)
    state = luck.choice(game.states[:-1])
    decision = luck.choice(state.decisions)
    text = list(print_position(rules, state))
    for _ in range(luck.choice((1, 1, 2, 5))):
        place = luck.randrange(len(text))
        text[place:place + luck.choice((0, 1, 1, 8))] = luck.choice(ODD_TEXTS)
    check(service, "/legal-moves", question(rules, "".join(text), decision.id))
    check(service, "/decide", to_decide(rules, "".join(text), {"move": "DrawFromDeck"}, decision.id))


@pytest.mark.parametrize(
    ("change", "pointer"),
    [
        ({"ruleset": "chess"}, "/ruleset"),
        ({"ruleset": 5}, "/ruleset"),
        ({"seats": 9}, "/seats"),
        ({"seats": "2"}, "/seats"),
        ({"options": {"first_player": "me"}}, "/options/first_player"),
        ({"options": {"alvin": True}}, "/options/alvin"),
        ({"position": 5}, "/position"),
        ({"position": "chess"}, "/position"),
        ({"position": f"{OPENING} ghost=1"}, "/position/ghost"),
        ({"position": f"{OPENING} viewer=0"}, "/position/viewer"),
        ({"decision": "8.0"}, "/decision"),
        ({"decision": "first"}, "/decision"),
        ({"move": {"move": "Fly"}}, "/move/move"),
        ({"move": {"move": "DrawFromDisplay"}}, "/move/card"),
        ({"move": {"move": "DrawFromDisplay", "card": None}}, "/move/card"),
        ({"move": {"move": "DrawFromDeck", "card": "red"}}, "/move/card"),
        ({"move": {"move": "ClaimTrack", "track": "a-b", "payment": {"red": 1}}}, "/move/track"),
        ({"move": {"move": "ClaimTrack", "track": "atlanta-miami-blue", "payment": {"red": -1}}}, "/move/payment/red"),
        ({"move": "DrawFromDeck"}, "/move"),
        ({"key": "abc"}, "/key"),
        ({"key": None}, "/key"),
        ({"ghost": 1}, "/ghost"),
    ],
)
def test_the_pointer_says_where(service: RulesService, rules: Rules, change: Json, pointer: str) -> None:
    answer = service.post("/decide", to_decide(rules, OPENING, {"move": "DrawFromDeck"}) | change)
    assert answer.status_code == 422
    assert [error["pointer"] for error in answer.json["errors"]] == [pointer]


@pytest.mark.parametrize("body", ["", "{", "[]", '{"position": NaN}', "\xff", '"' + "\\ud800" + '"', "[" * 5000])
@pytest.mark.parametrize("path", ["/decide", "/start", "/legal-moves", "/validations"])
def test_what_is_no_json_object(service: RulesService, path: str, body: str) -> None:
    answer = service.call("POST", path, data=body.encode("latin-1"), content_type="application/json")
    assert answer.status_code in (400, 422) and answer.json["errors"]


def test_a_body_over_the_limit(service: RulesService, rules: Rules) -> None:
    asked = to_decide(rules, OPENING + " " * 70_000, {"move": "DrawFromDeck"})
    assert service.call("POST", "/decide", data=json.dumps(asked), content_type="application/json").status_code == 413
