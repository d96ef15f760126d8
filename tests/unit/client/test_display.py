"""What a person reads in the terminal, in games of every rule set."""

from __future__ import annotations

import io
import json
from collections.abc import Iterable
from typing import Any

import pytest
from rich.console import Console, RenderableType

from shared.catalog import rules_for, rulesets
from shared.client import display, words
from shared.contracts.moves import MOVES
from shared.kernel import (
    Rules,
    State,
    commit_to_plain,
    legal_moves,
    move_to_plain,
    parse_position,
    redact,
    running_score,
    score,
    state_to_plain,
    view_for,
)
from tests.kernel_games import Game, play

Json = dict[str, Any]
WIDE = 600
EVERY = 9


def printed(what: RenderableType) -> str:
    """What a wide terminal shows, with single spaces."""
    console = Console(file=io.StringIO(), width=WIDE, highlight=False)
    console.print(what)
    return "\n".join(" ".join(line.split()) for line in console.file.getvalue().splitlines())


@pytest.fixture(scope="module", params=rulesets())
def game(request: pytest.FixtureRequest) -> Game:
    """A whole game between three."""
    return play(rules_for(request.param, 3), 11)


def seats_of(rules: Rules) -> list[Json]:
    return [{"seat": seat, "name": f"Person {seat}", "bot": None, "taken": True} for seat in range(rules.seats)]


def shown(rules: Rules, state: State, viewer: int | None) -> Json:
    """A game as the API shows it."""
    return {
        "game": "g", "status": "playing", "ruleset": rules.id, "version": state.version,
        "viewer": "spectator" if viewer is None else viewer, "seats": seats_of(rules),
        "decisions": [{"decision": d.id, "seat": d.seat, "kind": d.name, "deadline": None} for d in state.decisions],
        "position": state_to_plain(rules, view_for(rules, state, viewer)),
    }  # fmt: skip


def at(text: str, viewer: int | None = 0) -> list[str]:
    """The lines that a viewer of a position in notation sees."""
    ruleset, _, seats = text.split(" ")[0].partition(":")
    rules = rules_for(ruleset, int(seats))
    return printed(display.game_view(shown(rules, parse_position(rules, text), viewer))).splitlines()


def scores_of(rules: Rules, sheet: Json, status: str = "final") -> Json:
    """Scores as the API gives them."""
    seats = []
    for held, scored in zip(seats_of(rules), json.loads(json.dumps(sheet))["seats"], strict=True):
        by_reason: dict[str, int] = {}
        for line in scored["lines"]:
            by_reason[line["reason"]] = by_reason.get(line["reason"], 0) + line["points"]
        seats.append({**held, **scored, "by_reason": by_reason})
    return {"game": "g", "status": status, "version": 9, "seats": seats}


def final(text: str) -> Json:
    """The final scores of a position in notation."""
    ruleset, _, seats = text.split(" ")[0].partition(":")
    rules = rules_for(ruleset, int(seats))
    return scores_of(rules, score(rules, parse_position(rules, f"{text} over=1")).plain())


def evidence(scores: Json) -> list[str]:
    """The rows of evidence."""
    return printed(display.evidence_table(scores)).splitlines()[1:]


def test_everything_that_is_shown_is_in_words(game: Game) -> None:
    """Neither a bare object or list, nor a name of the program's own."""
    rules = game.rules
    texts = [printed(display.game_view(shown(rules, state, viewer)))
             for state in game.states[::EVERY] for viewer in (0, None)]  # fmt: skip
    texts += list(commits_in_words(game, viewer=1))
    scores = scores_of(rules, score(rules, game.end).plain())
    texts += [printed(display.score_table(scores)), *evidence(scores)]
    assert len(texts) > 100
    odd = ("{", "[", "None", "null", *MOVES)
    assert [text for text in texts if any(word in text for word in odd)] == []


def commits_in_words(game: Game, viewer: int | None) -> Iterable[str]:
    for commit, head in zip(game.commits, game.states, strict=True):
        yield words.commit_words(commit_to_plain(game.rules, redact(game.rules, commit, viewer, head)),
                                 seats_of(game.rules))


def test_every_kind_of_move_has_words_of_its_own() -> None:
    said = set()
    for name in rulesets():
        for seed in (1, 2):
            played = play(rules_for(name, 3), seed)
            for commit in played.commits[1:]:
                move = move_to_plain(played.rules, commit.move)
                assert move["move"] not in words.move_words(move)
                said.add(move["move"])
    assert said == set(MOVES)


