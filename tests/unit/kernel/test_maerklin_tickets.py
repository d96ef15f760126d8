"""Drawing Märklin's tickets in play (MK-6, MK-7, and BASE-32 to BASE-34 with two decks)."""

from __future__ import annotations

import pytest

from shared.catalog import board
from shared.kernel import Commit, FastChance, Rules, State, commit_to_plain, parse_move, redact, view_for
from tests.unit.kernel.play import (
    answer,
    answers,
    decision_of,
    listed_moves,
    maerklin,
    names,
    position,
    refusal,
    shown,
)

SHORT = [ticket["id"] for ticket in board("maerklin")["tickets"] if ticket["kind"] == "short"]
LONG = [ticket["id"] for ticket in board("maerklin")["tickets"] if ticket["kind"] == "long"]


def decks_of(short: int, long: int) -> tuple[Rules, State]:
    """A position where the decks hold so many tickets and seat 1 holds all others."""
    rules = maerklin()
    held = SHORT[short:] + LONG[long:]
    return rules, position(rules, f"display=RRBWK tickets=-/{','.join(held) or '-'}")


def splits(rules: Rules, state: State) -> list[str]:
    return [move.split()[1] for move in listed_moves(rules, state) if move.startswith("AnnounceSplit")]


@pytest.mark.rule("MK-6")
def test_four_are_drawn_by_an_announced_split_and_one_must_be_kept() -> None:
    rules, state = decks_of(23, 23)
    assert splits(rules, state) == ["4short,0long", "3short,1long", "2short,2long", "1short,3long", "0short,4long"]
    events = answer(rules, state, "AnnounceSplit 1short,3long", FastChance(3))
    assert names(events) == ["TicketsOffered", "DecisionOpened"]
    offer = shown(rules, state, "offers").split("/")[0].split(",")
    assert [ticket in SHORT for ticket in offer] == [True, False, False, False]
    assert refusal(rules, state, "KeepTickets -") == ("too_few_tickets_kept", "MK-6", {"needed": 1, "came": 0})
    answer(rules, state, f"KeepTickets {offer[2]}")
    assert shown(rules, state, "tickets") == f"{offer[2]}/-"
    assert (decision_of(state).seat, decision_of(state).name) == (1, "turn")


@pytest.mark.rule("MK-6")
@pytest.mark.parametrize(("split", "came"), [("1short,1long", 2), ("2short,3long", 5), ("0short,3long", 3)])
def test_a_split_is_of_four(split: str, came: int) -> None:
    rules, state = decks_of(23, 23)
    refused = refusal(rules, state, f"AnnounceSplit {split}")
    assert refused == ("wrong_split_size", "MK-6", {"needed": 4, "came": came})


@pytest.mark.rule("MK-6")
@pytest.mark.rule("BASE-32")
def test_the_others_go_under_their_own_decks_in_the_order_drawn() -> None:
    rules, state = decks_of(4, 4)
    answer(rules, state, "AnnounceSplit 2short,2long", FastChance(5))
    short_one, short_two, long_one, long_two = shown(rules, state, "offers").split("/")[0].split(",")
    answer(rules, state, f"KeepTickets {long_one}")
    assert state.parts[2].plain(rules)["deck_size"] == {"short": 4, "long": 3}
    layers = [(layer["deck"], layer["tickets"]) for layer in state.parts[2].plain(rules)["deck"][2:]]
    assert layers == [("short", [short_one]), ("short", [short_two]), ("long", [long_two])]
    # two turns on, after the two short tickets that lay above, they come up in that order
    answers(rules, state, "DrawFromDeck", "DrawFromDeck")
    answer(rules, state, "AnnounceSplit 4short,0long", FastChance(1))
    assert shown(rules, state, "offers").split("/")[0].split(",")[2:] == [short_one, short_two]


@pytest.mark.rule("MK-7")
@pytest.mark.parametrize(
    ("short", "long", "allowed"),
    [
        (4, 0, ["4short,0long"]),
        (3, 23, ["3short,1long", "2short,2long", "1short,3long", "0short,4long"]),
        (2, 3, ["2short,2long", "1short,3long"]),
        (23, 1, ["4short,0long", "3short,1long"]),
        (2, 1, ["2short,1long"]),
        (0, 1, ["0short,1long"]),
    ],
)
def test_what_the_decks_allow(short: int, long: int, allowed: list[str]) -> None:
    rules, state = decks_of(short, long)
    assert splits(rules, state) == allowed


