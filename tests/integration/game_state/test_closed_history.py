"""History that would restore a hidden stack is closed while the game goes on, however it is asked for (VIEW-7)."""

from __future__ import annotations

import json
from typing import Any

import pytest
from werkzeug.test import TestResponse

from shared.catalog import rules_for
from shared.contracts.commits import CommitPageSchema
from shared.kernel import commit_from_plain, first_served, fold, state_from_plain, state_to_plain
from tests.game_state import OWNER, GameState, seat_of

pytestmark = pytest.mark.rule("VIEW-7")

SEATS = 3
RULES = rules_for("card_game@1", seats=SEATS, options={"first_player": "random", "novice": False})
ANSWERS = 40
Json = dict[str, Any]


class Table:
    """A game of cards between three people, who place whatever they can, and what each of them has answered."""

    def __init__(self, gs: GameState) -> None:
        self.gs = gs
        self.game = gs.started(SEATS, ruleset="card_game", seed="c4" * 32)["game"]
        self.callers = [OWNER, *(seat_of(self.game, seat) for seat in range(SEATS))]
        self.answered: list[tuple[Json, Json, TestResponse]] = []

    def play(self, answers: int | None = None) -> None:
        """Answers so many decisions, or all until the game is over."""
        while (opened := self.gs.open_decisions(self.game)) and (answers is None or len(self.answered) < answers):
            decision = opened[0]
            moves = self.gs.choice(self.game, decision)["legal_moves"]
            move = next((move for move in moves if move["move"] == "PlaceCards"), moves[0])
            response = self.gs.answer(self.game, decision, move)
            assert response.status_code == 201, response.json
            self.answered.append((decision, move, response))

    def first_open(self) -> int:
        """The first version that is still served, as the kernel has it."""
        kept = self.gs.adapters.store.read(self.game)
        return first_served(RULES, state_from_plain(RULES, json.loads(kept.head.state)))

    def commits(self, caller: str, **query: int) -> Json:
        """A page of the log."""
        response = self.gs.call("GET", f"/games/{self.game}/commits", caller=caller, query_string=query)
        assert CommitPageSchema().validate(response.json) == {}
        return response.json

    def repeat(self, decision: Json, move: Json) -> tuple[int, str]:
        """Sends an answer again; gives the status and the code of a refusal."""
        response = self.gs.answer(self.game, decision, move)
        return response.status_code, response.json.get("code", "")


@pytest.fixture
def table(gs: GameState) -> Table:
    """Well into the game, with yards, stacks and closed history."""
    table = Table(gs)
    table.play(ANSWERS)
    assert table.first_open() > 10
    assert all(gs.show(table.game)["position"]["yards"]["stack_sizes"])
    return table


def test_who_asks_for_closed_commits_gets_the_view_and_those_still_open(table: Table):
    first = table.first_open()
    for caller in table.callers:
        shown = table.gs.show(table.game, caller)
        for after in (0, 1, first - 2):
            page = table.commits(caller, after=after)
            assert [commit["version"] for commit in page["commits"]] == list(range(first, shown["version"] + 1))
            assert page["position"] == shown["position"]
        for after in (first - 1, first, shown["version"]):
            page = table.commits(caller, after=after)
            assert [commit["version"] for commit in page["commits"]] == list(range(after + 1, shown["version"] + 1))
            assert "position" not in page


def test_pages_of_what_is_open_follow_each_other(table: Table):
    first, versions, after = table.first_open(), [], 0
    while (page := table.commits(OWNER, after=after, limit=2))["commits"]:
        assert ("position" in page) == (after == 0)
        versions += [commit["version"] for commit in page["commits"]]
        after = versions[-1]
    assert versions == list(range(first, table.gs.show(table.game)["version"] + 1))


def test_a_reader_goes_on_from_the_position_of_the_page(table: Table):
    views = [state_from_plain(RULES, table.commits(caller)["position"]) for caller in table.callers]
    table.play(ANSWERS + 3)
    for caller, view in zip(table.callers, views, strict=True):
        for commit in table.commits(caller, after=view.version)["commits"]:
            fold(RULES, view, commit_from_plain(RULES, commit))
        assert json.loads(json.dumps(state_to_plain(RULES, view))) == table.gs.show(table.game, caller)["position"]


