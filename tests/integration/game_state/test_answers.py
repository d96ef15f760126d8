"""Answering decisions: each exactly once, whoever comes first, whatever breaks in between."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from deploy.local.processes import free_ports
from services.game_state import answers
from services.game_state.keys import game_key
from services.rules.app import create_rules
from shared.web import Settings
from tests.game_state import NOWHERE, SECRET, GameState, at_once, seat_of, served
from tests.servers import embedded_server


@pytest.fixture
def game(gs: GameState) -> str:
    """A game whose two seats choose their opening tickets."""
    return gs.started()["game"]


def moves_of(gs: GameState, game: str, seat: int = 0) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Gives the open decision of a seat and the legal moves."""
    decision = next(each for each in gs.open_decisions(game) if each["seat"] == seat)
    return decision, gs.choice(game, decision)["legal_moves"]


def versions(gs: GameState, game: str) -> list[int]:
    return [version for version, _ in gs.adapters.store.commits(game)]


@pytest.mark.rule("BASE-5")
def test_two_seats_choosing_at_once_are_both_accepted(gs: GameState):
    """P-05: simultaneous choices commute; one never refuses the other."""
    for _ in range(10):
        game = gs.started(seats=3)["game"]
        chosen = [moves_of(gs, game, seat) for seat in range(3)]
        responses = at_once(*[
            lambda game=game, decision=decision, move=moves[0]: gs.answer(game, decision, move)
            for decision, moves in chosen
        ])
        assert [response.status_code for response in responses] == [201] * 3
        assert versions(gs, game) == [1, 2, 3, 4]
        assert gs.adapters.store.answers(game).keys() == {"1.0", "1.1", "1.2"}


@pytest.mark.rule("OPT-4")
def test_the_order_of_simultaneous_choices_has_no_influence(gs: GameState):
    positions = []
    for order in ((0, 1, 2), (2, 0, 1)):
        game = gs.started(seats=3, seed="ab" * 32)["game"]
        for seat in order:
            decision, moves = moves_of(gs, game, seat)
            gs.answer(game, decision, moves[0])
        positions.append([gs.show(game, seat_of(game, seat))["position"] for seat in range(3)])
    assert positions[0] == positions[1]


def test_one_seat_sending_two_different_answers_at_once_has_exactly_one_accepted(gs: GameState):
    """P-01: fifty rounds, a single winner in each."""
    for _ in range(50):
        game = gs.started()["game"]
        decision, moves = moves_of(gs, game)
        first, second = at_once(
            lambda game=game, decision=decision, move=moves[0]: gs.answer(game, decision, move),
            lambda game=game, decision=decision, move=moves[1]: gs.answer(game, decision, move),
        )
        assert sorted((first.status_code, second.status_code)) == [201, 409]
        winner, loser = (first, second) if first.status_code == 201 else (second, first)
        assert loser.json["code"] == "decision_answered"
        assert versions(gs, game) == [1, 2]
        won = moves[0] if winner is first else moves[1]
        assert json.loads(gs.adapters.store.commit(game, 2))["move"] == won


def test_the_same_answer_sent_many_times_at_once_is_one_commit(gs: GameState, game: str):
    """P-03."""
    decision, moves = moves_of(gs, game)
    responses = at_once(*[lambda: gs.answer(game, decision, moves[0])] * 8)
    assert sorted(response.status_code for response in responses) == [200] * 7 + [201]
    assert len({response.text for response in responses}) == 1
    assert versions(gs, game) == [1, 2]


def test_the_same_answer_later_gives_the_same_commit_as_its_seat_may_see_it_now(gs: GameState, game: str):
    decision, moves = moves_of(gs, game)
    first = gs.answer(game, decision, moves[0])
    gs.choose_tickets(game)
    again = gs.answer(game, decision, moves[0])
    assert (first.status_code, again.status_code) == (201, 200)
    assert again.json["version"] == first.json["version"]
    assert again.json["commit"]["move"] == moves[0]
    assert again.headers["Location"] == first.headers["Location"]


