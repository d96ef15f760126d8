"""What can be looked up without a token: rule sets, boards, the text of a rule."""

from __future__ import annotations

from marshmallow import fields

from shared.contracts.fields import (
    ID,
    MAX_SEATS,
    RULE,
    RULESET,
    Flag,
    Listing,
    Mapping,
    Open,
    OptionValue,
    Part,
    Request,
    Response,
    Text,
    Whole,
)

LONGEST_WORDS = 1000
MOST_TRACKS = 300


class SpanSchema(Response):
    """How many seats a rule set takes, and the rule that says so."""

    min = Whole(1, MAX_SEATS, required=True)
    max = Whole(1, MAX_SEATS, required=True)
    rule = Text(pattern=RULE, required=True, metadata={"example": "BASE-1"})


class OptionSchema(Response):
    """An option of a rule set: `flag` is true or false, `seat` a seat number or the default."""

    type = Text(among=("flag", "seat"), required=True)
    default = OptionValue(required=True)
    about = Text(longest=LONGEST_WORDS, required=True)


class CardKindSchema(Open):
    """A kind of train card: its letter in notations and how many the deck has."""

    kind = Text(pattern=ID, required=True, metadata={"example": "locomotive"})
    letter = Text(longest=1, required=True, metadata={"example": "L"})
    count = Whole(1, required=True)


class RulesetSchema(Open):
    """A rule set at one revision; alone it is shown with its cards, mechanics and all."""

    ruleset = Text(pattern=RULESET, required=True, metadata={"example": "usa@1"})
    name = Text(required=True)
    about = Text(longest=LONGEST_WORDS, required=True)
    notes = Listing(Text(longest=LONGEST_WORDS), metadata={"description": "What is not as in the printed game."})
    board = Text(pattern=ID, required=True)
    seats = Part(SpanSchema, required=True)
    options = fields.Dict(keys=Text(pattern=ID), values=Part(OptionSchema), required=True)
    rules = Listing(Text(pattern=r"^[A-Z]{2,8}$"), metadata={"description": "The first parts of the ids of its rules."})
    cards = Listing(Part(CardKindSchema))


class RulesetListSchema(Response):
    """All rule sets that games can be created with."""

    rulesets = Listing(Part(RulesetSchema), required=True)


class CitySchema(Open):
    """A city; where it has more about it than a name, its rule set says what that means."""

    id = Text(pattern=ID, required=True, metadata={"example": "denver"})
    name = Text(required=True)


def _certain() -> Flag:
    return Flag(metadata={"description": "False where public sources do not prove that the printed game has it so."})


class TrackSchema(Open):
    """A track between two cities."""

    id = Text(pattern=ID, required=True, metadata={"example": "atlanta-miami-blue"})
    cities = Listing(Text(pattern=ID), shortest=2, longest=2, required=True)
    length = Whole(1, required=True)
    colour = Text(pattern=ID, required=True, metadata={"description": "The colour of a kind of card, or gray: any."})
    certain = _certain()


class TicketSchema(Open):
    """A ticket."""

    id = Text(pattern=ID, required=True, metadata={"example": "atlanta-montreal"})
    cities = Listing(Text(pattern=ID), shortest=2, longest=2, required=True)
    points = Whole(1, required=True)
    certain = _certain()


class BoardSchema(Open):
    """A board: its cities, tracks and tickets. A game without a map has no tracks."""

    id = Text(pattern=ID, required=True, metadata={"example": "usa"})
    name = Text(required=True)
    notes = Listing(Text(longest=LONGEST_WORDS))
    cities = Listing(Part(CitySchema), required=True)
    tracks = Listing(Part(TrackSchema), required=True)
    tickets = Listing(Part(TicketSchema), required=True)


class EndpointSchema(Request):
    """Where on the map a track reaches a country; for drawing only."""

    id = Text(pattern=ID, required=True)
    lat = fields.Float(required=True)
    lon = fields.Float(required=True)


class NewCitySchema(Request):
    """A city of a board to try."""

    id = Text(pattern=ID, required=True)
    name = Text(required=True)
    lat = fields.Float()
    lon = fields.Float()
    country = Flag(metadata={"description": "Paths end there (MK-17)."})
    endpoints = Listing(Part(EndpointSchema), longest=20)
    token = Text(pattern=ID)
    tokens = Listing(Whole(1, 99), longest=10, metadata={"description": "Worth of its merchandise, from the top."})
    big_city = Flag()


class NewTrackSchema(Request):
    """A track of a board to try."""

    id = Text(pattern=ID, required=True)
    cities = Listing(Text(pattern=ID), shortest=2, longest=2, required=True)
    length = Whole(1, 60, required=True)
    colour = Text(pattern=ID, required=True)
    locomotives = Whole(0, 60, metadata={"description": "How many of its cards must be locomotives: a ferry (OW-7)."})
    endpoint = Text(pattern=ID)
    certain = _certain()


class NewTicketSchema(Request):
    """A ticket of a board to try."""

    id = Text(pattern=ID, required=True)
    cities = Listing(Text(pattern=ID), shortest=2, longest=2, required=True)
    points = Whole(1, 99, required=True)
    kind = Text(pattern=ID, metadata={"description": "Its deck, where there are several."})
    cards = Mapping(Whole(1, 20), metadata={"description": "The cards that it costs by colour (CG-20)."})
    certain = _certain()


class NewBonusCardSchema(Request):
    """A bonus card of a board to try (CG-31)."""

    city = Text(pattern=ID, required=True)
    points = Whole(1, 99, required=True)
    colour = Text(pattern=ID)


class NewBoardSchema(Request):
    """A board to try, in the form in which boards are shown."""

    id = Text(pattern=ID, required=True)
    name = Text(required=True)
    notes = Listing(Text(longest=LONGEST_WORDS))
    sources = Listing(Text(longest=LONGEST_WORDS))
    cities = Listing(Part(NewCitySchema), shortest=2, longest=100, required=True)
    tracks = Listing(Part(NewTrackSchema), longest=MOST_TRACKS, required=True)
    tickets = Listing(Part(NewTicketSchema), shortest=1, longest=150, required=True)
    bonus_cards = Listing(Part(NewBonusCardSchema), longest=100)


class RuleSchema(Response):
    """The text of a rule."""

    rule = Text(pattern=RULE, required=True, metadata={"example": "BASE-24"})
    text = Text(longest=4000, required=True)
