"""What each seat may see: views and redacted commits (the VIEW rules)."""

from __future__ import annotations

import json

import pytest

from shared.kernel import (
    KEEP_TICKETS,
    OPENING_TICKETS,
    SECOND_CARD,
    TURN,
    Commit,
    FastChance,
    State,
    commit_to_plain,
    legal_moves,
    new_game,
    parse_move,
    parse_position,
    print_position,
    redact,
    running_score,
    state_to_plain,
    view_for,
)
from tests.unit.kernel.play import (
    ALL_CARDS,
    ALL_TICKETS,
    ScriptedChance,
    answer,
    answers,
    decision_of,
    listed_moves,
    names,
    opened_game,
    played_log,
    position,
    shown,
    usa,
)

VIEWERS = (0, 1, 2, None)
MIDGAME = (
    "v=40 turn=1 hands=R3L1/B2G2/Y5 known=R1/G2/- display=RRBWK discard=P4 tracks=denver-omaha-purple/-/-"
    " tickets=boston-miami,denver-el_paso/dallas-new_york/duluth-houston"
    " offers=-/calgary-phoenix,miami-toronto/- ask=39.1:keep_tickets"
)


def seen(state: State, viewer: int | None, token: str) -> str:
    rules = usa(state.seats)
    return shown(rules, view_for(rules, state, viewer), token)


@pytest.mark.rule("VIEW-1")
@pytest.mark.parametrize(
    ("viewer", "hands"),
    [(0, "R3L1/G2?2/?5"), (1, "R1?3/B2G2/?5"), (2, "R1?3/G2?2/Y5"), (None, "R1?3/G2?2/?5")],
)
def test_p09_p10_hands_are_the_owners_and_others_see_what_is_publicly_known(viewer: int | None, hands: str) -> None:
    state = position(usa(3), MIDGAME)
    assert seen(state, viewer, "hands") == hands
    assert seen(state, viewer, "known") == "R1/G2/-"


@pytest.mark.rule("VIEW-1")
def test_taking_from_the_display_is_public_and_raises_the_count() -> None:
    rules = usa(2)
    state = position(rules, "display=RRBWK", top="GY")
    answers(rules, state, "DrawFromDisplay red", "DrawFromDisplay blue")
    assert seen(state, 1, "hands") == "B1R1/-"
    assert shown(rules, state, "known") == "B1R1/-"


@pytest.mark.rule("VIEW-1")
def test_a_blind_card_is_known_to_its_drawer_only() -> None:
    rules = usa(2)
    state = position(rules, "display=RRBWK", top="GY")
    events = answers(rules, state, "DrawFromDeck")
    commit = Commit(state.version, "", 0, "1.0", None, False, events, [(99, 7)])
    assert seen(state, 1, "hands") == "?1/-"
    assert seen(state, 0, "hands") == "G1/-"
    for viewer, card in ((0, "green"), (1, None), (None, None)):
        plain = commit_to_plain(rules, redact(rules, commit, viewer, state))
        assert plain["events"][0] == {"event": "CardDrawn", "seat": 0, "card": card}
        assert "chance" not in plain


@pytest.mark.rule("VIEW-1")
@pytest.mark.parametrize(("known", "left"), [("P4", "-"), ("P3", "-"), ("P5", "P1"), ("P1L1", "-"), ("R2", "R2")])
def test_paying_lowers_the_count_but_never_below_0(known: str, left: str) -> None:
    rules = usa(2)
    state = position(rules, f"hands=P5L2R2/- known={known}/- display=RRBWK")
    answer(rules, state, "ClaimTrack denver-omaha-purple P3L1" if "L" in known else "ClaimTrack denver-omaha-purple P4")
    assert (shown(rules, state, "known") or "-/-") == f"{left}/-"
    assert seen(state, 1, "hands").startswith(left.strip("-"))


@pytest.mark.rule("VIEW-1")
def test_cards_paid_are_public() -> None:
    rules = usa(2)
    state = position(rules, "hands=P5/- display=RRBWK")
    events = answer(rules, state, "ClaimTrack denver-omaha-purple P4")
    commit = Commit(state.version, "", 0, "1.0", None, False, events, [])
    assert redact(rules, commit, 1, state).events == events
    assert seen(state, None, "discard") == "P4"


@pytest.mark.rule("VIEW-2")
@pytest.mark.parametrize("viewer", VIEWERS)
def test_the_public_score_is_that_of_the_tracks(viewer: int | None) -> None:
    rules = usa(3)
    view = view_for(rules, position(rules, MIDGAME), viewer)
    assert view.points == running_score(rules, view).totals == [7, 0, 0]
    assert {line.reason for seat in running_score(rules, view).lines for line in seat} == {"track"}