def test_the_same_answer_written_differently_is_the_same_answer(gs: GameState, game: str):
    """P-14: the digest is that of the move, not of the text."""
    decision, moves = moves_of(gs, game)
    gs.answer(game, decision, moves[0])
    reordered = {"tickets": moves[0]["tickets"][::-1], "move": "KeepTickets"}
    assert gs.answer(game, decision, reordered).status_code == 200


def test_an_answer_by_a_seat_that_has_nothing_to_choose_is_refused(gs: GameState, game: str):
    gs.choose_tickets(game)
    [turn] = gs.open_decisions(game)
    idle = 1 - turn["seat"]
    opened = turn["decision"].split(".")[0]
    response = gs.answer(game, {"decision": f"{opened}.{idle}", "seat": idle}, {"move": "DrawFromDeck"})
    assert (response.status_code, response.json["code"]) == (409, "decision_not_open")


@pytest.mark.rule("BASE-8")
def test_a_move_against_a_rule_names_the_rule_and_changes_nothing(gs: GameState, game: str):
    before = gs.redis.dump(game_key(game, "head"))
    decision, moves = moves_of(gs, game)
    response = gs.answer(game, decision, {"move": "KeepTickets", "tickets": moves[0]["tickets"][:1]})
    assert (response.status_code, response.json["code"]) == (422, "rule_violation")
    [violation] = response.json["violations"]
    assert violation["rule"] == "USA-2"
    assert violation["text"]
    assert gs.redis.dump(game_key(game, "head")) == before
    assert versions(gs, game) == [1]
    assert gs.answer(game, decision, moves[0]).status_code == 201


def test_a_move_that_is_none_is_refused_with_a_pointer(gs: GameState, game: str):
    decision, _ = moves_of(gs, game)
    response = gs.answer(game, decision, {"move": "KeepTickets", "tickets": ["nowhere-nothing"]})
    assert response.status_code == 422
    assert response.json["errors"][0]["pointer"] == "/move/tickets/0"


@contextmanager
def rules_that(before_decide: Callable[[], object]) -> Iterator[str]:
    """Serves the rules service, with something happening elsewhere before each decision it takes."""
    app = create_rules(Settings("rules", service_secret=SECRET))

    def between(environ: dict[str, Any], start_response: Any) -> Any:
        if environ["PATH_INFO"] == "/decide":
            before_decide()
        return app(environ, start_response)

    with served(between) as address:
        yield address


def test_an_answer_overtaken_by_another_seat_is_decided_again_on_the_new_head(gs: GameState, game: str, store_url: str):
    """P-04, P-19: what was decided on an old state is not appended, and the caller need not care."""
    mine, my_moves = moves_of(gs, game, 0)
    theirs, their_moves = moves_of(gs, game, 1)
    overtaking = iter([lambda: gs.answer(game, theirs, their_moves[0])])
    decides = []

    def overtake() -> None:
        decides.append(1)
        next(overtaking, lambda: None)()

    with rules_that(overtake) as address:
        response = GameState(store_url, address).answer(game, mine, my_moves[0])
    assert response.status_code == 201
    assert response.json["version"] == 3
    assert len(decides) == 2
    assert versions(gs, game) == [1, 2, 3]
    assert gs.call("POST", f"/games/{game}/audit", service="maintenance").json == {"repaired": []}


def test_an_answer_overtaken_again_and_again_is_given_up_and_stays_open(
    gs: GameState, store_url: str, monkeypatch: pytest.MonkeyPatch
):
    game = gs.started(seats=5)["game"]
    mine, my_moves = moves_of(gs, game, 0)
    monkeypatch.setattr(answers, "TRIES", 2)
    others = iter([moves_of(gs, game, seat) for seat in (1, 2)])

    def overtake() -> None:
        decision, moves = next(others)
        gs.answer(game, decision, moves[0])

    with rules_that(overtake) as address:
        response = GameState(store_url, address).answer(game, mine, my_moves[0])
    assert (response.status_code, response.json["code"]) == (503, "game_busy")
    assert response.headers["Retry-After"]
    assert gs.answer(game, mine, my_moves[0]).status_code == 201


