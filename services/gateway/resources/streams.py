"""Streams: a game as it happens."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

from flask import Response, g, request, stream_with_context

from services.gateway.callers import fails, only
from services.gateway.following import Item, Source, event_stream, follow, is_finished, json_lines
from services.gateway.parts import Parts, parts
from services.gateway.tokens import BOT, PLATFORM, SEAT, SPECTATOR
from shared.contracts.commits import CommitSchema, LastEventSchema, StreamQuerySchema
from shared.contracts.games import GameSchema
from shared.contracts.logs import bind, unbind
from shared.web import Blueprint, Problem
from shared.web.problems import common_problem

EVENTS, LINES = "text/event-stream", "application/x-ndjson"
WRITERS = {EVENTS: event_stream, LINES: json_lines}
UNBUFFERED = {"Cache-Control": "private, no-store", "X-Accel-Buffering": "no", "Vary": "Accept"}
RETRY_SECONDS = 5
EVENT = {
    "type": "object",
    "properties": {
        "event": {"enum": ["view", "commit"]},
        "id": {"type": "string", "pattern": "^[0-9]+$", "description": "The version."},
        "data": {"type": "string", "description": "A Game or a Commit as JSON."},
    },
    "required": ["event", "id", "data"],
}
SHAPES = "`view` and `commit` events with the version as id, or a line each: a game, then commits."

streams = Blueprint("streams", __name__, description="A game as it happens.")


@streams.get("/games/<game:game>/stream")
@only(PLATFORM, SEAT, SPECTATOR, BOT)
@fails(404, 406)
@streams.arguments(LastEventSchema, location="headers")
@streams.arguments(StreamQuerySchema, location="query")
@streams.response(200, EVENT, content_type=EVENTS, description=SHAPES)
@streams.alt_response(200, schema={"anyOf": [GameSchema, CommitSchema]}, content_type=LINES, description=SHAPES)
@streams.alt_response(204, success=True, description="The game is over and the caller has seen all of it.")
def stream_game(last_event: dict[str, Any], query: dict[str, Any], game: str) -> Response:
    """Follow a game

    As server-sent events or, by `Accept`, as lines of JSON: first the game as the caller may see it, then every commit
    in order as it happens, until the result is recorded. With `Last-Event-ID` or `after` it starts with the commits
    after that version, or with the game again where these are closed (VIEW-7). A comment or an empty line shows now and
    then that the stream lives. 503: too many streams; long polling of the commits still works.
    """
    media_type = accepted_type()
    after = last_event.get("after", query.pop("after", None))
    found = parts()
    with ExitStack() as held:
        take_place(held)
        source = _source(found, game, query)
        first = source.view()
        seen = after is not None and after <= first["version"]
        if seen and is_finished(first) and after == first["version"]:
            return Response(status=204)
        items = follow(source, found.hub, first=None if seen else first, after=after or 0,
                       heartbeat=found.tuning.heartbeat)
        return streamed(items, media_type, held, game=game)


def accepted_type() -> str:
    """Gives the form in which the caller wants a stream. Raises Problem 406 where it is neither."""
    accepted = request.accept_mimetypes
    media_type = accepted.best_match(list(WRITERS)) if accepted else EVENTS
    if media_type is None:
        raise common_problem(406)
    return media_type


def streamed(items: Iterator[Item], media_type: str, held: ExitStack, **about: str) -> Response:
    """Gives the stream of items; what is `held` is given back when it ends. Its log lines say what it is about."""
    written = _logged(WRITERS[media_type](items), about)
    response = Response(stream_with_context(written), mimetype=media_type, headers=UNBUFFERED)
    response.call_on_close(held.pop_all().close)
    return response


def take_place(held: ExitStack) -> None:
    """Takes a place among the streams for as long as `held` is open. Raises Problem 503 where there is none."""
    if refusal := held.enter_context(parts().streams.take(g.caller.account)):
        detail = f"No more streams: {refusal}. Poll meanwhile, or try again."
        raise Problem(503, "too_many_streams", detail, retry_after=RETRY_SECONDS)


def _source(found: Parts, game: str, query: dict[str, Any]) -> Source:
    def ask(path: str, **params: int) -> Any:
        return found.game_state.ask("GET", path, params={**query, **params}).json()

    return Source(
        game,
        view=lambda: ask(f"/games/{game}"),
        commits=lambda after: ask(f"/games/{game}/commits", after=after, limit=100),
    )


def _logged(lines: Iterator[str], about: dict[str, str]) -> Iterator[str]:
    """Gives the lines; what is logged meanwhile bears the id of the request, which for Flask has ended."""
    bind(request_id=g.request_id, **about)
    try:
        yield from lines
    finally:
        unbind()
