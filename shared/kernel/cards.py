"""The part of the state that holds all train cards: hands, deck, discard pile and display."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from shared.kernel.fields import read_by_seat, read_digits, read_int, read_list, read_name, read_object
from shared.kernel.kinds import SECOND_CARD, YARDS
from shared.kernel.piles import (
    parse_counts,
    parse_known_counts,
    plain_counts,
    print_counts,
    read_counts,
    read_letter,
)
from shared.kernel.state import Part, State
from shared.kernel.violations import Malformed

if TYPE_CHECKING:
    from shared.kernel.ruleset import Rules

MOST_RESETS: Final = 3  # BASE-20


class Cards(Part):
    """Counts by kind. In a view other seats' hands hold only their publicly known cards (VIEW-1) and the deck has no
    layers, while sizes stay true."""

    __slots__ = ("deck", "deck_size", "discard", "discard_size", "display", "hands", "known", "resets", "sizes")

    def __init__(self, seats: int, kinds: int) -> None:
        self.hands: list[list[int]] = [[0] * kinds for _ in range(seats)]
        self.known: list[list[int]] = [[0] * kinds for _ in range(seats)]
        self.sizes: list[int] = [0] * seats
        self.deck: list[list[int]] = []  # layers, the top one first
        self.deck_size: int = 0
        self.discard: list[int] = [0] * kinds
        self.discard_size: int = 0
        self.display: list[int] = []
        self.resets: int = 0  # resets in succession since a card of the display changed (BASE-20)

    def copy(self) -> Cards:
        """An independent copy."""
        other = Cards(0, 0)
        other.hands = [hand[:] for hand in self.hands]
        other.known = [hand[:] for hand in self.known]
        other.sizes = self.sizes[:]
        other.deck = [layer[:] for layer in self.deck]
        other.deck_size = self.deck_size
        other.discard = self.discard[:]
        other.discard_size = self.discard_size
        other.display = self.display[:]
        other.resets = self.resets
        return other

    def leave_deck(self, kind: int) -> None:
        """The deck loses a card of its first layer; a view knows no layers."""
        self.deck_size -= 1
        if self.deck:
            layer = self.deck[0]
            layer[kind] -= 1
            if len(self.deck) > 1 and not any(layer):
                del self.deck[0]

    def reach_hand(self, seat: int, kind: int) -> None:
        """A card reaches a hand openly (VIEW-1)."""
        self.sizes[seat] += 1
        self.hands[seat][kind] += 1
        self.known[seat][kind] += 1

    def leave_hand(self, seat: int, kind: int, number: int) -> None:
        """Cards leave a hand openly; what is publicly known of it shrinks, never below 0 (VIEW-1)."""
        hand = self.hands[seat]
        left = hand[kind] - number
        hand[kind] = left if left > 0 else 0
        known = self.known[seat]
        left = known[kind] - number
        known[kind] = left if left > 0 else 0
        self.sizes[seat] -= number

    def pay(self, seat: int, kind: int, number: int) -> None:
        """Cards go from a hand to the discard pile."""
        self.leave_hand(seat, kind, number)
        self.discard[kind] += number
        self.discard_size += number

    def is_spent(self, rules: Rules) -> bool:
        """Whether no card can come from the deck any more, not even from a reshuffled discard pile (BASE-17, CG-9)."""
        return self.deck_size == 0 and (self.discard_size == 0 or not rules.replenishes)

    def has_second(self, rules: Rules) -> bool:
        """Whether a second card can be drawn (BASE-14, BASE-18, CG-9)."""
        if not self.is_spent(rules):
            return True
        return not rules.replenishes and any(kind != rules.wild for kind in self.display)

    def unseen(self, rules: Rules, state: State) -> list[int]:
        """The cards, by kind, that are in no hand, yard or stack, nor on the display or discard pile, as far as is
        known."""
        rest = rules.deck_counts[:]
        for counts in (*self.hands, self.discard):
            for kind, number in enumerate(counts):
                rest[kind] -= number
        for kind in self.display:
            rest[kind] -= 1
        if state.parts[YARDS] is not None:
            rest = [left - number for left, number in zip(rest, state.parts[YARDS].counts(), strict=True)]
        return rest

    def plain(self, rules: Rules) -> dict[str, Any]:
        """The JSON-ready form."""
        return {
            "hands": [plain_counts(rules, hand) for hand in self.hands],
            "known": [plain_counts(rules, hand) for hand in self.known],
            "sizes": self.sizes[:],
            "deck": [plain_counts(rules, layer) for layer in self.deck],
            "deck_size": self.deck_size,
            "discard": plain_counts(rules, self.discard),
            "display": [rules.kinds[kind] for kind in self.display],
            "resets": self.resets,
        }

    def load(self, rules: Rules, plain: Any, pointer: str) -> None:
        """Sets it from the plain form; raises Malformed."""
        total = sum(rules.deck_counts)
        read_object(plain, ("hands", "known", "sizes", "deck", "deck_size", "discard", "display", "resets"), pointer)
        for name in ("hands", "known"):
            hands = read_list(plain[name], rules.seats, rules.seats, f"{pointer}/{name}")
            setattr(self, name, [read_counts(rules, hand, f"{pointer}/{name}/{i}") for i, hand in enumerate(hands)])
        sizes = read_list(plain["sizes"], rules.seats, rules.seats, f"{pointer}/sizes")
        self.sizes = [read_int(size, 0, total, f"{pointer}/sizes/{i}") for i, size in enumerate(sizes)]
        layers = read_list(plain["deck"], 0, total, f"{pointer}/deck")
        self.deck = [read_counts(rules, layer, f"{pointer}/deck/{i}") for i, layer in enumerate(layers)]
        self.deck_size = read_int(plain["deck_size"], 0, total, f"{pointer}/deck_size")
        self.discard = read_counts(rules, plain["discard"], f"{pointer}/discard")
        self.discard_size = sum(self.discard)
        display = read_list(plain["display"], 0, total, f"{pointer}/display")
        self.display = [
            read_name(rules.kind_of, card, f"{pointer}/display/{i}", "card") for i, card in enumerate(display)
        ]
        self.resets = read_int(plain["resets"], 0, MOST_RESETS, f"{pointer}/resets")

    def show(self, rules: Rules, out: dict[str, str]) -> None:
        """Adds its tokens to a notation."""
        out["hands"] = "/".join(
            print_counts(rules, hand, size) for hand, size in zip(self.hands, self.sizes, strict=True)
        )
        if any(any(known) for known in self.known):
            out["known"] = "/".join(print_counts(rules, known, sum(known)) for known in self.known)
        out["display"] = "".join(rules.letters[kind] for kind in self.display) or "-"
        if self.discard_size:
            out["discard"] = print_counts(rules, self.discard, self.discard_size)
        if len(self.deck) > 1:
            out["deck"] = "|".join(print_counts(rules, layer, sum(layer)) for layer in self.deck)
        if self.resets:
            out["resets"] = str(self.resets)

    def parse(self, rules: Rules, state: State, tokens: dict[str, str]) -> None:
        """Sets it from a notation; the deck, if left out, is every card that is nowhere else."""
        hands = read_by_seat(tokens.pop("hands", ""), rules.seats, "/hands")
        pairs = [parse_counts(rules, part, "/hands") for part in hands]
        self.hands, self.sizes = [counts for counts, _ in pairs], [size for _, size in pairs]
        known = read_by_seat(tokens.pop("known", ""), rules.seats, "/known")
        self.known = [parse_known_counts(rules, part, "/known") for part in known]
        self.display = [
            read_letter(rules, letter, "/display") for letter in tokens.pop("display", "-").replace("-", "")
        ]
        self.discard = parse_known_counts(rules, tokens.pop("discard", "-"), "/discard")
        self.discard_size = sum(self.discard)
        self.resets = read_int(read_digits(tokens.pop("resets", "0"), "/resets"), 0, MOST_RESETS, "/resets")
        deck = tokens.pop("deck", "")
        layers = [parse_known_counts(rules, layer, "/deck") for layer in deck.split("|")] if deck else []
        self.deck = layers or [self.unseen(rules, state)]
        self.deck_size = sum(sum(layer) for layer in self.deck)
        if state.has_holes():
            self.deck_size -= self._hidden(state)
            self.deck = []

    def _hidden(self, state: State) -> int:
        """The number of cards in hands and stacks that are not known."""
        in_hands = sum(self.sizes) - sum(sum(hand) for hand in self.hands)
        return in_hands + (0 if state.parts[YARDS] is None else state.parts[YARDS].hidden())

    def verify(self, rules: Rules, state: State, pointer: str) -> None:
        """Raises Malformed unless each card of the deck is in exactly one place."""
        rest = self.unseen(rules, state)
        if min(rest) < 0:
            raise Malformed(pointer, f"there are more {rules.kinds[rest.index(min(rest))]} cards than the deck has")
        for seat, (hand, known) in enumerate(zip(self.hands, self.known, strict=True)):
            if any(k > h for k, h in zip(known, hand, strict=True)):
                raise Malformed(f"{pointer}/known/{seat}", "more is known of a hand than it holds")
            if sum(hand) > self.sizes[seat] or (sum(hand) < self.sizes[seat] and state.shows(seat)):
                raise Malformed(f"{pointer}/sizes/{seat}", f"the hand holds {sum(hand)} cards")
        for layer in self.deck:
            rest = [left - number for left, number in zip(rest, layer, strict=True)]
        unknown = self._hidden(state) + self.deck_size if state.has_holes() else 0
        if min(rest) < 0 or sum(rest) != unknown:
            raise Malformed(pointer, "the cards of each kind must add up to the rule set's deck")
        if self.deck_size < 0:
            raise Malformed(pointer, "more cards are held than there are")
        if not self.has_second(rules) and any(d.kind == SECOND_CARD for d in state.decisions):
            raise Malformed("/decisions", "without a card to draw no second card is asked for (BASE-18, CG-9)")
        if not state.has_holes() and self.deck_size != sum(sum(layer) for layer in self.deck):
            raise Malformed(f"{pointer}/deck_size", "this is not the size of the deck")
