"""Checking a move on a given position, for platforms that keep their own state."""

from __future__ import annotations

from typing import Any

from marshmallow import fields

from shared.contracts.fields import MAX_SEATS, RULESET, Flag, Part, Request, Response, Text, Whole, decision_id, options
from shared.contracts.moves import Move
from shared.contracts.problems import ViolationSchema

LONGEST_NOTATION = 20_000


class PositionInput(fields.Field):
    """A position or a view: one line of notation, or the plain object that a game shows."""

    default_error_messages = {
        "required": "required: This field is needed.",
        "null": "wrong_type: This must not be null.",
        "invalid": "wrong_type: This must be a line of notation or an object.",
        "too_long": "out_of_range: This is too long.",
    }

    def __init__(self, **kwargs: Any) -> None:
        kinds = [{"type": "string", "maxLength": LONGEST_NOTATION}, {"type": "object"}]
        super().__init__(metadata={"anyOf": kinds}, **kwargs)

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> str | dict[str, Any]:
        if not isinstance(value, str | dict):
            raise self.make_error("invalid")
        if len(value) > LONGEST_NOTATION:
            raise self.make_error("too_long")
        return value


class ValidationRequestSchema(Request):
    """A move to check: may the seat of this decision make it here?"""

    ruleset = Text(pattern=RULESET, required=True, metadata={"example": "usa@1"})
    seats = Whole(1, MAX_SEATS, required=True)
    options = options(load_default=dict)
    position = PositionInput(required=True)
    decision = decision_id(required=True)
    move = Move(required=True)


class ValidationSchema(Response):
    """Whether the move is legal, and if not, which rule it breaks."""

    legal = Flag(required=True)
    violation = Part(ViolationSchema, metadata={"description": "Only if the move is not legal."})
