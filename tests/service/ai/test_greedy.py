"""The greedy bot plays each rule set with sense: single decisions in positions, and what comes of whole games."""

from __future__ import annotations

import json

import pytest

from services.ai.bots import BOTS
from services.ai.play import play
from shared.catalog import rules_for
from shared.client import Bot, Question
from shared.kernel import NOBODY, PASSENGERS, YARDS, Move, Passengers, Rules, Yards, score
from tests.service.ai.choosing import ALMOST, chosen

GAMES = 6
USA, WEST, MAERKLIN = rules_for("usa@1", 2), rules_for("old_west@1", 2), rules_for("maerklin@1", 2)
CARD_GAME, FOUR_NOVICES = rules_for("card_game@1", 2), rules_for("card_game@1", 4, {"novice": True})
NO_ALVIN = rules_for("old_west@1", 2, {"alvin": False})


def greedy(rules: Rules, position: str, notes: str = "") -> str:
    """What greedy chooses, in notation."""
    return chosen("greedy", rules, position, notes)


# Every rule set


@pytest.mark.parametrize("rules", [USA, WEST, MAERKLIN, CARD_GAME], ids=lambda rules: rules.id)
def test_it_completes_most_of_its_tickets(rules: Rules) -> None:
    completed = kept = 0
    for seed in range(GAMES):
        sheet = score(rules, play(rules, [BOTS["greedy"]] * 2, seed))
        completed += sum(sheet.completed)
        kept += sum("ticket" in line.evidence for lines in sheet.lines for line in lines)
    assert completed / (2 * GAMES) > 3
    assert completed / kept > 0.75


# USA


@pytest.mark.parametrize(
    ("hand", "display", "ask", "move"),
    [
        ("P4", "RRRWK", "turn", "ClaimTrack charleston-miami-purple P4"),
        ("P3L1", "RRRWK", "turn", "ClaimTrack charleston-miami-purple P3L1"),
        ("P3", "PRRWK", "turn", "DrawFromDisplay purple"),
        ("P3", "RRLWK", "turn", "DrawFromDisplay locomotive"),
        ("P3", "RRLWK", "second_card", "DrawFromDeck"),
        ("P2", "RRLWK", "turn", "DrawFromDeck"),
    ],
    ids=["claims when ready", "also with a wild", "takes what it needs", "a wild that finishes",
         "no wild as second card", "else blind"],
)  # fmt: skip
def test_it_plays_by_its_plan(hand: str, display: str, ask: str, move: str) -> None:
    position = f"hands={hand}/- display={display} tracks={ALMOST}/- tickets=boston-miami/- ask={ask}"
    assert greedy(USA, position) == move


@pytest.mark.parametrize(("trains", "move"), [("30/30", "DrawTickets"), ("30/5", "DrawFromDeck")])
def test_it_takes_tickets_when_its_own_are_done_and_there_is_time(trains: str, move: str) -> None:
    done = f"{ALMOST},charleston-miami-purple"
    assert greedy(USA, f"hands=-/- tracks={done}/- trains={trains} tickets=boston-miami/- ask=turn") == move


def test_it_keeps_the_tickets_that_fit_its_tracks() -> None:
    offer = "offers=los_angeles-new_york,boston-miami,montreal-vancouver/-"
    position = f"hands=-/- tracks={ALMOST},charleston-miami-purple/- trains=9/45 {offer} ask=keep_tickets"
    assert greedy(USA, position) == "KeepTickets boston-miami"


def test_it_spends_what_is_left_on_length_in_the_last_round() -> None:
    assert greedy(USA, "hands=P3W1/- last=1 trains=3/2 tickets=-/- ask=turn").endswith(" P3")


@pytest.mark.parametrize(
    ("hand", "move"), [("P4R6", "ClaimTrack charleston-miami-purple P4"), ("P3R6", " R6")], ids=["a ticket", "length"]
)
def test_its_last_claim_is_the_one_that_brings_most(hand: str, move: str) -> None:
    """Length 6 scores 15; the last track of its ticket 7, and 12 won instead of lost."""
    position = f"hands={hand}/- last=1 tracks={ALMOST}/- trains=9/2 tickets=boston-miami/- ask=turn"
    assert greedy(USA, position).endswith(move)


# Old West

DISPLAY = "display=GGYYK"
AFTER_CLAIM = f"starts=denver/boise tracks=denver-salt_lake_city-blue/- last_claim=denver-salt_lake_city-blue {DISPLAY}"
TO_ROSWELL = f"starts=santa_fe/boise tracks=albuquerque-santa_fe-green/- tickets=salt_lake_city-cheyenne/- {DISPLAY}"
HELD = f"{TO_ROSWELL.replace('/- tickets', ',albuquerque-roswell-red/- tickets')} captures=0:roswell"


