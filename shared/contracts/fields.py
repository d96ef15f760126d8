"""Building blocks of the contracts: strict fields, the two kinds of schema, and the patterns of ids.

Every refusal reads "<code>: <sentence>", so that `problems.field_errors` can tell the code from the words.
"""

from __future__ import annotations

import re
from typing import Any

from marshmallow import EXCLUDE, INCLUDE, RAISE, Schema, ValidationError, fields, validate

ID = r"^[a-z0-9][a-z0-9_-]{0,79}$"
EXTERNAL_BOT = r"^[a-z0-9][a-z0-9_-]{0,63}\.[a-z0-9][a-z0-9_-]{0,39}$"
BOT = r"^[a-z0-9][a-z0-9_-]{0,79}(\.[a-z0-9][a-z0-9_-]{0,39})?$"
GAME = r"^[A-Za-z0-9_-]{1,64}$"
DECISION = r"^[1-9][0-9]{0,8}\.[0-9]$"
RULESET = r"^[a-z][a-z0-9_]{0,39}(@[1-9][0-9]{0,4})?$"
RULE = r"^[A-Z]{2,8}-[0-9]{1,3}[a-z]?$"
_CONTROLS = r"\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069"  # of terminals, of lines and of the direction of text
NAME = rf"^[^\s{_CONTROLS}]([^{_CONTROLS}]{{0,38}}[^\s{_CONTROLS}])?$"
HEX_32 = r"^[0-9a-f]{64}$"
MOMENT = r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?Z$"
MAX_SEATS = 10
MAX_VERSION = 999_999_999
MAX_ANSWER_LIMIT = 7 * 24 * 3600

_COMMON = {
    "required": "required: This field is needed.",
    "null": "wrong_type: This must not be null.",
    "validator_failed": "invalid: This value is not allowed.",
}


class Pattern(validate.Regexp):
    """Accepts a text that the whole pattern fits, so no trailing line break slips through."""

    def __init__(self, pattern: str) -> None:
        super().__init__(pattern, error="malformed: This must look like {regex}.")

    def __call__(self, value: str) -> str:
        if self.regex.fullmatch(value) is None:
            raise ValidationError(self._format_error(value))
        return value


class Text(fields.String):
    """A JSON string that can be written as UTF-8, of bounded length, of one pattern, or one of some words."""

    default_error_messages = _COMMON | {
        "invalid": "wrong_type: This must be a string.",
        "invalid_utf8": "malformed: This must be valid Unicode.",
    }

    def __init__(
        self,
        *,
        pattern: str | None = None,
        among: tuple[str, ...] | None = None,
        shortest: int = 1,
        longest: int = 200,
        **kwargs: Any,
    ) -> None:
        if among is not None:
            check: validate.Validator = validate.OneOf(among, error="invalid: This must be one of: {choices}.")
        elif pattern is not None:
            check = Pattern(pattern)
        else:
            words = "out_of_range: This must have {min} to {max} characters."
            check = validate.Length(min=shortest, max=longest, error=words)
        super().__init__(validate=check, **kwargs)

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> str:
        if not isinstance(value, str):
            raise self.make_error("invalid")
        try:
            value.encode()
        except UnicodeEncodeError as error:
            raise self.make_error("invalid_utf8") from error
        return value


class Whole(fields.Integer):
    """A JSON integer within bounds; neither 1.0 nor true nor "1"."""

    default_error_messages = _COMMON | {
        "invalid": "wrong_type: This must be a whole number.",
        "too_large": "out_of_range: This number is too large.",
    }

    def __init__(self, least: int = 0, most: int = MAX_VERSION, **kwargs: Any) -> None:
        words = "out_of_range: This must be {min} to {max}."
        super().__init__(strict=True, validate=validate.Range(min=least, max=most, error=words), **kwargs)


