"""Errors on the wire: RFC 9457 problem details, and how refusals of a schema become pointers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from marshmallow import fields

from shared.contracts.fields import RULE, AnyObject, Listing, Part, Response, Text, Whole

PROBLEM_TYPE = "application/problem+json"
MOST_ERRORS = 20
LONGEST_STEP = 80


class FieldErrorSchema(Response):
    """One fault of a request: where, which kind, in words."""

    pointer = Text(shortest=0, longest=1000, required=True, metadata={
        "description": 'JSON pointer into the body; "?name" for a query parameter; empty for the whole body.',
        "example": "/move/payment/blue",
    })
    code = Text(required=True, metadata={"example": "wrong_type"})
    detail = Text(required=True, longest=1000)


class ViolationSchema(Response):
    """One rule that a move broke."""

    code = Text(required=True, metadata={"example": "payment_too_small"})
    rule = Text(pattern=RULE, required=True, metadata={"example": "BASE-24"})
    text = Text(longest=4000, required=True, metadata={"description": "The rule in words."})
    data = AnyObject(required=True, metadata={"description": "What was needed and what came."})


class ProblemSchema(Response):
    """Every error answer of every service."""

    type = Text(required=True, metadata={"example": "about:blank"})
    title = Text(required=True, metadata={"example": "Not Found"})
    status = Whole(400, 599, required=True, metadata={"example": 404})
    detail = Text(shortest=0, longest=2000, required=True)
    code = Text(required=True, metadata={"example": "game_not_found"})
    request_id = Text(required=True)
    errors = Listing(Part(FieldErrorSchema))
    violations = Listing(Part(ViolationSchema))
    instance = fields.String()


def field_errors(messages: Any) -> list[dict[str, str]]:
    """Gives a schema's refusals (`ValidationError.messages`) as `errors` of a problem: pointer, code, detail."""
    found: list[dict[str, str]] = []
    for pointer, words in _walk(messages, ""):
        code, _, detail = words.partition(": ")
        found.append({"pointer": pointer, "code": code, "detail": detail} if detail
                     else {"pointer": pointer, "code": "invalid", "detail": words})
        if len(found) == MOST_ERRORS:
            break
    return found


def _walk(messages: Any, pointer: str) -> Iterator[tuple[str, str]]:
    if isinstance(messages, dict):
        for key, inner in messages.items():
            yield from _walk(inner, pointer if key == "_schema" else f"{pointer}/{_step(key)}")
    elif isinstance(messages, list):
        for inner in messages:
            yield from _walk(inner, pointer)
    else:
        yield pointer, str(messages)


def _step(key: Any) -> str:
    return str(key)[:LONGEST_STEP].replace("~", "~0").replace("/", "~1")
