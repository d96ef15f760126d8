"""The part of the state that lies in front of the seats of the Card Game: yards, stacks, completed tickets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from shared.kernel.fields import Cost, read_by_seat, read_digits, read_int, read_list, read_name, read_object
from shared.kernel.kinds import COMPLETE_TICKETS, TICKETS
from shared.kernel.knapsack import payments_for
from shared.kernel.piles import parse_counts, plain_counts, print_counts, read_counts, read_letter
from shared.kernel.state import Part, State, View
from shared.kernel.ticket_deck import bits, mask_of
from shared.kernel.ticket_payments import TicketPayments, parse_payments, print_payments
from shared.kernel.violations import Malformed

if TYPE_CHECKING:
    from shared.kernel.ruleset import Rules

NOT_MADE: Final = -1
HIDDEN: Final = -2
QUIET_ROUNDS: Final = 3  # CG-18
PAYMENTS: Final = TicketPayments()


class Yards(Part):
    """Rows by seat and colour: their colour cards and, on top of these, their locomotives. A stack hides its cards from
    everybody, its owner too (CG-7, VIEW-7), so in a view it is empty while its size stays true."""

    __slots__ = (
        "claims", "completed", "half", "halves", "moved", "open", "payments", "quiet", "rows", "sizes", "stacks",
        "starts", "wilds",
    )  # fmt: skip

    def __init__(self, seats: int, colours: int, halves: int) -> None:
        self.rows: list[list[int]] = [[0] * colours for _ in range(seats)]
        self.wilds: list[list[int]] = [[0] * colours for _ in range(seats)]
        self.stacks: list[list[int]] = [[0] * (colours + 1) for _ in range(seats)]
        self.sizes: list[int] = [0] * seats  # of the stacks
        self.open: bool = False  # whether each owner sees the own stack (CG-22)
        self.claims: list[int] = [NOT_MADE] * seats  # tickets named, until all have named theirs
        self.completed: list[int] = [0] * seats  # tickets set aside (CG-24)
        self.payments: dict[int, Cost] = {}  # for each completed ticket the cards that paid for it
        self.halves: int = halves  # how many times the deck is played through (CG-25, CG-29)
        self.half: int = 1
        self.quiet: int = 0  # turns in succession in which nothing moved (CG-18)
        self.moved: bool = False  # whether a card moved in step 1 of this turn
        self.starts: list[int] = []  # the versions that started the last turns, one round (VIEW-7)

    def copy(self) -> Yards:
        """An independent copy."""
        other = Yards(0, 0, self.halves)
        other.rows = [row[:] for row in self.rows]
        other.wilds = [row[:] for row in self.wilds]
        other.stacks = [stack[:] for stack in self.stacks]
        other.sizes = self.sizes[:]
        other.open = self.open
        other.claims = self.claims[:]
        other.completed = self.completed[:]
        other.payments = self.payments.copy()
        other.half = self.half
        other.quiet = self.quiet
        other.moved = self.moved
        other.starts = self.starts[:]
        return other

    def shows_stack(self, rules: Rules, state: State, seat: int) -> bool:
        """Whether the cards of the seat's stack are in this state or view (CG-22, OPT-2)."""
        if not state.has_holes():
            return True
        return isinstance(state, View) and seat == state.viewer and (self.open or rules.options["novice"])

    def counts(self) -> list[int]:
        """The cards in all yards and stacks by kind, as far as is known."""
        out = [sum(column) for column in zip(*self.stacks, strict=True)]
        for rows, wilds in zip(self.rows, self.wilds, strict=True):
            for colour, number in enumerate(rows):
                out[colour] += number
            out[-1] += sum(wilds)
        return out

    def hidden(self) -> int:
        """The number of cards in stacks that are not known."""
        return sum(self.sizes) - sum(sum(stack) for stack in self.stacks)

    def longest_of_others(self, seat: int) -> list[int]:
        """For each colour the number of cards in the longest row of another seat (CG-12, CG-13)."""
        longest = [0] * len(self.rows[seat])
        for other, rows in enumerate(self.rows):
            if other == seat:
                continue
            wilds = self.wilds[other]
            for colour, row in enumerate(rows):
                if row and row + wilds[colour] > longest[colour]:
                    longest[colour] = row + wilds[colour]
        return longest

    def pay(self, seat: int, payments: dict[int, Cost]) -> None:
        """The seat completes tickets and sets them aside (CG-24)."""
        self.completed[seat] |= mask_of(list(payments))
        self.payments |= payments

    def paid_by(self, seat: int) -> dict[int, Cost]:
        """The seat's completed tickets with the cards that paid for them."""
        return {ticket: self.payments[ticket] for ticket in bits(self.completed[seat])}

    def clear(self) -> None:
        """Takes all cards away."""
        for rows in (*self.rows, *self.wilds, *self.stacks):
            for place in range(len(rows)):
                rows[place] = 0
        self.sizes = [0] * len(self.sizes)

    def plain(self, rules: Rules) -> dict[str, Any]:
        """The JSON-ready form."""
        names = rules.board.tickets
        claims: list[Any] = [
            None if claim == NOT_MADE else {"hidden": True} if claim == HIDDEN else [names[t] for t in bits(claim)]
            for claim in self.claims
        ]
        return {
            "rows": [
                {
                    rules.kinds[colour]: {"cards": rows[colour], "locomotives": wilds[colour]}
                    for colour in range(rules.colours)
                    if rows[colour]
                }
                for rows, wilds in zip(self.rows, self.wilds, strict=True)
            ],
            "stacks": [plain_counts(rules, stack) for stack in self.stacks],
            "stack_sizes": self.sizes[:],
            "open": self.open,
            "claims": claims,
            "completed": [PAYMENTS.out(rules, self.paid_by(seat).items()) for seat in range(rules.seats)],
            "half": self.half,
            "quiet": self.quiet,
            "moved": self.moved,
            "starts": self.starts[:],
        }

    def load(self, rules: Rules, plain: Any, pointer: str) -> None:
        """Sets it from the plain form; raises Malformed."""
        names = ("rows", "stacks", "stack_sizes", "open", "claims", "completed", "half", "quiet", "moved", "starts")
        read_object(plain, names, pointer)
        seats, total = rules.seats, sum(rules.deck_counts)
        for seat, rows in enumerate(read_list(plain["rows"], seats, seats, f"{pointer}/rows")):
            if not isinstance(rows, dict):
                raise Malformed(f"{pointer}/rows/{seat}", "an object of colours and their rows is needed")
            for name, row in rows.items():
                at = f"{pointer}/rows/{seat}/{name}"
                colour = read_colour(rules, name, at)
                read_object(row, ("cards", "locomotives"), at)
                self.rows[seat][colour] = read_int(row["cards"], 0, total, f"{at}/cards")
                self.wilds[seat][colour] = read_int(row["locomotives"], 0, total, f"{at}/locomotives")
        stacks = read_list(plain["stacks"], seats, seats, f"{pointer}/stacks")
        self.stacks = [read_counts(rules, stack, f"{pointer}/stacks/{i}") for i, stack in enumerate(stacks)]
        sizes = read_list(plain["stack_sizes"], seats, seats, f"{pointer}/stack_sizes")
        self.sizes = [read_int(size, 0, total, f"{pointer}/stack_sizes/{i}") for i, size in enumerate(sizes)]
        for name in ("open", "moved"):
            if not isinstance(plain[name], bool):
                raise Malformed(f"{pointer}/{name}", "true or false is needed")
        self.open, self.moved = plain["open"], plain["moved"]
        claims = read_list(plain["claims"], seats, seats, f"{pointer}/claims")
        self.claims = [_read_claim(rules, claim, f"{pointer}/claims/{i}") for i, claim in enumerate(claims)]
        for seat, done in enumerate(read_list(plain["completed"], seats, seats, f"{pointer}/completed")):
            self.pay(seat, dict(PAYMENTS.read(rules, done, f"{pointer}/completed/{seat}")))
        self.half = read_int(plain["half"], 1, self.halves, f"{pointer}/half")
        self.quiet = read_int(plain["quiet"], 0, QUIET_ROUNDS * seats, f"{pointer}/quiet")
        starts = read_list(plain["starts"], 0, seats, f"{pointer}/starts")
        self.starts = [read_int(start, 1, 1_000_000, f"{pointer}/starts/{i}") for i, start in enumerate(starts)]

    def show(self, rules: Rules, out: dict[str, str]) -> None:
        """Adds its tokens to a notation."""
        yards = [
            ",".join(
                f"{rules.letters[colour]}{rows[colour]}" + (f"L{wilds[colour]}" if wilds[colour] else "")
                for colour in range(rules.colours)
                if rows[colour]
            )
            or "-"
            for rows, wilds in zip(self.rows, self.wilds, strict=True)
        ]
        _show(out, "yards", yards)
        stacks = [print_counts(rules, stack, size) for stack, size in zip(self.stacks, self.sizes, strict=True)]
        _show(out, "stacks", stacks)
        names = rules.board.tickets
        _show(out, "completed", [print_payments(rules, self.paid_by(seat)) for seat in range(rules.seats)])
        claims = ["-" if c == NOT_MADE else "?" if c == HIDDEN else _none(names, c) for c in self.claims]
        _show(out, "claims", claims)
        if self.open:
            out["open"] = "1"
        if self.half > 1:
            out["half"] = str(self.half)
        if self.quiet:
            out["quiet"] = str(self.quiet)
        if self.moved:
            out["moved"] = "1"
        if self.starts:
            out["starts"] = ",".join(map(str, self.starts))

    def parse(self, rules: Rules, state: State, tokens: dict[str, str]) -> None:
        """Sets it from a notation; everything left out is empty."""
        for seat, part in enumerate(read_by_seat(tokens.pop("yards", ""), rules.seats, "/yards")):
            for row in part.split(",") if part != "-" else ():
                counts, size = parse_counts(rules, row, "/yards")
                colour = read_letter(rules, row[:1], "/yards")
                if colour >= rules.colours or counts[colour] + counts[rules.wild] != size:
                    raise Malformed("/yards", "a row is a colour and its locomotives, such as R2L1")
                self.rows[seat][colour], self.wilds[seat][colour] = counts[colour], counts[rules.wild]
        pairs = [
            parse_counts(rules, part, "/stacks")
            for part in read_by_seat(tokens.pop("stacks", ""), rules.seats, "/stacks")
        ]
        self.stacks, self.sizes = [stack for stack, _ in pairs], [size for _, size in pairs]
        for seat, part in enumerate(read_by_seat(tokens.pop("completed", ""), rules.seats, "/completed")):
            self.pay(seat, parse_payments(rules, part, "/completed"))
        for seat, part in enumerate(read_by_seat(tokens.pop("claims", ""), rules.seats, "/claims")):
            special = {"-": NOT_MADE, "?": HIDDEN, "none": 0}
            self.claims[seat] = special[part] if part in special else _parse_tickets(rules, part, "/claims")
        self.open = _parse_int(tokens, "open", "0", 0, 1) == 1
        self.moved = _parse_int(tokens, "moved", "0", 0, 1) == 1
        self.half = _parse_int(tokens, "half", "1", 1, self.halves)
        self.quiet = _parse_int(tokens, "quiet", "0", 0, QUIET_ROUNDS * rules.seats)
        starts = tokens.pop("starts", "")
        self.starts = [read_digits(start, "/starts") for start in starts.split(",")] if starts else []

    def verify(self, rules: Rules, state: State, pointer: str) -> None:
        """Raises Malformed for rows without a colour card, and for stacks, claims or turns that do not fit."""
        for seat in range(rules.seats):
            for colour in range(rules.colours):
                if self.wilds[seat][colour] and not self.rows[seat][colour]:
                    raise Malformed(f"{pointer}/rows/{seat}", "a row has at least one card of its colour (CG-10)")
            known = sum(self.stacks[seat])
            if known > self.sizes[seat] or (known < self.sizes[seat] and self.shows_stack(rules, state, seat)):
                raise Malformed(f"{pointer}/stack_sizes/{seat}", f"the stack holds {known} cards")
            if known and not self.shows_stack(rules, state, seat):
                raise Malformed(f"{pointer}/stacks/{seat}", "this stack is hidden (VIEW-7)")
        if self.quiet == QUIET_ROUNDS * rules.seats and state.turns_left < 0:
            raise Malformed(f"{pointer}/quiet", "after so many turns the last ones have begun (CG-18)")
        starts = [start for start in sorted(set(self.starts)) if 1 <= start <= state.version]
        if len(starts) > rules.seats or self.starts != starts:
            raise Malformed(f"{pointer}/starts", "the versions of the turns of one round are needed, in order")
        self._verify_claims(rules, state, pointer)

    def _verify_claims(self, rules: Rules, state: State, pointer: str) -> None:
        """Claims are held while others make theirs, and can be paid, after the last turns (CG-22)."""
        asked = {d.seat for d in state.decisions if d.kind == COMPLETE_TICKETS}
        if self.open != bool(asked) or (asked and state.turns_left != 0):
            raise Malformed(f"{pointer}/open", "stacks are open while tickets are completed, and only then")
        for seat, claim in enumerate(self.claims):
            if (claim == NOT_MADE) == (bool(asked) and seat not in asked):
                raise Malformed(f"{pointer}/claims/{seat}", "a claim is held while others make theirs, and only then")
            if claim != NOT_MADE and (claim == HIDDEN) == state.shows(seat):
                raise Malformed(f"{pointer}/claims/{seat}", "a claim is hidden from all but its own seat")
            if claim > 0 and not self._is_payable(rules, state, seat):
                raise Malformed(f"{pointer}/claims/{seat}", "only own tickets that the stack pays for can be claimed")

    def _is_payable(self, rules: Rules, state: State, seat: int) -> bool:
        if self.claims[seat] & ~state.parts[TICKETS].hands[seat]:
            return False
        needs = [rules.board.ticket_costs[ticket] for ticket in bits(self.claims[seat])]
        return payments_for(needs, self.stacks[seat], rules.wild) is not None


