"""Who may do what: every resource of the public API against every kind of caller."""

from __future__ import annotations

import pytest

from services.gateway.tokens import BOT
from shared.contracts.problems import PROBLEM_TYPE
from tests.service.gateway.fakes import TURN, Seat

OK, CREATED, EMPTY, NO_TOKEN, NOT_YOURS, UNKNOWN, LATER = 200, 201, 204, 401, 403, 404, 409
CALLERS = ("nobody", "forger", "platform", "stranger", "seat", "other_seat", "foreign_seat", "revoked_seat",
           "spectator", "bot", "other_bot", "own_bot", "foreign_bot")  # fmt: skip

NEW_GAME = {"ruleset": "usa", "seats": [{"name": "Ann"}, {}]}
NEW_ARENA = {"ruleset": "usa", "entrants": [{"bot": "greedy"}] * 2, "games": 1}
NEW_BOT = {"bot": "careful", "about": "Keeps few tickets."}
VALIDATION = {"ruleset": "usa@1", "seats": 2, "position": "…", "decision": "1.0", "move": TURN}

READ = (NO_TOKEN, NO_TOKEN, OK, UNKNOWN, OK, OK, UNKNOWN, NO_TOKEN, OK, OK, UNKNOWN, OK, UNKNOWN)
HOSTS = (NO_TOKEN, NO_TOKEN, OK, UNKNOWN, NOT_YOURS, NOT_YOURS, UNKNOWN, *(NOT_YOURS,) * 6)
OWN_SEAT = (NO_TOKEN, NO_TOKEN, NOT_YOURS, NOT_YOURS, OK, NOT_YOURS, UNKNOWN, NO_TOKEN, NOT_YOURS, OK, UNKNOWN,
            NOT_YOURS, UNKNOWN)  # fmt: skip
PLATFORMS = (NO_TOKEN, NO_TOKEN, OK, OK, *(NOT_YOURS,) * 9)
OWNERS = (NO_TOKEN, NO_TOKEN, OK, UNKNOWN, *(NOT_YOURS,) * 9)
BOTS = (NO_TOKEN, NO_TOKEN, *(NOT_YOURS,) * 7, UNKNOWN, UNKNOWN, OK, OK)
WORKERS = (NO_TOKEN, NO_TOKEN, *(NOT_YOURS,) * 7, UNKNOWN, UNKNOWN, OK, UNKNOWN)
ANYBODY = (OK,) * 13


def _with(expected: tuple[int, ...], **changed: int) -> tuple[int, ...]:
    return tuple(changed.get(caller, status) for caller, status in zip(CALLERS, expected, strict=True))


MATRIX = {
    "POST /games": (NEW_GAME, _with(PLATFORMS, platform=CREATED, stranger=CREATED)),
    "GET /games": (None, PLATFORMS),
    "GET /games/{game}": (None, READ),
    "PUT /games/{game}/spectators": (None, HOSTS),
    "PUT /games/{game}/seats/{seat}": ({"name": "Ann"}, HOSTS),
    "DELETE /games/{game}/seats/{seat}": (None, _with(HOSTS, platform=EMPTY, seat=EMPTY, revoked_seat=NO_TOKEN)),
    "GET /games/{game}/seats/{seat}/notes": (None, OWN_SEAT),
    "PUT /games/{game}/seats/{seat}/notes": ({"notes": "blue"}, OWN_SEAT),
    "GET /games/{game}/decisions/{decision}": (None, _with(READ, own_bot=NOT_YOURS)),
    "PUT /games/{game}/decisions/{decision}/answer": ({"move": TURN}, _with(OWN_SEAT, seat=CREATED, bot=CREATED)),
    "GET /games/{game}/commits": (None, READ),
    "GET /games/{game}/record": (None, tuple(LATER if status == OK else status for status in READ)),
    "GET /games/{game}/stream": (None, READ),
    "GET /games/{game}/scores": (None, READ),
    "GET /rulesets": (None, ANYBODY),
    "GET /rulesets/{ruleset}": (None, ANYBODY),
    "GET /boards/{board}": (None, ANYBODY),
    "GET /rules/{rule}": (None, ANYBODY),
    "GET /bots": (None, ANYBODY),
    "POST /bots": (NEW_BOT, _with(PLATFORMS, platform=LATER, stranger=LATER)),
    "PUT /bots/{bot}/token": (None, OWNERS),
    "DELETE /bots/{bot}": (None, _with(OWNERS, platform=EMPTY)),
    "GET /bots/me": (None, BOTS),
    "GET /bots/me/stream": (None, BOTS),
    "POST /bots/me/work": (None, _with(BOTS, own_bot=EMPTY, foreign_bot=EMPTY)),
    "PUT /bots/me/work/{held}/answer": ({"move": TURN}, _with(WORKERS, own_bot=CREATED)),
    "DELETE /bots/me/work/{held}": (None, _with(WORKERS, own_bot=EMPTY)),
    "POST /arenas": (NEW_ARENA, _with(PLATFORMS, platform=CREATED, stranger=CREATED)),
    "GET /arenas": (None, PLATFORMS),
    "GET /arenas/{arena}": (None, OWNERS),
    "DELETE /arenas/{arena}": (None, OWNERS),
    "GET /arenas/{arena}/records": (None, OWNERS),
    "POST /validations": (VALIDATION, _with(PLATFORMS, bot=OK, other_bot=OK, own_bot=OK, foreign_bot=OK)),
}
NAMES = {"seat": 0, "decision": "1.0", "ruleset": "usa", "board": "usa", "rule": "BASE-24", "arena": "own",
         "bot": "acme.careful", "held": "held.1.0.0123456789abcdef"}
