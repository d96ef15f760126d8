"""Games to read and logs to keep. `make goldens` writes the playthroughs anew, for review as a diff, and logs only for
rule sets that have none: a log that is there is never written again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from shared.catalog import rules_for, ruleset, rulesets
from shared.kernel import (
    Commit,
    ResultRecorded,
    Rules,
    ScoreSheet,
    State,
    commit_to_plain,
    commitment,
    events_to_plain,
    fold_log,
    print_move,
    print_position,
    score,
    state_to_plain,
)
from tests.kernel_games import AT, Game, fewest_and_most_seats, play

HERE = Path(__file__).parent
LOGS = HERE / "logs"
PLAYTHROUGHS = HERE / "playthroughs"
SEED = 2  # one of those whose games have every kind of event, and even a pass
LOG_SEEDS = 20
NONCE = b"whistlestop"


def word(value: Any) -> str:
    """A value of an event in short."""
    if isinstance(value, dict):
        return "+".join(f"{number} {name}" for name, number in value.items()) or "nothing"
    if isinstance(value, list):
        return "[" + ", ".join(map(word, value)) + "]"
    return str(value)


def event_lines(rules: Rules, commit: Commit) -> list[str]:
    """A line for each event."""
    plain = events_to_plain(rules, commit.events)
    return ["    " + " ".join([event.pop("event"), *map(word, event.values())]) for event in plain]


def sheet_lines(sheet: ScoreSheet) -> list[str]:
    """The final sheet, without the evidence where it could be chosen otherwise."""
    lines = []
    for seat, entries in enumerate(sheet.lines):
        lines.append(f"seat {seat}: {sheet.totals[seat]} points, rank {sheet.ranks[seat]}, ties {sheet.ties[seat]}")
        for entry in entries:
            what = entry.evidence.get("ticket") or entry.evidence.get("track") or entry.evidence.get("length", "")
            lines.append(f"    {entry.points:+} {entry.reason} {what} ({entry.rule})")
    return lines


def commit_lines(rules: Rules, commit: Commit, state: State) -> list[str]:
    """What happened in one commit."""
    head = f"{commit.version}. set-up"
    if commit.move is not None:
        head = f"{commit.version}. seat {commit.seat}: {print_move(rules, commit.move)}"
    lines = [head, *event_lines(rules, commit)]
    if commit.version % 25 == 0:
        lines.append("    " + print_position(rules, state))
    return lines


def text(game: Game) -> str:
    """The whole game, readable."""
    rules = game.rules
    pairs = zip(game.commits, game.states, strict=True)
    lines = [line for commit, state in pairs for line in commit_lines(rules, commit, state)]
    return "\n".join([*lines, *sheet_lines(score(rules, game.end)), ""])


def playthroughs() -> dict[Path, Rules]:
    """Which games there are."""
    all_rules = fewest_and_most_seats()
    return {PLAYTHROUGHS / f"{rules.id.partition('@')[0]}_{rules.seats}.txt": rules for rules in all_rules}


def kinds_of_events(rules: Rules, number: int) -> int:
    """How many kinds of events the game of a seed has."""
    return len({type(event) for commit in play(rules, number).commits for event in commit.events})


def log_lines(rules: Rules) -> list[Any]:
    """What a log golden holds: whose it is, the commits, the last position; of the seed with most kinds of events."""
    number = max(range(1, LOG_SEEDS), key=lambda number: kinds_of_events(rules, number))
    game = play(rules, number)
    seed = number.to_bytes(32, "big")
    head = {
        "ruleset": rules.id,
        "seats": rules.seats,
        "options": rules.options,
        "nonce": NONCE.hex(),
        "seed": seed.hex(),
        "commitment": commitment(NONCE, seed),
    }
    sheet = score(rules, game.end)
    result = Commit(game.end.version + 1, AT, None, None, None, False, [ResultRecorded(sheet.plain())], [])
    commits = [*game.commits, result]
    last = {"position": state_to_plain(rules, fold_log(rules, commits)), "totals": sheet.totals}
    return [head, *[commit_to_plain(rules, commit) for commit in commits], last]


def main() -> None:
    """Writes the playthroughs, and the logs of rule sets that have none."""
    for path, rules in playthroughs().items():
        path.write_text(text(play(rules, SEED)), encoding="utf-8")
    for name in rulesets():
        span = ruleset(name)["seats"]
        for seats in sorted({span["min"], min(4, span["max"])}):
            path = LOGS / f"{name}_{seats}.ndjson"
            if not path.exists():
                lines = [json.dumps(line, separators=(",", ":")) for line in log_lines(rules_for(name, seats))]
                path.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