def test_the_points_of_the_evidence_and_of_own_tracks_make_the_total(game: Game) -> None:
    for sheet, status in ((score(game.rules, game.end), "final"), (running_score(game.rules, game.end), "running")):
        scores = scores_of(game.rules, sheet.plain(), status)
        rows = [row.split() for row in evidence(scores)]
        for seat in scores["seats"]:
            own = [line["points"] for line in seat["lines"]
                   if line["reason"] == "track" and "marker" not in line["evidence"]]  # fmt: skip
            told = [int(row[-2]) for row in rows if row[0] == str(seat["seat"])]
            assert sum(own) + sum(told) == seat["total"]


def test_cards_of_moves_have_their_letters_explained(game: Game) -> None:
    rules, explained = game.rules, set()
    for state in game.states[:-1:EVERY]:
        decision = state.decisions[0]
        view = view_for(rules, state, decision.seat)
        asked = {"view": state_to_plain(rules, view),
                 "legal_moves": [move_to_plain(rules, move) for move in legal_moves(rules, view, decision)]}
        text = printed(display.choices(asked))
        has_cards = any({"payment", "cards"} & move.keys() and isinstance(move.get("payment", move.get("cards")), dict)
                        for move in asked["legal_moves"])  # fmt: skip
        assert ("cards: " in text) == has_cards
        explained |= {line for line in text.splitlines() if line.startswith("cards: ")}
    pairs = ", ".join(f"{letter} {kind}" for letter, kind in zip(rules.letters, rules.kinds, strict=True))
    assert explained == {f"cards: {pairs}"}


def test_maerklin_shows_passengers_tokens_and_tickets_by_kind() -> None:
    lines = at("maerklin@1:2 hands=F1N2/B2 display=RRBWN tracks=berlin-leipzig-orange/- passengers=berlin/-"
               " tokens=leipzig:3/- tickets=koblenz-ulm/kiel-schweiz,berlin-mainz")  # fmt: skip
    assert lines[1:4] == [
        "seat held by points trains cards tickets passengers tokens",
        "*0 Person 0 10 41 3 1 short, 0 long 2 left, in berlin 1",
        "1 Person 1 0 45 2 0 short, 2 long 3 left 0",
    ]
    assert lines[5].startswith("tokens on top: ") and ", leipzig 2," in lines[5] and " berlin 7," in lines[5]
    assert lines[6:8] == ["your cards: 1 plus_four, 2 passenger", "your tickets: koblenz-ulm"]


def test_old_west_shows_starting_cities_markers_and_alvin() -> None:
    text = ("old_west@1:2 starts=las_cruces/boise markers=santa_fe/- display=GGYYK"
            " tracks=albuquerque-las_cruces-gray,albuquerque-roswell-red,albuquerque-santa_fe-green/-")  # fmt: skip
    lines = at(f"{text} captures=0:roswell alvin=santa_fe", viewer=None)
    assert lines[1].endswith("tickets starts in markers on")
    assert lines[2].endswith(" 0 las_cruces las_cruces, santa_fe") and lines[3].endswith(" 0 boise boise")
    assert "Alvin: in santa_fe, captured by seat 0" in lines
    assert "Alvin: in roswell, captured by nobody yet" in at(f"{text} alvin=roswell")


@pytest.mark.rule("VIEW-7")
def test_the_card_game_shows_yards_and_how_many_cards_a_stack_has_but_which_only_when_the_owner_may_see() -> None:
    text = "card_game@1:2 hands=R3/- display=RBWKP yards=R1L2,G1/- stacks=Y2K1/W3 completed=chicago-dallas:Y1G1/-"
    lines = at(text)
    assert lines[1:4] == [
        "seat held by points cards tickets yard stack completed",
        "*0 Person 0 6 3 0 1 green, 1 red + 2 locomotive 3 1",
        "1 Person 1 0 0 0 3 0",
    ]
    assert not [line for line in lines if line.startswith("your stack")]
    lines = at("card_game@1:2 last=0 open=1 turn=1 ask=1.0:complete_tickets,1.1:complete_tickets stacks=Y2L1/W3")
    assert "your stack: 2 yellow, 1 locomotive" in lines


def test_the_sheet_of_maerklin_lists_tokens_by_city() -> None:
    rows = evidence(final("maerklin@1:2 tracks=berlin-leipzig-orange,berlin-magdeburg-red/- tickets=koblenz-ulm/-"
                          " tokens=leipzig:3,leipzig:2,magdeburg:2/-"))  # fmt: skip
    assert rows == ["0 Person 0 tokens: leipzig 3, leipzig 2, magdeburg 2 +7 MK-16",
                    "0 Person 0 ticket koblenz-ulm: failed -7 BASE-39"]  # fmt: skip


