"""One answer at a time: positions and moves in notation, luck scripted."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any

from shared.catalog import board, rules_for, ruleset
from shared.kernel import (
    CARDS,
    MECHANICS,
    Chance,
    Commit,
    Decision,
    Event,
    FastChance,
    Rules,
    RuleViolation,
    State,
    advance,
    compile_rules,
    legal_moves,
    new_game,
    parse_move,
    parse_position,
    print_move,
    print_position,
)

TICKETS = board("usa")["tickets"]
ALL_TICKETS = ",".join(ticket["id"] for ticket in TICKETS)
ALL_CARDS = "P12B12O12W12G12Y12K12R12L14"


class ScriptedChance:
    """Gives these results in turn. One of one needs no script; anything else beyond the script fails."""

    def __init__(self, *results: int) -> None:
        self.left: list[int] = list(results)

    def below(self, n: int) -> int:
        if n == 1:
            return 0
        assert self.left, f"one of {n} was asked for, and the script is over"
        result = self.left.pop(0)
        assert 0 <= result < n, f"the script says {result} where one of {n} was asked for"
        return result


def usa(seats: int = 2, **options: Any) -> Rules:
    """The rules of USA."""
    return rules_for("usa@1", seats, options)


def old_west(seats: int = 2, **options: Any) -> Rules:
    """The rules of Old West."""
    return rules_for("old_west@1", seats, options)


def maerklin(seats: int = 2, **options: Any) -> Rules:
    """The rules of Märklin."""
    return rules_for("maerklin@1", seats, options)


def card_game(seats: int = 2, **options: Any) -> Rules:
    """The rules of the Card Game."""
    return rules_for("card_game@1", seats, options)


def variant(seats: int = 2, tracks: Sequence[dict[str, Any]] = (), **changes: Any) -> Rules:
    """USA with more tracks on its board and other entries in its rule-set file."""
    map_ = copy.deepcopy(board("usa"))
    map_["tracks"] += tracks
    return compile_rules({**copy.deepcopy(ruleset("usa")), **changes}, map_, seats, {}, MECHANICS)


def position(rules: Rules, text: str = "", top: str = "") -> State:
    """The position of a notation without its head; `top` names the deck's top cards, the first drawn first."""
    head = f"{rules.id}:{rules.seats} {text}"
    state = parse_position(rules, head)
    if not top:
        return state
    rest = state.parts[CARDS].unseen(rules, state)
    for letter in top:
        rest[rules.letters.index(letter)] -= 1
    below = "".join(f"{letter}{number}" for letter, number in zip(rules.letters, rest, strict=True) if number)
    return parse_position(rules, f"{head} deck={'|'.join([f'{letter}1' for letter in top] + [below] * bool(below))}")


def near_the_end(rules: Rules, text: str, deck: str = "") -> State:
    """A position of the Card Game whose deck holds these cards only, the top one first; all cards that are nowhere else
    have been discarded."""
    state = parse_position(rules, f"{rules.id}:{rules.seats} {text}")
    rest = state.parts[CARDS].unseen(rules, state)
    for letter in deck:
        rest[rules.letters.index(letter)] -= 1
    discard = "".join(f"{letter}{number}" for letter, number in zip(rules.letters, rest, strict=True) if number)
    layers = "|".join(f"{letter}1" for letter in deck)
    return position(rules, f"{text} discard={discard or '-'}{' deck=' if deck else ''}{layers}")


def completing(rules: Rules, text: str) -> State:
    """A position after the last turns, where every seat is asked for the tickets to complete (CG-22)."""
    ask = ",".join(f"1.{seat}:complete_tickets" for seat in range(rules.seats))
    return near_the_end(rules, f"last=0 open=1 turn={rules.seats - 1} ask={ask} {text}")


def shown(rules: Rules, state: State, token: str) -> str:
    """The value of one token of the position's notation; "" if it is left out."""
    tokens = dict(word.split("=", 1) for word in print_position(rules, state).split()[1:])
    return tokens.get(token, "")


def decision_of(state: State, seat: int | None = None) -> Decision:
    """The open decision of the seat; without a seat, the only one there is."""
    (decision,) = [d for d in state.decisions if seat is None or d.seat == seat]
    return decision


def answer(rules: Rules, state: State, move: str, chance: Chance | None = None, seat: int | None = None) -> list[Event]:
    """Answers the open decision with a move in notation; without a chance none may be needed."""
    return advance(rules, state, decision_of(state, seat), parse_move(rules, move), chance or ScriptedChance())


def answers(rules: Rules, state: State, *moves: str) -> list[Event]:
    """Answers one open decision after the other, each with luck of no interest; the events of the last."""
    events: list[Event] = []
    for number, move in enumerate(moves):
        events = answer(rules, state, move, FastChance(number))
    return events


def refusal(rules: Rules, state: State, move: str, seat: int | None = None) -> tuple[str, str, dict[str, Any]]:
    """Code, rule and data of the violation. Fails if the move is accepted, or refused after something changed."""
    before = print_position(rules, state)
    listed = listed_moves(rules, state, seat)
    assert move not in listed, f"{move} is listed as legal"
    try:
        answer(rules, state, move, seat=seat)
    except RuleViolation as violation:
        assert print_position(rules, state) == before
        return violation.code, violation.rule, violation.data
    raise AssertionError(f"{move} was accepted")


def listed_moves(rules: Rules, state: State, seat: int | None = None) -> list[str]:
    """The legal moves in notation, in the published order."""
    return [print_move(rules, move) for move in legal_moves(rules, state, decision_of(state, seat))]


def names(events: list[Event]) -> list[str]:
    """The names of the events' classes."""
    return [type(event).__name__ for event in events]


def count(events: list[Event], name: str) -> int:
    """How many events of this class there are."""
    return names(events).count(name)


def opened_game(rules: Rules, seed: int = 1) -> State:
    """A game after set-up, where every seat has kept its first two tickets."""
    state, _ = new_game(rules, FastChance(seed))
    for seat in range(rules.seats):
        offer = shown(rules, state, "offers").split("/")[seat].split(",")
        answer(rules, state, f"KeepTickets {','.join(offer[:2])}", seat=seat)
    return state


def played_log(rules: Rules, seed: int, moves: int = 10_000) -> tuple[State, list[Commit]]:
    """A game of seeded random moves, to its end or so many moves long, and its log."""
    luck = FastChance(seed)
    state, events = new_game(rules, luck)
    log = [Commit(1, "2026-11-29T12:00:00.000Z", None, None, None, False, events, [])]
    while not state.over and len(log) <= moves:
        decision = state.decisions[luck.below(len(state.decisions))]
        legal = legal_moves(rules, state, decision)
        move = legal[luck.below(len(legal))]
        events = advance(rules, state, decision, move, luck)
        log.append(Commit(state.version, log[0].at, decision.seat, decision.id, move, False, events, []))
    return state, log
