"""What to do when the gateway refuses, by what it says: for people at the command line."""

from __future__ import annotations

from shared.client.errors import ApiProblem

TOKENS = """\
Say who you are with WHISTLESTOP_TOKEN: a platform key (pk_) to create games and hand out seats, the token of a seat
(st_) to play, of a spectator (sp_) to watch, of a bot (bt_) to run it. The local stack keeps a platform key in
var/secrets/platform_key."""
LATER = "Do it again soon. Of the local stack `make status` shows what runs, var/logs why something does not."
OPEN = "`show GAME` tells which decisions are open; nothing changed."
OF_CODE = {
    "rule_violation": "Nothing changed and the decision is still open. `answer GAME DECISION` lists the legal answers.",
    "ruleset_not_found": "`rulesets` lists those that exist.",
    "seat_taken": "`show GAME` tells which seats are free.",
    "name_taken": "Take another name, or the seat that has this one.",
    "too_many_arenas": "`arenas` lists yours, `cancel ARENA` ends one.",
    "bot_exists": "`bot token NAME` prints a new token for it.",
    "game_not_over": "`watch GAME` follows it to its end.",
    "decision_answered": OPEN,
    "decision_not_open": OPEN,
    "decision_not_found": OPEN,
}
OF_POINTER = {"/ruleset": OF_CODE["ruleset_not_found"]}
OF_STATUS = {
    401: TOKENS,
    403: TOKENS,
    404: "Is the id whole, and may the holder of this token see it?\n" + TOKENS,
    429: "Wait a moment, then do it again.",
    502: LATER,
    503: LATER,
}


def advice(problem: ApiProblem) -> str:
    """What to do about a refusal, on some lines; empty where it says so itself."""
    for error in problem.errors:
        if error["pointer"] in OF_POINTER:
            return OF_POINTER[error["pointer"]]
    return OF_CODE.get(problem.code) or OF_STATUS.get(problem.status, "")