@pytest.mark.rule("MK-7")
@pytest.mark.parametrize(
    ("short", "long", "split", "data"),
    [
        (2, 23, "3short,1long", {"deck": "short", "asked": 3, "left": 2}),
        (23, 0, "3short,1long", {"deck": "long", "asked": 1, "left": 0}),
        (1, 1, "2short,0long", {"deck": "short", "asked": 2, "left": 1}),
    ],
)
def test_no_more_than_a_deck_holds(short: int, long: int, split: str, data: dict) -> None:
    rules, state = decks_of(short, long)
    assert refusal(rules, state, f"AnnounceSplit {split}") == ("split_beyond_deck", "MK-7", data)


@pytest.mark.rule("MK-7")
@pytest.mark.rule("BASE-33")
def test_with_fewer_than_four_left_the_split_takes_all() -> None:
    rules, state = decks_of(2, 1)
    refused = refusal(rules, state, "AnnounceSplit 2short,0long")
    assert refused == ("wrong_split_size", "MK-7", {"needed": 3, "came": 2})
    answer(rules, state, "AnnounceSplit 2short,1long", FastChance(1))
    assert len(shown(rules, state, "offers").split("/")[0].split(",")) == 3


@pytest.mark.rule("BASE-33")
def test_a_single_one_must_be_kept() -> None:
    rules, state = decks_of(0, 1)
    answer(rules, state, "AnnounceSplit 0short,1long")
    assert listed_moves(rules, state) == [f"KeepTickets {LONG[0]}"]
    assert refusal(rules, state, "KeepTickets -")[:2] == ("too_few_tickets_kept", "MK-6")


@pytest.mark.rule("BASE-34")
def test_with_both_decks_empty_the_action_is_not_legal() -> None:
    rules, state = decks_of(0, 0)
    assert splits(rules, state) == []
    assert refusal(rules, state, "AnnounceSplit 0short,0long") == ("no_tickets_left", "BASE-34", {"left": 0})
    assert refusal(rules, state, "AnnounceSplit 4short,0long")[0] == "no_tickets_left"


@pytest.mark.rule("MK-6")
def test_it_is_an_action_of_the_own_turn_and_of_nothing_else() -> None:
    rules = maerklin()
    state = position(rules, "ask=second_card display=RRBWK")
    assert refusal(rules, state, "AnnounceSplit 2short,2long")[:2] == ("second_card_due", "BASE-16")


@pytest.mark.rule("VIEW-5")
def test_numbers_of_tickets_are_public_by_kind() -> None:
    rules = maerklin()
    state = position(rules, f"display=RRBWK tickets={SHORT[0]},{LONG[0]}/{SHORT[1]},{SHORT[2]}")
    assert shown(rules, view_for(rules, state, None), "tickets") == "?1short,?1long/?2short"
    assert shown(rules, view_for(rules, state, 1), "tickets") == f"?1short,?1long/{SHORT[1]},{SHORT[2]}"
    answer(rules, state, "AnnounceSplit 3short,1long", FastChance(2))
    view = view_for(rules, state, 1)
    assert shown(rules, view, "offers") == "?3short,?1long/-"
    kept = shown(rules, state, "offers").split("/")[0].split(",")[3]
    events = answer(rules, state, f"KeepTickets {kept}")
    assert shown(rules, view_for(rules, state, None), "tickets") == "?1short,?2long/?2short"
    commit = Commit(state.version, "", 0, "1.0", parse_move(rules, f"KeepTickets {kept}"), False, events, [])
    plain = commit_to_plain(rules, redact(rules, commit, 1, state))
    assert plain["move"] == {"move": "KeepTickets", "tickets": None}
    assert plain["events"][0] == {"event": "TicketsKept", "seat": 0, "tickets": [{"deck": "long"}]}
    assert plain["events"][1] == {"event": "TicketsReturned", "seat": 0, "tickets": [{"deck": "short"}] * 3}


@pytest.mark.rule("VIEW-5")
def test_the_split_announced_is_in_everybodys_log() -> None:
    rules, state = decks_of(23, 23)
    move = parse_move(rules, "AnnounceSplit 3short,1long")
    events = answer(rules, state, "AnnounceSplit 3short,1long", FastChance(2))
    commit = Commit(state.version, "", 0, "1.0", move, False, events, [])
    for viewer in (1, None):
        plain = commit_to_plain(rules, redact(rules, commit, viewer, state))
        assert plain["move"] == {"move": "AnnounceSplit", "split": {"short": 3, "long": 1}}
        assert plain["events"][0]["tickets"] == [{"deck": "short"}] * 3 + [{"deck": "long"}]
