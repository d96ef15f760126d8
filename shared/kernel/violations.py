"""What can be wrong with an answer: against a rule, not open, or not a move at all."""

from __future__ import annotations

from typing import Any, Final

#: Every code a `RuleViolation` may carry.
CODES: Final = frozenset(
    {
        "not_an_action",
        "second_card_due",
        "tickets_due",
        "pass_not_allowed",
        "no_train_cards",
        "card_not_on_display",
        "locomotive_as_second_card",
        "track_claimed",
        "track_locked",
        "parallel_track_owned",
        "too_few_trains",
        "wrong_payment_size",
        "mixed_colours",
        "wrong_colour",
        "cards_not_held",
        "no_payment",
        "track_too_short",
        "too_few_locomotives",
        "no_tickets_left",
        "ticket_not_offered",
        "too_few_tickets_kept",
        "starting_city_due",
        "alvin_due",
        "marker_due",
        "city_closed",
        "city_marked",
        "city_not_on_track",
        "no_own_marker",
        "not_at_starting_city",
        "not_at_own_track",
        "split_due",
        "wrong_split_size",
        "split_beyond_deck",
        "passenger_due",
        "country_closed",
        "city_occupied",
        "no_own_passenger",
        "path_empty",
        "path_broken",
        "track_unclaimed",
        "track_used_twice",
        "wrong_passenger_cards",
        "row_without_colour",
        "wrong_placement",
        "colour_in_own_yard",
        "row_too_short",
        "claim_due",
        "ticket_not_held",
        "stack_cannot_pay",
    }
)


class RuleViolation(Exception):
    """A move against a rule: `code` from CODES, `rule` an id of rules.md, `data` what was needed and what came."""

    def __init__(self, code: str, rule: str, data: dict[str, Any]) -> None:
        if code not in CODES:
            raise ValueError(f"unknown violation code {code}")
        super().__init__(f"{rule}: {code} {data}")
        self.code: str = code
        self.rule: str = rule
        self.data: dict[str, Any] = data


class DecisionNotOpen(Exception):
    """The decision answered is not open in this position."""


class Malformed(Exception):
    """Input that is no move, event, position or notation; `pointer` is a JSON pointer to the place."""

    def __init__(self, pointer: str, detail: str) -> None:
        super().__init__(f"{pointer or '/'}: {detail}")
        self.pointer: str = pointer
        self.detail: str = detail


class MalformedMove(Malformed):
    """Input that is no move of this rule set."""


class RecountError(Exception):
    """Points scored in play differ from the points recounted from the record (BASE-42)."""
