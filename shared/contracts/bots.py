"""Bots that can hold a seat."""

from __future__ import annotations

from shared.contracts.fields import ID, RULESET, Listing, Part, Response, Text


class BotSchema(Response):
    """A bot."""

    bot = Text(pattern=ID, required=True, metadata={"example": "greedy"})
    rulesets = Listing(Text(pattern=RULESET), required=True)
    about = Text(shortest=0, longest=1000, required=True)


class BotListSchema(Response):
    """All bots."""

    bots = Listing(Part(BotSchema), required=True)
