"""Positions of the Card Game in notation and JSON: whole ones are read as they were written, others refused."""

from __future__ import annotations

import pytest

from shared.kernel import (
    YARDS,
    FastChance,
    Malformed,
    determinize,
    parse_position,
    print_position,
    state_from_plain,
    state_to_plain,
    view_for,
)
from tests.unit.kernel.play import answer, card_game, completing, position, shown

TEXT = (
    "v=30 turn=1 hands=R3L1/B2L1 known=L1/L1 display=RBWKP discard=P2 yards=G1L2,R2/B3 stacks=Y2K1L1/W3"
    " completed=chicago-dallas:G1L1,los_angeles-miami/- points=25/0 tickets=chicago-new_york/dallas-miami half=1"
    " quiet=3 moved=1 starts=28,30"
)
ASKED = "last=0 open=1 ask=9.1:complete_tickets"  # seat 0 has named its tickets
BOTH = "chicago-new_york,dallas-miami"
ONLY_WILDS = {
    "green": {"cards": 1, "locomotives": 0},
    "red": {"cards": 2, "locomotives": 0},
    "purple": {"cards": 0, "locomotives": 2},
}


def test_a_position_survives_notation_and_json() -> None:
    rules = card_game(2, novice=True)
    for state in (position(rules, TEXT), completing(rules, "stacks=Y1/G1 tickets=chicago-new_york/- v=4")):
        for seen in (state, view_for(rules, state, 0), view_for(rules, state, 1), view_for(rules, state, None)):
            line = print_position(rules, seen)
            assert print_position(rules, parse_position(rules, line)) == line
            plain = state_to_plain(rules, seen)
            assert state_to_plain(rules, state_from_plain(rules, plain)) == plain


def test_the_plain_form() -> None:
    rules = card_game(2)
    plain = state_to_plain(rules, position(rules, TEXT))
    assert plain["yards"] == {
        "rows": [
            {"green": {"cards": 1, "locomotives": 2}, "red": {"cards": 2, "locomotives": 0}},
            {"blue": {"cards": 3, "locomotives": 0}},
        ],
        "stacks": [{"yellow": 2, "black": 1, "locomotive": 1}, {"white": 3}],
        "stack_sizes": [4, 3],
        "open": False,
        "claims": [None, None],
        "completed": [
            {"chicago-dallas": {"green": 1, "locomotive": 1},
             "los_angeles-miami": {"orange": 2, "white": 1, "red": 1}},
            {},
        ],
        "half": 1,
        "quiet": 3,
        "moved": True,
        "starts": [28, 30],
    }  # fmt: skip


@pytest.mark.parametrize(
    ("change", "pointer", "detail"),
    [
        ("yards=L2/-", "/yards", "a row is a colour"),
        ("yards=L0/-", "/yards", "a row is a colour"),
        ("yards=R2B1/-", "/yards", "a row is a colour"),
        ("yards=X2/-", "/yards", "no card has the letter X"),
        ("yards=?2/-", "/yards", "no card has the letter"),
        ("yards=R/-", "/yards", "a number is needed"),
        ("yards=R2", "/yards", "2 seats are needed"),
        ("stacks=?2/-", "/yards/stack_sizes/0", "holds 0 cards"),
        ("stacks=X2/-", "/stacks", "no card has the letter X"),
        ("stacks=R2", "/stacks", "2 seats are needed"),
        ("quiet=6", "/yards/quiet", "the last ones have begun"),
        ("quiet=7", "/quiet", "from 0 to 6"),
        ("half=2", "/half", "from 1 to 1"),
        ("open=2", "/open", "from 0 to 1"),
        ("open=1", "/yards/open", "only then"),
        ("moved=2", "/moved", "from 0 to 1"),
        ("moved=x", "/moved", "a number is needed"),
        ("starts=31", "/yards/starts", "one round"),
        ("starts=0", "/yards/starts", "one round"),
        ("starts=5,5", "/yards/starts", "one round"),
        ("starts=9,5", "/yards/starts", "one round"),
        ("starts=1,2,3", "/yards/starts", "one round"),
        ("starts=x", "/starts", "a number is needed"),
        ("claims=none/-", "/yards/claims/0", "only then"),
        ("claims=?/-", "/yards/claims/0", "only then"),
        ("claims=nowhere/-", "/claims", "no such ticket as nowhere"),
        ("claims=none", "/claims", "2 seats are needed"),
        ("completed=dallas-miami:G2/-", "/completed", "do not pay"),
        ("completed=dallas-miami:G1/-", "/completed", "do not pay"),
        ("completed=dallas-miami:G1R1L1/-", "/completed", "do not pay"),
        ("completed=dallas-miami:G1?2/-", "/completed", "none of these cards can be unknown"),
        ("completed=dallas-miami,dallas-miami/-", "/completed", "named twice"),
        ("completed=dallas-miami/dallas-miami", "/tickets", "in two places"),
        ("completed=nowhere/-", "/completed", "no such ticket as nowhere"),
        ("completed=-", "/completed", "2 seats are needed"),
        ("completed=dallas-miami/- tickets=dallas-miami/-", "/tickets", "in two places"),
        ("yards=R9/R2", "/cards", "more red cards"),
        (f"{ASKED} claims=chicago-new_york/-", "/yards/claims/0", "can be claimed"),
        (f"{ASKED} claims=chicago-new_york/- stacks=Y1/-", "/yards/claims/0", "can be claimed"),
        (f"{ASKED} claims=chicago-new_york/- tickets=chicago-new_york/-", "/yards/claims/0", "can be claimed"),
        (f"{ASKED} claims=?/-", "/yards/claims/0", "hidden from all but"),
        (ASKED, "/yards/claims/0", "a claim is held"),
        ("last=1 open=1 ask=9.0:complete_tickets,9.1:complete_tickets", "/yards/open", "only then"),
        ("last=0 ask=9.0:complete_tickets,9.1:complete_tickets", "/yards/open", "only then"),
        ("viewer=0 hands=-/?4 stacks=Y1/-", "/yards/stacks/0", "is hidden"),
        ("viewer=0 hands=-/?4 stacks=-/Y1", "/yards/stacks/1", "is hidden"),
        ("viewer=spectator hands=-/?4 stacks=Y1/-", "/yards/stacks/0", "is hidden"),
        (f"viewer=0 hands=-/?4 {ASKED} claims=none/- stacks=?1/-", "/yards/stack_sizes/0", "holds 0 cards"),
        (f"viewer=1 hands=?4/- {ASKED} claims=none/-", "/yards/claims/0", "hidden from all but"),
    ],
)
def test_positions_that_cannot_be(change: str, pointer: str, detail: str) -> None:
    with pytest.raises(Malformed, match=detail) as refused:
        position(card_game(2), f"v=30 display=BBWKP {change}")
    assert refused.value.pointer == pointer


