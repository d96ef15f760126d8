"""Bots that can hold a seat: built-in ones such as `greedy`, external ones such as `acme.careful` of platform acme."""

from __future__ import annotations

from shared.contracts.fields import BOT, EXTERNAL_BOT, RULESET, Listing, Part, Request, Response, Text, Whole

NAME = r"^[a-z0-9][a-z0-9_-]{0,39}$"
MOST_AT_ONCE = 64
MOST_RULESETS = 20


def owner_of(bot: str) -> str | None:
    """Gives the platform that an external bot belongs to; None for a built-in one, whose name has no dot."""
    owner, dot, _ = bot.rpartition(".")
    return owner if dot else None


class NewBotSchema(Request):
    """An external bot to create."""

    bot = Text(pattern=NAME, required=True, metadata={
        "description": "Its name among your bots; everywhere else it is called by yours and this, such as "
                       "acme.careful.",
        "example": "careful",
    })
    about = Text(shortest=0, longest=1000, required=True, metadata={"example": "Keeps few tickets and finishes them."})
    rulesets = Listing(Text(pattern=RULESET), shortest=1, longest=MOST_RULESETS, metadata={
        "description": "The rule sets it plays; missing: all. Without a revision every revision.", "example": ["usa"],
    })
    concurrency = Whole(1, MOST_AT_ONCE, load_default=4, metadata={
        "description": "How many decisions it may hold as work at once.",
    })


class BotSchema(Response):
    """A bot."""

    bot = Text(pattern=BOT, required=True, metadata={"example": "greedy"})
    rulesets = Listing(Text(pattern=RULESET), required=True)
    about = Text(shortest=0, longest=1000, required=True)
    concurrency = Whole(1, MOST_AT_ONCE, metadata={
        "description": "Of your own bots: how many decisions it may hold as work at once.",
    })


class BotListSchema(Response):
    """All bots."""

    bots = Listing(Part(BotSchema), required=True)


class BotTokenSchema(Response):
    """The token of a bot, which is shown this once; all earlier ones are void."""

    bot = Text(pattern=EXTERNAL_BOT, required=True, metadata={"example": "acme.careful"})
    token = Text(longest=400, required=True, metadata={"example": "bt_…"})


class CreatedBotSchema(BotSchema):
    """A new bot with its token, which is shown this once."""

    token = Text(longest=400, required=True, metadata={"example": "bt_…"})