CASES = [
    pytest.param(operation, body, caller, status, id=f"{operation} as {caller}")
    for operation, (body, statuses) in MATRIX.items()
    for caller, status in zip(CALLERS, statuses, strict=True)
]


@pytest.fixture
def tokens(gateway, platform, stranger, bot) -> dict[str, str | None]:
    own, signed = "held", gateway.tokens
    return {
        "nobody": None,
        "forger": signed.for_seat(own, 0, 1)[:-1] + "?",
        "platform": platform,
        "stranger": stranger,
        "seat": signed.for_seat(own, 0, 2),
        "other_seat": signed.for_seat(own, 1, 1),
        "foreign_seat": signed.for_seat("elsewhere", 0, 1),
        "revoked_seat": signed.for_seat(own, 0, 1),
        "spectator": signed.for_spectators(own, 1),
        "bot": bot,
        "other_bot": gateway.accounts.create(BOT, "other"),
        "own_bot": gateway.external_bot("acme", "careful"),
        "foreign_bot": gateway.external_bot("other", "careful"),
    }


@pytest.mark.parametrize(("operation", "body", "caller", "expected"), CASES)
def test_each_caller_gets_what_it_may(gateway, tokens, operation, body, caller, expected):
    gateway.games.add("held", Seat("Ann", bot="greedy", epoch=2), Seat("Bo", epoch=1), Seat(bot="acme.careful"))
    gateway.games.add("elsewhere", owner="third")
    method, path = operation.split(" ")

    with gateway.send(method, path.format(game="held", **NAMES), tokens[caller], json=body, stream=True) as answer:
        assert answer.status_code == expected
        if expected >= 400:
            assert answer.headers["Content-Type"] == PROBLEM_TYPE
        assert ("WWW-Authenticate" in answer.headers) == (expected == NO_TOKEN)


def test_the_matrix_covers_every_resource(gateway_app):
    served = {
        f"{method} {_template(rule.rule)}"
        for rule in gateway_app.url_map.iter_rules() if rule.rule.startswith("/v1/")
        for method in rule.methods - {"HEAD", "OPTIONS"}
    }  # fmt: skip
    assert served == set(MATRIX)


def test_what_is_unknown_and_what_is_not_yours_look_the_same(gateway, platform):
    gateway.games.add("theirs", owner="other")
    hidden = [gateway.get(f"/games/{game}", token, headers={"X-Request-Id": "same"}) for game, token in (
        ("theirs", platform), ("nowhere", platform), ("theirs", gateway.seat("mine", 0)))]
    assert {answer.status_code for answer in hidden} == {404}
    assert len({answer.content for answer in hidden}) == 1
    assert len({tuple(name for name in answer.headers if name != "Date") for answer in hidden}) == 1


def test_a_challenge_tells_a_missing_token_from_a_bad_one(gateway):
    missing, bad = gateway.get("/games"), gateway.get("/games", "pk_never-issued")
    assert (missing.json()["code"], missing.headers["WWW-Authenticate"]) == (
        "token_missing", 'Bearer realm="whistlestop"')
    assert (bad.json()["code"], bad.headers["WWW-Authenticate"]) == (
        "token_invalid", 'Bearer realm="whistlestop", error="invalid_token"')


@pytest.mark.parametrize("header", ["", "Bearer", "Bearer ", "Basic YTpi", "pk_x", "Bearer é", "Bearer " + "x" * 5000])
def test_an_odd_authorization_header_is_no_token(gateway, header):
    answer = gateway.get("/games", headers={"Authorization": header.encode()})
    assert answer.status_code == 401


def _template(rule: str) -> str:
    return "".join("{" + part.split(":")[-1].rstrip(">") + "}" if part.startswith("<") else part
                   for part in _parts(rule.removeprefix("/v1")))  # fmt: skip


def _parts(rule: str) -> list[str]:
    return rule.replace("<", "\0<").replace(">", ">\0").split("\0")
