"""Final scoring, ties and the recount (BASE-38 to BASE-43, USA-4, USA-5)."""

from __future__ import annotations

import pytest

from shared.kernel import RecountError, State, running_score, score, view_for
from tests.unit.kernel.play import played_log, position, usa

# Atlanta to Nashville to Saint Louis to Chicago
CHAIN = "atlanta-nashville-gray,nashville-saint_louis-gray,chicago-saint_louis-green"


def over(text: str, seats: int = 2) -> State:
    return position(usa(seats), f"over=1 {text}")


def lines(state: State, seat: int, reason: str) -> list[tuple[int, str, dict]]:
    sheet = score(usa(state.seats), state)
    return [(line.points, line.rule, line.evidence) for line in sheet.lines[seat] if line.reason == reason]


@pytest.mark.rule("BASE-38")
def test_a_ticket_is_completed_by_a_path_of_own_tracks() -> None:
    state = over("tracks=chicago-saint_louis-white,little_rock-saint_louis-gray,little_rock-new_orleans-green/-"
                 " tickets=chicago-new_orleans/-")  # fmt: skip
    (line,) = lines(state, 0, "ticket")
    assert line[0] == 7
    assert line[2]["completed"] is True
    assert line[2]["tracks"] == [
        "chicago-saint_louis-white",
        "little_rock-saint_louis-gray",
        "little_rock-new_orleans-green",
    ]


@pytest.mark.rule("BASE-38")
def test_e13_tracks_of_others_do_not_count() -> None:
    state = over("tracks=chicago-saint_louis-white,little_rock-new_orleans-green/little_rock-saint_louis-gray"
                 " tickets=chicago-new_orleans/chicago-santa_fe")  # fmt: skip
    assert [line[0] for line in lines(state, 0, "ticket")] == [-7]
    assert lines(state, 0, "ticket")[0][2] == {"ticket": "chicago-new_orleans", "completed": False}


@pytest.mark.rule("BASE-38")
@pytest.mark.parametrize("lane", ["green", "white"])
def test_t11_either_track_of_a_pair_links_its_cities(lane: str) -> None:
    other = {"green": "white", "white": "green"}[lane]
    state = over(
        f"tracks=chicago-saint_louis-{lane},little_rock-saint_louis-gray,little_rock-new_orleans-green"
        f"/chicago-saint_louis-{other}/-/- tickets=chicago-new_orleans/-/-/-",
        seats=4,
    )
    assert [line[0] for line in lines(state, 0, "ticket")] == [7]


@pytest.mark.rule("BASE-38")
def test_t16_a_roundabout_path_counts() -> None:
    state = over(
        "tracks=dallas-houston-gray,houston-new_orleans-gray,atlanta-new_orleans-orange,atlanta-nashville-gray,"
        "nashville-saint_louis-gray,kansas_city-saint_louis-blue/- tickets=houston-kansas_city/-"
    )
    assert [line[0] for line in lines(state, 0, "ticket")] == [5]


@pytest.mark.rule("BASE-39")
def test_e11_completed_tickets_add_and_others_subtract() -> None:
    state = over("tracks=dallas-oklahoma_city-gray,dallas-houston-gray,kansas_city-oklahoma_city-gray/-"
                 " tickets=houston-kansas_city,los_angeles-miami/denver-el_paso")  # fmt: skip
    sheet = score(usa(2), state)
    assert [line[:2] for line in lines(state, 0, "ticket")] == [(5, "BASE-39"), (-20, "BASE-39")]
    assert sheet.totals == [2 + 1 + 2 + 5 - 20 + 10, -4]
    assert sheet.completed == [1, 0]


@pytest.mark.rule("BASE-39")
@pytest.mark.rule("VIEW-2")
def test_t12_tickets_score_at_the_end_only() -> None:
    rules = usa(2)
    state = position(rules, "tracks=dallas-houston-gray,dallas-oklahoma_city-gray,kansas_city-oklahoma_city-gray/-"
                            " tickets=houston-kansas_city/- display=RRBBK")  # fmt: skip
    assert state.points == [5, 0]
    assert running_score(rules, state).totals == running_score(rules, view_for(rules, state, 0)).totals == [5, 0]
    with pytest.raises(ValueError, match="not over"):
        score(rules, state)


@pytest.mark.rule("BASE-40")
def test_tracks_then_tickets_then_the_bonus() -> None:
    state = over(f"tracks={CHAIN}/- tickets=denver-el_paso/-")
    reasons = [line.reason for line in score(usa(2), state).lines[0]]
    assert reasons == ["track", "track", "track", "ticket", "longest_path"]


@pytest.mark.rule("USA-4")
def test_e07_the_longest_path_scores_ten() -> None:
    state = over(f"tracks={CHAIN}/dallas-houston-gray")
    assert lines(state, 1, "longest_path") == []
    (line,) = lines(state, 0, "longest_path")
    assert line[:2] == (10, "USA-4")
    assert line[2]["length"] == 1 + 2 + 2
    assert sorted(line[2]["tracks"]) == sorted(CHAIN.split(","))


@pytest.mark.rule("USA-4")
def test_it_is_measured_in_spaces_not_tracks() -> None:
    state = over("tracks=miami-new_orleans-red/dallas-houston-gray,houston-new_orleans-gray,dallas-oklahoma_city-gray")
    assert lines(state, 0, "longest_path")[0][2]["length"] == 6
    assert lines(state, 1, "longest_path") == []