@pytest.mark.rule("VIEW-3")
@pytest.mark.parametrize(
    ("viewer", "tickets", "offers"),
    [
        (0, "boston-miami,denver-el_paso/?1/?1", "-/?2/-"),
        (1, "?2/dallas-new_york/?1", "-/calgary-phoenix,miami-toronto/-"),
        (2, "?2/?1/duluth-houston", "-/?2/-"),
        (None, "?2/?1/?1", "-/?2/-"),
    ],
)
def test_t12_others_see_the_number_of_tickets_held_and_offered(viewer: int | None, tickets: str, offers: str) -> None:
    state = position(usa(3), MIDGAME)
    assert (seen(state, viewer, "tickets"), seen(state, viewer, "offers")) == (tickets, offers)


@pytest.mark.rule("VIEW-3")
def test_tickets_kept_and_given_back_are_the_owners_others_see_their_number() -> None:
    rules = usa(3)
    state = position(rules, MIDGAME)
    move = legal_moves(rules, state, decision_of(state))[0]
    events = answer(rules, state, "KeepTickets calgary-phoenix")
    commit = Commit(41, "", 1, "39.1", move, False, events, [])
    own = commit_to_plain(rules, redact(rules, commit, 1, state))
    assert own["events"][0]["tickets"] == ["calgary-phoenix"]
    assert own["events"][1]["tickets"] == ["miami-toronto"]
    for viewer in (0, 2, None):
        text = json.dumps(commit_to_plain(rules, redact(rules, commit, viewer, state)))
        assert "calgary" not in text
        assert "miami" not in text
        assert '"TicketsKept", "seat": 1, "tickets": [null]' in text


@pytest.mark.rule("VIEW-3")
def test_the_owner_sees_which_tickets_are_completed_so_far() -> None:
    rules = usa(2)
    state = position(rules, "tracks=dallas-houston-gray,dallas-oklahoma_city-gray,kansas_city-oklahoma_city-gray/-"
                            " tickets=houston-kansas_city,boston-miami/-")  # fmt: skip
    assert state_to_plain(rules, view_for(rules, state, 0))["completed"] == ["houston-kansas_city"]
    assert state_to_plain(rules, view_for(rules, state, 1))["completed"] == []
    assert "completed" not in state_to_plain(rules, view_for(rules, state, None))


@pytest.mark.rule("VIEW-4")
def test_others_see_who_has_chosen_and_nothing_else() -> None:
    rules = usa(3)
    texts: dict[int, list[str]] = {2: [], 3: []}
    for keep in texts:
        state, _ = new_game(rules, FastChance(4))
        choice = shown(rules, state, "offers").split("/")[1].split(",")[:keep]
        move = f"KeepTickets {','.join(choice)}"
        events = answer(rules, state, move, seat=1)
        commit = Commit(2, "", 1, "1.1", parse_move(rules, move), False, events, [])
        assert [d.seat for d in view_for(rules, state, 0).decisions] == [0, 2]
        for viewer in (0, 2, None):
            texts[keep].append(print_position(rules, view_for(rules, state, viewer)))
            texts[keep].append(json.dumps(commit_to_plain(rules, redact(rules, commit, viewer, state))))
        assert seen(state, 1, "chosen") == f"-/{','.join(sorted(choice))}/-"
        assert seen(state, 0, "chosen") == "-/?/-"
    assert texts[2] == texts[3]  # not even whether two or three are kept


@pytest.mark.rule("VIEW-4")
def test_once_all_have_chosen_others_see_how_many_were_kept_and_given_back() -> None:
    rules = usa(2)
    state, _ = new_game(rules, FastChance(4))
    for seat, keep in ((0, 3), (1, 2)):
        offer = shown(rules, state, "offers").split("/")[seat].split(",")
        events = answer(rules, state, f"KeepTickets {','.join(offer[:keep])}", seat=seat)
    commit = Commit(3, "", 1, "1.1", None, False, events, [])
    plain = commit_to_plain(rules, redact(rules, commit, None, state))
    assert [event.get("tickets") for event in plain["events"]] == [None, [None] * 3, [None] * 2, [[], [None]], None]
    own = commit_to_plain(rules, redact(rules, commit, 1, state))
    assert own["events"][3]["tickets"] == [[], [offer[2]]]


@pytest.mark.rule("VIEW-5")
def test_t07_a_ticket_draw_announces_nothing_here() -> None:
    """USA has one ticket deck, so no split (T-07) is named: the move is the same for every reader."""
    rules = usa(2)
    state = opened_game(rules)
    (move,) = [m for m in legal_moves(rules, state, decision_of(state)) if type(m).__name__ == "DrawTickets"]
    assert move.plain(rules, "move") == {"move": "DrawTickets"}
    assert all(move.seen_by(rules, state, state.turn, viewer) is move for viewer in (0, 1, -1))


