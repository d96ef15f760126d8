"""What can be looked up without a token: rule sets, boards, the text of a rule."""

from __future__ import annotations

from shared.contracts.fields import ID, RULE, RULESET, Listing, Open, Part, Response, Text


class RulesetSchema(Open):
    """A rule set at one revision."""

    ruleset = Text(pattern=RULESET, required=True, metadata={"example": "usa@1"})


class RulesetListSchema(Response):
    """All rule sets that games can be created with."""

    rulesets = Listing(Part(RulesetSchema), required=True)


class BoardSchema(Open):
    """A board: its cities, tracks and tickets."""

    id = Text(pattern=ID, required=True, metadata={"example": "usa"})


class RuleSchema(Response):
    """The text of a rule."""

    rule = Text(pattern=RULE, required=True, metadata={"example": "BASE-24"})
    text = Text(longest=4000, required=True)