def read_colour(rules: Rules, name: Any, pointer: str) -> int:
    """The colour of a name; raises Malformed."""
    colour = read_name(rules.kind_of, name, pointer, "colour")
    if colour >= rules.colours:
        raise Malformed(pointer, "no such colour")
    return colour


def _show(out: dict[str, str], name: str, parts: list[str]) -> None:
    if any(part != "-" for part in parts):
        out[name] = "/".join(parts)


def _none(names: list[str], claim: int) -> str:
    return ",".join(names[ticket] for ticket in bits(claim)) or "none"


def _parse_int(tokens: dict[str, str], name: str, default: str, low: int, high: int) -> int:
    return read_int(read_digits(tokens.pop(name, default), f"/{name}"), low, high, f"/{name}")


def _parse_tickets(rules: Rules, text: str, pointer: str) -> int:
    names = text.split(",")
    return mask_of([read_name(rules.board.ticket_of, name, pointer, f"ticket as {name[:60]}") for name in names])


def _read_tickets(rules: Rules, plain: Any, pointer: str) -> int:
    names = read_list(plain, 0, len(rules.board.tickets), pointer)
    return mask_of([read_name(rules.board.ticket_of, name, f"{pointer}/{i}", "ticket") for i, name in enumerate(names)])


def _read_claim(rules: Rules, plain: Any, pointer: str) -> int:
    if plain is None:
        return NOT_MADE
    return HIDDEN if plain == {"hidden": True} else _read_tickets(rules, plain, pointer)
