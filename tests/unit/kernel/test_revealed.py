"""What the last commit of a game shows to all: hands, tickets and the ticket deck (BASE-39, VIEW-10)."""

from __future__ import annotations

import pytest

from shared.kernel import Commit, Malformed, events_from_plain, fold, print_position, redact, view_for
from tests.unit.kernel.play import answer, names, position, usa

END = "last=0 trains=9/9 hands=R1B2/G3 display=RBWGK"
TICKETS = (
    " tickets=boston-miami/denver-el_paso,duluth-houston"
    " ticket_deck=calgary-phoenix:calgary-phoenix/-:1/1"
    "|{rest}:-/-:{left}/{left}|chicago-santa_fe:-/chicago-santa_fe:1/1"
)
NAMED = {"boston-miami", "denver-el_paso", "duluth-houston", "calgary-phoenix", "chicago-santa_fe"}


def last_turn() -> str:
    """Seat 0 is about to end the game; both seats have put tickets under the deck."""
    rest = [ticket for ticket in usa(2).board.tickets if ticket not in NAMED]
    return f"{END} known=B1/-" + TICKETS.format(rest=",".join(rest), left=len(rest))


@pytest.mark.rule("BASE-39")
@pytest.mark.rule("VIEW-10")
def test_the_commit_that_ends_a_game_reveals_hands_tickets_and_the_deck() -> None:
    rules = usa(2)
    state = position(rules, last_turn())
    events = answer(rules, state, "ClaimTrack dallas-houston-gray R1")
    assert names(events) == ["TrackClaimed", "TurnEnded", "GameEnded", "HandsRevealed", "TicketsRevealed"]
    hands, tickets = [event.plain(rules, "event") for event in events[-2:]]
    assert hands["hands"] == [{"blue": 2}, {"green": 3}]
    assert tickets["hands"] == [["boston-miami"], ["denver-el_paso", "duluth-houston"]]
    assert [len(layer) for layer in tickets["deck"]] == [1, 25, 1]
    assert (tickets["deck"][0], tickets["deck"][2]) == (["calgary-phoenix"], ["chicago-santa_fe"])


@pytest.mark.rule("VIEW-10")
@pytest.mark.parametrize("viewer", [None, 0, 1])
def test_a_view_that_folded_to_the_end_once_kept_its_holes(viewer: int | None) -> None:
    """A finished view said that nothing was hidden, while hands and tickets of others were missing from it."""
    rules = usa(2)
    state = position(rules, last_turn())
    view = view_for(rules, state, viewer)
    decision = state.decisions[0]
    events = answer(rules, state, "ClaimTrack dallas-houston-gray R1")
    commit = Commit(state.version, "2026-11-29T12:00:00.000Z", 0, decision.id, None, False, events, [])
    fold(rules, view, redact(rules, commit, viewer, state))
    assert print_position(rules, view) == print_position(rules, view_for(rules, state, viewer))


@pytest.mark.rule("VIEW-10")
def test_nobody_knows_more_of_the_deck_than_others_when_all_is_shown() -> None:
    rules = usa(2)
    state = position(rules, last_turn())
    answer(rules, state, "ClaimTrack dallas-houston-gray R1")
    deck = next(word for word in print_position(rules, state).split() if word.startswith("ticket_deck="))
    assert [layer.split(":")[1:] for layer in deck.split("|")] == [["-/-", "1/1"], ["-/-", "25/25"], ["-/-", "1/1"]]


@pytest.mark.rule("VIEW-10")
@pytest.mark.parametrize("hands", [[], [["boston-miami"]], [["boston-miami"], [], []]])
def test_as_many_hands_as_seats_are_shown(hands: list[list[str]]) -> None:
    event = {"event": "TicketsRevealed", "hands": [["boston-miami"], []], "deck": [[], ["denver-el_paso"], []]}
    (read,) = events_from_plain(usa(2), [event])
    assert read.plain(usa(2), "event") == event
    with pytest.raises(Malformed) as refused:
        events_from_plain(usa(2), [event | {"hands": hands}])
    assert refused.value.pointer == "/events/0/hands"
