"""The planner does what a careful player would: positions with one sensible answer, and games that it wins."""

from __future__ import annotations

import pytest

from services.ai.bots import BOTS
from services.ai.planning.needs import Needs
from services.ai.planning.network_plan import Planner
from services.ai.planning.standing import Standing
from services.ai.play import play
from shared.catalog import rules_for
from shared.client import Question
from shared.kernel import FastChance, Rules, legal_moves, parse_position, print_move, score, view_for

USA = rules_for("usa@1", 2)
ALMOST = "boston-new_york-red,new_york-washington-black,raleigh-washington-gray,charleston-raleigh-gray"
"""What connects Boston with Miami but for one track."""
DONE = f"{ALMOST},charleston-miami-purple"


def question(position: str, rules: Rules = USA) -> Question:
    """The question of the first open decision of a position."""
    state = parse_position(rules, f"{rules.id}:{rules.seats} v=9 turn=0 {position}")
    decision = state.decisions[0]
    view = view_for(rules, state, decision.seat)
    return Question(rules, view, decision, legal_moves(rules, view, decision), "", FastChance(1))


def chosen(position: str) -> str:
    """What the planner does in a position, in notation."""
    return print_move(USA, BOTS["planner"].choose(question(position)))


def planner(position: str, turns_left: float = 30.0) -> Planner:
    """Plans for seat 0 of a position."""
    return Planner(Standing(USA, question(position).view, 0), turns_left)


def names(tracks: set[int] | list[int]) -> set[str]:
    return {USA.board.tracks[track] for track in tracks}


def test_one_network_serves_tickets_that_overlap() -> None:
    tickets = "los_angeles-new_york,chicago-los_angeles"
    plans = planner(f"hands=-/- tickets={tickets}/- ask=turn")
    alone = [plans.best([USA.board.ticket_of[ticket]]) for ticket in tickets.split(",")]
    both = plans.best(plans.standing.tickets)
    assert len(both.tickets) == 2 and both.trains < sum(plan.trains for plan in alone)


def test_a_ticket_beyond_the_trains_is_given_up() -> None:
    plans = planner(f"hands=-/- tracks={ALMOST}/- trains=5/45 tickets=boston-miami,new_york-seattle/- ask=turn")
    plan = plans.best(plans.standing.tickets)
    assert names(plan.tracks) == {"charleston-miami-purple"}
    assert [USA.board.tickets[ticket] for ticket in plan.tickets] == ["boston-miami"]


def test_a_plan_that_takes_longer_than_the_game_is_given_up() -> None:
    position = "hands=-/- tickets=new_york-seattle/- ask=turn"
    assert planner(position).best([USA.board.ticket_of["new_york-seattle"]]).tickets
    assert not planner(position, turns_left=3).best([USA.board.ticket_of["new_york-seattle"]]).tickets


def test_trains_left_go_to_tracks_that_score() -> None:
    plans = planner("hands=-/- tickets=-/- ask=turn")
    plan = plans.best([])
    plans.fill(plan)
    lengths = [USA.board.lengths[track] for track in plan.fill]
    assert not plan.tracks and min(lengths) >= 5 and sum(lengths) <= 45


@pytest.mark.parametrize(
    ("hand", "draws"),
    [("P4", 0), ("P3L1", 0), ("P2W4L1", 1.75), ("P2W4", 1.75 + 1.75)],
    ids=["paid", "paid with a wild", "one card of one colour", "two"],
)
def test_draws_until_a_track_is_paid(hand: str, draws: float) -> None:
    standing = planner(f"hands={hand}/- tickets=-/- ask=turn").standing
    needs = Needs(standing.atlas, [USA.board.track_of["charleston-miami-purple"]])
    assert needs.draws(standing.hand) == pytest.approx(draws, abs=0.1)


def test_keeps_tickets_that_share_their_way_and_cost_little() -> None:
    offer = "offers=chicago-los_angeles,chicago-santa_fe,boston-miami/dallas-new_york,denver-el_paso,duluth-houston"
    ask = "ask=1.0:opening_tickets,1.1:opening_tickets"
    assert chosen(f"hands=-/- {offer} {ask}") == "KeepTickets chicago-los_angeles,chicago-santa_fe"


def test_keeps_what_its_tracks_complete() -> None:
    offer = "offers=los_angeles-new_york,boston-miami,montreal-vancouver/-"
    position = f"hands=-/- tracks={DONE}/- trains=9/45 {offer} ask=keep_tickets"
    assert chosen(position) == "KeepTickets boston-miami"


@pytest.mark.parametrize("trains", ["30/4", "2/30"])
def test_draws_no_tickets_when_the_end_is_near(trains: str) -> None:
    last = " last=1" if trains == "2/30" else ""
    position = f"hands=-/- tracks={DONE}/- trains={trains}{last} tickets=boston-miami/- ask=turn"
    assert not chosen(position).startswith("DrawTickets")


def test_claims_the_last_link_before_another_seat_does() -> None:
    """What it also wants can wait: nobody else is near."""
    others = "atlanta-miami-blue,miami-new_orleans-red"
    position = f"hands=P4W6/- tracks={ALMOST}/{others} tickets=boston-miami,los_angeles-seattle/- ask=turn"
    assert chosen(position) == "ClaimTrack charleston-miami-purple P4"


def test_completes_a_ticket_with_its_last_turn() -> None:
    position = f"hands=P4W6/- last=1 tracks={ALMOST}/- trains=30/2 tickets=boston-miami/- ask=turn"
    assert chosen(position) == "ClaimTrack charleston-miami-purple P4"


@pytest.mark.parametrize("ruleset", ["usa", "maerklin", "card_game"])
def test_wins_against_greedy(ruleset: str) -> None:
    rules = rules_for(ruleset, 2)
    games = 20
    won = 0.0
    for number in range(games):
        order = ["planner", "greedy"] if number % 2 else ["greedy", "planner"]
        sheet = score(rules, play(rules, [BOTS[name] for name in order], number // 2))
        won += (order.index("planner") in sheet.winners()) / len(sheet.winners())
    assert won > games / 2
