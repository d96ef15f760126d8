"""Completed tickets with the cards that paid for them, as JSON and in notation (CG-22, CG-24)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from shared.kernel.fields import Cost, Field, Payment, read_name
from shared.kernel.piles import as_cost, parse_known_counts, print_counts
from shared.kernel.violations import Malformed

if TYPE_CHECKING:
    from shared.kernel.ruleset import Rules


class TicketPayments(Field):
    """Tickets in the board's order, each with the cards that paid for it."""

    def out(self, rules: Rules, value: Any) -> dict[str, dict[str, int]]:
        return {rules.board.tickets[ticket]: Payment().out(rules, cost) for ticket, cost in value}

    def read(self, rules: Rules, value: Any, pointer: str) -> tuple[tuple[int, Cost], ...]:
        if not isinstance(value, dict):
            raise Malformed(pointer, "an object of tickets and the cards that paid for them is needed")
        pairs = []
        for name, cards in value.items():
            ticket = read_name(rules.board.ticket_of, name, f"{pointer}/{name}", "ticket")
            pairs.append((ticket, _fitting(rules, ticket, Payment().read(rules, cards, f"{pointer}/{name}"), pointer)))
        return tuple(sorted(pairs))


def print_payments(rules: Rules, payments: dict[int, Cost]) -> str:
    """Notation: "dallas-miami:G1L1"; a ticket paid for with its own colours stands alone."""
    parts = []
    for ticket, cost in payments.items():
        counts = [dict(cost).get(kind, 0) for kind in range(len(rules.kinds))]
        own = cost == own_colours(rules, ticket)
        parts.append(rules.board.tickets[ticket] + ("" if own else f":{print_counts(rules, counts, sum(counts))}"))
    return ",".join(parts) or "-"


def parse_payments(rules: Rules, text: str, pointer: str) -> dict[int, Cost]:
    """The tickets and their payments from a notation; raises Malformed."""
    out: dict[int, Cost] = {}
    for part in text.split(",") if text != "-" else ():
        name, colon, cards = part.partition(":")
        ticket = read_name(rules.board.ticket_of, name, pointer, f"ticket as {name[:60]}")
        if ticket in out:
            raise Malformed(pointer, "this ticket is named twice")
        counts = parse_known_counts(rules, cards, pointer) if colon else []
        out[ticket] = _fitting(rules, ticket, as_cost(counts), pointer) if colon else own_colours(rules, ticket)
    return out


def own_colours(rules: Rules, ticket: int) -> Cost:
    """What a ticket costs without wilds."""
    return as_cost(rules.board.ticket_costs[ticket])


def _fitting(rules: Rules, ticket: int, cost: Cost, pointer: str) -> Cost:
    """The cards, if they pay for the ticket and no more (CG-20); raises Malformed."""
    need = [*rules.board.ticket_costs[ticket], rules.deck_counts[rules.wild]]
    if any(number > need[kind] for kind, number in cost) or sum(number for _, number in cost) != sum(need[:-1]):
        raise Malformed(pointer, f"these cards do not pay for {rules.board.tickets[ticket]}")
    return cost
