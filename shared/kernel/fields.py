"""Fields of moves and events: one description each gives JSON out, JSON in, equality and text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from shared.kernel.violations import Malformed

if TYPE_CHECKING:
    from shared.kernel.ruleset import Rules


class Field:
    """A kind of value. `out` gives JSON; `read` takes JSON and raises Malformed with a pointer."""

    #: how the notation of moves writes it: word, number, cards, list, or numbers by name
    shape: ClassVar[str] = "word"

    def out(self, rules: Rules, value: Any) -> Any:
        """The JSON value."""
        return value

    def read(self, rules: Rules, value: Any, pointer: str) -> Any:
        """The inner value."""
        raise NotImplementedError


def read_int(value: Any, low: int, high: int, pointer: str) -> int:
    """An int within bounds, both included; raises Malformed."""
    if type(value) is not int or not low <= value <= high:
        raise Malformed(pointer, f"an integer from {low} to {high} is needed")
    return value


def read_digits(text: str, pointer: str) -> int:
    """A number of a notation; raises Malformed."""
    if not (text.isascii() and text.isdecimal() and len(text) < 7):
        raise Malformed(pointer, "a number is needed")
    return int(text)


def read_by_seat(text: str, seats: int, pointer: str) -> list[str]:
    """The parts of a notation by seat, "-" for each where nothing is written; raises Malformed."""
    parts = text.split("/") if text else ["-"] * seats
    if len(parts) != seats:
        raise Malformed(pointer, f"{seats} seats are needed, separated by /")
    return parts


def read_name(names: dict[str, int], value: Any, pointer: str, what: str) -> int:
    """The number of a name; raises Malformed."""
    if not isinstance(value, str) or value not in names:
        raise Malformed(pointer, f"no such {what}")
    return names[value]


def read_list(value: Any, low: int, high: int, pointer: str) -> list[Any]:
    """A list with a length within bounds, both included; raises Malformed."""
    if not isinstance(value, list) or not low <= len(value) <= high:
        length = f"{low}" if low == high else f"{low} to {high}"
        raise Malformed(pointer, f"a list of {length} is needed")
    return value


def read_object(value: Any, names: tuple[str, ...], pointer: str) -> dict[str, Any]:
    """An object with exactly these names; raises Malformed."""
    if not isinstance(value, dict):
        raise Malformed(pointer, "an object is needed")
    for name in names:
        if name not in value:
            raise Malformed(f"{pointer}/{name}", "this field is needed")
    for name in value:
        if name not in names:
            raise Malformed(f"{pointer}/{name}", "there is no such field")
    return value


class Number(Field):
    """A count from 0."""

    shape = "number"

    def read(self, rules: Rules, value: Any, pointer: str) -> int:
        return read_int(value, 0, 1_000_000, pointer)


class SeatNumber(Field):
    """A seat of the game."""

    def read(self, rules: Rules, value: Any, pointer: str) -> int:
        return read_int(value, 0, rules.seats - 1, pointer)


class Flag(Field):
    """True or false."""

    def read(self, rules: Rules, value: Any, pointer: str) -> bool:
        if not isinstance(value, bool):
            raise Malformed(pointer, "true or false is needed")
        return value


class Word(Field):
    """One of a few words, kept as its position in the list."""

    def __init__(self, words: tuple[str, ...], what: str) -> None:
        self.words: tuple[str, ...] = words
        self.numbers: dict[str, int] = {word: number for number, word in enumerate(words)}
        self.what: str = what

    def out(self, rules: Rules, value: Any) -> str:
        word: str = self.words[value]
        return word

    def read(self, rules: Rules, value: Any, pointer: str) -> int:
        return read_name(self.numbers, value, pointer, self.what)


class Document(Field):
    """Any JSON object, kept as it is."""

    def read(self, rules: Rules, value: Any, pointer: str) -> dict[str, Any]:
        if not isinstance(value, dict):
            raise Malformed(pointer, "an object is needed")
        return value


class Card(Field):
    """A kind of card; null (-1) where it is hidden."""

    def __init__(self, hidden: bool = False) -> None:
        self.hidden: bool = hidden

    def out(self, rules: Rules, value: Any) -> str | None:
        return None if value < 0 else rules.kinds[value]

    def read(self, rules: Rules, value: Any, pointer: str) -> int:
        if value is None and self.hidden:
            return -1
        return read_name(rules.kind_of, value, pointer, "card")


class City(Field):
    """A city of the board; null (-1) where there may be none."""

    def __init__(self, optional: bool = False) -> None:
        self.optional: bool = optional

    def out(self, rules: Rules, value: Any) -> str | None:
        return None if value < 0 else rules.board.cities[value]

    def read(self, rules: Rules, value: Any, pointer: str) -> int:
        if value is None and self.optional:
            return -1
        return read_name(rules.board.city_of, value, pointer, "city")


class Track(Field):
    """A track of the board."""

    def out(self, rules: Rules, value: Any) -> str:
        name: str = rules.board.tracks[value]
        return name

    def read(self, rules: Rules, value: Any, pointer: str) -> int:
        return read_name(rules.board.track_of, value, pointer, "track")


class TrackList(Field):
    """Tracks in order."""

    shape = "list"

    def out(self, rules: Rules, value: Any) -> list[str]:
        return [rules.board.tracks[track] for track in value]

    def read(self, rules: Rules, value: Any, pointer: str) -> tuple[int, ...]:
        names = read_list(value, 0, len(rules.board.tracks), pointer)
        return tuple([read_name(rules.board.track_of, name, f"{pointer}/{i}", "track") for i, name in enumerate(names)])


Cost = tuple[tuple[int, int], ...]  # (kind of card, number), in the order of the kinds, no number 0


class Payment(Field):
    """Cards that pay for something, as a Cost."""

    shape = "cards"

    def __init__(self, may_be_empty: bool = False) -> None:
        self.may_be_empty: bool = may_be_empty

    def out(self, rules: Rules, value: Any) -> dict[str, int]:
        return {rules.kinds[kind]: number for kind, number in value}

    def read(self, rules: Rules, value: Any, pointer: str) -> Cost:
        if not isinstance(value, dict) or not (value or self.may_be_empty):
            raise Malformed(pointer, "an object of cards and their numbers is needed")
        pairs = []
        for name, number in value.items():
            kind = read_name(rules.kind_of, name, f"{pointer}/{name}", "card")
            pairs.append((kind, read_int(number, 1, rules.deck_counts[kind], f"{pointer}/{name}")))
        return tuple(sorted(pairs))


class Record:
    """A value with named fields. `fields` lists them in the order of the constructor's arguments."""

    __slots__ = ()
    fields: ClassVar[tuple[tuple[str, Field], ...]] = ()

    def values(self) -> tuple[Any, ...]:
        """The values in the order of the fields."""
        return tuple([getattr(self, name) for name, _ in self.fields])

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self.values() == other.values()

    def __hash__(self) -> int:
        return hash((type(self).__name__, self.values()))

    def __repr__(self) -> str:
        inner = ", ".join(f"{name}={getattr(self, name)!r}" for name, _ in self.fields)
        return f"{type(self).__name__}({inner})"

    def plain(self, rules: Rules, tag: str) -> dict[str, Any]:
        """The JSON-ready form; `tag` names the key that holds the class name."""
        out: dict[str, Any] = {tag: type(self).__name__}
        for name, field in self.fields:
            out[name] = field.out(rules, getattr(self, name))
        return out


R = TypeVar("R", bound=Record)


def read_record(rules: Rules, classes: dict[str, type[R]], tag: str, plain: Any, pointer: str = "") -> R:
    """The record of a plain form; raises Malformed for an unknown class, a missing or an unknown field."""
    if not isinstance(plain, dict):
        raise Malformed(pointer, "an object is needed")
    name = plain.get(tag)
    if not isinstance(name, str) or name not in classes:
        raise Malformed(f"{pointer}/{tag}", f"one of {', '.join(sorted(classes))} is needed")
    cls = classes[name]
    known = {field_name for field_name, _ in cls.fields}
    for key in plain:
        if key != tag and key not in known:
            raise Malformed(f"{pointer}/{key}", f"{name} has no such field")
    values = []
    for field_name, field in cls.fields:
        if field_name not in plain:
            raise Malformed(f"{pointer}/{field_name}", f"{name} needs this field")
        values.append(field.read(rules, plain[field_name], f"{pointer}/{field_name}"))
    return cls(*values)
