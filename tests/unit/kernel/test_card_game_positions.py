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
    ("change", "detail"),
    [
        ("yards=L2/-", "a row is a colour"),
        ("yards=R2B1/-", "a row is a colour"),
        ("yards=R2", "2 seats are needed"),
        ("stacks=?2/-", "holds 0 cards"),
        ("quiet=6", "the last ones have begun"),
        ("quiet=7", "from 0 to 6"),
        ("half=2", "from 1 to 1"),
        ("open=2", "from 0 to 1"),
        ("open=1", "only then"),
        ("moved=x", "a number is needed"),
        ("starts=31", "one round"),
        ("starts=0", "one round"),
        ("starts=5,5", "one round"),
        ("starts=9,5", "one round"),
        ("starts=1,2,3", "one round"),
        ("claims=none/-", "only then"),
        ("claims=?/-", "only then"),
        ("completed=dallas-miami:G2/-", "do not pay"),
        ("completed=dallas-miami:G1/-", "do not pay"),
        ("completed=dallas-miami:G1R1L1/-", "do not pay"),
        ("completed=dallas-miami,dallas-miami/-", "named twice"),
        ("completed=dallas-miami/dallas-miami", "in two places"),
        ("completed=nowhere/-", "no such ticket"),
        ("completed=dallas-miami/- tickets=dallas-miami/-", "in two places"),
        ("yards=R9/R2", "more red cards"),
        ("last=0 open=1 claims=chicago-new_york/- ask=9.1:complete_tickets", "can be claimed"),
        ("last=0 open=1 claims=chicago-new_york/- stacks=Y1/- ask=9.1:complete_tickets", "can be claimed"),
        ("last=0 open=1 claims=chicago-new_york/- tickets=chicago-new_york/- ask=9.1:complete_tickets", "claimed"),
        ("last=0 open=1 claims=?/- ask=9.1:complete_tickets", "hidden from all but"),
        ("last=0 open=1 ask=9.1:complete_tickets", "a claim is held"),
        ("last=1 open=1 ask=9.0:complete_tickets,9.1:complete_tickets", "only then"),
        ("last=0 ask=9.0:complete_tickets,9.1:complete_tickets", "only then"),
    ],
)
def test_positions_that_cannot_be(change: str, detail: str) -> None:
    rules = card_game(2)
    with pytest.raises(Malformed, match=detail):
        position(rules, f"v=30 display=BBWKP {change}")


@pytest.mark.parametrize(
    ("change", "detail"),
    [
        ("viewer=0 stacks=Y1/-", "is hidden"),
        ("viewer=0 stacks=-/Y1", "is hidden"),
        ("viewer=spectator stacks=Y1/-", "is hidden"),
        ("viewer=0 last=0 open=1 stacks=?1/- ask=9.0:complete_tickets,9.1:complete_tickets", "holds 0 cards"),
        ("viewer=0 last=0 open=1 claims=-/none ask=9.0:complete_tickets", "hidden from all but"),
    ],
)
def test_views_that_cannot_be(change: str, detail: str) -> None:
    rules = card_game(2)
    with pytest.raises(Malformed, match=detail):
        position(rules, f"v=30 display=BBWKP hands=-/?4 {change}")


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
    assert refused.value.pointer.startswith(pointer), refused.value


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
