"""Deciding moves, starting games, listing and judging moves."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from shared.catalog import rule_text, rules_for, rulesets
from shared.kernel import (
    KeyedChance,
    Rules,
    advance,
    events_to_plain,
    legal_moves,
    move_to_plain,
    new_game,
    parse_position,
)
from tests.kernel_games import Game
from tests.service.rules.conftest import KEY, OPENING, RulesService, opening, question, to_decide, view_of

README = Path(__file__).parents[3] / "services/rules/README.md"
TOO_DEAR = {"move": "ClaimTrack", "track": "atlanta-miami-blue", "payment": {"red": 3}}


def test_a_decide_gives_what_the_kernel_gives_for_the_same_key(service: RulesService, rules: Rules) -> None:
    state, decision = opening(rules)
    chance = KeyedChance(bytes.fromhex(KEY))
    for move in legal_moves(rules, state, decision):
        answer = service.post("/decide", to_decide(rules, state, move_to_plain(rules, move)))
        events = advance(rules, state.copy(), decision, move, chance := KeyedChance(bytes.fromhex(KEY)))
        assert answer.status_code == 200
        assert answer.json == {
            "events": events_to_plain(rules, events), "chance": [list(outcome) for outcome in chance.outcomes]
        }


def test_a_position_in_notation_is_as_good_as_a_plain_one(service: RulesService, rules: Rules) -> None:
    state, _ = opening(rules)
    move = {"move": "DrawFromDeck"}
    plain, notation = (service.post("/decide", to_decide(rules, position, move)) for position in (state, OPENING))
    assert plain.json == notation.json and plain.json["events"][0]["event"] == "CardDrawn"


def test_the_positions_of_the_readme_can_be_asked_about(service: RulesService) -> None:
    positions = re.findall(r"^    ((\w+@1):2 .+)$", README.read_text(), re.MULTILINE)
    assert {ruleset.partition("@")[0] for _, ruleset in positions} == set(rulesets())
    for position, ruleset in positions:
        rules = rules_for(ruleset, seats=2)
        decision = parse_position(rules, position).decisions[0].id
        assert len(service.post("/legal-moves", question(rules, position, decision)).json["legal_moves"]) > 1


@pytest.mark.rule("OPT-4")
def test_the_same_question_gets_the_same_answer_and_another_key_another_draw(
    service: RulesService, rules: Rules
) -> None:
    asked = to_decide(rules, OPENING, {"move": "DrawFromDeck"})
    assert service.post("/decide", asked).json == service.post("/decide", asked).json
    draws = {str(service.post("/decide", asked | {"key": f"{n:064x}"}).json["events"][0]) for n in range(20)}
    assert len(draws) > 1


@pytest.mark.rule("BASE-8")
@pytest.mark.rule("BASE-24")
def test_a_refusal_names_the_rule_what_was_needed_and_what_came(service: RulesService, rules: Rules) -> None:
    answer = service.post("/decide", to_decide(rules, OPENING, TOO_DEAR))
    assert answer.status_code == 422 and answer.json["code"] == "rule_violation"
    data = {"needed": 5, "came": 3}
    assert answer.json["violations"] == [
        {"code": "wrong_payment_size", "rule": "BASE-24", "text": rule_text("BASE-24"), "data": data}
    ]


def test_decides_are_counted_by_outcome(service: RulesService, rules: Rules) -> None:
    before = service.decides()
    service.post("/decide", to_decide(rules, OPENING, {"move": "DrawFromDeck"}))
    service.post("/decide", to_decide(rules, OPENING, TOO_DEAR))
    after = service.decides()
    assert {name: after[name] - before.get(name, 0) for name in after} == {"accepted": 1, "refused": 1}


@pytest.mark.rule("BASE-4")
def test_a_start_gives_what_the_kernel_gives_for_the_same_key(service: RulesService, rules: Rules) -> None:
    asked = {"ruleset": rules.id, "seats": 2, "options": {"first_player": 1}, "key": KEY}
    answer = service.post("/start", asked)
    assert answer.status_code == 200 and answer.json["events"][0] == {"event": "FirstSeatChosen", "seat": 1}
    chance = KeyedChance(bytes.fromhex(KEY))
    _, events = new_game(rules, chance)
    answer = service.post("/start", asked | {"options": {}})
    assert answer.json["events"] == events_to_plain(rules, events)
    assert answer.json["chance"] == [list(outcome) for outcome in chance.outcomes]


def test_legal_moves_are_the_kernels_from_a_state_or_from_the_seats_view(
    service: RulesService, rules: Rules, game: Game
) -> None:
    for state in (game.states[5], game.states[len(game.states) // 2]):
        decision = state.decisions[0]
        expected = [move_to_plain(rules, move) for move in legal_moves(rules, state, decision)]
        view = view_of(rules, state, decision.seat)
        for position in (state, view):
            asked = question(rules, state, decision.id)
            asked |= {"position": position} if position is view else {}
            assert service.post("/legal-moves", asked).json == {"legal_moves": expected}


def test_a_validation_judges_without_an_error(service: RulesService, rules: Rules) -> None:
    legal = service.post("/validations", question(rules, OPENING, move={"move": "DrawFromDeck"}), "gateway")
    against = service.post("/validations", question(rules, OPENING, move=TOO_DEAR), "gateway")
    assert (legal.status_code, legal.json) == (200, {"legal": True})
    assert against.status_code == 200 and against.json["legal"] is False
    assert against.json["violation"]["rule"] == "BASE-24"


@pytest.mark.rule("VIEW-8")
def test_a_view_says_nothing_about_what_another_seat_may_do(
    service: RulesService, rules: Rules, game: Game
) -> None:
    state = game.states[20]
    decision = state.decisions[0]
    for viewer in (1 - decision.seat, None):
        asked = question(rules, state, decision.id) | {"position": view_of(rules, state, viewer)}
        for path, body in (("/legal-moves", asked), ("/validations", asked | {"move": {"move": "DrawFromDeck"}})):
            answer = service.post(path, body, "gateway")
            assert answer.status_code == 422 and answer.json["errors"][0]["code"] == "not_your_seat"


@pytest.mark.parametrize(
    ("path", "service_name", "status"),
    [("/decide", "game_state", 200), ("/decide", "scoring", 403), ("/decide", None, 401), ("/rulesets", "gateway", 200),
     ("/rulesets", "game_state", 403), ("/rulesets", None, 401)],
)
def test_who_may_ask(service: RulesService, rules: Rules, path: str, service_name: str | None, status: int) -> None:
    body = to_decide(rules, OPENING, {"move": "DrawFromDeck"}) if path == "/decide" else None
    answer = service.call("POST" if body else "GET", path, service_name, json=body)
    assert answer.status_code == status