def test_a_closed_answer_cannot_be_had_again_nor_found_out_by_trying(table: Table):
    first = table.first_open()
    closed = [(decision, move) for decision, move, made in table.answered if made.json["version"] < first]
    placed = [(decision, move) for decision, move in closed if move["move"] == "PlaceCards"]
    assert placed
    for decision, move in closed:
        assert table.repeat(decision, move) == (409, "answer_closed")
    for decision, _ in placed:
        for other in ({"move": "PlaceCards", "cards": {"red": 2}}, {"move": "DrawFromDeck"}):
            assert table.repeat(decision, other) == (409, "answer_closed")
        assert {"move", "legal_moves", "view"}.isdisjoint(table.gs.choice(table.game, decision))


def test_an_answer_that_is_open_can_be_repeated(table: Table):
    first = table.first_open()
    opened = [entry for entry in table.answered if entry[2].json["version"] >= first]
    assert opened
    for decision, move, made in opened:
        again = table.gs.answer(table.game, decision, move)
        assert (again.status_code, again.json["version"]) == (200, made.json["version"])
        [commit] = table.gs.call("GET", again.headers["Location"], caller=seat_of(table.game, decision["seat"])).json[
            "commits"
        ]
        assert commit == again.json["commit"]
    assert table.repeat(opened[-1][0], {"move": "PlaceCards", "cards": {"purple": 9}}) == (409, "decision_answered")


def test_whoever_answered_last_may_repeat_it_until_answering_the_next_turn(gs: GameState):
    """However many turns of others have passed: so a client that retries one answer at a time always gets it."""
    table = Table(gs)
    last: dict[int, tuple[Json, Json]] = {}
    for number in range(SEATS + 1, ANSWERS):
        table.play(number)
        decision, move, _ = table.answered[-1]
        last[decision["seat"]] = (decision, move)
        for seat, (answered, repeated) in last.items():
            if answered["kind"] != "opening_tickets":
                assert table.repeat(answered, repeated) == (200, ""), seat


def test_the_record_is_closed_until_the_end_and_then_everything_is_open(table: Table):
    for caller in table.callers:
        response = table.gs.call("GET", f"/games/{table.game}/record", caller=caller)
        assert (response.status_code, response.json["code"]) == (409, "game_not_over")
    table.play()
    whole = [table.commits(caller, after=0, limit=500) for caller in table.callers]
    last = table.gs.show(table.game)["version"]
    assert [commit["version"] for commit in whole[0]["commits"]] == list(range(1, last + 1))
    assert all(page == whole[0] and "position" not in page for page in whole)
    decision, move, made = table.answered[SEATS]
    again = table.gs.answer(table.game, decision, move)
    assert (again.status_code, again.json["commit"]) == (200, whole[0]["commits"][made.json["version"] - 1])
    record = table.gs.call("GET", f"/games/{table.game}/record", caller=OWNER).json
    assert record["commits"] == whole[0]["commits"]


def test_scoring_which_shows_no_commit_reads_them_all(table: Table):
    page = table.gs.call("GET", f"/games/{table.game}/commits?limit=500", service="scoring").json
    assert [commit["version"] for commit in page["commits"]] == list(range(1, page["version"] + 1))
    assert "position" not in page


def test_games_that_hide_no_stack_close_nothing(gs: GameState):
    game = gs.started(ruleset="old_west", seed="c4" * 32)["game"]
    for _ in range(ANSWERS):
        decision = gs.open_decisions(game)[0]
        gs.answer(game, decision, gs.choice(game, decision)["legal_moves"][0])
    page = gs.call("GET", f"/games/{game}/commits?limit=500", caller=OWNER).json
    assert [commit["version"] for commit in page["commits"]] == list(range(1, ANSWERS + 2))
    assert "position" not in page