@pytest.mark.parametrize(
    ("tickets", "near"),
    [
        ("portland-sacramento,seattle-ashland,eugene-san_francisco", "seattle portland eugene bend ashland redding"),
        ("denver-tucson,billings-albuquerque,casper-albuquerque", "albuquerque santa_fe pueblo denver cheyenne casper"),
        ("san_diego-flagstaff,phoenix-pueblo,las_vegas-tucson", "phoenix tucson flagstaff las_vegas"),
    ],
    ids=["west", "east", "south"],
)
def test_it_starts_near_the_cities_of_its_tickets(tickets: str, near: str) -> None:
    move = greedy(WEST, f"tickets={tickets}/- starts=-/wolf_point {DISPLAY} ask=starting_city")
    assert move.removeprefix("ChooseStartingCity ") in near.split()


@pytest.mark.parametrize(
    ("rest", "move"),
    [
        ("hands=K4/-", "PlaceMarker salt_lake_city K2"),
        ("hands=K4/- trains=34/1", "Decline"),
        ("hands=L4/-", "Decline"),
        ("hands=K3/- tickets=boise-grand_junction/-", "Decline"),
        ("hands=K3G4/- tickets=boise-grand_junction/-", "PlaceMarker salt_lake_city G2"),
    ],
    ids=["where others may claim much", "others have no trains", "only for locomotives", "its plan needs the cards",
         "for cards that it does not need"],
)  # fmt: skip
def test_it_places_a_marker_where_it_pays(rest: str, move: str) -> None:
    assert greedy(WEST, f"{AFTER_CLAIM} {rest} ask=marker") == move


@pytest.mark.parametrize(
    ("display", "hand", "move"),
    [("GGYYK", "R2", "ClaimTrack albuquerque-roswell-red R2"), ("RGYYK", "R1", "DrawFromDisplay red")],
    ids=["claims to his city", "draws for it"],
)
def test_it_captures_alvin_when_he_is_near(display: str, hand: str, move: str) -> None:
    position = TO_ROSWELL.replace("GGYYK", display)
    assert greedy(WEST, f"{position} hands={hand}/- ask=turn") == move


def test_it_claims_nothing_to_keep_alvin() -> None:
    assert greedy(WEST, f"{HELD} alvin=santa_fe hands=Y3/- ask=turn").startswith("Draw")


def test_it_hides_alvin_where_least_can_be_claimed() -> None:
    position = HELD.replace("starts=", "markers=albuquerque/- starts=")
    scored = "scored=albuquerque-santa_fe-green:santa_fe,albuquerque-roswell-red:-"
    position = f"{position} {scored} alvin=roswell last_claim=albuquerque-roswell-red ask=alvin_city"
    assert greedy(WEST, position) == "MoveAlvin santa_fe"


def test_without_tickets_it_works_on_tracks_that_touch_its_own() -> None:
    """The longest tracks it could pay for are far away (OW-6)."""
    position = f"starts=santa_fe/boise {DISPLAY} hands=K3O6/- tickets=-/- trains=12/12 ask=turn"
    assert greedy(NO_ALVIN, position) == "ClaimTrack pueblo-santa_fe-black K3"


def test_it_claims_nothing_that_brings_others_more_in_the_last_round() -> None:
    """Both ends of the longest track are marked by seat 1."""
    position = f"starts=santa_fe/pueblo {DISPLAY} last=1 trains=12/2 tickets=-/- ask=turn"
    assert greedy(NO_ALVIN, f"{position} hands=K3G1/-") == "ClaimTrack albuquerque-santa_fe-green G1"
    assert greedy(NO_ALVIN, f"{position} hands=K3/-").startswith("Draw")


# Märklin

RING = "berlin-leipzig-orange,leipzig-magdeburg-yellow,berlin-magdeburg-red"
LONG_WAY = "leipzig-magdeburg-yellow,berlin-magdeburg-red,berlin-hamburg-blue,hamburg-kiel-black,kiel-schwerin-yellow"
CARDS = "display=RRBWK"


@pytest.mark.parametrize(
    ("tracks", "move"),
    [(RING, "PlacePassenger berlin"), ("berlin-leipzig-orange,hamburg-kiel-black", "Decline")],
    ids=["where its tracks meet", "not on a lone track"],
)
def test_it_places_passengers_where_they_get_about(tracks: str, move: str) -> None:
    position = f"{CARDS} tracks={tracks}/- last_claim=berlin-leipzig-orange ask=place_passenger"
    assert greedy(MAERKLIN, position) == move


