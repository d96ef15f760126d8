"""Sheets add up: what was scored in play is what a recount finds, and every line shows evidence that holds."""

from __future__ import annotations

import random
from collections import Counter, defaultdict

import pytest

from shared.catalog import board, rule_text, ruleset
from shared.kernel import TICKETS, TRACKS, YARDS, Rules, ScoreSheet, State, bits, completed, running_score, score
from tests.kernel_games import ALL_RULES, play
from tests.property.games import for_every_game


def reachable(rules: Rules, state: State, seat: int, start: int) -> set[int]:
    """The cities that the seat's tracks connect with one, by walking from city to city, never through a dead end."""
    neighbours = defaultdict(set)
    for track in state.parts[TRACKS].owned(seat):
        a, b = rules.board.ends[track]
        neighbours[a].add(b)
        neighbours[b].add(a)
    found, walk = {start}, [start]
    while walk:
        for city in neighbours[walk.pop()] - found:
            found.add(city)
            if city not in rules.board.dead_ends:
                walk.append(city)
    return found


def is_trail(rules: Rules, tracks: list[int]) -> bool:
    """Whether each track starts where the one before ended, none used twice."""
    ends = [set(rules.board.ends[track]) for track in tracks]
    for start in ends[0]:
        at = start
        for pair in ends:
            if at not in pair:
                break
            (at,) = pair - {at}
        else:
            return len(set(tracks)) == len(tracks)
    return False


@for_every_game()
def test_the_final_sheet_adds_up_and_its_evidence_holds(rules: Rules, seed: int) -> None:
    state = play(rules, seed).end
    sheet = score(rules, state)
    for seat, lines in enumerate(sheet.lines):
        assert sheet.totals[seat] == sum(line.points for line in lines)
        scored_openly = running_score(rules, state).lines[seat]
        assert [line.plain() for line in lines[: len(scored_openly)]] == [line.plain() for line in scored_openly]
        assert sum(line.points for line in scored_openly) == state.points[seat]
        assert all(rule_text(line.rule) for line in lines)
        (check_tickets if state.parts[TRACKS] is not None else check_paid_tickets)(rules, state, seat, sheet)
    check_ranks(rules, sheet)
    assert sheet.plain()["winners"] == [seat for seat, rank in enumerate(sheet.ranks) if rank == 1]


def check_tickets(rules: Rules, state: State, seat: int, sheet: ScoreSheet) -> None:
    """Each ticket of the hand has its line; a completed one shows own tracks from city to city."""
    hand = bits(state.parts[TICKETS].hands[seat])
    lines = {line.evidence["ticket"]: line for line in sheet.lines[seat] if line.reason == "ticket"}
    assert sorted(lines) == sorted(rules.board.tickets[ticket] for ticket in hand)
    for ticket in hand:
        line = lines[rules.board.tickets[ticket]]
        a, b = rules.board.ticket_ends[ticket]
        done = b in reachable(rules, state, seat, a)
        assert line.evidence["completed"] == done == (ticket in completed(rules, state, seat))
        assert line.points == (1 if done else -1) * rules.board.ticket_points[ticket]
        if done:
            tracks = [rules.board.track_of[name] for name in line.evidence["tracks"]]
            assert all(state.parts[TRACKS].owners[track] == seat for track in tracks)
            assert is_trail(rules, tracks)
            cities = Counter(city for track in tracks for city in rules.board.ends[track])
            assert {city for city, times in cities.items() if times % 2} == {a, b}
    assert sheet.completed[seat] == sum(line.evidence["completed"] for line in lines.values())


def check_paid_tickets(rules: Rules, state: State, seat: int, sheet: ScoreSheet) -> None:
    """Each ticket of the hand or set aside has its line; a completed one shows the cards that it costs."""
    aside, hand = bits(state.parts[YARDS].completed[seat]), bits(state.parts[TICKETS].hands[seat])
    lines = [line for line in sheet.lines[seat] if line.reason == "ticket"]
    assert [line.evidence["ticket"] for line in lines] == [rules.board.tickets[ticket] for ticket in aside + hand]
    for ticket, line in zip(aside + hand, lines, strict=True):
        done = ticket in aside
        assert line.evidence["completed"] == done
        assert line.points == (1 if done else -1) * rules.board.ticket_points[ticket]
        if done:
            paid = Counter(line.evidence["cards"])
            wilds = paid.pop(rules.kinds[rules.wild], 0)
            costs = Counter(dict(zip(rules.kinds, rules.board.ticket_costs[ticket], strict=False)))
            assert paid <= costs and paid.total() + wilds == costs.total()
    assert sheet.completed[seat] == len(aside)


