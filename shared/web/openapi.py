"""flask-smorest fitted to this project: strict JSON in, problem+json out, unknown fields refused everywhere."""

from __future__ import annotations

import json
import math
from typing import Any, NoReturn

import flask_smorest
import marshmallow
from flask import Request
from webargs import core
from webargs.flaskparser import FlaskParser
from werkzeug.exceptions import HTTPException

from shared.contracts.problems import ProblemSchema
from shared.web.problems import Problem, common_problem, problem_of


def read_json(request: Request) -> Any:
    """Parses the body of a request.

    Raises Problem 415 when it is not declared as JSON, and 400 `malformed_json` when it is none, holds NaN, infinite
    or absurdly long numbers or half characters, or is nested too deeply.
    """
    body = request.get_data(cache=True)
    if not body:
        raise _malformed("a JSON body is needed, none came")
    if not core.is_json(request.mimetype):
        raise common_problem(415)
    try:
        text = body.decode()
        found = json.loads(text, parse_constant=_no_number, parse_float=_finite)
        if "\\u" in text:
            json.dumps(found, ensure_ascii=False).encode()
    except json.JSONDecodeError as error:
        raise _malformed(f"{error.msg} at line {error.lineno}, column {error.colno}") from None
    except UnicodeError:
        raise _malformed("the text is not valid UTF-8") from None
    except RecursionError:
        raise _malformed("nested too deeply") from None
    except ValueError as error:
        raise _malformed(str(error) if error.args == (NOT_A_NUMBER,) else "a number is too long") from None
    return found


NOT_A_NUMBER = "NaN and infinite numbers are not JSON"


def _no_number(_: str) -> NoReturn:
    raise ValueError(NOT_A_NUMBER)


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(NOT_A_NUMBER)
    return number


def _malformed(why: str) -> Problem:
    error = {"pointer": "", "code": "malformed_json", "detail": why}
    return Problem(400, "malformed_json", "The body is not valid JSON.", errors=[error])


class StrictParser(FlaskParser):
    """Reads arguments of a request; refuses unknown body fields and unknown query parameters."""

    DEFAULT_UNKNOWN_BY_LOCATION = {**FlaskParser.DEFAULT_UNKNOWN_BY_LOCATION,
                                   "query": marshmallow.RAISE, "querystring": marshmallow.RAISE}

    def load_json(self, req: Request, schema: marshmallow.Schema) -> Any:
        """The parsed body; raises Problem as `read_json` does."""
        return read_json(req)


class Blueprint(flask_smorest.Blueprint):
    """A blueprint whose arguments are read strictly."""

    ARGUMENTS_PARSER = StrictParser()

    def arguments(self, schema: type[marshmallow.Schema] | marshmallow.Schema, **options: Any) -> Any:
        """Reads arguments with this schema, made once here: left a class, it would be made anew for every request."""
        return super().arguments(schema() if isinstance(schema, type) else schema, **options)


class Api(flask_smorest.Api):
    """The OpenAPI side of a service; its errors are the same problem+json as the app's."""

    ERROR_SCHEMA = ProblemSchema

    def handle_http_exception(self, error: HTTPException) -> Any:
        """Answers as the app does."""
        return error if error.response is not None or (error.code or 500) < 400 else problem_of(error).response()
