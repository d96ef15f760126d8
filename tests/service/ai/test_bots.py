"""The bots: found by being there, strong enough, and never the reason why a game does not end."""

from __future__ import annotations

import pkgutil
import statistics

import pytest

from services.ai import bots
from services.ai.app import create_ai
from services.ai.bots import BOTS, FALLBACK
from services.ai.play import play
from shared.catalog import rules_for, ruleset, rulesets
from shared.client import Bot, Question
from shared.kernel import Move, Rules, ScoreSheet, score
from shared.web import Settings
from shared.web.service_auth import ServiceToken
from tests.service.ai.choosing import ALMOST, chosen

NOWHERE = "redis://127.0.0.1:9/0"
SECRET = "a secret for tests that is long enough"
USA = rules_for("usa@1", 2)
ALL = [rules_for(name, seats) for name in rulesets() for seats in (ruleset(name)["seats"]["min"],
                                                                  ruleset(name)["seats"]["max"])]


def duel(seed: int) -> ScoreSheet:
    """A game of two seats, greedy first in even ones."""
    names = ["greedy", "random"] if seed % 2 == 0 else ["random", "greedy"]
    return score(USA, play(USA, [BOTS[name] for name in names], seed))


def test_every_file_of_the_package_is_a_bot_in_the_registry() -> None:
    files = {module.name for module in pkgutil.iter_modules(bots.__path__)}
    assert {type(bot).__module__.rpartition(".")[2] for bot in BOTS.values()} == files
    assert FALLBACK in BOTS and all(name == bot.name and bot.about for name, bot in BOTS.items())


def test_the_service_lists_them_for_every_rule_set() -> None:
    app = create_ai(Settings("ai", store_url=NOWHERE, broker_url=NOWHERE, service_secret=SECRET))
    header = {"Authorization": ServiceToken(SECRET, "gateway", "ai").header()}
    listed = app.test_client().get("/bots", headers=header).json["bots"]
    assert {bot["bot"] for bot in listed} == set(BOTS) and all("usa@1" in bot["rulesets"] for bot in listed)
    assert app.test_client().get("/bots").status_code == 401


class Twice(Bot):
    """Asks another bot everything twice, and notes questions that got two answers."""

    def __init__(self, other: Bot) -> None:
        self.name = other.name
        self.other = other
        self.asked = 0
        self.differing: list[str] = []

    def choose(self, question: Question) -> Move:
        again = Question(question.rules, question.view.copy(), question.decision, question.legal_moves[:],
                         question.notes, question.chance.copy(), question.seconds)  # fmt: skip
        move = self.other.choose(question)
        self.asked += 1
        if (move, question.notes) != (self.other.choose(again), again.notes):
            self.differing.append(question.decision.id)
        return move


@pytest.mark.parametrize("name", sorted(BOTS))
@pytest.mark.parametrize("rules", ALL, ids=lambda rules: f"{rules.id}:{rules.seats}")
def test_every_bot_plays_every_rule_set_to_the_end_and_answers_a_question_always_the_same(
    rules: Rules, name: str
) -> None:
    bot = Twice(BOTS[name])
    for seed in range(2):
        assert play(rules, [bot] * rules.seats, seed, seconds=0.0).over  # time is no part of these questions
    assert bot.asked > 20 and not bot.differing


def test_greedy_beats_random_and_scores_well() -> None:
    games = 40
    sheets = [duel(seed) for seed in range(games)]
    points = [sheet.totals[seed % 2] for seed, sheet in enumerate(sheets)]
    assert sum(sheet.winners() == [seed % 2] for seed, sheet in enumerate(sheets)) >= games - 1
    assert statistics.mean(points) > 80


OPENING = "hands=-/- display=RRRWK tickets=denver-el_paso,houston-kansas_city/- ask=turn"
LONG = "hands=P4W6/- display=RRRWK tracks={}/- tickets=boston-miami/- ask=turn"
TWO = f"hands=P4/- tracks={ALMOST}/- tickets=boston-miami,los_angeles-new_york/- ask=turn"
DONE = f"{ALMOST},charleston-miami-purple"


@pytest.mark.parametrize(
    ("name", "position", "move"),
    [
        ("hungry", OPENING, "DrawTickets"),
        ("hungry", OPENING.replace("ask", "trains=45/19 ask"), "DrawFromDisplay red"),
        ("hungry", OPENING.replace("tickets=", "tickets=los_angeles-miami,new_york-seattle,"), "DrawFromDisplay black"),
        ("one_step", OPENING, "DrawFromDisplay red"),
        ("one_step", LONG.format(ALMOST), "ClaimTrack charleston-miami-purple P4"),
        ("one_step", TWO, "ClaimTrack los_angeles-phoenix-gray P3"),
        ("one_step", LONG.format(DONE), "DrawTickets"),
        ("long_route", OPENING, "DrawFromDisplay red"),
        ("long_route", LONG.format(DONE), "ClaimTrack sault_st_marie-winnipeg-gray W6"),
    ],
    ids=["hungry draws tickets at once", "not when another seat hurries", "not when its tickets fill its trains",
         "one_step works on its tickets first", "claims the ready track of its ticket",
         "only for its most valuable one", "draws tickets when its own are done",
         "long_route works on its tickets first", "then takes the longest track, and never tickets"],
)  # fmt: skip
def test_yardsticks_play_in_their_style(name: str, position: str, move: str) -> None:
    assert chosen(name, USA, position) == move
