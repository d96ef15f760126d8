"""The search bot: worlds that a view allows, games played out by plans, and moves that follow from them."""

from __future__ import annotations

import pytest

from services.ai.bots import BOTS
from services.ai.bots.search import Search
from services.ai.planning.follow import followed, play_out
from services.ai.planning.worlds import Worlds
from services.ai.play import play
from shared.catalog import rules_for, ruleset, rulesets
from shared.client import Question
from shared.kernel import (
    TICKETS,
    TRACKS,
    FastChance,
    Rules,
    View,
    advance,
    legal_moves,
    new_game,
    parse_position,
    print_move,
    print_position,
    score,
    view_for,
)

USA = rules_for("usa@1", 2)
WITH_TRACKS = [rules for rules in (rules_for(name, seats) for name in rulesets()
               for seats in (ruleset(name)["seats"]["min"], ruleset(name)["seats"]["max"]))
               if rules.holders[TRACKS]]  # fmt: skip
ALMOST = "boston-new_york-red,new_york-washington-black,raleigh-washington-gray,charleston-raleigh-gray"


def view_of(position: str) -> View:
    """Seat 0's view of a position."""
    return view_for(USA, parse_position(USA, f"usa@1:2 v=9 turn=0 {position}"), 0)


def question(view: View, seconds: float) -> Question:
    """The open question of a view."""
    decision = view.decisions[0]
    return Question(USA, view, decision, legal_moves(USA, view, decision), "", FastChance(1), seconds)


@pytest.mark.parametrize("rules", WITH_TRACKS, ids=lambda rules: f"{rules.id}:{rules.seats}")
def test_followers_play_games_of_every_rule_set_with_tracks_by_the_rules(rules: Rules) -> None:
    chance = FastChance(5)
    state, _ = new_game(rules, chance)
    followers = [followed(rules, state, seat) for seat in range(rules.seats)]
    while not state.over:
        decision = state.decisions[0]
        advance(rules, state, decision, followers[decision.seat].answer(state, decision), chance)
    assert max(score(rules, state).completed) > 0


def test_followers_complete_what_they_plan() -> None:
    state = parse_position(USA, f"usa@1:2 v=9 turn=0 hands=P4/- tracks={ALMOST}/- tickets=boston-miami/- ask=turn")
    followers = [followed(USA, state, seat) for seat in range(2)]
    assert [USA.board.tracks[track] for track in followers[0].wanted] == ["charleston-miami-purple"]
    play_out(USA, state, followers, FastChance(2))
    assert USA.board.ticket_of["boston-miami"] in [t for t in range(30) if state.parts[TICKETS].hands[0] >> t & 1]
    assert score(USA, state).completed[0] >= 1


def test_a_world_looks_to_the_viewer_like_the_view() -> None:
    chance = FastChance(3)
    state, _ = new_game(USA, chance)
    for _ in range(60):
        decision = state.decisions[0]
        moves = legal_moves(USA, state, decision)
        advance(USA, state, decision, moves[chance.below(len(moves))], chance)
    for seat in range(2):
        view = view_for(USA, state, seat)
        worlds = Worlds(USA, view)
        drawn = [worlds.draw(FastChance(seed)) for seed in range(20)]
        assert {print_position(USA, view_for(USA, world, seat)) for world in drawn} == {print_position(USA, view)}
        assert len({print_position(USA, world) for world in drawn}) > 1


def test_tickets_of_others_go_with_their_tracks() -> None:
    """Three of 28 hidden tickets would be a tenth each; the one just completed is far likelier."""
    view = view_of(f"hands=-/- tracks=-/{ALMOST},charleston-miami-purple tickets=duluth-houston/boston-miami ask=turn")
    worlds = Worlds(USA, view)
    completed = 1 << USA.board.ticket_of["boston-miami"]
    drawn = sum(bool(worlds.draw(FastChance(seed)).parts[TICKETS].hands[1] & completed) for seed in range(200))
    assert drawn > 40


def test_without_time_it_is_the_planner() -> None:
    end = play(USA, [BOTS["search"], BOTS["search"]], 4, seconds=0.0)
    assert print_position(USA, end) == print_position(USA, play(USA, [BOTS["planner"]] * 2, 4))


def test_it_completes_a_ticket_with_its_last_turn() -> None:
    view = view_of(f"hands=P4W6/- last=1 tracks={ALMOST}/- trains=30/2 tickets=boston-miami/- ask=turn")
    move = BOTS["search"].choose(question(view, 0.5))
    assert print_move(USA, move) == "ClaimTrack charleston-miami-purple P4"


def test_moves_that_lose_in_thought_are_not_made(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the planner sees no difference, what follows in many worlds decides."""
    monkeypatch.setattr("services.ai.bots.search.WORTH_TRYING", 1000.0)
    view = view_of(f"hands=P4W6/- last=1 tracks={ALMOST}/- trains=30/2 tickets=boston-miami/- ask=turn")
    search = Search(question(view, 1.0))
    completing = search.trials[0].move
    search.trials.reverse()
    for trial in search.trials:
        trial.worth = 0.0
    assert len(search.trials) > 1 and search.best(float("inf")) == completing