def test_the_sheet_of_old_west_lists_what_each_marker_scored_and_alvins_captures() -> None:
    tracks = "boise-winnemucca-red/albuquerque-roswell-red,denver-pueblo-orange"
    scores = final(f"old_west@1:2 starts=boise/denver markers=winnemucca/albuquerque tracks={tracks}"
                   " scored=boise-winnemucca-red:boise captures=1:roswell alvin=albuquerque")  # fmt: skip
    assert evidence(scores) == [
        "0 Person 0 marker on boise: boise-winnemucca-red of seat 0 +4 OW-9",
        "1 Person 1 Alvin captured in roswell +10 OW-10",
        "1 Person 1 marker on denver: denver-pueblo-orange of seat 1 +1 OW-9",
        "1 Person 1 marker on albuquerque: albuquerque-roswell-red of seat 1 +2 OW-9",
        "1 Person 1 Alvin held at the end, in albuquerque +10 OW-11",
    ]


def test_the_sheet_of_the_card_game_says_which_cards_paid_for_which_ticket() -> None:
    rows = evidence(final("card_game@1:2 completed=chicago-dallas:Y1L1/- tickets=dallas-miami/-"))
    assert rows == [
        "0 Person 0 ticket chicago-dallas: done, paid with 1 yellow, 1 locomotive +6 CG-24",
        "0 Person 0 ticket dallas-miami: failed -9 CG-30",
        "0 Person 0 big city chicago, tickets completed: 1 +12 CG-31",
        "0 Person 0 big city dallas, tickets completed: 1 +10 CG-31",
    ]


def test_what_breaks_a_tie_is_shown_where_there_is_one() -> None:
    clear, tied = "tracks=augsburg-muenchen-gray/-", "tracks=augsburg-muenchen-gray/hamburg-kiel-black"
    assert "ties" not in printed(display.score_table(final(f"maerklin@1:2 {clear}")))
    assert "ties: tickets ┃ ties: merchandise" in printed(display.score_table(final(f"maerklin@1:2 {tied}")))


def test_what_came_of_a_move_is_told_with_it() -> None:
    seats = seats_of(rules_for("usa", 2))

    def told(move: Json, *events: Json) -> str:
        return words.commit_words({"seat": 0, "forced": False, "move": move, "events": list(events)}, seats)

    claim = {"move": "ClaimTrack", "track": "denver-pueblo-orange", "payment": {"orange": 1}}
    scored = {"event": "TrackScored", "seat": 1, "track": "denver-pueblo-orange", "marker": "denver", "points": 1}
    captured = {"event": "AlvinCaptured", "seat": 0, "points": 10}
    assert told(claim, {"event": "TrackClaimed", "points": 0}, scored, captured) == (
        "Person 0, seat 0, claims denver-pueblo-orange for 1 orange; +1 for seat 1 by the marker on denver;"
        " captures Alvin, +10"
    )
    assert told(claim, {"event": "TrackClaimed", "points": 4}, {"event": "TurnEnded"}) == (
        "Person 0, seat 0, claims denver-pueblo-orange for 1 orange; +4"
    )
    moved = {"move": "MovePassenger", "city": "kiel", "path": ["hamburg-kiel-black"], "cards": 0}
    assert told(moved, {"event": "PassengerMoved", "tokens": {"hamburg": 4}}) == (
        "Person 0, seat 0, moves the passenger of kiel over hamburg-kiel-black; fetches hamburg 4"
    )
    robbed = {"event": "RowRobbed", "seat": 1, "colour": "red"}
    assert told({"move": "PlaceCards", "cards": {"red": 2}}, robbed) == (
        "Person 0, seat 0, places 2 red in the yard; seat 1 loses its row of red"
    )
    done = {"event": "TicketsCompleted", "seat": 1, "payments": {"chicago-dallas": {"yellow": 1}}, "points": 6}
    assert told({"move": "CompleteTickets", "tickets": []}, done, {"event": "GameEnded"}) == (
        "Person 0, seat 0, names no ticket to complete; seat 1 completes chicago-dallas with 1 yellow, +6;"
        " the game is over"
    )


@pytest.mark.parametrize(("named", "said"), [
    (["a-b", "c-d"], "a-b, c-d"), ([], "no ticket"), (None, "tickets"), ([None], "1 ticket"), ([None] * 3, "3 tickets"),
    ([{"deck": "short"}, {"deck": "long"}, {"deck": "short"}], "2 short, 1 long tickets"),
])  # fmt: skip
def test_hidden_tickets_are_counted(named: list[Any] | None, said: str) -> None:
    assert words.tickets(named) == said
