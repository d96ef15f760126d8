"""The stack that is hidden from its owner too, and the history that must not give it away (VIEW-7, CG-22, OPT-2)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from shared.kernel import (
    CARDS,
    YARDS,
    Commit,
    FastChance,
    Rules,
    State,
    commit_to_plain,
    empty_state,
    first_served,
    fold,
    legal_moves,
    parse_position,
    print_position,
    redact,
    state_to_plain,
    view_for,
)
from tests.unit.kernel.play import (
    answer,
    answers,
    card_game,
    completing,
    decision_of,
    maerklin,
    old_west,
    opened_game,
    played_log,
    position,
    shown,
    usa,
)

TEXT = (
    "v=30 turn=1 hands=R3L1/B2L1/G4 known=L1/L1/G1 display=RBWKP discard=P2 yards=R2L1/B3/- stacks=Y2K1L1/W3/P1G1"
    " tickets=chicago-new_york/dallas-miami,seattle-denver/- starts=26,28,30"
)


def heads_of(rules: Rules, log: list[Commit]) -> list[State]:
    """The position after each commit."""
    state = empty_state(rules)
    heads = []
    for commit in log:
        fold(rules, state, commit)
        heads.append(state.copy())
    return heads


def other_stacks(rules: Rules, state: State) -> State:
    """The same position with the cards of all stacks and of the deck dealt out otherwise."""
    twin = state.copy()
    yards, cards = twin.parts[YARDS], twin.parts[CARDS]
    pool = [sum(counts) for counts in zip(*yards.stacks, cards.deck[0], strict=True)]
    order = [kind for kind, number in reversed(list(enumerate(pool))) for _ in range(number)]
    for seat, size in enumerate(yards.sizes):
        yards.stacks[seat] = [order[:size].count(kind) for kind in range(len(pool))]
        order = order[size:]
    cards.deck = [[order.count(kind) for kind in range(len(pool))]]
    return twin


@pytest.mark.rule("VIEW-7")
@pytest.mark.parametrize("viewer", [0, 1, 2, None])
def test_everybody_sees_how_many_cards_a_stack_has_and_nobody_which(viewer: int | None) -> None:
    rules = card_game(3)
    view = view_for(rules, position(rules, TEXT), viewer)
    assert shown(rules, view, "stacks") == "?4/?3/?2"
    assert state_to_plain(rules, view)["yards"]["stacks"] == [{}, {}, {}]
    assert state_to_plain(rules, view)["yards"]["stack_sizes"] == [4, 3, 2]


@pytest.mark.rule("VIEW-7")
def test_hand_yards_display_and_discard_pile_stay_in_the_view() -> None:
    rules = card_game(3)
    view = view_for(rules, position(rules, TEXT), 2)
    assert [shown(rules, view, token) for token in ("hands", "yards", "display", "discard")] == [
        "L1?3/L1?2/G4", "R2L1/B3/-", "RBWKP", "P2",
    ]  # fmt: skip


@pytest.mark.rule("VIEW-7")
@pytest.mark.rule("VIEW-9")
@pytest.mark.parametrize("novice", [False, True])
def test_positions_that_differ_in_hidden_stacks_look_the_same(novice: bool) -> None:
    rules = card_game(3, novice=novice)
    state = position(rules, TEXT)
    for viewer in (0, 1, 2, None):
        twin = other_stacks(rules, state)
        assert all(new != old for new, old in zip(twin.parts[YARDS].stacks, state.parts[YARDS].stacks, strict=True))
        if novice and viewer is not None:
            twin.parts[YARDS].stacks[viewer] = state.parts[YARDS].stacks[viewer]
        texts = {json.dumps(state_to_plain(rules, view_for(rules, s, viewer))) for s in (state, twin)}
        lines = {print_position(rules, view_for(rules, s, viewer)) for s in (state, twin)}
        assert len(texts) == len(lines) == 1
        assert legal_moves(rules, state, decision_of(state)) == legal_moves(rules, twin, decision_of(twin))


def seats_named(plain: Any) -> set[int]:
    """The seats whose stacks have cards named somewhere in a plain value."""
    if isinstance(plain, list):
        return {seat for entry in plain for seat in seats_named(entry)}
    if isinstance(plain, dict):
        own = {seat for seat, stack in enumerate(plain.get("stacks", ())) if stack}
        return own | {seat for entry in plain.values() for seat in seats_named(entry)}
    return set()


@pytest.mark.rule("VIEW-7")
@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("seats", [2, 4])
def test_nothing_served_during_play_names_a_stack(seats: int, seed: int) -> None:
    """But for CG-22, when each owner sees the own stack."""
    rules = card_game(seats)
    _, log = played_log(rules, seed)
    opened = 0
    for commit, head in zip(log[:-1], heads_of(rules, log), strict=False):
        for viewer in (*range(seats), None):
            view = view_for(rules, head, viewer)
            allowed = {viewer} if head.parts[YARDS].open else set()
            assert seats_named(state_to_plain(rules, view)) <= allowed
            assert seats_named(commit_to_plain(rules, redact(rules, commit, viewer, head))) <= allowed
            for seat, stack in enumerate(shown(rules, view, "stacks").split("/")):
                assert seat in allowed or set(stack) <= set("?0123456789-")
            opened += bool(allowed & seats_named(state_to_plain(rules, view)))
    assert opened, "owners saw theirs"


@pytest.mark.rule("VIEW-7")
def test_what_moves_is_said_by_nobody_though_it_was_seen_in_the_row() -> None:
    rules = card_game(2)
    state = position(rules, "turn=1 hands=-/B2 display=RBWKP yards=R1L1,G2/-")
    events = answer(rules, state, "PlaceCards B2")
    assert events[-1].plain(rules, "event") == {"event": "RowsMoved", "seat": 0}


@pytest.mark.rule("VIEW-7")
def test_commits_are_served_one_round_back() -> None:
    rules = card_game(3, first_player=0)
    state = opened_game(rules)
    assert (state.version, shown(rules, state, "starts"), first_served(rules, state)) == (4, "4", 1)
    answers(rules, state, "DrawFromDeck", "DrawFromDeck")
    assert (state.version, shown(rules, state, "starts"), first_served(rules, state)) == (6, "4,6", 1)
    answers(rules, state, "DrawTickets", "KeepTickets -")
    assert (state.version, shown(rules, state, "starts"), first_served(rules, state)) == (8, "4,6,8", 4)
    answers(rules, state, "DrawFromDeck")
    assert first_served(rules, state) == 4, "the third turn is not over"
    answers(rules, state, "DrawFromDeck")
    assert (shown(rules, state, "starts"), first_served(rules, state)) == ("6,8,10", 6)
    assert first_served(rules, view_for(rules, state, None)) == 6


@pytest.mark.rule("VIEW-7")
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_as_many_turns_are_served_as_there_are_seats(seats: int) -> None:
    rules = card_game(seats)
    _, log = played_log(rules, seed=seats)
    started = [commit.version for commit in log for event in commit.events if type(event).__name__ == "TurnStarted"]
    for head in heads_of(rules, log):
        turns = [version for version in started if version <= head.version]
        if head.over:
            assert first_served(rules, head) == 1
        else:
            assert first_served(rules, head) == (turns[-seats] if len(turns) >= seats else 1)


@pytest.mark.rule("VIEW-7")
def test_the_commits_served_do_not_restore_a_stack() -> None:
    """Of two games whose stacks differ only in cards that moved before the commits served, a reader sees the same."""
    rules = card_game(3)
    _, log = played_log(rules, seed=4)
    heads = heads_of(rules, log)
    checked = 0
    for place, head in enumerate(heads[:-1]):
        first = first_served(rules, head)
        if head.parts[YARDS].open or first == 1 or place % 5:
            continue  # every fifth is enough
        start = other_stacks(rules, heads[first - 2])
        for commit in log[first - 1 : place + 1]:
            fold(rules, start, commit)
        for viewer in (0, 1, 2, None):
            assert print_position(rules, view_for(rules, start, viewer)) == print_position(
                rules, view_for(rules, head, viewer)
            )
        checked += start.parts[YARDS].stacks != head.parts[YARDS].stacks
    assert checked > 5


@pytest.mark.rule("VIEW-7")
def test_games_without_hidden_stacks_serve_everything() -> None:
    for rules in (usa(2), old_west(2), maerklin(2)):
        state, _ = played_log(rules, seed=1, moves=60)
        assert not state.over
        assert first_served(rules, state) == first_served(rules, view_for(rules, state, 0)) == 1


@pytest.mark.rule("VIEW-7")
@pytest.mark.rule("VIEW-10")
def test_when_the_game_is_over_stacks_and_history_are_open() -> None:
    rules = card_game(2)
    state, log = played_log(rules, seed=3)
    for viewer in (0, 1, None):
        view = view_for(rules, state, viewer)
        assert view.parts[YARDS].stacks == state.parts[YARDS].stacks
        assert redact(rules, log[5], viewer, state) is log[5]
    assert "?" not in print_position(rules, view_for(rules, state, None))


@pytest.mark.rule("VIEW-7")
@pytest.mark.parametrize("viewer", [0, 1, None])
def test_a_view_folded_to_the_end_knows_the_stacks_too(viewer: int | None) -> None:
    rules = card_game(2)
    state, log = played_log(rules, seed=3)
    view = view_for(rules, empty_state(rules), viewer)
    for commit, head in zip(log, heads_of(rules, log), strict=True):
        fold(rules, view, redact(rules, commit, viewer, head))
        assert view.over or view.parts[YARDS].open or not any(map(any, view.parts[YARDS].stacks))
    assert view.parts[YARDS].stacks == state.parts[YARDS].stacks


@pytest.mark.rule("CG-22")
def test_each_owner_sees_the_own_stack_while_tickets_are_completed() -> None:
    rules = card_game(3)
    state = completing(rules, "tickets=chicago-new_york/-/- stacks=Y2L1/W3/P1")
    assert [shown(rules, view_for(rules, state, viewer), "stacks") for viewer in (0, 1, 2, None)] == [
        "Y2L1/?3/?1", "?3/W3/?1", "?3/?3/P1", "?3/?3/?1",
    ]  # fmt: skip


@pytest.mark.rule("CG-22")
def test_the_stacks_are_opened_to_their_owners_after_the_last_turn() -> None:
    rules = card_game(2)
    state = position(rules, "last=0 turn=1 display=RBWKP stacks=Y2/W3")
    answers(rules, state, "DrawTickets")
    events = answer(rules, state, "KeepTickets -")
    (opened,) = [event for event in events if type(event).__name__ == "StacksOpened"]
    plains = [opened.seen_by(rules, state, viewer).plain(rules, "event")["stacks"] for viewer in (0, 1, -1)]
    assert plains == [[{"yellow": 2}, None], [None, {"white": 3}], [None, None]]


@pytest.mark.rule("CG-22")
def test_in_the_second_half_the_new_stack_is_hidden_again() -> None:
    rules = card_game(4)
    state = completing(rules, "stacks=Y2/W3/-/- hands=R2/-/-/- display=RBWKP")
    for seat in range(4):
        answer(rules, state, "CompleteTickets -", FastChance(1), seat=seat)
    answer(rules, state, "PlaceCards R2")
    for _ in range(3):
        answers(rules, state, "DrawTickets", "KeepTickets -")
    assert shown(rules, state, "stacks") == "R1/-/-/-"
    assert shown(rules, view_for(rules, state, 0), "stacks") == "?1/-/-/-"


@pytest.mark.rule("OPT-2")
def test_a_novice_sees_the_own_stack_at_any_time_and_no_other() -> None:
    rules = card_game(3, novice=True)
    state = position(rules, TEXT)
    assert [shown(rules, view_for(rules, state, viewer), "stacks") for viewer in (0, 1, 2, None)] == [
        "Y2K1L1/?3/?2", "?4/W3/?2", "?4/?3/P1G1", "?4/?3/?2",
    ]  # fmt: skip
    assert rules.options["novice"] is True
    assert card_game(3).options["novice"] is False


@pytest.mark.rule("OPT-2")
@pytest.mark.rule("VIEW-7")
@pytest.mark.parametrize("seats", [2, 4])
def test_a_novices_view_keeps_count_of_the_own_stack(seats: int) -> None:
    rules = card_game(seats, novice=True)
    _, log = played_log(rules, seed=8)
    views = [view_for(rules, empty_state(rules), seat) for seat in range(seats)]
    for commit, head in zip(log, heads_of(rules, log), strict=True):
        for seat, view in enumerate(views):
            fold(rules, view, redact(rules, commit, seat, head))
            stacks = view.parts[YARDS].stacks
            assert stacks[seat] == head.parts[YARDS].stacks[seat]
            assert head.over or not any(map(any, stacks[:seat] + stacks[seat + 1 :]))


@pytest.mark.rule("OPT-2")
def test_stacks_of_others_stay_hidden_from_novices_so_the_history_is_cut_for_them_as_well() -> None:
    rules = card_game(3, novice=True)
    assert first_served(rules, parse_position(rules, f"card_game@1:3 {TEXT}")) == 26
