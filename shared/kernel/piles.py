"""Piles of cards as counts by kind: no order exists, a draw is a chance outcome over the first layer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from shared.kernel.chance import Chance
from shared.kernel.fields import Cost, read_digits, read_int, read_name
from shared.kernel.violations import Malformed

if TYPE_CHECKING:
    from shared.kernel.ruleset import Rules

DIGITS: Final = "0123456789"


def draw_one(layer: list[int], size: int, chance: Chance) -> int:
    """The kind of a card drawn uniformly from a layer of `size` cards; the layer stays as it is."""
    place = chance.below(size)
    for kind, count in enumerate(layer):
        if place < count:
            return kind
        place -= count
    raise ValueError("the layer holds fewer cards than its size")


def fill_hands(hands: list[list[int]], sizes: list[int], pool: list[int], chance: Chance) -> None:
    """Deals from `pool` into each hand until it has its size; what is left stays in `pool`."""
    left = sum(pool)
    for hand, size in zip(hands, sizes, strict=True):
        for _ in range(size - sum(hand)):
            kind = draw_one(pool, left, chance)
            pool[kind] -= 1
            left -= 1
            hand[kind] += 1


def as_cost(counts: list[int]) -> Cost:
    """The counts of a pile as pairs of kind and number."""
    return tuple([(kind, number) for kind, number in enumerate(counts) if number])


def plain_counts(rules: Rules, counts: list[int] | tuple[int, ...]) -> dict[str, int]:
    """{"red": 2, ...} without zeros."""
    return {rules.kinds[kind]: number for kind, number in enumerate(counts) if number}


def read_counts(rules: Rules, plain: Any, pointer: str) -> list[int]:
    """Counts by kind from {"red": 2, ...}; raises Malformed."""
    if not isinstance(plain, dict):
        raise Malformed(pointer, "an object of cards and their numbers is needed")
    counts = [0] * len(rules.kinds)
    for name, number in plain.items():
        kind = read_name(rules.kind_of, name, f"{pointer}/{name}", "card")
        counts[kind] = read_int(number, 0, rules.deck_counts[kind], f"{pointer}/{name}")
    return counts


def print_counts(rules: Rules, counts: list[int], size: int) -> str:
    """Notation of a pile or hand: "R3L1?2", the unknown cards last; "-" for none."""
    text = "".join(f"{rules.letters[kind]}{number}" for kind, number in enumerate(counts) if number)
    unknown = size - sum(counts)
    return text + (f"?{unknown}" if unknown else "") or "-"


def parse_counts(rules: Rules, text: str, pointer: str) -> tuple[list[int], int]:
    """Counts by kind and the size, unknown cards included; raises Malformed."""
    counts = [0] * len(rules.kinds)
    size = 0
    if text == "-":
        return counts, size
    place = 0
    while place < len(text):
        letter = text[place]
        end = place + 1
        while end < len(text) and text[end] in DIGITS:
            end += 1
        number = read_digits(text[place + 1 : end], pointer)
        if letter != "?":
            counts[read_letter(rules, letter, pointer)] += number
        size += number
        place = end
    return counts, size


def parse_known_counts(rules: Rules, text: str, pointer: str) -> list[int]:
    """Counts by kind where no card can be unknown; raises Malformed."""
    counts, size = parse_counts(rules, text, pointer)
    if size != sum(counts):
        raise Malformed(pointer, "none of these cards can be unknown")
    return counts


def read_letter(rules: Rules, letter: str, pointer: str) -> int:
    """The kind of card with this letter; raises Malformed."""
    if letter not in rules.letters:
        raise Malformed(pointer, f"no card has the letter {letter[:1]}")
    return rules.letters.index(letter)