@pytest.mark.parametrize(
    ("tracks", "rest", "moves"),
    [
        (LONG_WAY, "", True),
        (RING, "", False),
        (RING, "trains=36/8", True),
        (RING, "last=1 trains=36/2 hands=K2/-", True),
        ("leipzig-magdeburg-yellow", "last=1 trains=36/2", True),
        (RING, "last=1 trains=36/2 hands=K7/-", False),
    ],
    ids=["for much", "waits while there is time", "for less when trains run out", "for anything in the last round",
         "however little", "but not when a claim brings more"],
)  # fmt: skip
def test_it_moves_passengers_for_tokens_in_time(tracks: str, rest: str, moves: bool) -> None:
    position = f"{CARDS} tracks={tracks}/- passengers=leipzig/- tickets=erfurt-wuerzburg/- {rest} ask=turn"
    assert greedy(MAERKLIN, position).startswith("MovePassenger leipzig") == moves


def test_it_fetches_the_best_tokens_that_it_can_reach() -> None:
    position = f"{CARDS} tracks={LONG_WAY}/- passengers=leipzig/- ask=turn"
    assert greedy(MAERKLIN, position) == f"MovePassenger leipzig {LONG_WAY} 0"


def test_its_passengers_fetch_many_tokens_before_the_end() -> None:
    fetched = unused = 0
    for seed in range(GAMES):
        end = play(MAERKLIN, [BOTS["greedy"]] * 2, seed)
        sheet = score(MAERKLIN, end)
        fetched += sum(line.points for lines in sheet.lines for line in lines if line.reason == "token")
        passengers: Passengers = end.parts[PASSENGERS]
        unused += sum(passengers.reserve) + sum(seat != NOBODY for seat in passengers.standing)
    assert fetched / (2 * GAMES) > 20
    assert unused / (2 * GAMES) < 1


def test_it_draws_tickets_of_both_kinds_but_fewer_long_ones_later() -> None:
    assert greedy(MAERKLIN, f"{CARDS} tickets=-/- ask=announce_split") == "AnnounceSplit 2short,2long"
    assert greedy(MAERKLIN, f"{CARDS} tickets=-/- ask=turn") == "AnnounceSplit 3short,1long"


# Card Game

OPEN = "display=RBWKP ask=turn"
FOR_MIAMI = f"{OPEN} tickets=new_york-miami,dallas-miami/-"  # blue, red; green, red
FOR_DALLAS = f"{OPEN} tickets=dallas-raleigh,dallas-miami/-"  # green and red for each


@pytest.mark.parametrize(
    ("position", "move"),
    [
        (f"{FOR_MIAMI} hands=R2B1/-", "PlaceCards R2"),
        (f"{FOR_MIAMI} hands=P3R1/-", "DrawFromDisplay red"),
        (f"{FOR_MIAMI} hands=R2/- yards=R2/-", "DrawTickets"),
        (f"{OPEN} tickets=dallas-raleigh/- hands=R1G1/-", "DrawTickets"),
    ],
    ids=["places what they need", "and nothing else", "not twice", "takes more when its hand can pay for all"],
)
def test_it_plans_rows_for_its_tickets(position: str, move: str) -> None:
    assert greedy(CARD_GAME, position) == move


@pytest.mark.parametrize(
    ("position", "move"),
    [
        (f"{FOR_DALLAS} hands=R2G2/- yards=-/R1", "PlaceCards R2"),
        (f"{FOR_DALLAS} hands=R2G2/- yards=-/G1", "PlaceCards G2"),
        (f"{FOR_MIAMI} hands=R3/- yards=-/R2", "PlaceCards R3"),
        (f"{FOR_MIAMI} hands=P5/- yards=-/P4", "DrawFromDisplay red"),
    ],
    ids=["of two rows the one that robs", "whichever it is", "a longer row than it needs", "not for robbing alone"],
)
def test_it_robs_when_it_gains(position: str, move: str) -> None:
    assert greedy(CARD_GAME, position) == move


def test_it_counts_what_it_remembers_of_its_stack() -> None:
    def notes(*red: int) -> str:
        return json.dumps({"stack": [0, 0, 0, 0, 0, 0, 0, *red, 0], "rows": [], "half": 1})

    position = f"{FOR_MIAMI} hands=R2B1/- stacks=R2/-"
    assert greedy(CARD_GAME, position, notes(0)) == "PlaceCards R2"
    assert greedy(CARD_GAME, position, notes(2)) == "DrawTickets"


class Checked(Bot):
    """Plays like greedy, and compares what it remembers of its stack with the stack, which novices may look at."""

    name = "checked"

    def __init__(self) -> None:
        self.compared = 0

    def choose(self, question: Question) -> Move:
        move = BOTS["greedy"].choose(question)
        yards: Yards = question.view.parts[YARDS]
        assert json.loads(question.notes)["stack"] == yards.stacks[question.seat]
        self.compared += sum(yards.stacks[question.seat]) > 0
        return move


def test_it_always_knows_its_stack_by_its_notes() -> None:
    """Four seats, so that the second half is played too (CG-26)."""
    bot = Checked()
    play(FOUR_NOVICES, [bot] * 4, 1)
    assert bot.compared > 50