class Digits(Whole):
    """A whole number in a query, where everything is text."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> int:
        if not isinstance(value, str) or re.fullmatch("[0-9]{1,9}", value) is None:
            raise self.make_error("invalid")
        return super()._deserialize(int(value), attr, data, **kwargs)


class Flag(fields.Boolean):
    """A JSON true or false and nothing else."""

    default_error_messages = _COMMON | {"invalid": "wrong_type: This must be true or false."}

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> bool:
        if not isinstance(value, bool):
            raise self.make_error("invalid")
        return value


class Listing(fields.List):
    """A JSON array of bounded length."""

    default_error_messages = _COMMON | {"invalid": "wrong_type: This must be a list."}

    def __init__(self, item: fields.Field, *, shortest: int = 0, longest: int | None = None, **kwargs: Any) -> None:
        words = "out_of_range: This must have {min} to {max} entries."
        size = validate.Length(min=shortest, max=longest, error=words) if longest is not None else None
        super().__init__(item, validate=size, **kwargs)


class Mapping(fields.Dict):
    """A JSON object from ids to values, of bounded size; faults are reported at the id."""

    default_error_messages = _COMMON | {
        "invalid": "wrong_type: This must be an object.",
        "size": "out_of_range: This must have {least} to {most} entries.",
    }

    def __init__(self, values: fields.Field, *, smallest: int = 0, largest: int = 40, **kwargs: Any) -> None:
        self.size = (smallest, largest)
        super().__init__(keys=Text(pattern=ID), values=values, validate=self._check_size, **kwargs)

    def _check_size(self, value: dict[str, Any]) -> None:
        least, most = self.size
        if not least <= len(value) <= most:
            raise self.make_error("size", least=least, most=most)

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Any:
        try:
            return super()._deserialize(value, attr, data, **kwargs)
        except ValidationError as error:
            if not isinstance(error.messages, dict):
                raise
            flat = {key: found.get("key") or found.get("value") for key, found in error.messages.items()}
            raise ValidationError(flat) from error


class Part(fields.Nested):
    """A JSON object with a schema of its own."""

    default_error_messages = _COMMON | {"type": "wrong_type: This must be an object."}


class AnyObject(fields.Dict):
    """A JSON object whose content is not part of this contract."""

    default_error_messages = _COMMON | {"invalid": "wrong_type: This must be an object."}


class OptionValue(fields.Field):
    """The value of a rule set's option: a word, a whole number or true/false; the rule set judges it."""

    default_error_messages = _COMMON | {
        "invalid": "wrong_type: This must be a word, a whole number, true or false.",
        "too_long": "out_of_range: This is too long.",
    }

    def __init__(self, **kwargs: Any) -> None:
        kinds = [{"type": "string", "maxLength": 64}, {"type": "integer"}, {"type": "boolean"}]
        super().__init__(metadata={"anyOf": kinds}, **kwargs)

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> str | int | bool:
        if not isinstance(value, str | int):
            raise self.make_error("invalid")
        if isinstance(value, str) and (len(value) > 64 or re.search(r"[^ -~]", value)):
            raise self.make_error("too_long")
        if isinstance(value, int) and abs(value) > MAX_VERSION:
            raise self.make_error("too_long")
        return value


def game_id(**kwargs: Any) -> Text:
    """Gives the field of a game's id."""
    return Text(pattern=GAME, metadata={"example": "k3mvp0f2nq7x"}, **kwargs)


def decision_id(**kwargs: Any) -> Text:
    """Gives the field of a decision's id: "<version that opened it>.<seat>"."""
    return Text(pattern=DECISION, metadata={"example": "12.1"}, **kwargs)


def seat_number(**kwargs: Any) -> Whole:
    """Gives the field of a seat number, counted from 0."""
    return Whole(0, MAX_SEATS - 1, **kwargs)


def moment(**kwargs: Any) -> Text:
    """Gives the field of a point in time, RFC 3339 in UTC."""
    return Text(pattern=MOMENT, metadata={"format": "date-time", "example": "2026-11-29T21:40:00.123Z"}, **kwargs)


def options(**kwargs: Any) -> Mapping:
    """Gives the field of a rule set's options (OPT-1 to OPT-5); the rule set refuses unknown ones."""
    return Mapping(OptionValue(required=True), largest=20, metadata={"example": {"first_player": "random"}}, **kwargs)


class Request(Schema):
    """What a caller sends: unknown fields are refused."""

    error_messages = {
        "unknown": "unknown_field: This field is not known.",
        "type": "wrong_type: This must be an object.",
    }

    class Meta:
        unknown = RAISE


class Response(Schema):
    """What a service answers: a reader ignores fields it does not know."""

    class Meta:
        unknown = EXCLUDE


class Open(Schema):
    """Part of an answer that rule sets add fields to."""

    class Meta:
        unknown = INCLUDE
