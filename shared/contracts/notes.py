"""Private notes of a seat: the memory of a stateless bot."""

from __future__ import annotations

from typing import Any

from marshmallow import ValidationError, validates

from shared.contracts.fields import Request, Response, Text

MOST_BYTES = 4096


class NotesRequestSchema(Request):
    """Notes to keep, at most 4096 bytes of UTF-8."""

    notes = Text(shortest=0, longest=MOST_BYTES, required=True, metadata={"example": "saving blue for atlanta-miami"})

    @validates("notes")
    def _fits(self, value: str, data_key: str, **kwargs: Any) -> None:
        if len(value.encode()) > MOST_BYTES:
            raise ValidationError(f"out_of_range: This must have at most {MOST_BYTES} bytes.")


class NotesSchema(Response):
    """The notes of a seat; empty at first."""

    notes = Text(shortest=0, longest=MOST_BYTES, required=True)
