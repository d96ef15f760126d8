"""Moves against the rules of the newer rule sets, each in a position where another move is legal; all in notation."""

from __future__ import annotations

from dataclasses import dataclass

from shared.catalog import board, rules_for
from shared.kernel import Rules


@dataclass(frozen=True)
class Refused:
    """A move that a rule forbids the seat of a decision, and one that it may make instead."""

    what: str
    position: str
    move: str
    code: str
    rule: str
    instead: str
    decision: str = "1.0"

    def __str__(self) -> str:
        return self.what

    @property
    def rules(self) -> Rules:
        """The rules that the position is one of."""
        ruleset, _, seats = self.position.split(" ")[0].partition(":")
        return rules_for(ruleset, seats=int(seats))


RING = "berlin-leipzig-orange,leipzig-magdeburg-yellow,berlin-magdeburg-red"
OTHERS = "dresden-leipzig-black,chemnitz-dresden-yellow"
GERMANY = f"maerklin@1:2 hands=N2/- display=RRBWK tracks={RING}/{OTHERS} passengers=berlin/-"
AT_THE_BORDER = "maerklin@1:2 display=RRBWK tracks=emden-niederlande-white,bremen-emden-blue/- passengers=emden/-"
PAST_LEIPZIG = "MovePassenger berlin berlin-leipzig-orange,dresden-leipzig-black"
HOME = "MovePassenger berlin berlin-leipzig-orange 0"
TICKETS = board("maerklin")["tickets"]
SHORT, LONG = ([each["id"] for each in TICKETS if each["kind"] == kind] for kind in ("short", "long"))
THREE_SHORT_ONE_LONG = f"maerklin@1:2 display=RRBWK tickets=-/{','.join(SHORT[3:] + LONG[1:])}"
AT_DENVER = "old_west@1:2 starts=denver/boise display=GGYYK"
MARKER = f"{AT_DENVER} hands=P2/- tracks=cheyenne-denver-purple/- last_claim=cheyenne-denver-purple ask=marker"
FERRY = "ClaimTrack los_angeles-san_francisco-gray"
AT_ROSWELL = (
    "old_west@1:2 starts=las_cruces/boise display=GGYYK hands=G2/-"
    " tracks=albuquerque-las_cruces-gray,albuquerque-roswell-red/- last_claim=albuquerque-roswell-red"
    " captures=0:roswell"
)
YARD = "card_game@1:2 display=RBWKP"
COMPLETING = "card_game@1:2 last=0 open=1 turn=1 ask=1.0:complete_tickets,1.1:complete_tickets"

REFUSED = [
    Refused("a passenger card in a payment", "maerklin@1:2 hands=B3N1/- display=RRBWK",
            "ClaimTrack bremen-emden-blue B2N1", "no_payment", "MK-9c", "ClaimTrack bremen-emden-blue B3"),
    Refused("a +4 on a short track", "maerklin@1:2 hands=B3F1/- display=RRBWK",
            "ClaimTrack bremen-emden-blue B2F1", "track_too_short", "MK-8", "ClaimTrack bremen-emden-blue B3"),
    Refused("a path over an unclaimed track", GERMANY,
            "MovePassenger berlin berlin-leipzig-orange,erfurt-leipzig-red 0", "track_unclaimed", "MK-12", HOME),
    Refused("a path over a track twice", GERMANY,
            "MovePassenger berlin berlin-leipzig-orange,berlin-leipzig-orange 0", "track_used_twice", "MK-12", HOME),
    Refused("a path into a country", AT_THE_BORDER,
            "MovePassenger emden emden-niederlande-white 0", "country_closed", "MK-14",
            "MovePassenger emden bremen-emden-blue 0"),
    Refused("too few passenger cards", GERMANY,
            f"{PAST_LEIPZIG} 0", "wrong_passenger_cards", "MK-13", f"{PAST_LEIPZIG} 1"),
    Refused("too many passenger cards", GERMANY,
            f"{PAST_LEIPZIG} 2", "wrong_passenger_cards", "MK-13", f"{PAST_LEIPZIG} 1"),
    Refused("more passenger cards than are held", GERMANY.replace("hands=N2", "hands=R2"),
            f"{PAST_LEIPZIG} 1", "cards_not_held", "MK-13", HOME),
    Refused("a split that a deck cannot serve", THREE_SHORT_ONE_LONG,
            "AnnounceSplit 2short,2long", "split_beyond_deck", "MK-7", "AnnounceSplit 3short,1long"),
    Refused("a first claim elsewhere than at the starting city", f"{AT_DENVER} hands=P1R1/-",
            "ClaimTrack ashland-redding-red R1", "not_at_starting_city", "OW-6",
            "ClaimTrack cheyenne-denver-purple P1"),
    Refused("a later claim away from the own tracks",
            f"{AT_DENVER} hands=R3W4/- tracks=denver-pueblo-orange/-",
            "ClaimTrack grand_junction-st_george-white W4", "not_at_own_track", "OW-6",
            "ClaimTrack durango-pueblo-red R3"),
    Refused("a marker on Roswell", f"{AT_ROSWELL} alvin=las_cruces ask=marker",
            "PlaceMarker roswell G2", "city_closed", "OW-8", "PlaceMarker albuquerque G2"),
    Refused("a marker on a marked city", MARKER,
            "PlaceMarker denver P2", "city_marked", "OW-8", "PlaceMarker cheyenne P2"),
    Refused("a starting city that is Roswell", "old_west@1:2 starts=-/boise display=GGYYK ask=starting_city",
            "ChooseStartingCity roswell", "city_closed", "OW-5", "ChooseStartingCity denver"),
    Refused("a starting city that is taken", "old_west@1:2 starts=-/boise display=GGYYK ask=starting_city",
            "ChooseStartingCity boise", "city_marked", "OW-5", "ChooseStartingCity denver"),
    Refused("Alvin moved to a city without an own marker", f"{AT_ROSWELL} ask=alvin_city",
            "MoveAlvin albuquerque", "no_own_marker", "OW-10", "MoveAlvin las_cruces"),
    Refused("a ferry with too few locomotives", "old_west@1:2 starts=los_angeles/boise display=GGYYK hands=R7L3/-",
            f"{FERRY} R5L2", "too_few_locomotives", "OW-7", f"{FERRY} R4L3"),
    Refused("a row of locomotives only", f"{YARD} hands=R1L3/-",
            "PlaceCards L3", "row_without_colour", "CG-10", "PlaceCards R1L3"),
    Refused("a colour already in the own yard", f"{YARD} hands=R3B2/- yards=R1/-",
            "PlaceCards R3", "colour_in_own_yard", "CG-11", "PlaceCards B2"),
    Refused("a robbery with as many cards", f"{YARD} hands=R3/- yards=-/R2",
            "PlaceCards R2", "row_too_short", "CG-13", "PlaceCards R3"),
    Refused("a fourth card in a set of three colours", f"{YARD} hands=R1B1W1K1/-",
            "PlaceCards R1B1W1K1", "wrong_placement", "CG-10", "PlaceCards B1W1R1"),
    Refused("a colour of another yard in a set of three colours", f"{YARD} hands=R1B1W1K1/- yards=-/R1",
            "PlaceCards B1W1R1", "row_too_short", "CG-15", "PlaceCards B1W1K1"),
    Refused("tickets that the stack pays for one by one only",
            f"{COMPLETING} tickets=chicago-new_york,chicago-dallas/- stacks=Y1G1/-",
            "CompleteTickets chicago-new_york,chicago-dallas", "stack_cannot_pay", "CG-22",
            "CompleteTickets chicago-dallas"),
]  # fmt: skip