@for_every_game(among=[rules for rules in ALL_RULES if "on_the_track" in rules.by_name])
def test_no_card_of_a_stack_pays_twice(rules: Rules, seed: int) -> None:
    game = play(rules, seed)
    for commit, before in zip(game.commits[1:], game.states, strict=False):
        for event in commit.events:
            if type(event).__name__ == "TicketsCompleted":
                left = before.parts[YARDS].stacks[event.seat][:]
                for kind, number in (pair for _, cards in event.payments for pair in cards):
                    left[kind] -= number
                assert min(left) >= 0


@for_every_game(among=[rules for rules in ALL_RULES if "big_cities" in rules.by_name])
def test_a_big_citys_bonus_goes_to_whoever_completed_most_tickets_to_it(rules: Rules, seed: int) -> None:
    state = play(rules, seed).end
    sheet = score(rules, state)
    for bonus in board(rules.board.id)["bonus_cards"]:
        named = Counter(
            {
                seat: sum(bonus["city"] in rules.board.tickets[ticket].split("-") for ticket in bits(mask))
                for seat, mask in enumerate(state.parts[YARDS].completed)
            }
        )
        best = max(named.values())
        for seat, lines in enumerate(sheet.lines):
            got = [line.points for line in lines if line.evidence.get("city") == bonus["city"]]
            assert got == ([bonus["points"]] if named[seat] == best > 0 else [])


def check_ranks(rules: Rules, sheet: ScoreSheet) -> None:
    """Best first: total, then the ties of the rule set in their order; equals share the rank."""
    by = ruleset(rules.id)["ties"]["by"]
    order = [(sheet.totals[seat], *[sheet.ties[seat][name] for name in by]) for seat in range(rules.seats)]
    for seat, own in enumerate(order):
        assert sheet.ranks[seat] == 1 + len([other for other in order if other > own])


@for_every_game(among=[rules for rules in ALL_RULES if "longest_path" in rules.by_name])
def test_the_longest_path_goes_to_everybody_who_has_it(rules: Rules, seed: int) -> None:
    state = play(rules, seed).end
    sheet = score(rules, state)
    lengths = {}
    for seat, lines in enumerate(sheet.lines):
        for line in lines:
            if line.reason == "longest_path":
                tracks = [rules.board.track_of[name] for name in line.evidence["tracks"]]
                assert is_trail(rules, tracks)
                assert all(state.parts[TRACKS].owners[track] == seat for track in tracks)
                lengths[seat] = sum(rules.board.lengths[track] for track in tracks)
                assert lengths[seat] == line.evidence["length"]
    assert len(set(lengths.values())) <= 1
    longest = max(lengths.values(), default=0)
    for seat in range(rules.seats):
        assert a_long_trail(rules, state, seat, random.Random(seed)) <= longest


def a_long_trail(rules: Rules, state: State, seat: int, luck: random.Random) -> int:
    """The length of the best of many random trails of the seat."""
    tracks = state.parts[TRACKS].owned(seat)
    best = 0
    for _ in range(100 if tracks else 0):
        left = set(tracks)
        at = luck.choice(rules.board.ends[luck.choice(tracks)])
        length = 0
        while onward := [track for track in sorted(left) if at in rules.board.ends[track]]:
            track = luck.choice(onward)
            left.discard(track)
            length += rules.board.lengths[track]
            (at,) = set(rules.board.ends[track]) - {at}
        best = max(best, length)
    return best


@for_every_game(examples=2)
def test_there_is_no_final_sheet_before_the_end(rules: Rules, seed: int) -> None:
    for state in play(rules, seed).states[:-1]:
        with pytest.raises(ValueError, match="not over"):
            score(rules, state)
