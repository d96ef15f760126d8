"""Notation and plain form: what they give back, and the positions they refuse because no game can have them."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

from shared.kernel import (
    Malformed,
    MalformedMove,
    commit_from_plain,
    commit_to_plain,
    move_from_plain,
    parse_move,
    parse_position,
    print_move,
    print_position,
    redact,
    state_from_plain,
    state_to_plain,
    view_for,
)
from tests.unit.kernel.play import listed_moves, opened_game, played_log, position, usa

DOUBLE = "atlanta-raleigh-gray"


@pytest.mark.parametrize("seats", [2, 5])
def test_notation_and_plain_form_give_every_position_of_a_game_back(seats: int) -> None:
    rules = usa(seats)
    for moves in (0, 3, 40, 90, 10_000):
        state, _ = played_log(rules, seed=seats, moves=moves)
        for seen in (state, view_for(rules, state, 0), view_for(rules, state, None)):
            text = print_position(rules, seen)
            assert print_position(rules, parse_position(rules, text)) == text
            plain = state_to_plain(rules, seen)
            assert state_to_plain(rules, state_from_plain(rules, copy.deepcopy(plain))) == plain


def test_notation_and_plain_form_give_every_move_back() -> None:
    rules = usa(2)
    state = position(rules, "hands=R3B2L2/- display=RRYBL")
    for text in listed_moves(rules, state):
        move = parse_move(rules, text)
        assert print_move(rules, move) == text
        assert move_from_plain(rules, move.plain(rules, "move")) == move


def test_plain_form_gives_every_commit_back() -> None:
    rules = usa(3)
    playing, _ = played_log(rules, seed=1, moves=10)
    for commit in played_log(rules, seed=1)[1]:
        for read in (commit, redact(rules, commit, 0, playing), redact(rules, commit, None, playing)):
            plain = commit_to_plain(rules, read)
            assert commit_to_plain(rules, commit_from_plain(rules, plain)) == plain


def test_changing_a_plain_form_leaves_the_position_and_its_rules_alone() -> None:
    """The options were once those of the compiled rules themselves, which all games share."""
    rules = usa(2)
    state = opened_game(rules)
    plain = state_to_plain(rules, state)
    text = print_position(rules, state)
    for part in ("options", "cards", "tracks", "tickets"):
        for value in plain[part].values():
            if isinstance(value, dict | list):
                value.clear()
        plain[part].clear()
    plain["points"].clear()
    assert print_position(rules, state) == text
    assert rules.options == {"first_player": "random"}


@pytest.mark.parametrize(
    ("text", "pointer"),
    [
        ("hands=R13/-", "/cards"),
        ("hands=R6/R7", "/cards"),
        ("display=RRRRRRRRRRRRR", "/cards"),
        ("hands=R?/-", "/hands"),
        ("hands=R1", "/hands"),
        ("hands=R?2/-", "/hands"),
        ("hands=?2/-", "/cards/sizes/0"),
        ("hands=R1/- known=R2/-", "/cards/known/0"),
        ("known=?3/-", "/known"),
        ("discard=?3", "/discard"),
        ("discard=X3", "/discard"),
        ("display=RX", "/display"),
        ("deck=R1", "/cards"),
        ("deck=?110", "/deck"),
        ("resets=4", "/resets"),
        ("ask=second_card hands=P12B12O12W12G12Y12K12R12L14/-", "/decisions"),
    ],
)
def test_cards_that_do_not_add_up_are_refused(text: str, pointer: str) -> None:
    """Too many of a kind once went unnoticed: the deck was given a negative number of it."""
    refused(text, pointer)


@pytest.mark.parametrize(
    ("text", "pointer"),
    [
        ("tracks=denver-omaha-purple/denver-omaha-purple", "/tracks"),
        ("tracks=denver-omaha-purple,denver-omaha-purple/-", "/tracks"),
        (f"tracks={DOUBLE},{DOUBLE}-2/-", f"/tracks/owners/{DOUBLE}-2"),
        (f"tracks={DOUBLE}/{DOUBLE}-2", f"/tracks/owners/{DOUBLE}-2"),
        ("tracks=nowhere/-", "/tracks"),
        ("tracks=-", "/tracks"),
        ("trains=46/45", "/tracks/trains/0"),
        ("tracks=denver-omaha-purple/- trains=42/45", "/tracks/trains/0"),
        ("trains=45", "/trains"),
        ("trains=-1/45", "/trains"),
    ],
)
def test_r05_tracks_that_no_claims_can_give_are_refused(text: str, pointer: str) -> None:
    """R-05: a track named for two seats once went silently to the second."""
    refused(text, pointer)


@pytest.mark.parametrize(
    ("text", "pointer"),
    [
        ("tickets=boston-miami/boston-miami", "/tickets"),
        ("tickets=boston-miami,boston-miami/-", "/tickets"),
        ("tickets=?1/-", "/tickets"),
        ("tickets=nowhere/-", "/tickets"),
        ("ticket_deck=-", "/tickets"),
        ("ticket_deck=boston-miami", "/ticket_deck"),
        ("ask=keep_tickets", "/tickets/offers/0"),
        ("offers=boston-miami/-", "/tickets/offers/0"),
        ("ask=1.0:opening_tickets offers=boston-miami,denver-el_paso/duluth-houston", "/tickets/chosen/1"),
        ("offers=boston-miami/- chosen=duluth-houston/- ask=keep_tickets", "/tickets/chosen/0"),
    ],
)
def test_tickets_that_do_not_add_up_are_refused(text: str, pointer: str) -> None:
    refused(text, pointer)


@pytest.mark.parametrize(
    ("text", "pointer"),
    [
        ("over=yes", "/over"),
        ("over=1 ask=turn", "/decisions"),
        ("passes=3", "/passes"),
        ("last=3", "/last"),
        ("turn=2", "/turn"),
        ("v=x", "/v"),
        ("v=1 v=2", "/v"),
        ("colour=red", "/colour"),
        ("turn", "/turn"),
        ("points=1", "/points"),
        ("ask=sleep", "/ask"),
        ("ask=1:turn", "/ask"),
        ("ask=9.0:turn", "/ask"),
        ("turn=0 ask=1.1:turn", "/decisions"),
        ("ask=1.0:turn,1.1:turn", "/decisions"),
        ("ask=1.0:turn,1.0:second_card", "/decisions"),
        ("viewer=2", "/viewer"),
    ],
)
def test_nonsense_is_refused(text: str, pointer: str) -> None:
    refused(text, pointer)


def refused(text: str, pointer: str) -> None:
    with pytest.raises(Malformed) as error:
        position(usa(2), text)
    assert error.value.pointer == pointer


@pytest.mark.parametrize("head", ["", "usa", "usa@1", "usa@1:", "usa@1:3", "usa@2:2", "europe@1:2"])
def test_p42_a_position_of_other_rules_or_seats_is_refused(head: str) -> None:
    with pytest.raises(Malformed):
        parse_position(usa(2), f"{head} turn=0")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Teleport",
        "ClaimTrack",
        "ClaimTrack denver-omaha-purple",
        "ClaimTrack denver-omaha-purple -",
        "ClaimTrack denver-omaha-purple P",
        "ClaimTrack denver-omaha-purple P3?1",
        "ClaimTrack nowhere P4",
        "DrawFromDisplay pink",
        "KeepTickets nowhere",
        "KeepTickets boston-miami,boston-miami",
        "Pass now",
    ],
)
def test_what_is_no_move_is_refused(text: str) -> None:
    with pytest.raises(Malformed):
        parse_move(usa(2), text)


@pytest.mark.parametrize(
    ("plain", "pointer"),
    [
        (None, ""),
        ({}, "/move"),
        ({"move": "Teleport"}, "/move"),
        ({"move": "Pass", "seat": 1}, "/seat"),
        ({"move": "DrawFromDisplay"}, "/card"),
        ({"move": "DrawFromDisplay", "card": None}, "/card"),
        ({"move": "ClaimTrack", "track": 3, "payment": {"red": 1}}, "/track"),
        ({"move": "ClaimTrack", "track": DOUBLE, "payment": {}}, "/payment"),
        ({"move": "ClaimTrack", "track": DOUBLE, "payment": {"red": 0}}, "/payment/red"),
        ({"move": "ClaimTrack", "track": DOUBLE, "payment": {"red": 1.0}}, "/payment/red"),
        ({"move": "ClaimTrack", "track": DOUBLE, "payment": {"red": True}}, "/payment/red"),
        ({"move": "ClaimTrack", "track": DOUBLE, "payment": {"red": 10**30}}, "/payment/red"),
        ({"move": "ClaimTrack", "track": DOUBLE, "payment": ["red"]}, "/payment"),
        ({"move": "KeepTickets", "tickets": None}, "/tickets"),
        ({"move": "KeepTickets", "tickets": [None]}, "/tickets"),
        ({"move": "KeepTickets", "tickets": ["boston-miami", "boston-miami"]}, "/tickets/1"),
    ],
)
def test_r14_p14_a_malformed_move_is_refused_with_a_pointer(plain: Any, pointer: str) -> None:
    with pytest.raises(MalformedMove) as error:
        move_from_plain(usa(2), plain)
    assert error.value.pointer == pointer


def without(name: str) -> Callable[[dict[str, Any]], None]:
    return lambda plain: plain.pop(name)


@pytest.mark.parametrize(
    ("spoil", "pointer"),
    [
        (without("cards"), "/cards"),
        (lambda plain: plain.update(extra=1), "/extra"),
        (lambda plain: plain.update(seats=3), "/ruleset"),
        (lambda plain: plain.update(ruleset="usa@2"), "/ruleset"),
        (lambda plain: plain.update(version=-1), "/version"),
        (lambda plain: plain.update(turn=True), "/turn"),
        (lambda plain: plain.update(over=0), "/over"),
        (lambda plain: plain["cards"]["hands"][0].update(red=13), "/cards/hands/0/red"),
        (lambda plain: plain["cards"].update(deck_size=3), "/cards/deck_size"),
        (lambda plain: plain["cards"]["sizes"].append(0), "/cards/sizes"),
        (lambda plain: plain["tracks"]["owners"].update({DOUBLE: 2}), f"/tracks/owners/{DOUBLE}"),
        (lambda plain: plain["tracks"]["owners"].update({DOUBLE: 0, f"{DOUBLE}-2": 1}), f"/tracks/owners/{DOUBLE}-2"),
        (lambda plain: plain["tickets"].update(deck_size=0), "/tickets"),
        (lambda plain: plain["tickets"]["deck"][0].update(pools=[1, 1]), "/tickets/deck/0/pools"),
        (lambda plain: plain["decisions"][0].update(decision="5.1"), "/decisions/0/decision"),
        (lambda plain: plain["decisions"][0].update(kind="sleep"), "/decisions/0/kind"),
    ],
)
def test_a_plain_position_is_refused_where_it_is_wrong(spoil: Callable[[dict[str, Any]], None], pointer: str) -> None:
    rules = usa(2)
    plain = state_to_plain(rules, opened_game(rules))
    spoil(plain)
    with pytest.raises(Malformed) as error:
        state_from_plain(rules, plain)
    assert error.value.pointer == pointer