def test_an_answer_whose_own_decision_closes_meanwhile_gets_the_conflict(gs: GameState, game: str, store_url: str):
    decision, moves = moves_of(gs, game)
    with rules_that(lambda: gs.answer(game, decision, moves[1])) as address:
        response = GameState(store_url, address).answer(game, decision, moves[0])
    assert (response.status_code, response.json["code"]) == (409, "decision_answered")
    assert versions(gs, game) == [1, 2]


def test_while_rules_is_down_a_decision_stays_open_and_reading_goes_on(gs: GameState, game: str, store_url: str):
    decision, moves = moves_of(gs, game)
    alone = GameState(store_url, NOWHERE)
    response = alone.answer(game, decision, moves[0])
    assert (response.status_code, response.json["code"]) == (503, "rules_unavailable")
    assert response.headers["Retry-After"]
    assert alone.show(game)["decisions"] == gs.open_decisions(game)
    assert gs.answer(game, decision, moves[0]).status_code == 201


def test_only_the_key_of_this_commit_leaves_for_the_rules_service(gs: GameState, game: str, store_url: str):
    """The seed stays here: what the rules service is told decides one commit and no other."""
    asked = []
    app = create_rules(Settings("rules", service_secret=SECRET))

    def listen(environ: dict[str, Any], start_response: Any) -> Any:
        body = environ["wsgi.input"].read(int(environ["CONTENT_LENGTH"]))
        asked.append(body.decode())
        environ["wsgi.input"] = io.BytesIO(body)
        return app(environ, start_response)

    with served(listen) as address:
        decision, moves = moves_of(gs, game)
        GameState(store_url, address).answer(game, decision, moves[0])
    secret = gs.redis.hgetall(game_key(game, "secret"))
    assert len(asked) == 1
    assert secret["seed"] not in asked[0]
    assert secret["nonce"] not in asked[0]


def test_a_restart_of_the_store_in_the_middle_of_the_simultaneous_choice_forgets_nothing(rules_url: str, tmp_path):
    """P-18, P-24: choices, offers, deadlines and the seed are stored; the game goes on as if nothing had happened."""
    port = free_ports(1)[0]
    options = ("--dir", str(tmp_path), "--appendonly", "yes", "--appendfsync", "always")
    with embedded_server(port, *options) as url:
        gs = GameState(url, rules_url)
        game = gs.started(seed="cd" * 32, answer_limit=600)["game"]
        mine, my_moves = moves_of(gs, game, 0)
        gs.answer(game, mine, my_moves[0])
        before = [gs.show(game, seat_of(game, seat)) for seat in (0, 1)]
        agenda = _agenda(gs)
    response = gs.call("GET", f"/games/{game}", caller=seat_of(game, 0))
    assert (response.status_code, response.json["code"]) == (503, "store_unavailable")
    assert response.headers["Retry-After"]
    theirs, their_move = before[1]["decisions"][0], {"move": "KeepTickets", "tickets": []}
    assert gs.answer(game, theirs, their_move).status_code == 503, "nothing is accepted without the store"
    with embedded_server(port, *options):
        assert [gs.show(game, seat_of(game, seat)) for seat in (0, 1)] == before
        assert _agenda(gs) == agenda
        assert gs.answer(game, mine, my_moves[0]).status_code == 200
        gs.choose_tickets(game)
        undisturbed = gs.started(seed="cd" * 32)["game"]
        gs.choose_tickets(undisturbed)
        assert [gs.show(game, seat_of(game, seat))["position"] for seat in (0, 1)] == [
            gs.show(undisturbed, seat_of(undisturbed, seat))["position"] for seat in (0, 1)
        ]


def _agenda(gs: GameState) -> dict[str, list[tuple[str, float]]]:
    keys = sorted(gs.redis.scan_iter("gs:*:agenda"))
    return {key: gs.redis.zrange(key, 0, -1, withscores=True) for key in keys}