@pytest.mark.rule("VIEW-6")
def test_no_starting_city_stands_between_the_opening_choice_and_the_first_turn() -> None:
    rules = usa(3)
    state = opened_game(rules)
    assert [(d.seat, d.name) for d in state.decisions] == [(state.turn, "turn")]
    _, log = played_log(rules, seed=2)
    opened = {event.decision for commit in log for event in commit.events if names([event]) == ["DecisionOpened"]}
    assert opened == {OPENING_TICKETS, SECOND_CARD, KEEP_TICKETS}
    assert TURN not in opened  # a turn opens by TurnStarted


@pytest.mark.rule("VIEW-12")
@pytest.mark.parametrize("card", ["L", "R"])
def test_whether_a_second_card_is_asked_for_does_not_tell_the_first(card: str) -> None:
    rules = usa(2)
    state = position(rules, "display=RRBWK", top=card)
    events = answer(rules, state, "DrawFromDeck")
    assert names(events) == ["CardDrawn", "DecisionOpened"]


@pytest.mark.rule("VIEW-12")
def test_a_single_legal_answer_is_asked_all_the_same() -> None:
    rules = usa(2)
    held = ALL_TICKETS.replace("boston-miami,", "")
    state = position(rules, f"tickets=-/{held} display=RRBWK")
    answer(rules, state, "DrawTickets")
    assert (decision_of(state).name, listed_moves(rules, state)) == ("keep_tickets", ["KeepTickets boston-miami"])
    blocked = position(rules, f"hands=-/{ALL_CARDS} tickets=-/{ALL_TICKETS} turn=1")
    answer(rules, blocked, "ClaimTrack dallas-houston-gray R1")
    assert (decision_of(blocked).name, listed_moves(rules, blocked)) == ("turn", ["Pass"])


@pytest.mark.parametrize("viewer", [0, None])
def test_p11_positions_that_differ_in_what_is_hidden_look_the_same(viewer: int | None) -> None:
    """P-11: neither order nor content of a deck, a hand or an offer shows."""
    rules = usa(3)
    text = print_position(rules, position(rules, MIDGAME))
    twin = (
        text.replace("B2G2/Y5", "K1P1G2/R2W3").replace("/dallas-new_york/", "/los_angeles-seattle/")
        .replace("calgary-phoenix,miami-toronto", "houston-winnipeg,phoenix-portland")
    )  # fmt: skip
    assert twin != text
    plains = [state_to_plain(rules, view_for(rules, parse_position(rules, line), viewer)) for line in (text, twin)]
    assert plains[0] == plains[1]
    assert plains[0]["cards"]["deck"] == []
    assert [layer["tickets"] for layer in plains[0]["tickets"]["deck"]] == [[]]


@pytest.mark.parametrize("other", [0, 1, 2])
def test_a_spectator_sees_no_more_than_any_seat(other: int) -> None:
    rules = usa(3)
    state = position(rules, MIDGAME)
    spectator = state_to_plain(rules, view_for(rules, state, None))
    seat = state_to_plain(rules, view_for(rules, state, other))
    for watched in range(3):
        assert set(spectator["tickets"]["hands"][watched]) <= set(seat["tickets"]["hands"][watched])
        for card, number in spectator["cards"]["hands"][watched].items():
            assert number <= seat["cards"]["hands"][watched][card]
    assert spectator["cards"]["discard"] == seat["cards"]["discard"]


@pytest.mark.rule("VIEW-9")
def test_a_seat_that_draws_what_it_gave_back_still_knows_of_the_rest() -> None:
    """The top layer holds two tickets given back by each seat; seat 0 draws one of its own and the other two."""
    rules = usa(2)
    own, others = "boston-miami,denver-el_paso", "dallas-new_york,duluth-houston"
    rest = ",".join(ticket for ticket in ALL_TICKETS.split(",") if ticket not in f"{own},{others}")
    state = position(rules, f"ticket_deck={own},{others}:{own}/{others}:4/4|{rest}:-/-:26/26")
    answer(rules, state, "DrawTickets", ScriptedChance(0, 0, 1))
    assert shown(rules, state, "offers") == f"boston-miami,{others}/-"
    assert seen(state, 0, "ticket_deck") == "?1:denver-el_paso/-:1/4|?26:-/-:26/26"
    assert seen(state, 1, "ticket_deck") == f"?1:-/{others}:1/4|?26:-/-:26/26"
