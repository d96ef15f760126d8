"""What can go wrong when talking to the gateway: it refused, or it could not be reached."""

from __future__ import annotations

from typing import Any

import requests


class ApiProblem(Exception):
    """The gateway refused; `problem` is its answer as of RFC 9457, whole."""

    def __init__(self, status: int, problem: dict[str, Any]) -> None:
        super().__init__(f"{status} {problem.get('code', '')}: {problem.get('detail') or problem.get('title', '')}")
        self.status = status
        self.problem = problem

    @property
    def code(self) -> str:
        """The short name of what went wrong, for programs: `game_not_found`, `rule_violation`, ..."""
        return self.problem.get("code", "")

    @property
    def request_id(self) -> str:
        """The id to quote when asking the operator about it."""
        return self.problem.get("request_id", "")

    @property
    def errors(self) -> list[dict[str, Any]]:
        """The fields of the request that are wrong: [{pointer, code, detail}]."""
        return self.problem.get("errors", [])

    @property
    def violations(self) -> list[dict[str, Any]]:
        """The rules that the move broke: [{code, rule, text, data}]."""
        return self.problem.get("violations", [])

    def in_words(self) -> str:
        """Everything it says, on several lines, for people."""
        lines = [str(self)]
        lines += [f"  {error['pointer'] or 'the body'}: {error['detail']}" for error in self.errors]
        for broken in self.violations:
            lines += [f"  {broken['rule']}: {broken['text']}", f"  Here: {_data_words(broken)}."]
        return "\n".join(lines)


def _data_words(broken: dict[str, Any]) -> str:
    """What a violation says of the case at hand: "wrong colour, card blue, needed 4, held 1"."""
    values = {name: ", ".join(map(str, value)) if isinstance(value, list) else value
              for name, value in broken["data"].items()}
    return ", ".join([broken["code"].replace("_", " "), *(f"{name} {value}" for name, value in values.items())])


class Conflict(ApiProblem):
    """409: somebody or something was first, such as another answer to the same decision."""


class RuleBroken(ApiProblem):
    """422 `rule_violation`: the move is against the rules; nothing changed and the decision is still open."""


class Unreachable(Exception):
    """No answer came, after every retry that is safe."""


def problem_of(response: requests.Response) -> ApiProblem:
    """The exception that a refused `response` stands for."""
    try:
        problem = response.json()
    except requests.JSONDecodeError:
        problem = None
    if not isinstance(problem, dict):
        problem = {"title": response.reason, "code": "not_a_problem", "detail": "the answer is not problem+json"}
    if response.status_code == 409:
        return Conflict(409, problem)
    if problem.get("code") == "rule_violation":
        return RuleBroken(response.status_code, problem)
    return ApiProblem(response.status_code, problem)