@pytest.mark.rule("USA-4")
def test_a_path_may_pass_a_city_again_and_hold_a_loop_but_uses_a_track_once() -> None:
    # a triangle Seattle, Vancouver, Calgary with a tail from Seattle to Portland
    loop = "seattle-vancouver-gray,calgary-vancouver-gray,calgary-seattle-gray,portland-seattle-gray"
    assert lines(over(f"tracks={loop}/-"), 0, "longest_path")[0][2]["length"] == 1 + 3 + 4 + 1
    # three tracks from one city: only two of them lie on a path
    fork = "seattle-vancouver-gray,portland-seattle-gray,helena-seattle-yellow"
    assert lines(over(f"tracks={fork}/-"), 0, "longest_path")[0][2]["length"] == 7


@pytest.mark.rule("USA-4")
def test_e13_the_path_is_of_own_tracks() -> None:
    state = over("tracks=seattle-vancouver-gray,helena-seattle-yellow/calgary-vancouver-gray,calgary-helena-gray,"
                 "duluth-helena-orange")  # fmt: skip
    assert lines(state, 0, "longest_path") == []
    assert lines(state, 1, "longest_path")[0][2]["length"] == 13


@pytest.mark.rule("BASE-41")
def test_e08_all_tied_score_the_bonus_in_full() -> None:
    state = over("tracks=dallas-houston-gray/portland-seattle-gray/-", seats=3)
    sheet = score(usa(3), state)
    assert sheet.totals == [11, 11, 0]


@pytest.mark.rule("BASE-41")
def test_e09_nobody_scores_a_bonus_of_0() -> None:
    sheet = score(usa(3), over("", seats=3))
    assert sheet.totals == [0, 0, 0]
    assert sheet.lines == [[], [], []]


@pytest.mark.rule("BASE-42")
def test_a_difference_in_the_recount_is_an_internal_error() -> None:
    state = over("tracks=dallas-houston-gray/- points=2/0")
    with pytest.raises(RecountError, match="BASE-42"):
        score(usa(2), state)


@pytest.mark.rule("BASE-42")
@pytest.mark.parametrize("seats", [2, 4])
def test_p20_tracks_recount_to_the_points_scored_in_play(seats: int) -> None:
    rules = usa(seats)
    state, _ = played_log(rules, seed=seats)
    sheet = score(rules, state)
    tracks = [sum(line.points for line in seat if line.reason == "track") for seat in sheet.lines]
    assert tracks == state.points == running_score(rules, state).totals
    assert sheet.totals == [sum(line.points for line in seat) for seat in sheet.lines]


@pytest.mark.rule("BASE-43")
def test_the_highest_score_wins() -> None:
    sheet = score(usa(3), over("tracks=dallas-houston-gray/miami-new_orleans-red/chicago-duluth-red", seats=3))
    assert sheet.totals == [1, 25, 4]
    assert (sheet.ranks, sheet.winners()) == ([3, 1, 2], [1])


#: ten points each way: five for tracks and a completed ticket of five; or a track of 15, the path, and 15 lost
TEN_WITH_A_TICKET = (
    "dallas-houston-gray,dallas-oklahoma_city-gray,kansas_city-oklahoma_city-gray",
    "houston-kansas_city",
)
TEN_WITH_THE_PATH = ("miami-new_orleans-red", "denver-el_paso,denver-pittsburgh")
TEN_WITH_NEITHER = ("helena-omaha-red", "-")


def tied(*hands: tuple[str, str]) -> State:
    tracks, tickets = ("/".join(part) for part in zip(*hands, strict=True))
    return over(f"tracks={tracks} tickets={tickets}", seats=len(hands))


@pytest.mark.rule("USA-5")
def test_e10_most_completed_tickets_break_a_tie_before_the_path() -> None:
    sheet = score(usa(2), tied(TEN_WITH_THE_PATH, TEN_WITH_A_TICKET))
    assert sheet.totals == [10, 10]
    assert (sheet.ranks, sheet.winners()) == ([2, 1], [1])
    assert sheet.ties == [{"tickets": 0, "longest_path": 1}, {"tickets": 1, "longest_path": 0}]


@pytest.mark.rule("USA-5")
def test_then_holding_the_longest_path_breaks_it() -> None:
    sheet = score(usa(2), tied(TEN_WITH_NEITHER, TEN_WITH_THE_PATH))
    assert sheet.totals == [10, 10]
    assert (sheet.ranks, sheet.winners()) == ([2, 1], [1])


@pytest.mark.rule("USA-5")
def test_a_tie_of_three_is_broken_in_both_steps() -> None:
    sheet = score(usa(3), tied(TEN_WITH_NEITHER, TEN_WITH_THE_PATH, TEN_WITH_A_TICKET))
    assert sheet.totals == [10, 10, 10]
    assert sheet.ranks == [3, 2, 1]


@pytest.mark.rule("BASE-43")
def test_a_higher_score_beats_any_number_of_tickets() -> None:
    sheet = score(usa(2), tied(("miami-new_orleans-red", "denver-el_paso,duluth-houston"), TEN_WITH_A_TICKET))
    assert (sheet.totals, sheet.winners()) == ([13, 10], [0])


@pytest.mark.rule("BASE-43")
def test_seats_still_tied_share_rank_and_victory() -> None:
    sheet = score(usa(3), over("tracks=dallas-houston-gray/portland-seattle-gray/-", seats=3))
    assert sheet.totals == [11, 11, 0]
    assert (sheet.ranks, sheet.winners()) == ([1, 1, 3], [0, 1])
    assert [seat.get("rank") for seat in sheet.plain()["seats"]] == [1, 1, 3]
    assert sheet.plain()["winners"] == [0, 1]
