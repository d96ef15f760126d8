"""The resources of game-state: parse, call one use case, answer."""

from __future__ import annotations

from typing import Any

from flask import Response, current_app, g, jsonify, request

from services.game_state import answers, audit, games, logs, seats, work
from services.game_state.adapters import Adapters
from services.game_state.callers import Caller, parse_caller
from shared.contracts.callers import CALLER_HEADER
from shared.contracts.decisions import AnswerSchema
from shared.contracts.games import ViewQuerySchema
from shared.contracts.internal_games import (
    NewOwnedGameSchema,
    OwnedGamesQuerySchema,
    PastCommitsQuerySchema,
    ProjectedRequestSchema,
    ResultRequestSchema,
)
from shared.contracts.notes import NotesRequestSchema
from shared.contracts.seats import SeatClaimSchema
from shared.contracts.work import TakeWorkSchema
from shared.web import Blueprint, allow

blueprint = Blueprint("games", __name__)

Json = dict[str, Any]
GAME = "/games/<game>"
SEAT = f"{GAME}/seats/<int:seat>"
DECISION = f"{GAME}/decisions/<decision>"
WORK = "/work/<held>"


@blueprint.post("/games")
@blueprint.arguments(NewOwnedGameSchema)
def create_game(asked: Json) -> Response:
    """Creates a game."""
    game, is_new = games.create(_adapters(), asked)
    shown, tag = games.show(_adapters(), Caller("owner", asked["owner"]), game)
    return _made(shown, is_new, ETag=tag)


@blueprint.get("/games")
@blueprint.arguments(OwnedGamesQuerySchema, location="query")
def list_games(query: Json) -> Response:
    """Lists the games of a platform."""
    return jsonify(games.listing(_adapters(), query["owner"], cursor=query.get("cursor"), limit=query["limit"]))


@blueprint.get(GAME)
@allow("gateway", "scoring")
@blueprint.arguments(ViewQuerySchema, location="query")
def show_game(query: Json, game: str) -> Response:
    """Shows a game as its caller may see it."""
    known = request.headers.get("If-None-Match")
    shown, tag = games.show(_adapters(), _caller(), game, seat=query.get("seat"), known=known)
    response = Response(status=304) if shown is None else jsonify(shown)
    response.headers["ETag"] = tag
    response.vary.add("Authorization")
    return response


@blueprint.put(SEAT)
@blueprint.arguments(SeatClaimSchema)
def claim_seat(asked: Json, game: str, seat: int) -> Response:
    """Claims a seat."""
    return _made(*seats.claim(_adapters(), _caller(), game, seat, asked["name"]))


@blueprint.delete(SEAT)
def release_seat(game: str, seat: int) -> Response:
    """Frees a seat, or revokes its token."""
    seats.release(_adapters(), _caller(), game, seat)
    return Response(status=204)


@blueprint.put(f"{GAME}/spectators")
def renew_spectators(game: str) -> Response:
    """Revokes the tokens of spectators."""
    return jsonify(seats.renew_spectators(_adapters(), _caller(), game))


@blueprint.get(f"{SEAT}/notes")
def show_notes(game: str, seat: int) -> Response:
    """Shows a seat its notes."""
    return jsonify(seats.notes(_adapters(), _caller(), game, seat))


@blueprint.put(f"{SEAT}/notes")
@blueprint.arguments(NotesRequestSchema)
def keep_notes(asked: Json, game: str, seat: int) -> Response:
    """Keeps the notes of a seat."""
    return jsonify(seats.keep_notes(_adapters(), _caller(), game, seat, asked["notes"]))


@blueprint.get(DECISION)
def show_decision(game: str, decision: str) -> Response:
    """Shows a decision, and its own seat what it may choose."""
    return jsonify(answers.show(_adapters(), _caller(), game, decision))


@blueprint.put(f"{DECISION}/answer")
@blueprint.arguments(AnswerSchema)
def answer_decision(asked: Json, game: str, decision: str) -> Response:
    """Answers a decision."""
    return _answered(game, *answers.answer(_adapters(), _caller(), game, decision, asked["move"]))


@blueprint.get("/work")
def list_free_work() -> Response:
    """Lists what an external bot has to do."""
    return jsonify(work.free(_adapters(), _caller()))


@blueprint.post("/work")
@blueprint.arguments(TakeWorkSchema)
def take_work(asked: Json) -> Response:
    """Gives an external bot something to do."""
    taken = work.take(_adapters(), _caller(), asked["most"])
    return Response(status=204) if taken is None else _made(taken, True)


@blueprint.put(f"{WORK}/answer")
@blueprint.arguments(AnswerSchema)
def answer_work(asked: Json, held: str) -> Response:
    """Answers the decision that is held as work."""
    game = held.partition(".")[0]
    return _answered(game, *work.answer(_adapters(), _caller(), held, asked["move"]))


@blueprint.delete(WORK)
def abort_work(held: str) -> Response:
    """Takes work back."""
    work.abort(_adapters(), _caller(), held)
    return Response(status=204)


@blueprint.post(f"{DECISION}/default")
@allow("maintenance")
def answer_by_default(game: str, decision: str) -> Response:
    """Answers a decision for its seat."""
    return _made(answers.answer_by_default(_adapters(), game, decision), True)


@blueprint.get(f"{GAME}/commits")
@allow("gateway", "scoring")
@blueprint.arguments(PastCommitsQuerySchema, location="query")
def list_commits(query: Json, game: str) -> Response:
    """Lists commits as the caller may see them."""
    seat = query.get("seat")
    found = logs.commits(_adapters(), _caller(), game, after=query["after"], limit=query["limit"], seat=seat)
    return jsonify(found)


@blueprint.get(f"{GAME}/record")
@allow("gateway", "scoring")
def show_record(game: str) -> Response:
    """Shows everything about a finished game."""
    return jsonify(logs.record(_adapters(), _caller(), game))


@blueprint.put(f"{GAME}/result")
@allow("scoring")
@blueprint.arguments(ResultRequestSchema)
def record_result(asked: Json, game: str) -> Response:
    """Records the final score sheet."""
    return _made(*logs.record_result(_adapters(), game, asked["sheet"]))


@blueprint.post(f"{GAME}/projected")
@allow("scoring")
@blueprint.arguments(ProjectedRequestSchema)
def note_projected(asked: Json, game: str) -> Response:
    """Notes how far scoring has read."""
    return jsonify(logs.projected(_adapters(), game, asked["version"]))


@blueprint.post(f"{GAME}/start")
@allow("maintenance")
def start_game(game: str) -> Response:
    """Starts a game that is full."""
    return jsonify({"version": games.start(_adapters(), game)})


@blueprint.post(f"{GAME}/audit")
@allow("maintenance")
def audit_game(game: str) -> Response:
    """Compares a game with its log."""
    return jsonify({"repaired": audit.audit(_adapters(), game)})


def _adapters() -> Adapters:
    return current_app.extensions["adapters"]


def _caller() -> Caller:
    return parse_caller(request.headers.get(CALLER_HEADER), g.service)


def _answered(game: str, answered: Json, is_new: bool) -> Response:
    return _made(answered, is_new, Location=f"/games/{game}/commits?after={answered['version'] - 1}&limit=1")


def _made(shown: Json, is_new: bool, **headers: str) -> Response:
    response = jsonify(shown)
    response.status_code = 201 if is_new else 200
    response.headers.update(headers)
    return response