@pytest.mark.parametrize(
    "change",
    [
        "yards=G1L2,R2/B3",
        "quiet=6 last=1",
        "quiet=6 last=0",
        "starts=1",
        "starts=29,30",
        f"{ASKED} claims=none/-",
        f"{ASKED} claims={BOTH}/- stacks=G1Y1R1/- tickets={BOTH}/-",
        f"viewer=0 hands=-/?4 {ASKED} claims={BOTH}/- stacks=G1Y1R1/?3 tickets={BOTH}/-",
        f"viewer=1 hands=?4/- {ASKED} claims=?/- stacks=?3/Y2",
    ],
)
def test_positions_that_can_be(change: str) -> None:
    rules = card_game(2)
    line = print_position(rules, position(rules, f"v=30 display=BBWKP {change}"))
    assert set(change.split()) <= set(line.split())
    plain = state_to_plain(rules, parse_position(rules, line))
    assert print_position(rules, state_from_plain(rules, plain)) == line


@pytest.mark.parametrize(
    ("path", "value", "pointer"),
    [
        (("rows", 0), [], "/yards/rows/0"),
        (("rows", 0), {"locomotive": {"cards": 1, "locomotives": 0}}, "/yards/rows/0/locomotive"),
        (("rows", 0), ONLY_WILDS, "/yards/rows/0"),
        (("rows", 0), {"red": {"cards": 1}}, "/yards/rows/0/red/locomotives"),
        (("stack_sizes", 0), 5, "/yards/stack_sizes/0"),
        (("open",), 1, "/yards/open"),
        (("moved",), None, "/yards/moved"),
        (("claims", 0), {"hidden": False}, "/yards/claims/0"),
        (("completed", 0), ["chicago-dallas"], "/yards/completed/0"),
        (("completed", 0), {"nowhere": {"red": 1}}, "/yards/completed/0/nowhere"),
        (("completed", 0), {"chicago-dallas": {"red": 2}}, "/yards/completed/0"),
        (("half",), 2, "/yards/half"),
        (("quiet",), 7, "/yards/quiet"),
        (("starts",), [30, 28], "/yards/starts"),
        (("starts",), [0], "/yards/starts/0"),
    ],
)
def test_json_that_cannot_be(path: tuple, value: object, pointer: str) -> None:
    rules = card_game(2)
    plain = state_to_plain(rules, position(rules, TEXT))
    inside = plain["yards"]
    for key in path[:-1]:
        inside = inside[key]
    inside[path[-1]] = value
    with pytest.raises(Malformed) as refused:
        state_from_plain(rules, plain)
    assert refused.value.pointer == pointer


@pytest.mark.parametrize(("display", "fits"), [("RL", True), ("LL", False), ("-", False)])
def test_a_second_card_is_asked_for_only_where_there_is_one(display: str, fits: bool) -> None:
    rules = card_game(2)
    rest = "P10B10O10W10G10Y10K10R9" if display == "RL" else "P10B10O10W10G10Y10K10R10"
    text = f"hands=L{16 - display.count('L')}/- discard={rest} display={display} last=1 ask=second_card"
    if fits:
        assert position(rules, text).parts[0].deck_size == 0
    else:
        with pytest.raises(Malformed, match="CG-9"):
            position(rules, text)


@pytest.mark.rule("VIEW-9")
@pytest.mark.parametrize("viewer", [0, 1, 2, None])
def test_a_world_that_fits_a_view_has_stacks_of_the_right_size_and_no_claim_it_cannot_pay(viewer: int | None) -> None:
    rules = card_game(3)
    text = "stacks=Y1/G1R2/L3 tickets=chicago-new_york/dallas-miami/seattle-los_angeles hands=R2/B3/-"
    state = completing(rules, text)
    answer(rules, state, "CompleteTickets dallas-miami", seat=1)
    view = view_for(rules, state, viewer)
    for seed in range(10):
        world = determinize(rules, view, FastChance(seed))
        state_from_plain(rules, state_to_plain(rules, world))
        assert [sum(stack) for stack in world.parts[YARDS].stacks] == [1, 3, 3]
        assert shown(rules, world, "claims") == ("-/dallas-miami/-" if viewer == 1 else "-/none/-")
        if viewer is not None:
            assert world.parts[YARDS].stacks[viewer] == state.parts[YARDS].stacks[viewer]
        answer(rules, world, "CompleteTickets -", seat=0)
        answer(rules, world, "CompleteTickets -", seat=2)
        assert world.over
